// The log of the umpire's announcements. Screen readers read new lines; refused tries are crossed
// out.

import { el, fill } from "../dom.js";
import { sideName } from "../squares.js";

/** @typedef {import("../types.js").Observation} Observation */

const REFUSED = new Set(["refused", "nonsense"]);

export function makeLog() {
  const list = el("ol", {});
  const pane = el("div", {
    class: "log", role: "log", "aria-live": "polite", "aria-label": "The umpire's announcements",
    tabindex: 0, "data-test": "log",
  }, list);
  let lastMove = 0;
  // Other panels open and close beside the log: the newest line stays visible.
  const resizeObserver = new ResizeObserver(scrollToEnd);
  resizeObserver.observe(pane);

  function scrollToEnd() {
    pane.scrollTop = pane.scrollHeight;
  }

  /** @param {Observation} observation */
  function add(observation) {
    const isOpening = observation.announcement.verdict === "begun";
    const isFirstOfMove = !isOpening && observation.move !== lastMove;
    if (!isOpening) lastMove = observation.move;
    list.append(logLine(observation, isFirstOfMove));
    scrollToEnd();
  }

  return {
    element: pane,
    add,
    /**
     * @param {Observation[]} observations all so far, after a connection; they are not read aloud
     */
    fill(observations) {
      pane.setAttribute("aria-live", "off");
      lastMove = 0;
      fill(list);
      observations.forEach(add);
      // The browser must lay out the list before it can scroll to its end.
      requestAnimationFrame(() => {
        scrollToEnd();
        pane.setAttribute("aria-live", "polite");
      });
    },
    stop: () => resizeObserver.disconnect(),
  };
}

/** @param {Observation} observation @param {boolean} isFirstOfMove */
function logLine(observation, isFirstOfMove) {
  const { announcement: { verdict }, by, mine, move, n, text } = observation;
  const refused = REFUSED.has(verdict);
  const name = observation.name ?? observation.try;
  const side = sideName(by);
  return el("li", {
    class: `log-line ${verdict} ${mine ? "own" : "opponent"}`,
    "data-test": "log-line", "data-n": n, "data-verdict": verdict,
  },
    el("span", { class: "move-number", "aria-hidden": "true" }, isFirstOfMove && `${move}.`),
    el("span", { class: `side-dot ${by}`, role: "img", "aria-label": `${side}:`, title: side }),
    el("span", { class: "log-text" },
      name && el(refused ? "s" : "b", { class: "try-name" }, name),
      name && " ",
      refused && el("span", { class: "cross", "aria-hidden": "true" }, "✗ "),
      text,
    ),
  );
}
