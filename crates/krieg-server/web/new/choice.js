// One of a few, as a row of radio buttons that look like a switch.

import { el } from "../dom.js";

/** @typedef {import("../dom.js").Child} Child */

/**
 * @param {string} legend
 * @param {string} name of the field
 * @param {{ value: string, label: Child }[]} values
 * @param {string} first what is chosen at first
 * @param {...Child} more below the row
 */
export function choice(legend, name, values, first, ...more) {
  return el("fieldset", { class: "card field" },
    el("legend", {}, legend),
    el("div", { class: "switch" },
      values.map(({ value, label }) =>
        el("label", { class: "switch-part" },
          el("input", { type: "radio", name, value, checked: value === first, "data-test": `new-${name}-${value}` }),
          el("span", {}, label),
        )),
    ),
    ...more,
  );
}

/** @param {HTMLElement} place @param {string} name @returns {string} */
export function chosen(place, name) {
  const radio = /** @type {HTMLInputElement | null} */ (place.querySelector(`input[name="${name}"]:checked`));
  return radio?.value ?? "";
}
