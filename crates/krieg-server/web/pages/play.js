// The page of one game: the board for its players, an offer to join for a visitor, and the review
// when the game is over.

import { get } from "../api.js";
import { button, el, fill } from "../dom.js";
import { navigate } from "../navigation.js";
import { openGame } from "../play/game.js";
import { showJoinOffer, showWaitingRoom } from "../play/waiting_room.js";

/** @typedef {import("../types.js").Summary} Summary */

export const title = "Game";

/**
 * @param {HTMLElement} main
 * @param {URL} url
 * @param {AbortSignal} signal
 */
export async function show(main, url, signal) {
  const id = decodeURIComponent(url.pathname.split("/")[2]);
  let invitation = url.searchParams.get("invitation");
  /** @type {() => void} */
  let close = () => {};

  async function load() {
    close();
    close = () => {};
    const answer = await get(`/api/games/${encodeURIComponent(id)}`);
    if (signal.aborted) return;
    invitation ??= answer.invitation ?? null;
    showGame(answer.game);
  }

  /** @param {Summary} game */
  function showGame(game) {
    const reload = () => void load().catch((error) => showNote(error.message));
    if (game.status === "cancelled") {
      showNote("This game was cancelled before it began.");
    } else if (game.source === "uploaded" || (game.status === "over" && !game.you)) {
      navigate(`/review/${encodeURIComponent(id)}`, { replace: true });
    } else if (game.status === "open" && game.you) {
      close = showWaitingRoom(main, game, invitation, reload);
    } else if (game.status === "open") {
      showJoinOffer(main, game, invitation, reload);
    } else if (game.you) {
      close = openGame(main, id);
    } else {
      const retry = button("Check again", reload, { class: "primary" });
      const text = "Two other players are playing this game. You can review it when it is over.";
      showNote(text, retry);
    }
  }

  /** @param {string} text @param {HTMLElement} [action] */
  function showNote(text, action) {
    fill(main, el("section", { class: "card notice stack", "data-test": "game-note" },
      el("p", {}, text),
      el("div", { class: "row" },
        action,
        el("a", { href: "/", class: "button" }, "Home"),
        el("a", { href: "/new", class: "button" }, "New game"),
      ),
    ));
  }

  await load();
  return () => close();
}
