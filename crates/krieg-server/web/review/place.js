// The step in the address: /review/ID#12 opens at step 12, and the address follows the reviewer.

/** @typedef {import("./cursor.js").Cursor} Cursor */

/** Browsers take only so many changes of the address in a while, and a slider makes many. */
const REST_MS = 300;

/** @param {Cursor} cursor @returns {() => void} leaves the address alone again */
export function placeInAddress(cursor) {
  const follow = () => {
    const found = location.hash.match(/^#(\d+)$/);
    if (found) cursor.to(Number(found[1]));
  };
  let timer = 0;
  let left = false;
  follow();
  cursor.follow((at) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!left && location.hash !== `#${at}` && (at > 0 || location.hash)) history.replaceState(null, "", `#${at}`);
    }, REST_MS);
  });
  window.addEventListener("hashchange", follow);
  return () => {
    left = true;
    clearTimeout(timer);
    window.removeEventListener("hashchange", follow);
  };
}
