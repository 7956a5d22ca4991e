// Tries as a person types or drags them: what is meant among those that make sense, and why something is not.

import { FILES, KINDS, readMen } from "../squares.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Line} Line */
/** @typedef {{ send: string } | { choose: string[] } | { problem: string }} Meaning */

const UCI = /^[a-h][1-8][a-h][1-8][qrbn]?$/;
const ALGEBRAIC = /^([KQRBN])?([a-h])?([1-8])?[x:]?([a-h][1-8])(?:=?([QRBNqrbn]))?[+#!?]*$/;
const CASTLING = /^[0Oo]-[0Oo](-[0Oo])?[+#]?$/;

/** @param {string} text whether it is squares: `e2e4`, `e7e8q` */
export const isUci = (text) => UCI.test(text);

/**
 * What a typed text means: squares go to the umpire as they are, names are looked up among the sensible tries.
 * @param {string} typed
 * @param {View} view
 * @returns {Meaning}
 */
export function readTyped(typed, view) {
  const text = typed.trim();
  const squares = text.toLowerCase().replace(/[-x\s]/g, "");
  if (/^any\s*\??$/i.test(text)) return { send: "any?" };
  if (UCI.test(squares)) return { send: squares };
  const found = CASTLING.test(text) ? castling(text, view) : named(text, view);
  if (found === null) return { problem: `“${text}” is no try. Type squares (e2e4, e7e8q) or a name (Nf3, exd5, O-O).` };
  return settled(found, text);
}

/**
 * What dragging a man from one square to another means.
 * @param {string} from
 * @param {string} to
 * @param {View} view
 * @param {Line[]} log
 * @returns {Meaning}
 */
export function readDragged(from, to, view, log) {
  const found = view.tries.filter((each) => each.startsWith(from + to));
  if (found.length === 0) return { problem: whyNot(from, to, view, log) };
  return settled(found, from + to);
}

/**
 * @param {string[]} found
 * @param {string} text
 * @returns {Meaning}
 */
function settled(found, text) {
  if (found.length === 0) return { problem: `None of your tries is ${text}.` };
  if (found.length === 1) return { send: found[0] };
  const ways = new Set(found.map((each) => each.slice(0, 4)));
  if (ways.size === 1) return { choose: found };
  return { problem: `${text} may be ${[...ways].join(" or ")}. Say which.` };
}

/** @param {string} text @param {View} view */
function castling(text, view) {
  const wing = text.replace(/[+#]$/, "").length === 3 ? "g" : "c";
  const rank = view.player === "white" ? "1" : "8";
  const men = readMen(view.pieces);
  return view.tries.filter((each) =>
    each === `e${rank}${wing}${rank}` && men.get(`e${rank}`)?.toLowerCase() === "k");
}

/** @param {string} text @param {View} view @returns {string[] | null} null where it is no name at all */
function named(text, view) {
  const parts = ALGEBRAIC.exec(text);
  if (!parts) return null;
  const [, kind = "P", file, rank, to, promotion] = parts;
  const men = readMen(view.pieces);
  return view.tries.filter((each) =>
    men.get(each.slice(0, 2))?.toUpperCase() === kind &&
    each.slice(2, 4) === to &&
    (!file || each[0] === file) &&
    (!rank || each[1] === rank) &&
    // A pawn that takes is called by its file, so a bare square is a step ahead.
    (kind !== "P" || file || each[0] === to[0]) &&
    (!promotion || each[4] === promotion.toLowerCase()));
}

/**
 * @param {string} from
 * @param {string} to
 * @param {View} view
 * @param {Line[]} log
 */
function whyNot(from, to, view, log) {
  const men = readMen(view.pieces);
  const man = men.get(from) ?? "";
  const kind = KINDS[man.toLowerCase()] ?? "man";
  if (refusedNow(log).some((each) => each.startsWith(from + to))) return `The umpire has refused ${from}–${to} already.`;
  if (men.has(to)) return "Your own man stands there.";
  if (view.owes_pawn_capture) return "You owe a pawn capture. Nothing else is accepted.";
  const sideways = Math.abs(FILES.indexOf(from[0]) - FILES.indexOf(to[0])) === 1;
  const ahead = Number(to[1]) - Number(from[1]) === (view.player === "white" ? 1 : -1);
  if (kind === "pawn" && sideways && ahead) return "This pawn has nothing to take, by what the umpire said.";
  return `No ${kind} goes from ${from} to ${to}.`;
}

/**
 * One's own tries that were refused since the last move.
 * @param {Line[]} log
 */
export function refusedNow(log) {
  /** @type {string[]} */
  const refused = [];
  for (const line of [...log].reverse()) {
    if (line.announcement.verdict === "moved" || line.announcement.verdict === "begun") break;
    if (line.mine && line.try && isUci(line.try) && ["refused", "nonsense"].includes(line.announcement.verdict)) refused.push(line.try);
  }
  return refused.reverse();
}
