// One ruleset: what it is, its choices, and scenes that show them.

import { el } from "../dom.js";
import { rulesetTitle } from "../games/words.js";
import { drawScene, scenesOf } from "../watching/scene.js";
import { QUESTIONS, RULES } from "./texts.js";

/** @param {string} name */
export async function rulesetPage(name) {
  const { about, hint, choices } = RULES[name];
  const scenes = (await scenesOf(name)).map(drawScene);
  const elements = [
    el("h1", {}, rulesetTitle(name)),
    el("p", { class: "lead" }, about),
    el("dl", { class: "choices card", "data-test": "choices" },
      QUESTIONS.filter(([question]) => choices[question]).map(([question, words]) =>
        el("div", {}, el("dt", {}, words), el("dd", {}, choices[question])))),
    el("h2", {}, "What the umpire says"),
    scenes.map((scene) => scene.element),
    el("h2", {}, "A hint"),
    el("p", {}, hint),
    el("p", { class: "row" },
      el("a", { href: `/new?ruleset=${name}`, class: "button primary", "data-test": "rules-play" }, "Play by these rules"),
      el("a", { href: "/rules", class: "button" }, "Kriegspiel in five minutes"),
    ),
  ];
  return { elements, scenes };
}
