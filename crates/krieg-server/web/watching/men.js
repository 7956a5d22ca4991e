// One side's men out of a FEN, for the boards of those who watch.

import { readMen, sideOf } from "../squares.js";

/** @typedef {import("../types.js").Side} Side */

/** @param {string} fen @returns {string} its first field */
export const placementOf = (fen) => fen.split(" ", 1)[0];

/** The men of one side alone, as a first field of a FEN. @param {string} fen @param {Side} side @returns {string} */
export function onlyMen(fen, side) {
  return placementOf(fen)
    .split("/")
    .map((row) => emptied(row, side))
    .join("/");
}

/** @param {string} row @param {Side} side */
function emptied(row, side) {
  let empty = 0;
  let text = "";
  for (const sign of row) {
    if (sign >= "1" && sign <= "8") {
      empty += Number(sign);
    } else if (sideOf(sign) === side) {
      text += (empty || "") + sign;
      empty = 0;
    } else {
      empty += 1;
    }
  }
  return text + (empty || "");
}

/** @param {string} fen @param {Side} side @returns {string | undefined} the square of that king */
export function kingOf(fen, side) {
  const king = side === "white" ? "K" : "k";
  for (const [square, man] of readMen(fen)) if (man === king) return square;
  return undefined;
}
