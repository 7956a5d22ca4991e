// The field for the ruleset, with a short description and a link to its page.

import { el, fill } from "../dom.js";

/** @typedef {import("../types.js").RulesetOption} RulesetOption */

/**
 * @param {RulesetOption[]} rulesets
 * @param {string} initial
 */
export function rulesetField(rulesets, initial) {
  const select = el("select", {
    name: "ruleset", "aria-label": "Rules", "data-test": "new-ruleset",
  }, rulesets.map(({ name, title }) =>
    el("option", { value: name, selected: name === initial }, title)));
  const about = el("span", {});
  const link = el("a", {}, "Read the rules");
  const update = () => {
    fill(about, `${rulesets.find(({ name }) => name === select.value)?.about ?? ""}. `);
    link.href = `/rules/${select.value}`;
  };
  select.addEventListener("change", update);
  update();
  return {
    element: el("fieldset", { class: "card field" },
      el("legend", {}, "Rules"),
      select,
      el("p", { class: "hint", "aria-live": "polite" }, about, link),
    ),
    value: () => select.value,
  };
}
