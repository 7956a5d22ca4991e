// The status of a game in short sentences.

import { oppositeSide, sideName } from "../squares.js";

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
export function statusText({ view, you, log }) {
  if (view.end) return log.at(-1)?.text ?? "The game is over.";
  const isYourTurn = view.turn === you;
  const opponent = sideName(oppositeSide(you));
  const sentences = [isYourTurn ? "Your turn." : `${opponent} to move.`];
  if (view.checks.length) {
    const directions = view.checks.map((check) => CHECKS[check]).join(" and ");
    sentences.push(`${isYourTurn ? "You are" : `${opponent} is`} in check ${directions}.`);
  }
  if (isYourTurn && view.owes_pawn_capture) sentences.push("You must try a pawn capture.");
  return sentences.join(" ");
}

/**
 * What is known about the pawn tries of the side to move.
 * @param {View} view
 * @returns {{ text: string, none: boolean } | null} null if nothing was announced
 */
export function pawnTryText(view) {
  if (view.end || !view.turn) return null;
  const prefix = view.turn === view.player ? "" : `${sideName(view.turn)}: `;
  const none = { text: `${prefix}no pawn tries`, none: true };
  const some = (/** @type {string} */ text) => ({ text: `${prefix}${text}`, none: false });
  const tries = view.pawn_tries ?? view.any;
  if (tries === null || tries === undefined) return null;
  if (tries === true) return some("at least one pawn try");
  if (tries === false || tries === 0) return none;
  if (typeof tries === "number") return some(`${tries} pawn ${tries === 1 ? "try" : "tries"}`);
  return tries.length === 0 ? none : some(`pawn tries from ${tries.join(", ")}`);
}

/** @param {View["captured"]} captured */
export function capturedText({ pawns, pieces, unknown }) {
  const parts = [
    pawns && count(pawns, "pawn", "pawns"),
    pieces && count(pieces, "piece", "pieces"),
    unknown && count(unknown, "pawn or piece", "pawns or pieces"),
  ].filter(Boolean);
  return parts.length ? `captured ${parts.join(", ")}` : "";
}

/** @param {number} n @param {string} singular @param {string} plural */
const count = (n, singular, plural) => `${n} ${n === 1 ? singular : plural}`;
