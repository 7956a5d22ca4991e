// The page of one game: the table for its players, a seat for who may take one, the way to the review for all others.

import { get } from "../api.js";
import { go } from "../address.js";
import { button, el, fill } from "../dom.js";
import { openTable } from "../play/table.js";
import { seatOffer, waitingRoom } from "../play/waiting.js";

/** @typedef {import("../types.js").Summary} Summary */

export const title = "Game";

/**
 * @param {HTMLElement} main
 * @param {URL} address
 * @param {AbortSignal} over
 */
export async function show(main, address, over) {
  const id = decodeURIComponent(address.pathname.split("/")[2]);
  let invitation = address.searchParams.get("invitation");
  /** @type {() => void} */
  let close = () => {};

  async function look() {
    close();
    close = () => {};
    const answer = await get(`/api/games/${encodeURIComponent(id)}`);
    if (over.aborted) return;
    invitation ??= answer.invitation ?? null;
    decide(answer.game);
  }

  /** @param {Summary} game */
  function decide(game) {
    const again = () => void look().catch((error) => note(error.message));
    if (game.status === "cancelled") {
      note("This game was taken back before it began.");
    } else if (game.source === "uploaded" || (game.status === "over" && !game.you)) {
      go(`/review/${encodeURIComponent(id)}`, { replace: true });
    } else if (game.status === "open") {
      close = game.you ? waitingRoom(main, game, invitation, again) : seatOffer(main, game, invitation, again);
    } else if (game.you) {
      close = openTable(main, id);
    } else {
      note("This game is between others. It can be looked at when it is over.", button("Look again", again, { class: "primary" }));
    }
  }

  /** @param {string} words @param {HTMLElement} [more] */
  function note(words, more) {
    fill(main, el("section", { class: "card notice stack", "data-test": "game-note" },
      el("p", {}, words),
      el("div", { class: "row" }, more, el("a", { href: "/", class: "button" }, "Home"), el("a", { href: "/new", class: "button" }, "New game")),
    ));
  }

  await look();
  return () => close();
}
