// The page of one ruleset: a description, its rules in a table, and examples.

import { el } from "../dom.js";
import { loadExamples, renderExample } from "../replay/example.js";

/** @param {import("../types.js").RulesetOption} ruleset */
export async function rulesetPage({ description, hint, name, rules, title }) {
  const examples = (await loadExamples(name)).map(renderExample);
  const play = { href: `/new?ruleset=${name}`, class: "button primary", "data-test": "rules-play" };
  const elements = [
    el("h1", {}, title),
    el("p", { class: "lead" }, description),
    el("dl", { class: "rule-table card", "data-test": "rule-table" },
      rules.map(({ topic, rule }) => el("div", {}, el("dt", {}, topic), el("dd", {}, rule)))),
    el("h2", {}, "Examples"),
    examples.map(({ element }) => element),
    el("h2", {}, "A hint"),
    el("p", {}, hint),
    el("p", { class: "row" },
      el("a", play, "Play with these rules"),
      el("a", { href: "/rules", class: "button" }, "Kriegspiel in five minutes"),
    ),
  ];
  return { elements, examples };
}
