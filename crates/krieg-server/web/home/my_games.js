// The user's own games that are not over: games to continue, and games without an opponent yet.

import { currentUser, del, get } from "../api.js";
import { button, el, fill } from "../dom.js";
import { gameRow } from "../games/row.js";
import { errorMessage } from "../games/text.js";

/** @typedef {import("../types.js").GameList} GameList */
/** @typedef {import("../types.js").Summary} Summary */

export function myGames() {
  const list = el("ul", { class: "games", "data-test": "my-games" });
  const errorText = el("p", { class: "error", role: "alert" });
  const element = el("section", { class: "card my-games", hidden: true },
    el("h2", {}, "My games"), errorText, list);

  /** @param {Summary} game */
  const cancel = async (game) => {
    try {
      fill(errorText);
      await del(`/api/games/${game.id}`);
    } catch (error) {
      fill(errorText, errorMessage(error));
    }
    await load();
  };

  /** @param {Summary} game */
  const row = (game) => {
    const href = `/game/${game.id}`;
    if (game.status !== "open") {
      const attributes = { href, class: "button primary", "data-test": "continue" };
      return gameRow(game, el("a", attributes, "Continue"));
    }
    return gameRow(game,
      button("Cancel", () => void cancel(game), { class: "quiet", "data-test": "cancel-game" }),
      el("a", { href, class: "button" }, "Open"));
  };

  /** Errors are not shown: the list of all games shows them, and the next load may succeed. */
  async function load() {
    const user = await currentUser().catch(() => null);
    if (!user) {
      element.hidden = true;
      return;
    }
    try {
      /** @type {GameList[]} */
      const answers = await Promise.all([
        get("/api/games?status=playing&mine=true"),
        get("/api/games?status=open&mine=true"),
      ]);
      const games = answers.flatMap((answer) => answer.games);
      fill(list, games.map(row));
      element.hidden = games.length === 0;
    } catch {
      element.hidden = true;
    }
  }
  return { element, load };
}
