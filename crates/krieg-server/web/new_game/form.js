// The form for a new game: opponent, rules, colour, time control and options.

import { post, requireUser } from "../api.js";
import { el, fill } from "../dom.js";
import { errorMessage } from "../games/text.js";
import { choice, chosenValue } from "./choice.js";
import { clockField } from "./clock.js";
import { opponentField } from "./opponent.js";
import { rulesetField } from "./ruleset.js";

/** @typedef {import("../types.js").Options} Options */
/** @typedef {import("../types.js").Summary} Summary */

const ABOUT_COACH =
  "When you ask, the coach shows where the opponent's pieces may be, and which tries are good.";
const NO_COACH = "Not available in rated games between people.";

/**
 * @param {Options} options
 * @param {URLSearchParams} query initial values
 * @param {(created: { game: Summary, invitation?: string | null }) => void} onCreated
 */
export function newGameForm(options, query, onCreated) {
  const opponent = opponentField(options, query);
  const ruleset = rulesetField(options.rulesets, query.get("ruleset") ?? "icc");
  const clock = clockField(options.controls);
  const rated = el("input", { type: "checkbox", name: "rated", "data-test": "new-rated" });
  const coach = el("input", { type: "checkbox", name: "coach", "data-test": "new-coach" });
  const coachHint = el("span", { class: "hint" });
  const start = el("button", { class: "primary big", "data-test": "new-start" }, "Start game");
  const errorText = el("p", { class: "error", role: "alert", "data-test": "new-error" });

  /**
   * Disables what the choices exclude: a coach in rated games between people, and a thinking time
   * for a bot in games with a clock.
   */
  const update = () => {
    const kind = opponent.kind();
    coach.disabled = rated.checked && kind !== "bot";
    if (coach.disabled) coach.checked = false;
    fill(coachHint, coach.disabled ? NO_COACH : ABOUT_COACH);
    opponent.setHasClock(clock.value() !== "none");
    fill(start, { bot: "Start game", lobby: "Create game", invitation: "Create link" }[kind]);
  };

  const form = el("form", {
    class: "new-form", "data-test": "new-form", onsubmit: create, onchange: update, oninput: update,
  },
    opponent.element,
    ruleset.element,
    choice("Your colour", "color", [
      { value: "white", label: [el("span", { class: "disc white" }), "White"] },
      { value: "random", label: [el("span", { class: "disc either" }), "Random"] },
      { value: "black", label: [el("span", { class: "disc black" }), "Black"] },
    ], "random"),
    clock.element,
    el("fieldset", { class: "card field" },
      el("legend", {}, "Options"),
      el("label", { class: "check" }, rated,
        el("span", {}, "Rated",
          el("span", { class: "hint" }, "The result changes the ratings of both players."))),
      el("label", { class: "check" }, coach, el("span", {}, "Allow the coach", coachHint)),
    ),
    el("div", { class: "new-submit" }, errorText, start),
  );
  update();
  return form;

  /** @param {SubmitEvent} event */
  async function create(event) {
    event.preventDefault();
    fill(errorText);
    start.disabled = true;
    try {
      await requireUser();
      onCreated(await post("/api/games", {
        ruleset: ruleset.value(),
        control: clock.value(),
        color: chosenValue(form, "color"),
        rated: rated.checked,
        coach: coach.checked,
        opponent: opponent.value(),
      }));
    } catch (error) {
      fill(errorText, errorMessage(error));
    } finally {
      start.disabled = false;
    }
  }
}
