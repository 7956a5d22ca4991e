// Texts about games in lists and headings: results and times.

/** @typedef {import("../types.js").Summary} Summary */
/** @typedef {import("../types.js").User} User */

/** @type {Record<string, string>} */
const ENDINGS = {
  checkmate: "by checkmate",
  stalemate: "by stalemate",
  "insufficient-material": "by insufficient material",
  threefold: "by threefold repetition",
  "fifty-moves": "by the fifty-move rule",
  resignation: "by resignation",
  agreement: "by agreement",
  flag: "on time",
  abandonment: "by abandonment",
};

/** The result of a game, without a full stop. @param {Summary} game */
export function resultText(game) {
  if (game.status === "playing") return "In progress";
  if (game.status === "open") return "Waiting for an opponent";
  if (game.status === "cancelled") return "Cancelled";
  const ending = game.ending ? ` ${ENDINGS[game.ending] ?? `(${game.ending})`}` : "";
  if (game.result === "1-0") return `White won${ending}`;
  if (game.result === "0-1") return `Black won${ending}`;
  if (game.result === "1/2-1/2") return `Draw${ending}`;
  return `No result${ending}`;
}

/** @param {User | null} user */
export const userName = (user) => user?.name ?? "unknown player";

/** @param {number} count @param {string} noun */
export const pluralize = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/**
 * The number of moves, each of both players. The server counts them singly.
 * @param {Summary} game
 */
export const moveCountText = (game) => pluralize(Math.ceil(game.moves / 2), "move");

/** @param {number} ms since 1970 @param {number} [now] */
export function timeAgo(ms, now = Date.now()) {
  const minutes = Math.floor((now - ms) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${pluralize(minutes, "minute")} ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${pluralize(hours, "hour")} ago`;
  const days = Math.floor(hours / 24);
  if (days < 14) return `${pluralize(days, "day")} ago`;
  const format = /** @type {const} */ ({ year: "numeric", month: "short", day: "numeric" });
  return new Date(ms).toLocaleDateString(undefined, format);
}

/** The message of an error, for the user. @param {unknown} error */
export const errorMessage = (error) => (error instanceof Error ? error.message : String(error));
