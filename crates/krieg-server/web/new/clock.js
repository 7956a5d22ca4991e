// The clock: a few that are usual, and a line to write any other.

import { button, el, fill } from "../dom.js";
import { controlMeaning, controlWords } from "../games/control.js";

/** @param {string[]} controls those that the server proposes */
export function clockField(controls) {
  const presets = controls.includes("none") ? controls : ["none", ...controls];
  const text = el("input", {
    name: "control", value: "none", maxlength: 30, autocomplete: "off", spellcheck: "false", "aria-describedby": "clock-meaning", "data-test": "new-control",
  });
  const meaning = el("p", { class: "hint", id: "clock-meaning", "aria-live": "polite" });
  const buttons = presets.map((control) =>
    button(controlWords(control), () => {
      text.value = control;
      text.dispatchEvent(new Event("input", { bubbles: true }));
    }, { class: "chip", "data-control": control, "data-test": `new-control-${control}` }));

  const explain = () => {
    const control = value();
    const words = controlMeaning(control);
    text.setAttribute("aria-invalid", String(words === null));
    fill(meaning, words === null
      ? "Write seconds: 300, 300+5 (with increment), 300d5 (with delay), 40/5400, 60/move, or none."
      : control === "none" ? "No clock: take your time." : `Each side has ${words}.`);
    for (const one of buttons) one.setAttribute("aria-pressed", String(one.dataset.control === control));
  };
  const value = () => text.value.trim() || "none";
  text.addEventListener("input", explain);
  explain();
  return {
    element: el("fieldset", { class: "card field" },
      el("legend", {}, "Clock"),
      el("div", { class: "chips" }, buttons),
      el("label", { class: "inline" }, "or write", text),
      meaning,
    ),
    value,
  };
}
