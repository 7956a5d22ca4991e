// A graph of White's expected score: on the umpire's board, and as each player could know it. The
// lines differ in their dashes, not only in their colours.

import { el, fill, svg } from "../dom.js";
import { sideName } from "../squares.js";
import { Scale } from "./scale.js";

/** @typedef {import("../types.js").Analysis} Analysis */
/** @typedef {import("../types.js").TurnAnalysis} TurnAnalysis */
/** @typedef {import("./cursor.js").Cursor} Cursor */
/** @typedef {[number, number | null | undefined]} Point a step, and White's score */

const HEIGHT = 190;
const DEFAULT_WIDTH = 600;
const MIN_WIDTH = 240;

/** @type {{ name: "umpire" | "white" | "black", label: string }[]} */
const LINES = [
  { name: "umpire", label: "on the umpire's board" },
  { name: "white", label: "as White could know it" },
  { name: "black", label: "as Black could know it" },
];

/**
 * The turns with an expected score.
 * @param {TurnAnalysis[]} [turns]
 */
const withScore = (turns = []) => turns.filter(({ expected }) => typeof expected === "number");

/** @param {Analysis} analysis @returns {Record<"umpire" | "white" | "black", Point[]>} */
function pointsOf(analysis) {
  return {
    umpire: (analysis.balance ?? []).map((score, at) => [at, score]),
    white: withScore(analysis.white).map(({ at, expected }) => [at, expected]),
    black: withScore(analysis.black).map(({ at, expected }) => [at, 1 - expected]),
  };
}

/** @param {Cursor} cursor */
export function balanceGraph(cursor) {
  const canvas = svg("svg", { class: "graph", role: "img", "data-test": "graph" });
  const box = el("div", { class: "graph-box" }, canvas);
  const legend = el("ul", { class: "legend" });
  const title = el("h2", {}, "White's expected score");
  const element = el("section", { class: "card", hidden: true }, title, box, legend);
  const stepMarker = svg("g", { class: "step-marker" });
  /** @type {Analysis | null} */
  let analysis = null;
  let scale = new Scale(DEFAULT_WIDTH, HEIGHT, cursor.last);

  function draw() {
    if (!analysis) return;
    const width = Math.max(MIN_WIDTH, box.clientWidth || DEFAULT_WIDTH);
    scale = new Scale(width, HEIGHT, cursor.last);
    const points = pointsOf(analysis);
    const lines = LINES.filter(({ name }) => points[name].length > 0);
    const labels = lines.map(({ label }) => label).join(", ");
    canvas.setAttribute("viewBox", `0 0 ${scale.width} ${HEIGHT}`);
    canvas.setAttribute("height", String(HEIGHT));
    canvas.setAttribute("aria-label",
      `White's expected score over ${cursor.last} steps: ${labels}`);
    fill(canvas,
      grid(),
      stepMarker,
      lines.map(({ name }) =>
        svg("path", { class: `curve ${name}`, d: scale.path(points[name]) })),
      momentMarks(),
    );
    fill(legend,
      lines.map(({ name, label }) => el("li", {}, lineSample(name), label)),
      (analysis.moments ?? []).length > 0
        && el("li", {}, momentSample(), "a better try could be found"),
    );
    drawStepMarker(cursor.at);
  }

  function grid() {
    /** @param {number} score @param {string} label */
    const level = (score, label) => {
      const y = scale.y(score);
      return [
        svg("line", {
          class: score === 0.5 ? "level even" : "level",
          x1: scale.left, x2: scale.width - scale.right, y1: y, y2: y,
        }),
        svg("text", { class: "tick", x: scale.left - 6, y: y + 4, "text-anchor": "end" }, label),
      ];
    };
    const x = scale.left + 6;
    return svg("g", {}, level(1, "1"), level(0.5, "½"), level(0, "0"),
      svg("text", { class: "tick", x, y: scale.y(1) + 14 }, "White wins"),
      svg("text", { class: "tick", x, y: scale.y(0) - 6 }, "Black wins"));
  }

  function momentMarks() {
    return (analysis?.moments ?? []).map(({ at, move, side }) => {
      const turn = analysis?.[side]?.find((each) => each.at === at);
      const expected = turn?.expected ?? 0.5;
      const mark = diamond(scale.x(at), scale.y(side === "white" ? expected : 1 - expected));
      mark.append(svg("title", {}, `${sideName(side)}, move ${move}`));
      return mark;
    });
  }

  /** @param {number} at */
  function drawStepMarker(at) {
    const score = analysis?.balance?.[at];
    const x = scale.x(at);
    const isNearEnd = x > scale.width - 80;
    const isNearStart = at < cursor.last / 10;
    const anchor = isNearEnd ? "end" : isNearStart ? "start" : "middle";
    fill(stepMarker,
      svg("line", { x1: x, x2: x, y1: scale.top, y2: HEIGHT - scale.bottom }),
      svg("text", { class: "tick", x, y: HEIGHT - 7, "text-anchor": anchor }, `step ${at}`),
      typeof score === "number" && svg("circle", { cx: x, cy: scale.y(score), r: 4.5 }));
  }

  /** Moves the cursor to the step under the pointer. @param {PointerEvent} event */
  const moveToPointer = (event) => {
    const { left, width } = canvas.getBoundingClientRect();
    cursor.moveTo(scale.stepAt(((event.clientX - left) / width) * scale.width));
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    moveToPointer(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (canvas.hasPointerCapture(event.pointerId)) moveToPointer(event);
  });

  cursor.subscribe(drawStepMarker);
  const resizeObserver = new ResizeObserver(() => draw());
  resizeObserver.observe(box);
  return {
    element,
    /** @param {Analysis} found */
    show(found) {
      analysis = found;
      element.hidden = !found.balance?.length && !found.white?.length && !found.black?.length;
      draw();
    },
    stop: () => resizeObserver.disconnect(),
  };
}

/** @param {string} name of the line */
const lineSample = (name) =>
  svg("svg", { class: "graph sample", viewBox: "0 0 40 10", "aria-hidden": "true" },
    svg("path", { class: `curve ${name}`, d: "M1 5H39" }));

const momentSample = () =>
  svg("svg", { class: "graph sample narrow", viewBox: "0 0 16 10", "aria-hidden": "true" },
    diamond(8, 5));

/** @param {number} x @param {number} y */
const diamond = (x, y) => svg("path", {
  class: "moment-mark", d: `M${x} ${y - 6}L${x + 5} ${y}L${x} ${y + 6}L${x - 5} ${y}Z`,
});
