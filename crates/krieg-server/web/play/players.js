// The strips above and below the board: who plays, whether he is there, what he took, his clock.

import { el, fill } from "../dom.js";
import { otherSide, sideName } from "../squares.js";
import { takenWords } from "./words.js";

/** @typedef {import("../types.js").StateMessage} State */
/** @typedef {import("../types.js").Side} Side */

/** @param {Record<Side, HTMLElement>} faces of the clocks */
export function makePlayers(faces) {
  const top = el("div", { class: "player", "data-test": "player-top" });
  const bottom = el("div", { class: "player", "data-test": "player-bottom" });

  /** @param {HTMLElement} strip @param {State} state @param {Side} side */
  function drawStrip(strip, state, side) {
    const person = state.game[side];
    const mine = side === state.you;
    const facts = mine
      ? takenWords(state.view.captured)
      : state.view.end || state.opponent_connected || person?.kind === "bot" ? "" : "away";
    strip.classList.toggle("to-move", state.view.turn === side);
    fill(
      strip,
      el("span", { class: `side-dot ${side}`, role: "img", "aria-label": sideName(side) }),
      el("span", { class: "strip-name" }, person?.name ?? "Nobody"),
      typeof person?.rating === "number" && el("span", { class: "muted small number" }, Math.round(person.rating)),
      mine && el("span", { class: "muted small" }, "you"),
      facts && el("span", { class: "small muted facts" }, facts),
      faces[side],
    );
  }

  return {
    top,
    bottom,
    /** @param {State} state @param {Side} below whose strip is below the board */
    draw(state, below) {
      drawStrip(bottom, state, below);
      drawStrip(top, state, otherSide(below));
    },
  };
}
