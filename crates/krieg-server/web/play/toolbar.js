// The buttons of a running game: flip, guesses, coach, speech, draw, resign.

import { button, el, fill } from "../dom.js";

/** @typedef {import("../types.js").StateMessage} State */

/**
 * @param {object} options
 * @param {() => void} options.flip
 * @param {() => void} options.toggleGuesses
 * @param {() => void} options.toggleCoach
 * @param {() => void} options.toggleSpeech
 * @param {boolean} options.hasSpeech whether the browser can speak
 * @param {(action: string) => void} options.act
 */
export function makeToolbar({ flip, toggleGuesses, toggleCoach, toggleSpeech, hasSpeech, act }) {
  const flipButton = button("Flip", flip, { "data-test": "flip", title: "Turn the board around" });
  const guesses = button("Guesses", toggleGuesses, {
    "data-test": "guesses", title: "Mark where you expect the opponent's pieces",
  });
  const coach = button("Coach", toggleCoach, {
    "data-test": "coach", title: "Show likely positions of the opponent's pieces, and good tries",
  });
  const speech = button("Speech", toggleSpeech, {
    "data-test": "speech", title: "Read the announcements aloud", hidden: !hasSpeech,
  });
  const draw = button("Offer draw", () => act("offer"), { "data-test": "offer-draw" });
  const resign = el("span", { class: "row" });

  function confirmResign() {
    const no = button("Keep playing", showResign, { "data-test": "resign-no" });
    const yes = button("Yes, resign", () => {
      showResign();
      act("resign");
    }, { class: "danger", "data-test": "resign-yes" });
    fill(resign, yes, no);
    no.focus();
  }
  function showResign() {
    fill(resign, button("Resign", confirmResign, { "data-test": "resign" }));
  }
  showResign();

  return {
    element: el("div", { class: "toolbar", role: "group", "aria-label": "Game actions" },
      flipButton, guesses, coach, speech, draw, resign),
    /**
     * @param {State} state
     * @param {{ guesses: boolean, coach: boolean, speech: boolean, connected: boolean }} on
     */
    draw(state, on) {
      const isOver = Boolean(state.view.end);
      guesses.setAttribute("aria-pressed", String(on.guesses));
      coach.setAttribute("aria-pressed", String(on.coach));
      speech.setAttribute("aria-pressed", String(on.speech));
      guesses.hidden = isOver;
      coach.hidden = isOver || !state.game.coach;
      draw.hidden = isOver;
      draw.disabled = !on.connected || state.offer !== null;
      resign.hidden = isOver;
    },
  };
}
