// Which page for which address, and the row at the top. Pages are loaded when they are first gone to.

import { me, showPerson } from "./api.js";
import { button, el, fill } from "./dom.js";

/**
 * A page may take long to come, and somebody may have gone on meanwhile: then `over` is aborted, and the page touches nothing but its own room.
 * @typedef {{ title: string, show: (main: HTMLElement, address: URL, over: AbortSignal) => Promise<void | (() => void)> }} Page
 */

/** @type {[RegExp, () => Promise<Page>][]} */
const PAGES = [
  [/^\/$/, () => import("./pages/home.js")],
  [/^\/new\/?$/, () => import("./pages/new.js")],
  [/^\/game\/[^/]+\/?$/, () => import("./pages/play.js")],
  [/^\/review\/[^/]+\/?$/, () => import("./pages/review.js")],
  [/^\/rules(\/[^/]*)?$/, () => import("./pages/rules.js")],
  [/^\/ratings\/?$/, () => import("./pages/ratings.js")],
];

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const top_ = /** @type {HTMLElement} */ (document.getElementById("top"));

/** @type {(() => void) | void} */
let leave;
let shown = "";
let visit = new AbortController();

/**
 * Shows the page of the address, unless only the part after # has changed: that is the page's own affair.
 * @returns {Promise<boolean>} whether it is there
 */
async function showPage() {
  const address = new URL(location.href);
  const here = address.pathname + address.search;
  if (here === shown) return true;
  shown = here;
  visit.abort();
  visit = new AbortController();
  const over = visit.signal;
  leave?.();
  leave = undefined;
  markPlace(address.pathname);
  const room = el("div", { class: "page" });
  const late = setTimeout(() => {
    if (!over.aborted) fill(main, el("p", { class: "muted loading" }, "One moment …"));
  }, 250);
  try {
    const load = PAGES.find(([pattern]) => pattern.test(address.pathname))?.[1];
    if (!load) throw new Error("There is no such page.");
    const page = await load();
    if (over.aborted) return false;
    document.title = page.title === "Krieg" ? "Krieg" : `${page.title} · Krieg`;
    const goodbye = await page.show(room, address, over);
    if (over.aborted) {
      goodbye?.();
      return false;
    }
    leave = goodbye;
    fill(main, room);
  } catch (error) {
    if (over.aborted) return false;
    fill(main, trouble(error));
  } finally {
    clearTimeout(late);
  }
  return true;
}

/** @param {unknown} error */
function trouble(error) {
  const words = error instanceof Error ? error.message : String(error);
  return el("section", { class: "card notice", role: "alert", "data-test": "page-error" },
    el("h1", {}, "That did not work"),
    el("p", {}, words),
    el("div", { class: "row" },
      button("Try again", () => {
        shown = "";
        void showPage();
      }, { class: "primary" }),
      el("a", { href: "/", class: "button" }, "Home"),
    ),
  );
}

/** @param {string} path */
function markPlace(path) {
  for (const link of top_.querySelectorAll("nav a")) {
    const there = link.getAttribute("href") ?? "";
    const here = there === "/" ? path === "/" : path.startsWith(there);
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function drawTop() {
  const name = button("Sign in", () => void showPerson(), { class: "who quiet", "data-test": "who" });
  const nameIt = (/** @type {import("./types.js").Person | null} */ person) => fill(name, person ? person.name : "Sign in");
  me().then(nameIt, () => nameIt(null));
  window.addEventListener("krieg:person", (event) => nameIt(/** @type {CustomEvent} */ (event).detail));
  fill(
    top_,
    el("nav", { "aria-label": "Pages" },
      el("a", { href: "/", class: "brand", "data-test": "nav-home" }, el("span", {}, "Krieg")),
      el("a", { href: "/new", "data-test": "nav-new" }, "Play"),
      el("a", { href: "/rules", "data-test": "nav-rules" }, "Rules"),
      el("a", { href: "/ratings", "data-test": "nav-ratings" }, "Ratings"),
    ),
    el("div", { class: "row end" },
      button(el("span", { class: "theme-sign", "aria-hidden": "true" }), changeTheme, {
        class: "quiet icon", "aria-label": "Light or dark", title: "Light or dark", "data-test": "theme",
      }),
      name,
    ),
  );
}

function changeTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  const path = link.pathname;
  if (path === location.pathname && link.hash) return;
  if (!PAGES.some(([pattern]) => pattern.test(path))) return;
  event.preventDefault();
  history.pushState(null, "", link.href);
  void showPage().then((isThere) => {
    if (!isThere) return;
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
  });
});
window.addEventListener("popstate", () => void showPage());
window.addEventListener("krieg:address", () => void showPage());

drawTop();
void showPage();
