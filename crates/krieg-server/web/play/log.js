// The umpire's words as a running log. What is new is read aloud by screen readers; refused tries are struck out.

import { el, fill } from "../dom.js";
import { sideName } from "../squares.js";

/** @typedef {import("../types.js").Line} Line */

const REFUSED = new Set(["refused", "nonsense"]);

export function makeLog() {
  const list = el("ol", {});
  const pane = el("div", {
    class: "log-lines", role: "log", "aria-live": "polite", "aria-label": "What the umpire said", tabindex: 0, "data-test": "log",
  }, list);
  let lastMove = 0;
  // The panel beside it opens and closes; the newest line is to stay in sight.
  const size = new ResizeObserver(toEnd);
  size.observe(pane);

  function toEnd() {
    pane.scrollTop = pane.scrollHeight;
  }

  /** @param {Line} line */
  function add(line) {
    const begun = line.announcement.verdict === "begun";
    const first = !begun && line.move !== lastMove;
    if (!begun) lastMove = line.move;
    list.append(lineItem(line, first));
    toEnd();
  }

  return {
    element: pane,
    add,
    /** @param {Line[]} lines all there are, such as after a new connection: nothing of it is news */
    fill(lines) {
      pane.setAttribute("aria-live", "off");
      lastMove = 0;
      fill(list);
      lines.forEach(add);
      // Not before the browser has drawn it is the list seen to scroll to its end.
      requestAnimationFrame(() => {
        toEnd();
        pane.setAttribute("aria-live", "polite");
      });
    },
    stop: () => size.disconnect(),
  };
}

/** @param {Line} line @param {boolean} first of its move */
function lineItem(line, first) {
  const { verdict } = line.announcement;
  const refused = REFUSED.has(verdict);
  const name = line.name ?? line.try;
  return el("li", {
    class: `line ${verdict} ${line.mine ? "mine" : "theirs"}`, "data-test": "log-line", "data-n": line.n, "data-verdict": verdict,
  },
    el("span", { class: "move-number", "aria-hidden": "true" }, first && `${line.move}.`),
    el("span", { class: `side-dot ${line.by}`, role: "img", "aria-label": `${sideName(line.by)}:`, title: sideName(line.by) }),
    el("span", { class: "line-words" },
      name && el(refused ? "s" : "b", { class: "try-name" }, name),
      name && " ",
      refused && el("span", { class: "cross", "aria-hidden": "true" }, "✗ "),
      line.text,
    ),
  );
}
