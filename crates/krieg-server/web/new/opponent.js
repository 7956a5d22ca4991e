// Whom to play: a bot and how long it thinks, whoever comes, or a friend with a link.

import { el } from "../dom.js";
import { choice, chosen } from "./choice.js";

/** @typedef {import("../types.js").Options} Options */
/** @typedef {"bot" | "lobby" | "invitation"} OpponentKind */

/** @param {number} ms */
const thinkingWords = (ms) => (ms < 1000 ? `${ms / 1000} seconds a move` : `${ms / 1000} second${ms === 1000 ? "" : "s"} a move`);

/**
 * @param {Options} options
 * @param {URLSearchParams} wished
 */
export function opponentField(options, wished) {
  const wishedBot = wished.get("bot") ?? "marshal";
  const firstBot = options.bots.some((bot) => bot.name === wishedBot) ? wishedBot : options.bots[0]?.name;
  const firstMs = options.bot_ms.includes(1000) ? 1000 : options.bot_ms[0];
  const ms = el("select", { name: "ms", "data-test": "new-ms" },
    options.bot_ms.map((time) => el("option", { value: time, selected: time === firstMs }, thinkingWords(time))));
  const time = el("label", { class: "inline" }, "It thinks for", ms);
  const ownTime = el("p", { class: "hint", hidden: true }, "It divides its time on the clock as it likes.");

  const bots = el("div", { class: "under", "data-kind": "bot" },
    el("div", { class: "cards", role: "radiogroup", "aria-label": "Bot" },
      options.bots.map((bot) =>
        el("label", { class: "pick" },
          el("input", { type: "radio", name: "bot", value: bot.name, checked: bot.name === firstBot, "data-test": `new-bot-${bot.name}` }),
          el("span", { class: "pick-body" }, el("strong", {}, bot.name), el("span", { class: "hint" }, bot.about)),
        )),
    ),
    time,
    ownTime,
  );
  const lobby = el("p", { class: "under hint", "data-kind": "lobby" }, "The game is listed on the first page. Whoever joins first plays it.");
  const invitation = el("p", { class: "under hint", "data-kind": "invitation" }, "You get a link. Whoever opens it plays you.");

  const element = choice("Opponent", "opponent", [
    { value: "bot", label: "A bot" },
    { value: "lobby", label: "Anybody" },
    { value: "invitation", label: "A friend" },
  ], wished.get("opponent") ?? "bot", bots, lobby, invitation);

  const kind = () => /** @type {OpponentKind} */ (chosen(element, "opponent") || "bot");
  const reveal = () => {
    for (const part of [bots, lobby, invitation]) part.hidden = part.dataset.kind !== kind();
  };
  element.addEventListener("change", reveal);
  reveal();

  return {
    element,
    kind,
    /** @param {boolean} running whether the game has a clock */
    withClock(running) {
      time.hidden = running;
      ownTime.hidden = !running;
    },
    value: () => (kind() === "bot" ? { kind: "bot", name: chosen(element, "bot"), ms: Number(ms.value) } : { kind: kind() }),
  };
}
