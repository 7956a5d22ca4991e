// Advice in words and as chances by square: what the coach says, without the panel that shows it.

/** @typedef {import("../types.js").Advice} Advice */
/** @typedef {import("../types.js").CoachTry} CoachTry */
/** @typedef {import("../types.js").Enemy} Enemy */
/** @typedef {import("../types.js").Kind} Kind */

// Less than this is not worth a word.
const WORTH_SAYING = 0.005;

/** @param {number} chance */
export const percent = (chance) => (chance > 0 && chance < WORTH_SAYING ? "under 1%" : `${Math.round(chance * 100)}%`);

/**
 * The chance that an enemy stands on each square.
 * @param {Enemy} enemy
 * @param {Kind | "all"} kind
 * @returns {Record<string, number>}
 */
export function heatOf(enemy, kind) {
  return Object.fromEntries(Object.entries(enemy).map(([square, chances]) => {
    const chance = kind === "all" ? Object.values(chances).reduce((sum, each) => sum + (each ?? 0), 0) : chances[kind] ?? 0;
    return [square, Math.min(1, chance)];
  }));
}

/** What a try may bring, in short sentences. @param {CoachTry} each */
export function tryWords(each) {
  const words = [`Legal ${percent(each.legal)}.`];
  if (each.captures >= WORTH_SAYING) words.push(`Takes ${percent(each.captures)}${victimWords(each.victims)}.`);
  if (each.mates >= WORTH_SAYING) words.push(`Mates ${percent(each.mates)}.`);
  else if (each.checks >= WORTH_SAYING) words.push(`Checks ${percent(each.checks)}.`);
  if (each.recaptured >= WORTH_SAYING) words.push(`Lost at once ${percent(each.recaptured)}.`);
  if (each.excluded) words.push(`Left alone: ${each.excluded}.`);
  return words.join(" ");
}

/** The chances of the try under the pointer. @param {CoachTry} each */
export function hoverWords(each) {
  return `${each.name}: legal ${percent(each.legal)}, captures ${percent(each.captures)}, checks ${percent(each.checks)}.`;
}

/** @param {CoachTry["victims"]} victims */
function victimWords(victims) {
  const likely = Object.entries(victims).filter(([, chance]) => (chance ?? 0) >= 0.1).sort((a, b) => (b[1] ?? 0) - (a[1] ?? 0));
  if (likely.length === 0) return "";
  return likely.length === 1 ? ` (a ${likely[0][0]})` : ` (${likely.map(([kind, chance]) => `${kind} ${percent(chance ?? 0)}`).join(", ")})`;
}

/** What the advice is made from. @param {Advice} advice */
export function sourceWords(advice) {
  if (advice.contradiction) return `What was heard does not fit together: ${advice.contradiction}`;
  const boards = `${advice.boards} ${advice.boards === 1 ? "board" : "boards"}`;
  const words = [advice.exact ? `In mind: ${boards}, all that are possible.` : `In mind: ${boards} of those that are possible.`];
  const likely = advice.opponent_types.filter((each) => each.probability >= 0.15).slice(0, 2);
  if (likely.length) words.push(`Your opponent plays like ${likely.map((each) => `${each.name} (${percent(each.probability)})`).join(" or ")}.`);
  return words.join(" ");
}
