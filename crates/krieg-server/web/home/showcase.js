// The example on the home page: a short game that plays itself, as White or the umpire sees it.

import { Board } from "../board.js";
import { button, el, fill } from "../dom.js";
import { loadExamples, tryNameElement, tryingText } from "../replay/example.js";
import { marksAt, piecesAt } from "../replay/marks.js";

/** @typedef {import("../replay/example.js").Example} Example */
/** @typedef {import("../replay/example.js").ExampleStep} ExampleStep */

/** How long the first, each further and the last position are shown. */
const FIRST_MS = 900;
const STEP_MS = 2200;
const LAST_MS = 6000;
/** Number of lines of the log. */
const LINES = 3;

export function showcase() {
  const boardHost = el("div", { class: "showcase-board" });
  const lines = el("ol", { class: "showcase-lines", "aria-hidden": "true" });
  const board = new Board(boardHost, { label: "An example game, seen by White" });
  /** @type {Example | null} */
  let example = null;
  /** @type {"white" | "umpire"} */
  let viewer = "white";
  let at = 0;
  let playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  let timer = 0;

  const pause = button("", () => {
    playing = !playing;
    draw();
    schedule();
  }, { class: "quiet", "data-test": "showcase-pause" });
  const umpire = button("Show the umpire's board", () => {
    viewer = viewer === "white" ? "umpire" : "white";
    draw();
  }, { class: "quiet", "data-test": "showcase-umpire" });

  board.setPieces("8/8/8/8/8/8/PPPPPPPP/RNBQKBNR");
  loadExamples("home").then((examples) => {
    example = examples[0];
    if (!playing) at = example.steps.length;
    draw();
    schedule();
  }, () => undefined);

  function draw() {
    fill(pause, playing ? "Pause" : "Play");
    umpire.setAttribute("aria-pressed", String(viewer === "umpire"));
    if (!example) return;
    const { opening, start, steps } = example;
    board.setPieces(piecesAt(start, steps, at, viewer));
    board.setMarks(marksAt(start, steps, at, viewer));
    const heard = steps.slice(0, at).filter(({ announcement }) =>
      viewer === "umpire" || announcement?.heard_by?.includes("white"));
    // The newest line comes first, so that it is visible even if not all lines fit.
    fill(lines,
      heard.slice(-LINES).reverse().map(stepLine),
      heard.length < LINES && el("li", {}, el("span", { class: "announcement" }, `“${opening}”`)),
    );
  }

  /** @param {ExampleStep} step */
  function stepLine(step) {
    const isVisible = step.by === "white" || viewer === "umpire";
    return el("li", { class: step.by },
      isVisible
        ? el("span", { class: "try-text" }, `${tryingText(step)} `, tryNameElement(step))
        : el("span", { class: "try-text muted" }, "Black makes a try"),
      el("span", { class: "announcement" }, `“${step.text}”`),
      step.note && el("span", { class: "muted small" }, step.note),
    );
  }

  function schedule() {
    clearTimeout(timer);
    if (!playing || !example) return;
    const isLast = at >= example.steps.length;
    timer = setTimeout(() => {
      at = isLast ? 0 : at + 1;
      if (!document.hidden) draw();
      schedule();
    }, isLast ? LAST_MS : at === 0 ? FIRST_MS : STEP_MS);
  }

  draw();
  return {
    element: el("aside", { class: "showcase", "aria-label": "Example" },
      boardHost, lines, el("div", { class: "row showcase-buttons" }, pause, umpire)),
    stop() {
      clearTimeout(timer);
      example = null;
      board.destroy();
    },
  };
}
