// What the board draws besides pieces: the heat map, the last move, refused tries, captures,
// checks, arrows and dots.

import { fill, svg } from "../dom.js";

/** @typedef {import("../board.js").Board} Board */
/** @typedef {import("../board.js").Marks} Marks */

const SQUARE = 45;
const HALF = SQUARE / 2;

/** Lower probabilities get no tint. */
const MIN_TINT = 0.01;
/** Lower probabilities get no number: too many numbers would be unreadable. */
const MIN_NUMBER = 0.03;

/** @param {Board} board @param {string} square */
function centerOf(board, square) {
  const { x, y } = board.cornerOf(square);
  return { x: x + HALF, y: y + HALF };
}

/**
 * Draws probabilities as tints, and as numbers for those who cannot tell the colours apart.
 * @param {Board} board
 * @param {SVGGElement} under layer below the pieces, for the tints
 * @param {SVGGElement} over layer above the pieces, for the numbers
 * @param {Record<string, number> | null} heat
 */
export function drawHeat(board, under, over, heat) {
  const tinted = Object.entries(heat ?? {}).filter(([, probability]) => probability >= MIN_TINT);
  fill(under, tinted.map(([square, probability]) => svg("rect", {
    class: "tint", ...board.cornerOf(square), width: SQUARE, height: SQUARE,
    "fill-opacity": (0.06 + 0.84 * Math.min(probability, 1) ** 0.8).toFixed(3),
  })));
  const numbered = tinted.filter(([, probability]) => probability >= MIN_NUMBER);
  fill(over, numbered.map(([square, probability]) => {
    const { x, y } = board.cornerOf(square);
    const text = `${Math.round(probability * 100)}%`;
    return svg("text", { class: "percentage", x: x + 43, y: y + 10, "text-anchor": "end" }, text);
  }));
}

/**
 * @param {Board} board
 * @param {SVGGElement} under layer below the pieces
 * @param {SVGGElement} over layer above the pieces
 * @param {Marks} marks
 */
export function drawMarks(board, under, over, marks) {
  fill(under,
    (marks.last ?? []).map((square) => highlight(board, square, "last-move")),
    (marks.named ?? []).map((square) => corners(board, square, "named")),
    marks.check && checkMark(board, marks.check),
    marks.captured && captureMark(board, marks.captured),
  );
  fill(over,
    (marks.refused ?? []).map(([from, to]) => refusedMark(board, from, to)),
    marks.pending && arrow(board, marks.pending[0], marks.pending[1], "pending"),
    marks.hint && arrow(board, marks.hint[0], marks.hint[1], "hint"),
  );
}

/**
 * Marks the selected square, and with dots the squares that its piece may try.
 * @param {Board} board
 * @param {SVGGElement} under layer below the pieces, for the selected square
 * @param {SVGGElement} over layer above the pieces, for the dots
 * @param {string | null} selected
 * @param {string[]} targets
 * @param {(square: string) => boolean} isOccupied
 */
export function drawTargets(board, under, over, selected, targets, isOccupied) {
  fill(under, selected && highlight(board, selected, "selected"));
  fill(over, targets.map((square) => {
    const { x, y } = centerOf(board, square);
    return isOccupied(square)
      ? svg("circle", { class: "target occupied", cx: x, cy: y, r: 20 })
      : svg("circle", { class: "target", cx: x, cy: y, r: 6.5 });
  }));
}

/** @param {Board} board @param {string} square @param {string} className */
function highlight(board, square, className) {
  const { x, y } = board.cornerOf(square);
  return svg("g", { class: className },
    svg("rect", { x, y, width: SQUARE, height: SQUARE }),
    corners(board, square, "corners"),
  );
}

/**
 * Four corner brackets, for those who do not see the tint.
 * @param {Board} board
 * @param {string} square
 * @param {string} className
 */
function corners(board, square, className) {
  const { x, y } = board.cornerOf(square);
  const [a, b, c] = [2, 9, SQUARE - 2];
  const d = SQUARE - 9;
  const at = (/** @type {number} */ dx, /** @type {number} */ dy) => `${x + dx} ${y + dy}`;
  const brackets = [
    `M${at(a, b)}L${at(a, a)}L${at(b, a)}`,
    `M${at(d, a)}L${at(c, a)}L${at(c, b)}`,
    `M${at(c, d)}L${at(c, c)}L${at(d, c)}`,
    `M${at(b, c)}L${at(a, c)}L${at(a, d)}`,
  ];
  return svg("path", { class: className, d: brackets.join("") });
}

/**
 * A ring with an exclamation mark around a king in check.
 * @param {Board} board
 * @param {string} square
 */
function checkMark(board, square) {
  const { x, y } = centerOf(board, square);
  return svg("g", { class: "check" },
    svg("circle", { cx: x, cy: y, r: 20.5 }),
    svg("text", { x: x + 18, y: y - 11.5, "text-anchor": "middle" }, "!"),
  );
}

/** Eight short rays around the square of a capture. @param {Board} board @param {string} square */
function captureMark(board, square) {
  const { x, y } = centerOf(board, square);
  const rays = Array.from({ length: 8 }, (_, n) => {
    const angle = (n * Math.PI) / 4 + 0.39;
    const at = (/** @type {number} */ radius) =>
      `${(x + Math.cos(angle) * radius).toFixed(1)} ${(y + Math.sin(angle) * radius).toFixed(1)}`;
    return `M${at(15)}L${at(21)}`;
  });
  return svg("path", { class: "capture-mark", d: rays.join("") });
}

/**
 * The direction from one point to another, as a vector of length 1.
 * @param {{ x: number, y: number }} a
 * @param {{ x: number, y: number }} b
 */
function direction(a, b) {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  return [(b.x - a.x) / length, (b.y - a.y) / length];
}

/**
 * A dashed line that ends in a cross.
 * @param {Board} board
 * @param {string} from
 * @param {string} to
 */
function refusedMark(board, from, to) {
  const a = centerOf(board, from);
  const b = centerOf(board, to);
  const [dx, dy] = direction(a, b);
  const line = `M${a.x + dx * 15} ${a.y + dy * 15}L${b.x - dx * 11} ${b.y - dy * 11}`;
  return svg("g", { class: "refused" },
    svg("path", { class: "line", d: line }),
    svg("circle", { cx: b.x, cy: b.y, r: 9 }),
    svg("path", { class: "cross", d: `M${b.x - 4} ${b.y - 4}l8 8m0 -8l-8 8` }),
  );
}

/** @param {Board} board @param {string} from @param {string} to @param {string} className */
function arrow(board, from, to, className) {
  const a = centerOf(board, from);
  const b = centerOf(board, to);
  const [dx, dy] = direction(a, b);
  const neck = { x: b.x - dx * 15, y: b.y - dy * 15 };
  const tip = { x: b.x - dx * 2, y: b.y - dy * 2 };
  const left = `${neck.x - dy * 8} ${neck.y + dx * 8}`;
  const right = `${neck.x + dy * 8} ${neck.y - dx * 8}`;
  const shaft = `M${a.x + dx * 12} ${a.y + dy * 12}L${neck.x} ${neck.y}`;
  return svg("g", { class: `arrow ${className}` },
    svg("path", { class: "shaft", d: shaft }),
    svg("path", { class: "head", d: `M${left}L${tip.x} ${tip.y}L${right}z` }),
  );
}
