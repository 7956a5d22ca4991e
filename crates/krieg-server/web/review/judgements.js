// What the analysis found of one side at a place in the game: the latest judgement, and the heat map of it.

/** @typedef {import("../types.js").Judgement} Judgement */
/** @typedef {import("../types.js").Kind} Kind */

/**
 * What that player could have known when last at the table.
 * @param {Judgement[] | undefined} judgements in the order of the game
 * @param {number} at
 * @returns {Judgement | undefined}
 */
export function latest(judgements, at) {
  let found;
  for (const judgement of judgements ?? []) {
    if (judgement.at > at) break;
    found = judgement;
  }
  return found;
}

/**
 * The chance that somebody stands there, or somebody of that kind.
 * @param {Judgement | undefined} judgement
 * @param {Kind | "all"} kind
 * @param {Map<string, string>} own men of the player himself, where nobody else can be
 * @returns {Record<string, number> | null}
 */
export function heatOf(judgement, kind, own) {
  if (!judgement) return null;
  return Object.fromEntries(Object.entries(judgement.opponent_pieces).filter(([square]) => !own.has(square)).map(([square, chances]) => [
    square,
    kind === "all" ? Object.values(chances).reduce((sum, chance) => sum + chance, 0) : chances[kind] ?? 0,
  ]));
}
