// The rules: an introduction, and a page for each ruleset.

import { el } from "../dom.js";
import { RULESETS, rulesetTitle } from "../games/words.js";
import { introduction } from "../rules/introduction.js";
import { rulesetPage } from "../rules/ruleset.js";

export const title = "Rules";

/** @param {HTMLElement} main @param {URL} address */
export async function show(main, address) {
  const name = decodeURIComponent(address.pathname.split("/")[2] ?? "");
  if (name && !RULESETS.includes(name)) throw new Error(`There is no ruleset called “${name}”.`);
  if (name) document.title = `${rulesetTitle(name)} rules · Krieg`;
  const page = name ? await rulesetPage(name) : await introduction();
  main.append(el("div", { class: "rules" }, contents(name), el("article", { class: "rules-text" }, page.elements)));
  return () => page.scenes.forEach((scene) => scene.destroy());
}

/** @param {string} here */
function contents(here) {
  /** @param {string} name @param {string} words */
  const link = (name, words) =>
    el("li", {}, el("a", { href: name ? `/rules/${name}` : "/rules", "aria-current": name === here && "page", "data-test": `rules-${name || "introduction"}` }, words));
  return el("nav", { class: "rules-nav", "aria-label": "Rules" },
    el("ul", {},
      link("", "In five minutes"),
      RULESETS.map((name) => link(name, rulesetTitle(name))),
    ));
}
