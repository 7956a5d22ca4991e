// Turns typed and dragged tries into tries for the umpire, or explains what is wrong with them.

import { FILES, KINDS, parsePieces } from "../squares.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Observation} Observation */

/**
 * What an input means: a try to send, several promotions to choose from, or a problem.
 * @typedef {{ send: string } | { choose: string[] } | { problem: string }} ParsedTry
 */

const UCI = /^[a-h][1-8][a-h][1-8][qrbn]?$/;
const ALGEBRAIC = /^([KQRBN])?([a-h])?([1-8])?[x:]?([a-h][1-8])(?:=?([QRBNqrbn]))?[+#!?]*$/;
const CASTLING = /^[0Oo]-[0Oo](-[0Oo])?[+#]?$/;

/** @param {string} text whether it names two squares: `e2e4`, `e7e8q` */
export const isUci = (text) => UCI.test(text);

/**
 * Parses a typed try. Squares are sent to the umpire as they are; a name is looked up among the
 * sensible tries.
 * @param {string} typed
 * @param {View} view
 * @returns {ParsedTry}
 */
export function parseTyped(typed, view) {
  const text = typed.trim();
  const squares = text.toLowerCase().replace(/[-x\s]/g, "");
  if (/^any\s*\??$/i.test(text)) return { send: "any?" };
  if (UCI.test(squares)) return { send: squares };
  const tries = CASTLING.test(text) ? castlingTries(text, view) : triesByName(text, view);
  if (tries === null) {
    const forms = "Type squares (e2e4, e7e8q) or a name (Nf3, exd5, O-O).";
    return { problem: `“${text}” is not a try. ${forms}` };
  }
  return chooseAmong(tries, text);
}

/**
 * Parses a piece dragged from one square to another.
 * @param {string} from
 * @param {string} to
 * @param {View} view
 * @param {Observation[]} log
 * @returns {ParsedTry}
 */
export function parseDragged(from, to, view, log) {
  const tries = view.tries.filter((text) => text.startsWith(from + to));
  if (tries.length === 0) return { problem: whyNotSensible(from, to, view, log) };
  return chooseAmong(tries, from + to);
}

/**
 * @param {string[]} tries
 * @param {string} text
 * @returns {ParsedTry}
 */
function chooseAmong(tries, text) {
  if (tries.length === 0) return { problem: `You have no try ${text} in this position.` };
  if (tries.length === 1) return { send: tries[0] };
  const moves = new Set(tries.map((each) => each.slice(0, 4)));
  if (moves.size === 1) return { choose: tries };
  return { problem: `${text} is ambiguous. Type ${[...moves].join(" or ")}.` };
}

/** @param {string} text @param {View} view */
function castlingTries(text, view) {
  const file = text.replace(/[+#]$/, "").length === 3 ? "g" : "c";
  const rank = view.player === "white" ? "1" : "8";
  const hasKing = parsePieces(view.pieces).get(`e${rank}`)?.toLowerCase() === "k";
  return view.tries.filter((each) => hasKing && each === `e${rank}${file}${rank}`);
}

/** @param {string} text @param {View} view @returns {string[] | null} null if it is not a name */
function triesByName(text, view) {
  const parts = ALGEBRAIC.exec(text);
  if (!parts) return null;
  const [, kind = "P", file, rank, to, promotion] = parts;
  const pieces = parsePieces(view.pieces);
  return view.tries.filter((each) =>
    pieces.get(each.slice(0, 2))?.toUpperCase() === kind &&
    each.slice(2, 4) === to &&
    (!file || each[0] === file) &&
    (!rank || each[1] === rank) &&
    // The name of a pawn capture includes its file, so a bare square is a step forward.
    (kind !== "P" || file || each[0] === to[0]) &&
    (!promotion || each[4] === promotion.toLowerCase()));
}

/**
 * Explains why a move is not among the sensible tries.
 * @param {string} from
 * @param {string} to
 * @param {View} view
 * @param {Observation[]} log
 */
function whyNotSensible(from, to, view, log) {
  const pieces = parsePieces(view.pieces);
  const kind = KINDS[(pieces.get(from) ?? "").toLowerCase()] ?? "piece";
  if (refusedThisTurn(log).some((text) => text.startsWith(from + to))) {
    return `The umpire has already refused ${from}–${to}. Try something else.`;
  }
  if (pieces.has(to)) return `Your own piece is on ${to}.`;
  if (view.owes_pawn_capture) return "You must try a pawn capture first.";
  const isToNextFile = Math.abs(FILES.indexOf(from[0]) - FILES.indexOf(to[0])) === 1;
  const isForward = Number(to[1]) - Number(from[1]) === (view.player === "white" ? 1 : -1);
  if (kind === "pawn" && isToNextFile && isForward) {
    return "According to the umpire, this pawn has nothing to capture.";
  }
  return `A ${kind} cannot move from ${from} to ${to}.`;
}

/**
 * The player's own tries that were refused since the last move.
 * @param {Observation[]} log
 */
export function refusedThisTurn(log) {
  /** @type {string[]} */
  const refused = [];
  for (const { announcement: { verdict }, mine, try: text } of [...log].reverse()) {
    if (verdict === "moved" || verdict === "begun") break;
    const isRefusal = verdict === "refused" || verdict === "nonsense";
    if (isRefusal && mine && text && isUci(text)) refused.push(text);
  }
  return refused.reverse();
}
