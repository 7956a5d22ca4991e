// The form that begins a game: opponent, rules, colour, clock, and what else there is to agree on.

import { needName, post } from "../api.js";
import { el, fill } from "../dom.js";
import { errorWords } from "../games/words.js";
import { choice, chosen } from "./choice.js";
import { clockField } from "./clock.js";
import { opponentField } from "./opponent.js";
import { rulesetField } from "./ruleset.js";

/** @typedef {import("../types.js").Options} Options */
/** @typedef {import("../types.js").Summary} Summary */

/**
 * @param {Options} options
 * @param {URLSearchParams} wished
 * @param {(begun: { game: Summary, invitation?: string | null }) => void} onBegun
 */
export function newGameForm(options, wished, onBegun) {
  const opponent = opponentField(options, wished);
  const ruleset = rulesetField(options.rulesets, wished.get("ruleset") ?? "icc");
  const clock = clockField(options.controls);
  const rated = el("input", { type: "checkbox", name: "rated", "data-test": "new-rated" });
  const coach = el("input", { type: "checkbox", name: "coach", "data-test": "new-coach" });
  const coachWords = el("span", { class: "hint" });
  const start = el("button", { class: "primary big", "data-test": "new-start" }, "Start");
  const trouble = el("p", { class: "error", role: "alert", "data-test": "new-error" });

  /** Games that are rated and between people have no coach, and a bot's time is its own only where no clock runs. */
  const agree = () => {
    const kind = opponent.kind();
    coach.disabled = rated.checked && kind !== "bot";
    if (coach.disabled) coach.checked = false;
    fill(coachWords, coach.disabled
      ? "Not in rated games between people."
      : "You may ask where the enemy may be, and which tries look good. Nothing is shown until you ask.");
    opponent.withClock(clock.value() !== "none");
    fill(start, { bot: "Start", lobby: "Open the game", invitation: "Make the link" }[kind]);
  };

  const form = el("form", { class: "new-form", "data-test": "new-form", onsubmit: begin, onchange: agree, oninput: agree },
    opponent.element,
    ruleset.element,
    choice("Your colour", "color", [
      { value: "white", label: [el("span", { class: "disc white" }), "White"] },
      { value: "random", label: [el("span", { class: "disc either" }), "Either"] },
      { value: "black", label: [el("span", { class: "disc black" }), "Black"] },
    ], "random"),
    clock.element,
    el("fieldset", { class: "card field" },
      el("legend", {}, "And"),
      el("label", { class: "check" }, rated,
        el("span", {}, "Rated", el("span", { class: "hint" }, "The result changes the ratings of both."))),
      el("label", { class: "check" }, coach, el("span", {}, "Allow the coach", coachWords)),
    ),
    el("div", { class: "new-go" }, trouble, start),
  );
  agree();
  return form;

  /** @param {SubmitEvent} event */
  async function begin(event) {
    event.preventDefault();
    fill(trouble);
    start.disabled = true;
    try {
      await needName();
      onBegun(await post("/api/games", {
        ruleset: ruleset.value(),
        control: clock.value(),
        color: chosen(form, "color"),
        rated: rated.checked,
        coach: coach.checked,
        opponent: opponent.value(),
      }));
    } catch (error) {
      fill(trouble, errorWords(error));
    } finally {
      start.disabled = false;
    }
  }
}
