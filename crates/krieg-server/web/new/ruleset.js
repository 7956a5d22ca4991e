// By which rules: a list, what the chosen one is about, and where it is explained.

import { el, fill } from "../dom.js";
import { rulesetTitle } from "../games/words.js";

/** @typedef {import("../types.js").RulesetOption} RulesetOption */

/**
 * @param {RulesetOption[]} rulesets
 * @param {string} first
 */
export function rulesetField(rulesets, first) {
  const select = el("select", { name: "ruleset", "aria-label": "Rules", "data-test": "new-ruleset" },
    rulesets.map(({ name }) => el("option", { value: name, selected: name === first }, rulesetTitle(name))));
  const about = el("span", {});
  const more = el("a", {}, "Explain");
  const explain = () => {
    fill(about, `${rulesets.find(({ name }) => name === select.value)?.about ?? ""}. `);
    more.href = `/rules/${select.value}`;
  };
  select.addEventListener("change", explain);
  explain();
  return {
    element: el("fieldset", { class: "card field" },
      el("legend", {}, "Rules"),
      select,
      el("p", { class: "hint", "aria-live": "polite" }, about, more),
    ),
    value: () => select.value,
  };
}
