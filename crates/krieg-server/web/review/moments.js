// The moments where a much better try was knowable, in words. A click goes there.

import { button, el, fill } from "../dom.js";
import { sideName } from "../squares.js";

/** @typedef {import("../types.js").Analysis} Analysis */
/** @typedef {import("../types.js").Moment} Moment */
/** @typedef {import("./cursor.js").Cursor} Cursor */

/** @param {Cursor} cursor */
export function momentList(cursor) {
  const list = el("ol", { class: "moments", "data-test": "moments" });
  const element = el("section", { class: "card moments-card", hidden: true }, el("h2", {}, "Moments"), list);
  /** @type {[Moment, HTMLElement][]} */
  let lines = [];

  cursor.follow(mark);
  /** @param {number} at */
  function mark(at) {
    for (const [moment, line] of lines) {
      if (moment.at === at) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    }
  }

  /** @param {Analysis} analysis */
  function show(analysis) {
    element.hidden = !analysis.moments;
    const moments = [...(analysis.moments ?? [])].sort((a, b) => a.at - b.at);
    lines = moments.map((moment) => [moment, button([
      el("span", { class: "moment-head" },
        el("span", { class: `disc ${moment.side}` }),
        el("strong", {}, `${sideName(moment.side)}, move ${moment.move}`),
        el("span", { class: "muted small number" }, `cost ${moment.loss.toFixed(2)}`)),
      el("span", {}, moment.text),
    ], () => cursor.to(moment.at), { class: "moment", "data-test": "moment", "data-at": moment.at })]);
    fill(list, lines.length > 0
      ? lines.map(([, line]) => el("li", {}, line))
      : el("li", { class: "muted" }, analysis.status === "done" ? "Nobody missed a much better try that was there to be known." : "None so far."));
    mark(cursor.at);
  }
  return { element, show };
}
