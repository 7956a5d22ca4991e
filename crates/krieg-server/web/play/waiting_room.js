// Before a game begins: the page of its creator, who waits, and of a visitor, who may join.

import { del, get, post, requireUser } from "../api.js";
import { button, el, fill } from "../dom.js";
import { errorMessage } from "../games/text.js";
import { timeControlText } from "../games/time_control.js";
import { navigate } from "../navigation.js";
import { rulesetTitle } from "../options.js";
import { sideName } from "../squares.js";

/** @typedef {import("../types.js").Summary} Summary */

const POLL_MS = 2000;

/**
 * Shows the creator of a game that the game waits for an opponent.
 * @param {HTMLElement} main
 * @param {Summary} game
 * @param {string | null} invitation the token of the link
 * @param {() => void} onChange called when an opponent has joined, or the game was cancelled
 * @returns {() => void} to be called when the user leaves the page
 */
export function showWaitingRoom(main, game, invitation, onChange) {
  const path = `/api/games/${encodeURIComponent(game.id)}`;
  const link = new URL(`/game/${encodeURIComponent(game.id)}`, location.href);
  if (invitation) link.searchParams.set("invitation", invitation);
  const field = el("input", {
    readonly: true, value: link.href, "aria-label": "Link to this game",
    "data-test": "invitation-link", onfocus: () => field.select(),
  });
  const copied = el("p", { class: "small muted", role: "status" });
  const errorText = el("p", { class: "error", role: "alert" });
  const copy = button("Copy", async () => {
    try {
      await navigator.clipboard.writeText(link.href);
      fill(copied, "Copied.");
    } catch {
      field.select();
      fill(copied, "The browser does not allow copying. Copy the selected link yourself.");
    }
  }, { class: "primary", "data-test": "copy-invitation" });
  const cancel = button("Cancel game", async () => {
    try {
      await del(path);
      navigate("/");
    } catch (error) {
      fill(errorText, errorMessage(error));
    }
  }, { "data-test": "cancel-game" });
  fill(main, el("section", { class: "card notice stack", "data-test": "waiting-room" },
    el("h1", {}, "Waiting for an opponent"),
    settings(game),
    el("p", {}, invitation
      ? "Send this link to your opponent. The first player who opens it can join the game."
      : "Any player can join the game on the home page. You can also send this link."),
    el("div", { class: "row nowrap" }, field, copy),
    copied,
    el("p", { class: "muted small" },
      "The game starts when an opponent joins. You can leave this page and come back."),
    errorText,
    el("div", { class: "row" }, cancel),
  ));
  const timer = setInterval(async () => {
    if (document.hidden) return;
    try {
      const answer = await get(path);
      if (answer.game.status !== "open") onChange();
    } catch {
      // The next request may succeed.
    }
  }, POLL_MS);
  return () => clearInterval(timer);
}

/**
 * Offers a visitor the free seat of a game.
 * @param {HTMLElement} main
 * @param {Summary} game
 * @param {string | null} invitation the token of the link
 * @param {() => void} onJoined
 */
export function showJoinOffer(main, game, invitation, onJoined) {
  const host = game.white ?? game.black;
  const errorText = el("p", { class: "error", role: "alert" });
  const join = button("Join the game", async () => {
    join.disabled = true;
    try {
      await requireUser();
      const path = `/api/games/${encodeURIComponent(game.id)}/join`;
      await post(path, invitation ? { invitation } : {});
      onJoined();
    } catch (error) {
      join.disabled = false;
      fill(errorText, errorMessage(error));
    }
  }, { class: "primary", "data-test": "join-game" });
  const rules = `/rules/${encodeURIComponent(game.ruleset)}`;
  fill(main, el("section", { class: "card notice stack", "data-test": "join-offer" },
    el("h1", {}, host ? `Play against ${host.name}` : "Join this game"),
    settings(game),
    errorText,
    el("div", { class: "row" },
      join,
      el("a", { class: "button", href: rules }, `Read the ${rulesetTitle(game.ruleset)} rules`),
    ),
  ));
}

/** @param {Summary} game */
function settings(game) {
  const side = game.you ?? (game.white ? "black" : "white");
  return el("p", {},
    "Rules: ", el("strong", {}, rulesetTitle(game.ruleset)), ". ",
    game.control === "none"
      ? "No clock. "
      : ["Clock: ", el("strong", {}, timeControlText(game.control)), ". "],
    `You play ${sideName(side)}. `,
    game.rated ? "The game is rated." : "",
  );
}
