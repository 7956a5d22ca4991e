// Words for what lists and headings say of a game: rulesets, results, how long ago.

/** @typedef {import("../types.js").Summary} Summary */
/** @typedef {import("../types.js").Person} Person */

/** @type {Record<string, string>} */
const TITLES = {
  icc: "ICC",
  cincinnati: "Cincinnati",
  berkeley: "Berkeley",
  "berkeley-any": "Berkeley with “any?”",
  english: "English",
  rand: "RAND",
  dutch: "Dutch",
};

/** The rulesets in the order in which they are explained. */
export const RULESETS = Object.keys(TITLES);

/** @param {string} name */
export const rulesetTitle = (name) => TITLES[name] ?? name;

/** @type {Record<string, string>} */
const ENDINGS = {
  checkmate: "checkmate",
  stalemate: "stalemate",
  "insufficient-material": "too few men to mate",
  threefold: "the same position three times",
  "fifty-moves": "fifty moves without a capture or pawn move",
  resignation: "resignation",
  agreement: "agreement",
  flag: "time",
  abandonment: "leaving",
};

/** How a game ended, as a short sentence without a full stop. @param {Summary} game */
export function resultWords(game) {
  if (game.status === "playing") return "Going on";
  if (game.status === "open") return "Waiting";
  if (game.status === "cancelled") return "Taken back";
  const by = game.ending ? `, ${ENDINGS[game.ending] ?? game.ending}` : "";
  if (game.result === "1-0") return `White won${by}`;
  if (game.result === "0-1") return `Black won${by}`;
  if (game.result === "1/2-1/2") return `Drawn${by}`;
  return `No result${by}`;
}

/** @param {Person | null} person */
export const nameOf = (person) => person?.name ?? "somebody";

/** @param {number} count @param {string} one */
export const counted = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;

/** Both sides' moves are counted by the server; people count in pairs. @param {Summary} game */
export const movesWords = (game) => counted(Math.ceil(game.moves / 2), "move");

/** @param {number} ms since 1970 @param {number} [now] */
export function agoWords(ms, now = Date.now()) {
  const minutes = Math.floor((now - ms) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${counted(minutes, "minute")} ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${counted(hours, "hour")} ago`;
  const days = Math.floor(hours / 24);
  if (days < 14) return `${counted(days, "day")} ago`;
  return new Date(ms).toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric" });
}

/** The words of an error, for a person. @param {unknown} error */
export const errorWords = (error) => (error instanceof Error ? error.message : String(error));
