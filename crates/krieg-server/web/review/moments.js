// The list of key moments: turns in which a much better try could be found. A click shows the turn.

import { button, el, fill } from "../dom.js";
import { sideName } from "../squares.js";

/** @typedef {import("../types.js").Analysis} Analysis */
/** @typedef {import("../types.js").Moment} Moment */
/** @typedef {import("./cursor.js").Cursor} Cursor */

/** @param {Cursor} cursor */
export function momentList(cursor) {
  const list = el("ol", { class: "moments", "data-test": "moments" });
  const element = el("section", { class: "card moments-card", hidden: true },
    el("h2", {}, "Key moments"), list);
  /** @type {[Moment, HTMLElement][]} */
  let lines = [];

  cursor.subscribe(markCurrent);
  /** @param {number} at */
  function markCurrent(at) {
    for (const [moment, line] of lines) {
      if (moment.at === at) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    }
  }

  /** @param {Moment} moment */
  function momentButton({ at, loss, move, side, text }) {
    return button([
      el("span", { class: "moment-head" },
        el("span", { class: `disc ${side}` }),
        el("strong", {}, `${sideName(side)}, move ${move}`),
        el("span", { class: "muted small number" }, `loss ${loss.toFixed(2)}`)),
      el("span", {}, text),
    ], () => cursor.moveTo(at), { class: "moment", "data-test": "moment", "data-at": at });
  }

  /** @param {Analysis} analysis */
  function show({ moments, status }) {
    element.hidden = !moments;
    const sorted = [...(moments ?? [])].sort((a, b) => a.at - b.at);
    lines = sorted.map((moment) => [moment, momentButton(moment)]);
    const empty = status === "done" ? "Neither player missed a much better try." : "None so far.";
    fill(list, lines.length > 0
      ? lines.map(([, line]) => el("li", {}, line))
      : el("li", { class: "muted" }, empty));
    markCurrent(cursor.at);
  }
  return { element, show };
}
