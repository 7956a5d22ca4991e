// Tries as a person types or drags them: what is meant among those that make sense, and why something is not.

import { FILES, KINDS, readMen } from "../squares.js";

/** @typedef {import("../types.js").Seen} Seen */
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
 * @param {Seen} seen
 * @returns {Meaning}
 */
export function readTyped(typed, seen) {
  const text = typed.trim();
  const squares = text.toLowerCase().replace(/[-x\s]/g, "");
  if (/^any\s*\??$/i.test(text)) return { send: "any?" };
  if (UCI.test(squares)) return { send: squares };
  const found = CASTLING.test(text) ? castling(text, seen) : named(text, seen);
  if (found === null) return { problem: `“${text}” is no try. Type squares (e2e4, e7e8q) or a name (Nf3, exd5, O-O).` };
  return settled(found, text);
}

/**
 * What dragging a man from one square to another means.
 * @param {string} from
 * @param {string} to
 * @param {Seen} seen
 * @param {Line[]} log
 * @returns {Meaning}
 */
export function readDragged(from, to, seen, log) {
  const found = seen.tries.filter((each) => each.startsWith(from + to));
  if (found.length === 0) return { problem: whyNot(from, to, seen, log) };
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

/** @param {string} text @param {Seen} seen */
function castling(text, seen) {
  const wing = text.replace(/[+#]$/, "").length === 3 ? "g" : "c";
  const rank = seen.player === "white" ? "1" : "8";
  const men = readMen(seen.men);
  return seen.tries.filter((each) =>
    each === `e${rank}${wing}${rank}` && men.get(`e${rank}`)?.toLowerCase() === "k");
}

/** @param {string} text @param {Seen} seen @returns {string[] | null} null where it is no name at all */
function named(text, seen) {
  const parts = ALGEBRAIC.exec(text);
  if (!parts) return null;
  const [, kind = "P", file, rank, to, promotion] = parts;
  const men = readMen(seen.men);
  return seen.tries.filter((each) =>
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
 * @param {Seen} seen
 * @param {Line[]} log
 */
function whyNot(from, to, seen, log) {
  const men = readMen(seen.men);
  const man = men.get(from) ?? "";
  const kind = KINDS[man.toLowerCase()] ?? "man";
  if (refusedNow(log).some((each) => each.startsWith(from + to))) return `The umpire has refused ${from}–${to} already.`;
  if (men.has(to)) return "Your own man stands there.";
  if (seen.owes_pawn_capture) return "You owe a pawn capture. Nothing else is accepted.";
  const sideways = Math.abs(FILES.indexOf(from[0]) - FILES.indexOf(to[0])) === 1;
  const ahead = Number(to[1]) - Number(from[1]) === (seen.player === "white" ? 1 : -1);
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
    if (line.said.verdict === "moved" || line.said.verdict === "begun") break;
    if (line.mine && line.try && isUci(line.try) && ["refused", "nonsense"].includes(line.said.verdict)) refused.push(line.try);
  }
  return refused.reverse();
}
