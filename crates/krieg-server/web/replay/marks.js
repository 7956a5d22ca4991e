// What each viewer's board shows after a number of steps. A player's board shows only what that
// player knew.

import { oppositeSide } from "../squares.js";
import { kingSquare, piecesOfSide, placementOf } from "./pieces.js";

/** @typedef {import("../types.js").Side} Side */
/** @typedef {import("../types.js").Announcement} Announcement */
/** @typedef {import("../board.js").Marks} Marks */
/** @typedef {Side | "umpire"} Viewer */

/**
 * A step of a review or of an example.
 * @typedef {object} Step
 * @property {Side} by
 * @property {string | null} try
 * @property {Announcement | null} announcement null if the umpire ignored the try
 * @property {string | null} fen
 * @property {string} [pieces]
 */

/**
 * Whether a try was refused, called nonsense, or ignored.
 * @param {Step} step
 */
export const isRefused = ({ announcement }) =>
  !announcement || announcement.verdict === "refused" || announcement.verdict === "nonsense";

/** @param {Step} step */
const isMove = ({ announcement }) => announcement?.verdict === "moved";

/**
 * The squares of a try, or null if it is not a move.
 * @param {string | null} text
 * @returns {[string, string] | null}
 */
export function squaresOf(text) {
  const found = text?.match(/^([a-h][1-8])([a-h][1-8])/);
  return found ? [found[1], found[2]] : null;
}

/**
 * The pieces on a viewer's board after `at` steps, as the first field of a FEN.
 * @param {string} start a FEN
 * @param {Step[]} steps
 * @param {number} at
 * @param {Viewer} viewer
 */
export function piecesAt(start, steps, at, viewer) {
  const step = at > 0 ? steps[at - 1] : null;
  const fen = step ? step.fen ?? step.pieces ?? start : start;
  return viewer === "umpire" ? placementOf(fen) : piecesOfSide(fen, viewer);
}

/**
 * @param {string} start a FEN
 * @param {Step[]} steps
 * @param {number} at number of steps that have been made
 * @param {Viewer} viewer
 * @returns {Marks}
 */
export function marksAt(start, steps, at, viewer) {
  /** @type {[string, string][]} */
  const refused = [];
  let last = at - 1;
  for (; last >= 0 && !isMove(steps[last]); last -= 1) {
    const squares = squaresOf(steps[last].try);
    if (squares && isRefused(steps[last]) && sees(viewer, steps[last])) refused.unshift(squares);
  }
  if (last < 0) return { refused };
  const move = steps[last];
  const isCheck = move.announcement?.checks?.length && viewer !== move.by;
  const pieces = piecesAt(start, steps, at, viewer);
  return {
    refused,
    last: (sees(viewer, move) && squaresOf(move.try)) || undefined,
    captured: move.announcement?.capture?.square,
    check: isCheck ? kingSquare(pieces, oppositeSide(move.by)) : undefined,
  };
}

/** @param {Viewer} viewer @param {Step} step */
const sees = (viewer, step) => viewer === "umpire" || viewer === step.by;
