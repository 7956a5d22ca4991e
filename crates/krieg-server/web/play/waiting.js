// Before a game begins: the room where one waits for the other, and the free seat as the other sees it.

import { del, get, needName, post } from "../api.js";
import { go } from "../address.js";
import { button, el, fill } from "../dom.js";
import { sideName } from "../squares.js";

/** @typedef {import("../types.js").Summary} Summary */

const LOOK_EVERY_MS = 2000;

/**
 * @param {HTMLElement} main
 * @param {Summary} game one's own, and open
 * @param {string | null} invitation
 * @param {() => void} onChange called when somebody has come, or the game is gone
 * @returns {() => void} to leave
 */
export function waitingRoom(main, game, invitation, onChange) {
  const link = new URL(`/game/${encodeURIComponent(game.id)}`, location.href);
  if (invitation) link.searchParams.set("invitation", invitation);
  const field = el("input", { readonly: true, value: link.href, "aria-label": "Link to this game", "data-test": "invitation-link", onfocus: () => field.select() });
  const copied = el("p", { class: "small muted", role: "status" });
  const trouble = el("p", { class: "error", role: "alert" });
  const copy = button("Copy", async () => {
    try {
      await navigator.clipboard.writeText(link.href);
      fill(copied, "Copied.");
    } catch {
      field.select();
      fill(copied, "Select the link and copy it.");
    }
  }, { class: "primary", "data-test": "copy-invitation" });
  const takeBack = button("Take it back", async () => {
    try {
      await del(`/api/games/${encodeURIComponent(game.id)}`);
      go("/");
    } catch (error) {
      fill(trouble, error instanceof Error ? error.message : "That did not work.");
    }
  }, { "data-test": "take-back" });
  fill(main, el("section", { class: "card notice stack", "data-test": "waiting" },
    el("h1", {}, "Waiting for somebody"),
    facts(game),
    el("p", {}, invitation ? "Send this link to your opponent. Whoever opens it may take the other seat." : "Whoever comes first may take the other seat. This link leads to it."),
    el("div", { class: "row nowrap" }, field, copy),
    copied,
    el("p", { class: "muted small waiting-dots" }, "The game begins when the seat is taken. You may leave this page and come back."),
    trouble,
    el("div", { class: "row" }, takeBack),
  ));
  const timer = setInterval(async () => {
    if (document.hidden) return;
    try {
      const answer = await get(`/api/games/${encodeURIComponent(game.id)}`);
      if (answer.game.status !== "open") onChange();
    } catch {
      // The next look may find the server again.
    }
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

/**
 * @param {HTMLElement} main
 * @param {Summary} game somebody else's, and open
 * @param {string | null} invitation
 * @param {() => void} onChange called when the seat was taken
 * @returns {() => void} to leave
 */
export function seatOffer(main, game, invitation, onChange) {
  const host = game.white ?? game.black;
  const trouble = el("p", { class: "error", role: "alert" });
  const take = button("Take the free seat", async () => {
    take.disabled = true;
    try {
      await needName();
      await post(`/api/games/${encodeURIComponent(game.id)}/join`, invitation ? { invitation } : {});
      onChange();
    } catch (error) {
      take.disabled = false;
      fill(trouble, error instanceof Error ? error.message : "That did not work.");
    }
  }, { class: "primary", "data-test": "take-seat" });
  fill(main, el("section", { class: "card notice stack", "data-test": "seat-offer" },
    el("h1", {}, host ? `${host.name} asks for a game` : "A game is open"),
    facts(game),
    trouble,
    el("div", { class: "row" }, take, el("a", { class: "button", href: `/rules/${encodeURIComponent(game.ruleset)}` }, `The ${game.ruleset} rules`)),
  ));
  return () => {};
}

/** @param {Summary} game */
function facts(game) {
  const seat = game.you ?? (game.white ? "black" : "white");
  return el("p", {},
    "Rules: ", el("strong", {}, game.ruleset), ". ",
    game.control === "none" ? "No clock. " : ["Clock: ", el("strong", {}, game.control), ". "],
    `You play ${sideName(seat)}. `,
    game.rated ? "The game is rated." : "",
  );
}
