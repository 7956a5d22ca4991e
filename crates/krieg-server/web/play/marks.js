// The marks on the player's own board, as they follow from the observations.

import { parsePieces } from "../squares.js";
import { isUci, refusedThisTurn } from "./tries.js";

/** @typedef {import("../types.js").StateMessage} State */

/**
 * @param {State} state
 * @param {string | null} pending a try that the umpire has not answered yet
 * @param {string | null} hint a try to show as an arrow
 * @returns {import("../board.js").Marks}
 */
export function marksOf(state, pending, hint) {
  const { view, you, log } = state;
  const moves = log.filter(({ announcement }) => announcement.verdict === "moved");
  const ownMove = moves.filter(({ mine }) => mine).at(-1)?.try;
  const pieces = [...parsePieces(view.pieces)];
  const king = pieces.find(([, letter]) => letter.toLowerCase() === "k")?.[0];
  const isYourTurn = view.turn === you;
  return {
    last: ownMove && isUci(ownMove) ? squaresOf(ownMove) : [],
    refused: refusedThisTurn(log).map(squaresOf),
    captured: moves.at(-1)?.announcement.capture?.square ?? null,
    check: isYourTurn && view.checks.length ? king : null,
    named: isYourTurn && Array.isArray(view.pawn_tries) ? view.pawn_tries : [],
    pending: pending && isUci(pending) ? squaresOf(pending) : null,
    hint: hint && isUci(hint) ? squaresOf(hint) : null,
  };
}

/** @param {string} uci @returns {[string, string]} */
const squaresOf = (uci) => [uci.slice(0, 2), uci.slice(2, 4)];
