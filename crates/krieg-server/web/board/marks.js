// What is drawn on the board besides men: chances, the last move, refusals, captures, checks, arrows and dots.

import { fill, svg } from "../dom.js";

/** @typedef {import("../board.js").Board} Board */
/** @typedef {import("../board.js").Marks} Marks */

const SQUARE = 45;
const HALF = SQUARE / 2;

// Below this a square is not worth a tint; numbers begin a little higher, or the board would be all digits.
const LEAST_TINT = 0.01;
const LEAST_NUMBER = 0.03;

/** @param {Board} board @param {string} square */
function middle(board, square) {
  const { x, y } = board.cornerOf(square);
  return { x: x + HALF, y: y + HALF };
}

/**
 * Chances as tints, with the number on the square as well: colour alone would not do.
 * @param {Board} board
 * @param {SVGGElement} under the men, for the tints
 * @param {SVGGElement} over the men, for the numbers
 * @param {Record<string, number> | null} heat
 */
export function drawHeat(board, under, over, heat) {
  const warm = Object.entries(heat ?? {}).filter(([, chance]) => chance >= LEAST_TINT);
  fill(under, warm.map(([square, chance]) => svg("rect", {
    class: "tint", ...board.cornerOf(square), width: SQUARE, height: SQUARE, "fill-opacity": (0.06 + 0.84 * Math.min(chance, 1) ** 0.8).toFixed(3),
  })));
  fill(over, warm.filter(([, chance]) => chance >= LEAST_NUMBER).map(([square, chance]) => {
    const { x, y } = board.cornerOf(square);
    return svg("text", { class: "chance", x: x + 43, y: y + 10, "text-anchor": "end" }, `${Math.round(chance * 100)}%`);
  }));
}

/**
 * @param {Board} board
 * @param {SVGGElement} under the men
 * @param {SVGGElement} over the men
 * @param {Marks} marks
 */
export function drawMarks(board, under, over, marks) {
  fill(under,
    (marks.last ?? []).map((square) => cell(board, square, "last")),
    (marks.named ?? []).map((square) => corners(board, square, "named")),
    marks.check && ring(board, marks.check, "check"),
    marks.captured && burst(board, marks.captured),
  );
  fill(over,
    (marks.refused ?? []).map(([from, to]) => refusal(board, from, to)),
    marks.asking && arrow(board, marks.asking[0], marks.asking[1], "asking"),
    marks.hint && arrow(board, marks.hint[0], marks.hint[1], "hint"),
  );
}

/**
 * Where the man in hand may be tried.
 * @param {Board} board
 * @param {SVGGElement} under the men, for the square of the one in hand
 * @param {SVGGElement} over the men, for the dots
 * @param {string | null} picked
 * @param {string[]} targets
 * @param {(square: string) => boolean} occupied
 */
export function drawTargets(board, under, over, picked, targets, occupied) {
  fill(under, picked && cell(board, picked, "picked"));
  fill(over, targets.map((square) => {
    const { x, y } = middle(board, square);
    return occupied(square)
      ? svg("circle", { class: "target around", cx: x, cy: y, r: 20 })
      : svg("circle", { class: "target", cx: x, cy: y, r: 6.5 });
  }));
}

/** @param {Board} board @param {string} square @param {string} look */
function cell(board, square, look) {
  const { x, y } = board.cornerOf(square);
  return svg("g", { class: look },
    svg("rect", { x, y, width: SQUARE, height: SQUARE }),
    corners(board, square, "edge"),
  );
}

/** Four corner brackets, for those to whom the tint says nothing. @param {Board} board @param {string} square @param {string} look */
function corners(board, square, look) {
  const { x, y } = board.cornerOf(square);
  const [a, b, c] = [2, 9, SQUARE - 2];
  const d = SQUARE - 9;
  const at = (/** @type {number} */ dx, /** @type {number} */ dy) => `${x + dx} ${y + dy}`;
  return svg("path", {
    class: look,
    d: `M${at(a, b)}L${at(a, a)}L${at(b, a)}M${at(d, a)}L${at(c, a)}L${at(c, b)}M${at(c, d)}L${at(c, c)}L${at(d, c)}M${at(b, c)}L${at(a, c)}L${at(a, d)}`,
  });
}

/** @param {Board} board @param {string} square @param {string} look */
function ring(board, square, look) {
  const { x, y } = middle(board, square);
  return svg("g", { class: look },
    svg("circle", { cx: x, cy: y, r: 20.5 }),
    svg("text", { x: x + 18, y: y - 11.5, "text-anchor": "middle" }, "!"),
  );
}

/** Eight short rays where a man was taken. @param {Board} board @param {string} square */
function burst(board, square) {
  const { x, y } = middle(board, square);
  const rays = Array.from({ length: 8 }, (_, n) => {
    const [dx, dy] = [Math.cos((n * Math.PI) / 4 + 0.39), Math.sin((n * Math.PI) / 4 + 0.39)];
    return `M${(x + dx * 15).toFixed(1)} ${(y + dy * 15).toFixed(1)}L${(x + dx * 21).toFixed(1)} ${(y + dy * 21).toFixed(1)}`;
  });
  return svg("path", { class: "burst", d: rays.join("") });
}

/** @param {Board} board @param {string} from @param {string} to */
function refusal(board, from, to) {
  const a = middle(board, from);
  const b = middle(board, to);
  const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [dx, dy] = [(b.x - a.x) / far, (b.y - a.y) / far];
  return svg("g", { class: "refused" },
    svg("path", { class: "way", d: `M${a.x + dx * 15} ${a.y + dy * 15}L${b.x - dx * 11} ${b.y - dy * 11}` }),
    svg("circle", { cx: b.x, cy: b.y, r: 9 }),
    svg("path", { class: "cross", d: `M${b.x - 4} ${b.y - 4}l8 8m0 -8l-8 8` }),
  );
}

/** @param {Board} board @param {string} from @param {string} to @param {string} look */
function arrow(board, from, to, look) {
  const a = middle(board, from);
  const b = middle(board, to);
  const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [dx, dy] = [(b.x - a.x) / far, (b.y - a.y) / far];
  const neck = { x: b.x - dx * 15, y: b.y - dy * 15 };
  const tip = { x: b.x - dx * 2, y: b.y - dy * 2 };
  return svg("g", { class: `arrow ${look}` },
    svg("path", { class: "shaft", d: `M${a.x + dx * 12} ${a.y + dy * 12}L${neck.x} ${neck.y}` }),
    svg("path", { class: "head", d: `M${neck.x - dy * 8} ${neck.y + dx * 8}L${tip.x} ${tip.y}L${neck.x + dy * 8} ${neck.y - dx * 8}z` }),
  );
}
