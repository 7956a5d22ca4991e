// The state of a game in short sentences, as the line above the log says it.

import { otherSide, sideName } from "../squares.js";

/** @typedef {import("../types.js").StateMessage} State */
/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Check} Check */

/** @type {Record<Check, string>} */
const CHECKS = {
  rank: "on the rank",
  file: "on the file",
  "long-diagonal": "on the long diagonal",
  "short-diagonal": "on the short diagonal",
  knight: "by a knight",
};

/** @param {State} state */
export function statusWords(state) {
  const { view, you, log } = state;
  if (view.end) return log.at(-1)?.text ?? "The game is over.";
  const mine = view.turn === you;
  const words = [mine ? "Your turn." : `${sideName(otherSide(you))} to move.`];
  if (view.checks.length) {
    words.push(`${mine ? "You are" : `${sideName(otherSide(you))} is`} in check ${view.checks.map((check) => CHECKS[check]).join(" and ")}.`);
  }
  if (mine && view.owes_pawn_capture) words.push("You owe a pawn capture.");
  return words.join(" ");
}

/**
 * What is known of the pawn tries of the side to move.
 * @param {View} view
 * @returns {{ words: string, none: boolean } | null} null where nothing was said
 */
export function pawnTryWords(view) {
  if (view.end || !view.turn) return null;
  const whose = view.turn === view.player ? "" : `${sideName(view.turn)}: `;
  const tries = view.pawn_tries;
  if (tries === null || tries === undefined) {
    if (view.any === null || view.any === undefined) return null;
    return view.any ? { words: `${whose}a pawn try`, none: false } : { words: `${whose}no pawn tries`, none: true };
  }
  if (tries === true) return { words: `${whose}a pawn try`, none: false };
  if (tries === false || tries === 0) return { words: `${whose}no pawn tries`, none: true };
  if (typeof tries === "number") return { words: `${whose}${tries} pawn ${tries === 1 ? "try" : "tries"}`, none: false };
  if (tries.length === 0) return { words: `${whose}no pawn tries`, none: true };
  return { words: `${whose}pawn tries from ${tries.join(", ")}`, none: false };
}

/** @param {View["captured"]} taken */
export function takenWords(taken) {
  const parts = [
    taken.pawns && count(taken.pawns, "pawn", "pawns"),
    taken.pieces && count(taken.pieces, "piece", "pieces"),
    taken.unknown && count(taken.unknown, "man", "men"),
  ].filter(Boolean);
  return parts.length ? `took ${parts.join(", ")}` : "";
}

/** @param {number} n @param {string} one @param {string} many */
const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;
