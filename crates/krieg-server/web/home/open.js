// The lobby: games that wait for whoever comes.

import { go } from "../address.js";
import { get, needName, post } from "../api.js";
import { button, el, fill } from "../dom.js";
import { gameRow } from "../games/row.js";
import { errorWords } from "../games/words.js";

/** @typedef {import("../types.js").GameList} GameList */
/** @typedef {import("../types.js").Summary} Summary */

export function openGames() {
  const list = el("ul", { class: "games compact", "data-test": "open-games" });
  const empty = el("p", { class: "muted", hidden: true }, "Nobody is waiting just now. Open a game, and somebody may come.");
  const trouble = el("p", { class: "error", role: "alert", "data-test": "lobby-error" });

  /** @param {Summary} game @param {HTMLButtonElement} join */
  const take = async (game, join) => {
    fill(trouble);
    join.disabled = true;
    try {
      await needName();
      await post(`/api/games/${game.id}/join`);
      go(`/game/${game.id}`);
    } catch (error) {
      fill(trouble, errorWords(error));
      await load();
    }
  };

  /** @param {Summary} game */
  const row = (game) => {
    const join = button("Join", () => void take(game, join), { class: "primary", "data-test": "join" });
    return gameRow(game, join);
  };

  async function load() {
    try {
      /** @type {GameList} */
      const answer = await get("/api/games?status=open");
      const games = answer.games.filter((game) => game.you === null);
      fill(list, games.map(row));
      empty.hidden = games.length > 0;
    } catch (error) {
      fill(trouble, errorWords(error));
    }
  }

  const element = el("section", { class: "card" },
    el("h2", {}, "Open games"),
    trouble,
    list,
    empty,
    el("a", { href: "/new?opponent=lobby", class: "button", "data-test": "open-one" }, "Open a game"),
  );
  return { element, load };
}
