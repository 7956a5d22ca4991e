// The lobby: games that any player can join.

import { get, post, requireUser } from "../api.js";
import { button, el, fill } from "../dom.js";
import { gameRow } from "../games/row.js";
import { errorMessage } from "../games/text.js";
import { navigate } from "../navigation.js";

/** @typedef {import("../types.js").GameList} GameList */
/** @typedef {import("../types.js").Summary} Summary */

export function lobby() {
  const list = el("ul", { class: "games compact", "data-test": "open-games" });
  const empty = el("p", { class: "muted", hidden: true },
    "No player is waiting for an opponent. Create a game, and others can join it.");
  const errorText = el("p", { class: "error", role: "alert", "data-test": "lobby-error" });

  /** @param {Summary} game @param {HTMLButtonElement} joinButton */
  const join = async (game, joinButton) => {
    fill(errorText);
    joinButton.disabled = true;
    try {
      await requireUser();
      await post(`/api/games/${game.id}/join`);
      navigate(`/game/${game.id}`);
    } catch (error) {
      fill(errorText, errorMessage(error));
      await load();
    }
  };

  /** @param {Summary} game */
  const row = (game) => {
    const joinButton = button("Join", () => void join(game, joinButton), {
      class: "primary", "data-test": "join",
    });
    return gameRow(game, joinButton);
  };

  async function load() {
    try {
      /** @type {GameList} */
      const answer = await get("/api/games?status=open");
      const games = answer.games.filter(({ you }) => you === null);
      fill(list, games.map(row));
      empty.hidden = games.length > 0;
    } catch (error) {
      fill(errorText, errorMessage(error));
    }
  }

  const element = el("section", { class: "card" },
    el("h2", {}, "Join a game"),
    errorText,
    list,
    empty,
    el("a", { href: "/new?opponent=lobby", class: "button", "data-test": "create-open-game" },
      "Create a game"),
  );
  return { element, load };
}
