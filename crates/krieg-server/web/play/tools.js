// The buttons of the table: flip, guesses, coach, voice, draw, resign.

import { button, el, fill } from "../dom.js";

/** @typedef {import("../types.js").StateMessage} State */

/**
 * @param {object} table
 * @param {() => void} table.flip
 * @param {() => void} table.toggleGhosts
 * @param {() => void} table.toggleCoach
 * @param {() => void} table.toggleVoice
 * @param {boolean} table.hasVoice
 * @param {(action: string) => void} table.act
 */
export function makeTools({ flip, toggleGhosts, toggleCoach, toggleVoice, hasVoice, act }) {
  const ghosts = button("Guesses", toggleGhosts, { "data-test": "ghosts", title: "Place men of the enemy where you think they are" });
  const coach = button("Coach", toggleCoach, { "data-test": "coach", title: "What you could know, and which tries are good" });
  const voice = button("Voice", toggleVoice, { "data-test": "speech", title: "Hear the umpire speak", hidden: !hasVoice });
  const draw = button("Offer draw", () => act("offer"), { "data-test": "offer-draw" });
  const resigning = el("span", { class: "row" });

  function askResign() {
    const no = button("Keep playing", showResign, { "data-test": "resign-no" });
    fill(resigning, button("Yes, resign", () => {
      showResign();
      act("resign");
    }, { class: "danger", "data-test": "resign-yes" }), no);
    no.focus();
  }
  function showResign() {
    fill(resigning, button("Resign", askResign, { "data-test": "resign" }));
  }
  showResign();

  return {
    element: el("div", { class: "tools", role: "group", "aria-label": "At the table" },
      button("Flip", flip, { "data-test": "flip", title: "Turn the board round" }), ghosts, coach, voice, draw, resigning),
    /** @param {State} state @param {{ ghosts: boolean, coach: boolean, voice: boolean, connected: boolean }} on */
    draw(state, on) {
      const over = Boolean(state.view.end);
      ghosts.setAttribute("aria-pressed", String(on.ghosts));
      coach.setAttribute("aria-pressed", String(on.coach));
      voice.setAttribute("aria-pressed", String(on.voice));
      ghosts.hidden = over;
      coach.hidden = over || !state.game.coach;
      draw.hidden = over;
      draw.disabled = !on.connected || state.offer !== null;
      resigning.hidden = over;
    },
  };
}
