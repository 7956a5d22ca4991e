// What is marked on one's own board, from what was heard.

import { readMen } from "../squares.js";
import { isUci, refusedNow } from "./tries.js";

/** @typedef {import("../types.js").StateMessage} State */

/**
 * @param {State} state
 * @param {string | null} asking the try that the umpire is being asked about
 * @param {string | null} hint a try to be shown
 * @returns {import("../board.js").Marks}
 */
export function marksOf(state, asking, hint) {
  const { view, you, log } = state;
  const moves = log.filter((line) => line.announcement.verdict === "moved");
  const own = moves.filter((line) => line.mine).at(-1)?.try;
  const king = [...readMen(view.pieces)].find(([, letter]) => letter.toLowerCase() === "k")?.[0];
  const myTurn = view.turn === you;
  return {
    last: own && isUci(own) ? ends(own) : [],
    refused: refusedNow(log).map(ends),
    captured: moves.at(-1)?.announcement.capture?.square ?? null,
    check: myTurn && view.checks.length ? king : null,
    named: myTurn && Array.isArray(view.pawn_tries) ? view.pawn_tries : [],
    asking: asking && isUci(asking) ? ends(asking) : null,
    hint: hint && isUci(hint) ? ends(hint) : null,
  };
}

/** @param {string} uci @returns {[string, string]} */
const ends = (uci) => [uci.slice(0, 2), uci.slice(2, 4)];
