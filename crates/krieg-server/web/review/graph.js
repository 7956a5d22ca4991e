// The balance over the game: as the umpire saw it, and as each player could have known it. The lines differ in their dashes, not in colour alone.

import { el, fill, svg } from "../dom.js";
import { sideName } from "../squares.js";
import { Scale } from "./scale.js";

/** @typedef {import("../types.js").Analysis} Analysis */
/** @typedef {import("./cursor.js").Cursor} Cursor */
/** @typedef {[number, number | null | undefined]} Point a step, and White's score */

const HEIGHT = 190;

/** @type {{ name: "umpire" | "white" | "black", words: string }[]} */
const LINES = [
  { name: "umpire", words: "as the umpire saw it" },
  { name: "white", words: "as White could know it" },
  { name: "black", words: "as Black could know it" },
];

/** Where nothing was expected, the line goes on from the place before. @param {import("../types.js").Judgement[]} [judgements] */
const known = (judgements = []) => judgements.filter(({ expected }) => typeof expected === "number");

/** @param {Analysis} analysis @returns {Record<"umpire" | "white" | "black", Point[]>} */
function pointsOf(analysis) {
  return {
    umpire: (analysis.balance ?? []).map((score, at) => [at, score]),
    white: known(analysis.white).map(({ at, expected }) => [at, expected]),
    // A player's own score is Black's here; the graph is White's.
    black: known(analysis.black).map(({ at, expected }) => [at, 1 - expected]),
  };
}

/** @param {Cursor} cursor */
export function balanceGraph(cursor) {
  const canvas = svg("svg", { class: "graph", role: "img", "data-test": "graph" });
  const box = el("div", { class: "graph-box" }, canvas);
  const legend = el("ul", { class: "legend" });
  const element = el("section", { class: "card", hidden: true }, el("h2", {}, "Balance"), box, legend);
  const stand = svg("g", { class: "stand" });
  /** @type {Analysis | null} */
  let analysis = null;
  let scale = new Scale(600, HEIGHT, cursor.last);

  function draw() {
    if (!analysis) return;
    scale = new Scale(Math.max(240, box.clientWidth || 600), HEIGHT, cursor.last);
    const points = pointsOf(analysis);
    const there = LINES.filter(({ name }) => points[name].length > 0);
    canvas.setAttribute("viewBox", `0 0 ${scale.width} ${HEIGHT}`);
    canvas.setAttribute("height", String(HEIGHT));
    canvas.setAttribute("aria-label", `White's expected score over ${cursor.last} steps: ${there.map(({ words }) => words).join(", ")}`);
    fill(canvas, grid(), stand, there.map(({ name }) => svg("path", { class: `curve ${name}`, d: scale.path(points[name]) })), momentMarks());
    fill(legend, there.map(({ name, words }) =>
      el("li", {}, svg("svg", { class: "graph sample", viewBox: "0 0 40 10", "aria-hidden": "true" }, svg("path", { class: `curve ${name}`, d: "M1 5H39" })), words)),
    (analysis.moments ?? []).length > 0 && el("li", {}, svg("svg", { class: "graph sample narrow", viewBox: "0 0 16 10", "aria-hidden": "true" }, diamond(8, 5)), "a better try was knowable"));
    drawStand(cursor.at);
  }

  function grid() {
    /** @param {number} score @param {string} words */
    const level = (score, words) => [
      svg("line", { class: score === 0.5 ? "level even" : "level", x1: scale.left, x2: scale.width - scale.right, y1: scale.y(score), y2: scale.y(score) }),
      svg("text", { class: "tick", x: scale.left - 6, y: scale.y(score) + 4, "text-anchor": "end" }, words),
    ];
    return svg("g", {}, level(1, "1"), level(0.5, "½"), level(0, "0"),
      svg("text", { class: "tick", x: scale.left + 6, y: scale.y(1) + 14 }, "White wins"),
      svg("text", { class: "tick", x: scale.left + 6, y: scale.y(0) - 6 }, "Black wins"));
  }

  function momentMarks() {
    return (analysis?.moments ?? []).map((moment) => {
      const judgement = analysis?.[moment.side]?.find((each) => each.at === moment.at);
      const own = judgement?.expected ?? 0.5;
      const mark = diamond(scale.x(moment.at), scale.y(moment.side === "white" ? own : 1 - own));
      mark.append(svg("title", {}, `${sideName(moment.side)}, move ${moment.move}`));
      return mark;
    });
  }

  /** @param {number} at */
  function drawStand(at) {
    const score = analysis?.balance?.[at];
    const x = scale.x(at);
    const end = x > scale.width - 80;
    fill(stand,
      svg("line", { x1: x, x2: x, y1: scale.top, y2: HEIGHT - scale.bottom }),
      svg("text", { class: "tick", x, y: HEIGHT - 7, "text-anchor": end ? "end" : at < cursor.last / 10 ? "start" : "middle" }, `step ${at}`),
      typeof score === "number" && svg("circle", { cx: x, cy: scale.y(score), r: 4.5 }));
  }

  /** @param {PointerEvent} event */
  const point = (event) => {
    const place = canvas.getBoundingClientRect();
    cursor.to(scale.stepAt(((event.clientX - place.left) / place.width) * scale.width));
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    point(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (canvas.hasPointerCapture(event.pointerId)) point(event);
  });

  cursor.follow(drawStand);
  const watch = new ResizeObserver(() => draw());
  watch.observe(box);
  return {
    element,
    /** @param {Analysis} found */
    show(found) {
      analysis = found;
      element.hidden = pointsOf(found).umpire.length + (found.white?.length ?? 0) + (found.black?.length ?? 0) === 0;
      draw();
    },
    stop: () => watch.disconnect(),
  };
}

/** @param {number} x @param {number} y */
const diamond = (x, y) => svg("path", { class: "moment-mark", d: `M${x} ${y - 6}L${x + 5} ${y}L${x} ${y + 6}L${x - 5} ${y}Z` });
