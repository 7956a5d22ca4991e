// Clocks in words: "300+5" is "5 min + 5 s a move".

/** @param {string} text seconds, or a number with ms, s, m or h @returns {number | null} seconds */
function seconds(text) {
  const found = text.match(/^(\d+(?:\.\d+)?|\.\d+)(ms|s|m|h)?$/);
  if (!found) return null;
  const unit = { ms: 0.001, s: 1, m: 60, h: 3600 }[found[2] ?? "s"] ?? 1;
  return Number(found[1]) * unit;
}

/** @param {number} time in seconds */
function span(time) {
  if (time >= 3600 && time % 3600 === 0) return `${time / 3600} h`;
  if (time >= 60 && time % 60 === 0) return `${time / 60} min`;
  if (time > 120) return `${Math.floor(time / 60)} min ${Math.round(time % 60)} s`;
  return `${time} s`;
}

/**
 * What a time control means, or null where it is none.
 * @param {string} text
 * @returns {string | null}
 */
export function controlMeaning(text) {
  const control = text.trim();
  if (control === "none") return "no clock";
  const each = control.match(/^(.+)\/move$/);
  if (each) {
    const time = seconds(each[1]);
    return time ? `${span(time)} for each move` : null;
  }
  const found = control.match(/^(?:(\d+)\/)?([^/+d]+)(?:([+d])(.+))?$/);
  if (!found) return null;
  const [, moves, main, kind, more] = found;
  const time = seconds(main);
  const extra = more === undefined ? 0 : seconds(more);
  if (!time || extra === null || moves === "0" || (moves && kind === "d")) return null;
  const base = moves ? `${span(time)} for ${moves} moves` : span(time);
  if (!extra) return base;
  return kind === "d" ? `${base}, first ${span(extra)} of a move free` : `${base} + ${span(extra)} a move`;
}

/** The same for lists: what is not understood is shown as it is. @param {string} control */
export const controlWords = (control) => controlMeaning(control) ?? control;
