// The analysis of single turns: the latest one before a step, and its heat map.

/** @typedef {import("../types.js").TurnAnalysis} TurnAnalysis */
/** @typedef {import("../types.js").Kind} Kind */

/**
 * The analysis of a player's latest turn.
 * @param {TurnAnalysis[] | undefined} turns in the order of the game
 * @param {number} at the current step
 * @returns {TurnAnalysis | undefined}
 */
export function latestAnalysis(turns, at) {
  let latest;
  for (const turn of turns ?? []) {
    if (turn.at > at) break;
    latest = turn;
  }
  return latest;
}

/**
 * The probability that an opponent's piece of that kind, or of any kind, is on each square.
 * @param {TurnAnalysis | undefined} turn
 * @param {Kind | "all"} kind
 * @param {Map<string, string>} own the player's own pieces, whose squares are left out
 * @returns {Record<string, number> | null}
 */
export function heatOf(turn, kind, own) {
  if (!turn) return null;
  const entries = Object.entries(turn.opponent_pieces).filter(([square]) => !own.has(square));
  return Object.fromEntries(entries.map(([square, kinds]) => {
    const sum = () => Object.values(kinds).reduce((total, each) => total + each, 0);
    return [square, kind === "all" ? sum() : kinds[kind] ?? 0];
  }));
}
