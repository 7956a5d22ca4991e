// The rules: an introduction, and a page for each ruleset.

import { el } from "../dom.js";
import { rulesetByName, rulesets } from "../options.js";
import { introduction } from "../rules/introduction.js";
import { rulesetPage } from "../rules/ruleset.js";

export const title = "Rules";

/** @param {HTMLElement} main @param {URL} url */
export async function show(main, url) {
  const name = decodeURIComponent(url.pathname.split("/")[2] ?? "");
  const ruleset = rulesetByName(name);
  if (name && !ruleset) throw new Error(`There is no ruleset called “${name}”.`);
  if (ruleset) document.title = `${ruleset.title} rules · Krieg`;
  const page = ruleset ? await rulesetPage(ruleset) : await introduction();
  main.append(el("div", { class: "rules" },
    contents(name), el("article", { class: "rules-text" }, page.elements)));
  return () => page.examples.forEach((example) => example.destroy());
}

/** @param {string} current the name of the ruleset that is shown, or an empty text */
function contents(current) {
  /** @param {string} name @param {string} text */
  const link = (name, text) => el("li", {}, el("a", {
    href: name ? `/rules/${name}` : "/rules",
    "aria-current": name === current && "page",
    "data-test": `rules-${name || "introduction"}`,
  }, text));
  return el("nav", { class: "rules-nav", "aria-label": "Rules" },
    el("ul", {},
      link("", "Introduction"),
      rulesets().map((ruleset) => link(ruleset.name, ruleset.title)),
    ));
}
