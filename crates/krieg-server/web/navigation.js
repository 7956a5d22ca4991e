// Navigation from code. Clicks on links are handled in `app.js`.

/**
 * Opens another page of the application.
 * @param {string} path such as `/game/ID`
 * @param {{ replace?: boolean }} [options] `replace`: replaces the current page in the history
 */
export function navigate(path, options = {}) {
  if (options.replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  window.dispatchEvent(new Event("krieg:navigate"));
}
