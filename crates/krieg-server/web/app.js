// The router and the navigation bar. A page module is loaded when its page is opened first.

import { currentUser, openAccountDialog } from "./api.js";
import { button, el, fill } from "./dom.js";
import { loadOptions } from "./options.js";

/**
 * A page. `show` fills the element and may return a function that is called when the user leaves.
 * Loading may take long, and the user may have gone to another page meanwhile: then `signal` is
 * aborted, and the page must not change anything outside its own element.
 * @typedef {object} Page
 * @property {string} title
 * @property {ShowPage} show
 */

/**
 * @callback ShowPage
 * @param {HTMLElement} main
 * @param {URL} url
 * @param {AbortSignal} signal
 * @returns {Promise<void | (() => void)>}
 */

/** @type {[RegExp, () => Promise<Page>][]} */
const ROUTES = [
  [/^\/$/, () => import("./pages/home.js")],
  [/^\/new\/?$/, () => import("./pages/new_game.js")],
  [/^\/game\/[^/]+\/?$/, () => import("./pages/play.js")],
  [/^\/review\/[^/]+\/?$/, () => import("./pages/review.js")],
  [/^\/rules(\/[^/]*)?$/, () => import("./pages/rules.js")],
  [/^\/ratings\/?$/, () => import("./pages/ratings.js")],
];

/** A page that is not shown after this time is replaced by a loading message. */
const LOADING_MESSAGE_MS = 250;

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const header = /** @type {HTMLElement} */ (document.getElementById("top"));

/** @type {(() => void) | void} */
let leave;
let shownPath = "";
let controller = new AbortController();

/**
 * Shows the page of the current URL. A change of the fragment alone is left to the page.
 * @returns {Promise<boolean>} whether the page is shown
 */
async function showPage() {
  const url = new URL(location.href);
  const path = url.pathname + url.search;
  if (path === shownPath) return true;
  shownPath = path;
  controller.abort();
  controller = new AbortController();
  const { signal } = controller;
  leave?.();
  leave = undefined;
  markCurrentLink(url.pathname);
  const element = el("div", { class: "page" });
  const loadingTimer = setTimeout(() => {
    if (!signal.aborted) fill(main, el("p", { class: "muted loading" }, "Loading …"));
  }, LOADING_MESSAGE_MS);
  try {
    const load = ROUTES.find(([pattern]) => pattern.test(url.pathname))?.[1];
    if (!load) throw new Error("This page does not exist.");
    const [page] = await Promise.all([load(), loadOptions()]);
    if (signal.aborted) return false;
    document.title = page.title === "Krieg" ? "Krieg" : `${page.title} · Krieg`;
    const leavePage = await page.show(element, url, signal);
    if (signal.aborted) {
      leavePage?.();
      return false;
    }
    leave = leavePage;
    fill(main, element);
  } catch (error) {
    if (signal.aborted) return false;
    fill(main, errorPage(error));
  } finally {
    clearTimeout(loadingTimer);
  }
  return true;
}

/** @param {unknown} error */
function errorPage(error) {
  const message = error instanceof Error ? error.message : String(error);
  const retry = () => {
    shownPath = "";
    void showPage();
  };
  return el("section", { class: "card notice", role: "alert", "data-test": "page-error" },
    el("h1", {}, "Something went wrong"),
    el("p", {}, message),
    el("div", { class: "row" },
      button("Try again", retry, { class: "primary" }),
      el("a", { href: "/", class: "button" }, "Home"),
    ),
  );
}

/** @param {string} path */
function markCurrentLink(path) {
  for (const link of header.querySelectorAll("nav a")) {
    const target = link.getAttribute("href") ?? "";
    const isCurrent = target === "/" ? path === "/" : path.startsWith(target);
    if (isCurrent) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function drawHeader() {
  const account = button("Sign in", () => void openAccountDialog(), {
    class: "account-button quiet", "data-test": "account",
  });
  const showUser = (/** @type {import("./types.js").User | null} */ user) =>
    fill(account, user ? user.name : "Sign in");
  currentUser().then(showUser, () => showUser(null));
  window.addEventListener("krieg:user", (event) => {
    showUser(/** @type {CustomEvent} */ (event).detail);
  });
  fill(
    header,
    el("nav", { "aria-label": "Pages" },
      el("a", { href: "/", class: "brand", "data-test": "nav-home" }, el("span", {}, "Krieg")),
      el("a", { href: "/new", "data-test": "nav-new" }, "Play"),
      el("a", { href: "/rules", "data-test": "nav-rules" }, "Rules"),
      el("a", { href: "/ratings", "data-test": "nav-ratings" }, "Ratings"),
    ),
    el("div", { class: "row end" },
      button(el("span", { class: "theme-icon", "aria-hidden": "true" }), toggleTheme, {
        class: "quiet icon",
        "aria-label": "Switch between light and dark",
        title: "Switch between light and dark",
        "data-test": "theme",
      }),
      account,
    ),
  );
}

function toggleTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
}

/** Opens links to pages of the application without loading the document again. */
document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.origin !== location.origin) return;
  if (link.target || link.hasAttribute("download")) return;
  const path = link.pathname;
  if (path === location.pathname && link.hash) return;
  if (!ROUTES.some(([pattern]) => pattern.test(path))) return;
  event.preventDefault();
  history.pushState(null, "", link.href);
  void showPage().then((isShown) => {
    if (!isShown) return;
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
  });
});
window.addEventListener("popstate", () => void showPage());
window.addEventListener("krieg:navigate", () => void showPage());

drawHeader();
void showPage();
