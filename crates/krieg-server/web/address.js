// Going to another page of ours from a program: links need nothing of this, `app.js` takes their clicks.

/**
 * @param {string} path such as `/game/ID`
 * @param {{ replace?: boolean }} [how] `replace`: the page that is left is not to be come back to
 */
export function go(path, how = {}) {
  if (how.replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  window.dispatchEvent(new Event("krieg:address"));
}
