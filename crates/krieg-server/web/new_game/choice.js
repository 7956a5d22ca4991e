// A choice between a few values: radio buttons that look like a switch.

import { el } from "../dom.js";

/** @typedef {import("../dom.js").Child} Child */

/**
 * @param {string} legend
 * @param {string} name of the field
 * @param {{ value: string, label: Child }[]} options
 * @param {string} initial the value chosen at first
 * @param {...Child} children shown below the switch
 */
export function choice(legend, name, options, initial, ...children) {
  return el("fieldset", { class: "card field" },
    el("legend", {}, legend),
    el("div", { class: "switch" },
      options.map(({ value, label }) =>
        el("label", { class: "switch-option" },
          el("input", {
            type: "radio", name, value, checked: value === initial,
            "data-test": `new-${name}-${value}`,
          }),
          el("span", {}, label),
        )),
    ),
    ...children,
  );
}

/** @param {HTMLElement} parent @param {string} name of the field @returns {string} */
export function chosenValue(parent, name) {
  const selector = `input[name="${name}"]:checked`;
  const radio = /** @type {HTMLInputElement | null} */ (parent.querySelector(selector));
  return radio?.value ?? "";
}
