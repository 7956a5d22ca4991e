// Time controls in words: "300+5" is "5 min + 5 s per move".

/**
 * @param {string} text seconds, or a number with the unit ms, s, m or h
 * @returns {number | null} seconds
 */
function parseSeconds(text) {
  const found = text.match(/^(\d+(?:\.\d+)?|\.\d+)(ms|s|m|h)?$/);
  if (!found) return null;
  const unit = { ms: 0.001, s: 1, m: 60, h: 3600 }[found[2] ?? "s"] ?? 1;
  return Number(found[1]) * unit;
}

/** @param {number} seconds */
function durationText(seconds) {
  if (seconds >= 3600 && seconds % 3600 === 0) return `${seconds / 3600} h`;
  if (seconds >= 60 && seconds % 60 === 0) return `${seconds / 60} min`;
  if (seconds > 120) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${seconds} s`;
}

/**
 * Describes a time control, or returns null if the text is not one.
 * @param {string} text
 * @returns {string | null}
 */
export function describeTimeControl(text) {
  const control = text.trim();
  if (control === "none") return "no clock";
  const perMove = control.match(/^(.+)\/move$/);
  if (perMove) {
    const time = parseSeconds(perMove[1]);
    return time ? `${durationText(time)} per move` : null;
  }
  const found = control.match(/^(?:(\d+)\/)?([^/+d]+)(?:([+d])(.+))?$/);
  if (!found) return null;
  const [, moves, main, kind, extraText] = found;
  const time = parseSeconds(main);
  const extra = extraText === undefined ? 0 : parseSeconds(extraText);
  if (!time || extra === null || moves === "0" || (moves && kind === "d")) return null;
  const base = moves ? `${durationText(time)} for ${moves} moves` : durationText(time);
  if (!extra) return base;
  if (kind === "d") return `${base} with a delay of ${durationText(extra)} per move`;
  return `${base} + ${durationText(extra)} per move`;
}

/** The same for lists: an unknown time control is shown as it is. @param {string} control */
export const timeControlText = (control) => describeTimeControl(control) ?? control;
