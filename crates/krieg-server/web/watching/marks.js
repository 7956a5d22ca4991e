// What is marked on a board after so many steps, for whoever sits at it: a player's board shows nothing that this player did not know.

import { otherSide } from "../squares.js";
import { kingOf, onlyMen, placementOf } from "./men.js";

/** @typedef {import("../types.js").Side} Side */
/** @typedef {import("../types.js").Said} Said */
/** @typedef {Side | "umpire"} Seat */
/** @typedef {{ by: Side, try: string | null, announcement: Said | null, fen: string | null, pieces?: string }} Step a step of a review or of a scene */
/** @typedef {import("../board.js").Marks} Marks */

/**
 * Whether a try was turned down, in any of the ways there are.
 * @param {Step} step
 */
export const isRefused = (step) => !step.announcement || step.announcement.verdict === "refused" || step.announcement.verdict === "nonsense";

/** @param {Step} step */
const isMove = (step) => step.announcement?.verdict === "moved";

/** @param {string | null} text @returns {[string, string] | null} from where to where, if it is a move */
export function squaresOf(text) {
  const found = text?.match(/^([a-h][1-8])([a-h][1-8])/);
  return found ? [found[1], found[2]] : null;
}

/**
 * The men on that seat's board after `at` steps.
 * @param {string} start a FEN
 * @param {Step[]} steps
 * @param {number} at
 * @param {Seat} seat
 */
export function menAt(start, steps, at, seat) {
  const step = at > 0 ? steps[at - 1] : null;
  const fen = step ? step.fen ?? step.pieces ?? start : start;
  return seat === "umpire" ? placementOf(fen) : onlyMen(fen, seat);
}

/**
 * @param {string} start
 * @param {Step[]} steps
 * @param {number} at how many of them have been made
 * @param {Seat} seat
 * @returns {Marks}
 */
export function marksAt(start, steps, at, seat) {
  /** @type {[string, string][]} */
  const refused = [];
  let back = at - 1;
  for (; back >= 0 && !isMove(steps[back]); back -= 1) {
    const squares = squaresOf(steps[back].try);
    if (squares && isRefused(steps[back]) && sees(seat, steps[back])) refused.unshift(squares);
  }
  if (back < 0) return { refused };
  const move = steps[back];
  const checked = otherSide(move.by);
  const squares = sees(seat, move) ? squaresOf(move.try) : null;
  return {
    refused,
    last: squares ?? undefined,
    captured: move.announcement?.capture?.square,
    check: move.announcement?.checks?.length && seat !== move.by ? kingOf(menAt(start, steps, at, seat), checked) : undefined,
  };
}

/** @param {Seat} seat @param {Step} step */
const sees = (seat, step) => seat === "umpire" || seat === step.by;
