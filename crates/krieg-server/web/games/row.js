// One game in a list: who plays, by which rules, how it stands, and what one can do about it.

import { el } from "../dom.js";
import { controlWords } from "./control.js";
import { agoWords, movesWords, resultWords, rulesetTitle } from "./words.js";

/** @typedef {import("../types.js").Summary} Summary */
/** @typedef {import("../types.js").Person} Person */
/** @typedef {import("../types.js").Side} Side */

/**
 * A player's name with the colour as a disc, which is also said in words for those who do not see it.
 * @param {Person | null} person
 * @param {Side} side
 * @param {{ you?: boolean }} [more]
 */
export function playerName(person, side, more = {}) {
  const colour = side === "white" ? "White" : "Black";
  return el("span", { class: "player-name" },
    el("span", { class: `disc ${side}`, role: "img", "aria-label": `${colour}:`, title: colour }),
    el("span", { class: person ? "who-name" : "who-name muted" }, person ? person.name : "waiting …"),
    person?.kind === "bot" && el("span", { class: "tag" }, "bot"),
    more.you && el("span", { class: "tag you" }, "you"),
    person?.rating && el("span", { class: "muted small" }, Math.round(person.rating)),
  );
}

/**
 * @param {Summary} game
 * @param {...(Node | null)} actions buttons or links at its end
 */
export function gameRow(game, ...actions) {
  const facts = [
    rulesetTitle(game.ruleset),
    game.source === "uploaded" ? null : controlWords(game.control),
    game.rated ? "rated" : null,
    game.source === "uploaded" ? "uploaded" : null,
    game.status === "open" ? null : movesWords(game),
    agoWords(game.ended_ms ?? game.created_ms),
  ];
  return el("li", { class: "game-row", "data-test": "game-row", "data-game": game.id, "data-status": game.status },
    el("div", { class: "game-players" },
      playerName(game.white, "white", { you: game.you === "white" }),
      playerName(game.black, "black", { you: game.you === "black" }),
    ),
    el("div", { class: "game-facts" },
      game.status === "over" && el("span", { class: "game-result" }, resultWords(game)),
      el("span", { class: "muted small" }, facts.filter(Boolean).join(" · ")),
    ),
    el("div", { class: "game-actions" }, ...actions),
  );
}
