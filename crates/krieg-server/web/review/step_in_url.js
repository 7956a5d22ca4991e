// The current step in the URL: /review/ID#12 opens at step 12, and the URL follows the cursor.

/** @typedef {import("./cursor.js").Cursor} Cursor */

/** Delay before the URL changes. Browsers limit the rate of changes, and a slider makes many. */
const UPDATE_DELAY_MS = 300;

/** @param {Cursor} cursor @returns {() => void} stops the updates */
export function syncStepWithUrl(cursor) {
  const readUrl = () => {
    const found = location.hash.match(/^#(\d+)$/);
    if (found) cursor.moveTo(Number(found[1]));
  };
  /** @param {number} at */
  const writeUrl = (at) => {
    if (location.hash === `#${at}` || (at === 0 && !location.hash)) return;
    history.replaceState(null, "", `#${at}`);
  };
  let timer = 0;
  let stopped = false;
  readUrl();
  cursor.subscribe((at) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!stopped) writeUrl(at);
    }, UPDATE_DELAY_MS);
  });
  window.addEventListener("hashchange", readUrl);
  return () => {
    stopped = true;
    clearTimeout(timer);
    window.removeEventListener("hashchange", readUrl);
  };
}
