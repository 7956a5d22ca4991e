// Squares and men in words: where a FEN puts them, and what they are called.

/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").Kind} Kind */

export const FILES = "abcdefgh";

/** @type {Record<string, Kind>} */
export const KINDS = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/** @param {number} file from 0 @param {number} rank from 0 */
export const squareOf = (file, rank) => `${FILES[file]}${rank + 1}`;

/** @param {string} square @returns {[number, number]} file and rank, from 0 */
export const placeOf = (square) => [FILES.indexOf(square[0]), Number(square[1]) - 1];

/** @param {Side} side @returns {Side} */
export const otherSide = (side) => (side === "white" ? "black" : "white");

/** @param {Side} side */
export const sideName = (side) => (side === "white" ? "White" : "Black");

/** @param {string} letter upper case is White's @returns {Side} */
export const sideOf = (letter) => (letter === letter.toUpperCase() ? "white" : "black");

/** @param {string} letter */
export const manName = (letter) => `${sideOf(letter)} ${KINDS[letter.toLowerCase()]}`;

/**
 * Who stands where, from the first field of a FEN.
 * @param {string} fen
 * @returns {Map<string, string>} a letter by square
 */
export function readMen(fen) {
  /** @type {Map<string, string>} */
  const men = new Map();
  const rows = fen.split(" ")[0].split("/");
  rows.forEach((row, down) => {
    let file = 0;
    for (const sign of row) {
      if (/\d/.test(sign)) file += Number(sign);
      else men.set(squareOf(file++, 7 - down), sign);
    }
  });
  return men;
}
