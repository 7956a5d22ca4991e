// The strips above and below the board: each player's name, rating, connection, captures and clock.

import { el, fill } from "../dom.js";
import { oppositeSide, sideName } from "../squares.js";
import { capturedText } from "./status_text.js";

/** @typedef {import("../types.js").StateMessage} State */
/** @typedef {import("../types.js").Side} Side */

/** @param {Record<Side, HTMLElement>} clocks */
export function makePlayerStrips(clocks) {
  const top = el("div", { class: "player", "data-test": "player-top" });
  const bottom = el("div", { class: "player", "data-test": "player-bottom" });

  /** @param {HTMLElement} strip @param {State} state @param {Side} side */
  function drawStrip(strip, state, side) {
    const user = state.game[side];
    const isYou = side === state.you;
    const isAway = !state.view.end && !state.opponent_connected && user?.kind !== "bot";
    const facts = isYou ? capturedText(state.view.captured) : isAway ? "disconnected" : "";
    strip.classList.toggle("to-move", state.view.turn === side);
    fill(
      strip,
      el("span", { class: `side-dot ${side}`, role: "img", "aria-label": sideName(side) }),
      el("span", { class: "strip-name" }, user?.name ?? "No player"),
      typeof user?.rating === "number"
        && el("span", { class: "muted small number" }, Math.round(user.rating)),
      isYou && el("span", { class: "muted small" }, "you"),
      facts && el("span", { class: "small muted facts" }, facts),
      clocks[side],
    );
  }

  return {
    top,
    bottom,
    /** @param {State} state @param {Side} below the side whose strip is below the board */
    draw(state, below) {
      drawStrip(bottom, state, below);
      drawStrip(top, state, oppositeSide(below));
    },
  };
}
