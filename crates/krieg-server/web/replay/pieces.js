// The pieces of one side in a FEN.

import { parsePieces, sideOf } from "../squares.js";

/** @typedef {import("../types.js").Side} Side */

/** @param {string} fen @returns {string} its first field */
export const placementOf = (fen) => fen.split(" ", 1)[0];

/**
 * The pieces of one side, as the first field of a FEN.
 * @param {string} fen
 * @param {Side} side
 * @returns {string}
 */
export function piecesOfSide(fen, side) {
  return placementOf(fen)
    .split("/")
    .map((row) => withoutOpponent(row, side))
    .join("/");
}

/** @param {string} row of a FEN @param {Side} side */
function withoutOpponent(row, side) {
  let empty = 0;
  let text = "";
  for (const letter of row) {
    if (letter >= "1" && letter <= "8") {
      empty += Number(letter);
    } else if (sideOf(letter) === side) {
      text += (empty || "") + letter;
      empty = 0;
    } else {
      empty += 1;
    }
  }
  return text + (empty || "");
}

/** @param {string} fen @param {Side} side @returns {string | undefined} the square of its king */
export function kingSquare(fen, side) {
  const king = side === "white" ? "K" : "k";
  return [...parsePieces(fen)].find(([, letter]) => letter === king)?.[0];
}
