// The field for the time control: some common ones, and a text field for any other.

import { button, el, fill } from "../dom.js";
import { describeTimeControl, timeControlText } from "../games/time_control.js";

const FORMAT =
  "Enter seconds: 300, 300+5 (with increment), 300d5 (with delay), 40/5400, 60/move, or none.";

/** @param {string[]} controls the time controls that the server suggests */
export function clockField(controls) {
  const presets = controls.includes("none") ? controls : ["none", ...controls];
  const field = el("input", {
    name: "control", value: "none", maxlength: 30, autocomplete: "off", spellcheck: "false",
    "aria-describedby": "clock-meaning", "data-test": "new-control",
  });
  const meaning = el("p", { class: "hint", id: "clock-meaning", "aria-live": "polite" });
  const buttons = presets.map((control) =>
    button(timeControlText(control), () => {
      field.value = control;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }, { class: "chip", "data-control": control, "data-test": `new-control-${control}` }));

  const value = () => field.value.trim() || "none";
  const update = () => {
    const control = value();
    const description = describeTimeControl(control);
    field.setAttribute("aria-invalid", String(description === null));
    if (description === null) fill(meaning, FORMAT);
    else fill(meaning, control === "none" ? "No time limit." : `Each player has ${description}.`);
    for (const preset of buttons) {
      preset.setAttribute("aria-pressed", String(preset.dataset.control === control));
    }
  };
  field.addEventListener("input", update);
  update();
  return {
    element: el("fieldset", { class: "card field" },
      el("legend", {}, "Time control"),
      el("div", { class: "chips" }, buttons),
      el("label", { class: "inline" }, "or enter", field),
      meaning,
    ),
    value,
  };
}
