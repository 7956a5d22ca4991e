// The coach's advice as text and as heat maps; `coach.js` shows it in a panel.

/** @typedef {import("../types.js").Advice} Advice */
/** @typedef {import("../types.js").Kind} Kind */
/** @typedef {import("../types.js").OpponentPieces} OpponentPieces */
/** @typedef {import("../types.js").RankedTry} RankedTry */

/** Lower probabilities are not mentioned. */
const MIN_MENTIONED = 0.005;
/** Opponent types and captured pieces with lower probabilities are not listed. */
const MIN_LISTED_TYPE = 0.15;
const MIN_LISTED_VICTIM = 0.1;

/** @param {number} probability */
export const percent = (probability) =>
  probability > 0 && probability < MIN_MENTIONED ? "under 1%" : `${Math.round(probability * 100)}%`;

/**
 * The probability that an opponent's piece of that kind, or of any kind, is on each square.
 * @param {OpponentPieces} pieces
 * @param {Kind | "all"} kind
 * @returns {Record<string, number>}
 */
export function heatOf(pieces, kind) {
  return Object.fromEntries(Object.entries(pieces).map(([square, kinds]) => {
    const sum = () => Object.values(kinds).reduce((total, each) => total + (each ?? 0), 0);
    return [square, Math.min(1, kind === "all" ? sum() : kinds[kind] ?? 0)];
  }));
}

/** The likely consequences of a try, in short sentences. @param {RankedTry} ranked */
export function tryText(ranked) {
  const sentences = [`Legal: ${percent(ranked.legal)}.`];
  /** @param {string} label @param {number} probability @param {string} [more] */
  const add = (label, probability, more = "") => {
    if (probability >= MIN_MENTIONED) sentences.push(`${label}: ${percent(probability)}${more}.`);
  };
  add("Captures", ranked.captures, victimText(ranked.victims));
  if (ranked.mates >= MIN_MENTIONED) add("Checkmates", ranked.mates);
  else add("Gives check", ranked.checks);
  add("Is recaptured", ranked.recaptured);
  if (ranked.excluded) sentences.push(`Excluded: ${ranked.excluded}.`);
  return sentences.join(" ");
}

/** The probabilities of the try under the pointer. @param {RankedTry} ranked */
export function hoverText({ name, legal, captures, checks }) {
  const consequences = `captures ${percent(captures)}, checks ${percent(checks)}`;
  return `${name}: legal ${percent(legal)}, ${consequences}.`;
}

/** @param {RankedTry["victims"]} victims */
function victimText(victims) {
  const likely = Object.entries(victims)
    .map(([kind, probability]) => ({ kind, probability: probability ?? 0 }))
    .filter(({ probability }) => probability >= MIN_LISTED_VICTIM)
    .sort((a, b) => b.probability - a.probability);
  if (likely.length === 0) return "";
  if (likely.length === 1) return ` (a ${likely[0].kind})`;
  const list = likely.map(({ kind, probability }) => `${kind} ${percent(probability)}`);
  return ` (${list.join(", ")})`;
}

/** What the advice is based on. @param {Advice} advice */
export function basisText(advice) {
  if (advice.contradiction) {
    return `The announcements contradict each other: ${advice.contradiction}`;
  }
  const sentences = [boardsText(advice)];
  const types = advice.opponent_types
    .filter(({ probability }) => probability >= MIN_LISTED_TYPE)
    .slice(0, 2)
    .map(({ name, probability }) => `${name} (${percent(probability)})`);
  if (types.length > 0) sentences.push(`Your opponent plays like ${types.join(" or ")}.`);
  return sentences.join(" ");
}

/** @param {Advice} advice */
function boardsText({ boards, exact }) {
  if (exact) {
    return boards === 1 ? "Only one board is possible." : `Based on all ${boards} possible boards.`;
  }
  return `Based on a sample of ${boards} possible ${boards === 1 ? "board" : "boards"}.`;
}
