// The field for the opponent: a bot and its thinking time, any player, or a friend with a link.

import { el } from "../dom.js";
import { choice, chosenValue } from "./choice.js";

/** @typedef {import("../types.js").Options} Options */
/** @typedef {"bot" | "lobby" | "invitation"} OpponentKind */

/** @param {number} ms */
const thinkingTimeText = (ms) => `${ms / 1000} second${ms === 1000 ? "" : "s"} per move`;

/**
 * @param {Options} options
 * @param {URLSearchParams} query initial values
 */
export function opponentField(options, query) {
  const wantedBot = query.get("bot") ?? "marshal";
  const hasWantedBot = options.bots.some(({ name }) => name === wantedBot);
  const initialBot = hasWantedBot ? wantedBot : options.bots[0]?.name;
  const initialMs = options.bot_ms.includes(1000) ? 1000 : options.bot_ms[0];
  const ms = el("select", { name: "ms", "data-test": "new-ms" }, options.bot_ms.map((value) =>
    el("option", { value, selected: value === initialMs }, thinkingTimeText(value))));
  const thinkingTime = el("label", { class: "inline" }, "Thinking time", ms);
  const clockHint = el("p", { class: "hint", hidden: true }, "The bot manages its own clock.");

  const bots = el("div", { class: "opponent-options", "data-kind": "bot" },
    el("div", { class: "cards", role: "radiogroup", "aria-label": "Bot" },
      options.bots.map(({ name, about }) =>
        el("label", { class: "option" },
          el("input", {
            type: "radio", name: "bot", value: name, checked: name === initialBot,
            "data-test": `new-bot-${name}`,
          }),
          el("span", { class: "option-text" },
            el("strong", {}, name), el("span", { class: "hint" }, about)),
        )),
    ),
    thinkingTime,
    clockHint,
  );
  const lobby = el("p", { class: "opponent-options hint", "data-kind": "lobby" },
    "The game is listed on the home page. The first player who joins is your opponent.");
  const invitation = el("p", { class: "opponent-options hint", "data-kind": "invitation" },
    "You get a link to send to a friend.");

  const element = choice("Opponent", "opponent", [
    { value: "bot", label: "A bot" },
    { value: "lobby", label: "Any player" },
    { value: "invitation", label: "A friend" },
  ], query.get("opponent") ?? "bot", bots, lobby, invitation);

  const kind = () => /** @type {OpponentKind} */ (chosenValue(element, "opponent") || "bot");
  const update = () => {
    for (const part of [bots, lobby, invitation]) part.hidden = part.dataset.kind !== kind();
  };
  element.addEventListener("change", update);
  update();

  return {
    element,
    kind,
    /** @param {boolean} hasClock whether the game has a clock */
    setHasClock(hasClock) {
      thinkingTime.hidden = hasClock;
      clockHint.hidden = !hasClock;
    },
    value: () => kind() === "bot"
      ? { kind: "bot", name: chosenValue(element, "bot"), ms: Number(ms.value) }
      : { kind: kind() },
  };
}
