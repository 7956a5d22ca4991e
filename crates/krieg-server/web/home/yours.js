// The games of this person that are not over: to go on with, or to wait in.

import { del, get, me } from "../api.js";
import { button, el, fill } from "../dom.js";
import { gameRow } from "../games/row.js";
import { errorWords } from "../games/words.js";

/** @typedef {import("../types.js").GameList} GameList */
/** @typedef {import("../types.js").Summary} Summary */

export function yourGames() {
  const list = el("ul", { class: "games", "data-test": "your-games" });
  const trouble = el("p", { class: "error", role: "alert" });
  const element = el("section", { class: "card home-yours", hidden: true }, el("h2", {}, "Your games"), trouble, list);

  /** @param {Summary} game */
  const takeBack = async (game) => {
    try {
      fill(trouble);
      await del(`/api/games/${game.id}`);
    } catch (error) {
      fill(trouble, errorWords(error));
    }
    await load();
  };

  /** @param {Summary} game */
  const row = (game) => game.status === "open"
    ? gameRow(game,
      button("Take back", () => void takeBack(game), { class: "quiet", "data-test": "take-back" }),
      el("a", { href: `/game/${game.id}`, class: "button" }, "Wait there"))
    : gameRow(game, el("a", { href: `/game/${game.id}`, class: "button primary", "data-test": "go-on" }, "Go on"));

  /** Nothing is said of a failure here: the archive below says it, and the next load may be luckier. */
  async function load() {
    const person = await me().catch(() => null);
    if (!person) {
      element.hidden = true;
      return;
    }
    try {
      /** @type {GameList[]} */
      const found = await Promise.all([get("/api/games?status=playing&mine=true"), get("/api/games?status=open&mine=true")]);
      const games = found.flatMap((answer) => answer.games);
      fill(list, games.map(row));
      element.hidden = games.length === 0;
    } catch {
      element.hidden = true;
    }
  }
  return { element, load };
}
