// Squares, pieces and sides: reading FEN, coordinates, and names in words.

/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").Kind} Kind */

export const FILES = "abcdefgh";

/** @type {Record<string, Kind>} */
export const KINDS = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/** @param {number} file from 0 @param {number} rank from 0 */
export const squareOf = (file, rank) => `${FILES[file]}${rank + 1}`;

/** @param {string} square @returns {[number, number]} file and rank, from 0 */
export const coordinatesOf = (square) => [FILES.indexOf(square[0]), Number(square[1]) - 1];

/** @param {Side} side @returns {Side} */
export const oppositeSide = (side) => (side === "white" ? "black" : "white");

/** @param {Side} side */
export const sideName = (side) => (side === "white" ? "White" : "Black");

/** @param {string} letter as in a FEN @returns {Side} */
export const sideOf = (letter) => (letter === letter.toUpperCase() ? "white" : "black");

/** @param {string} letter as in a FEN */
export const pieceName = (letter) => `${sideOf(letter)} ${KINDS[letter.toLowerCase()]}`;

/**
 * The pieces of a FEN.
 * @param {string} fen its first field is enough
 * @returns {Map<string, string>} a letter for each occupied square
 */
export function parsePieces(fen) {
  /** @type {Map<string, string>} */
  const pieces = new Map();
  const rows = fen.split(" ")[0].split("/");
  rows.forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) file += Number(letter);
      else pieces.set(squareOf(file++, 7 - index), letter);
    }
  });
  return pieces;
}
