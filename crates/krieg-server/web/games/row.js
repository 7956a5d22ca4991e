// A game in a list: its players, its rules, its state, and what the user can do.

import { el } from "../dom.js";
import { rulesetTitle } from "../options.js";
import { sideName } from "../squares.js";
import { moveCountText, resultText, timeAgo } from "./text.js";
import { timeControlText } from "./time_control.js";

/** @typedef {import("../types.js").Summary} Summary */
/** @typedef {import("../types.js").User} User */
/** @typedef {import("../types.js").Side} Side */

/**
 * A player's name, with the colour as a disc and as text for screen readers.
 * @param {User | null} user
 * @param {Side} side
 * @param {{ you?: boolean }} [options]
 */
export function playerName(user, side, { you = false } = {}) {
  const color = sideName(side);
  return el("span", { class: "player-name" },
    el("span", { class: `disc ${side}`, role: "img", "aria-label": `${color}:`, title: color }),
    el("span", { class: user ? "user-name" : "user-name muted" }, user?.name ?? "waiting …"),
    user?.kind === "bot" && el("span", { class: "tag" }, "bot"),
    you && el("span", { class: "tag you" }, "you"),
    user?.rating && el("span", { class: "muted small" }, Math.round(user.rating)),
  );
}

/**
 * @param {Summary} game
 * @param {...(Node | null)} actions buttons or links at its end
 */
export function gameRow(game, ...actions) {
  const facts = [
    rulesetTitle(game.ruleset),
    game.source === "uploaded" ? null : timeControlText(game.control),
    game.rated ? "rated" : null,
    game.source === "uploaded" ? "uploaded" : null,
    game.status === "open" ? null : moveCountText(game),
    timeAgo(game.ended_ms ?? game.created_ms),
  ];
  return el("li", {
    class: "game-row", "data-test": "game-row", "data-game": game.id, "data-status": game.status,
  },
    el("div", { class: "game-players" },
      playerName(game.white, "white", { you: game.you === "white" }),
      playerName(game.black, "black", { you: game.you === "black" }),
    ),
    el("div", { class: "game-facts" },
      game.status === "over" && el("span", { class: "game-result" }, resultText(game)),
      el("span", { class: "muted small" }, facts.filter(Boolean).join(" · ")),
    ),
    el("div", { class: "game-actions" }, ...actions),
  );
}
