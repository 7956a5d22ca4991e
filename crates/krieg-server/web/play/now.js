// What is the matter now: whose turn it is, pawn tries, a draw that is offered, a connection that is lost, the end.

import { button, el, fill } from "../dom.js";
import { pieceIcon } from "../pieces.js";
import { otherSide, sideName } from "../squares.js";
import { pawnTryWords, statusWords } from "./words.js";

/** @typedef {import("../types.js").StateMessage} State */
/** @typedef {import("../socket.js").Connection} Connection */

const SAID_FOR_MS = 7000;

/**
 * @param {(action: string) => void} act sends an action without more to it
 * @param {() => void} connectNow
 */
export function makeNow(act, connectNow) {
  const status = el("p", { class: "status", role: "status", "data-test": "status" }, "Going to the table …");
  const badge = el("span", { class: "badge", "data-test": "pawn-tries", hidden: true });
  const asking = el("span", { class: "asking-words small muted", hidden: true }, "Asking the umpire …");
  const said = el("p", { class: "passing small", role: "status", "data-test": "notice" });
  const hover = el("p", { class: "hover-words small", "data-test": "coach-hover" });
  const offer = el("div", { class: "banner", "data-test": "draw-offer", hidden: true });
  const end = el("div", { class: "banner end", "data-test": "game-over", hidden: true });
  const lost = el("div", { class: "banner warn", role: "alert", "data-test": "connection-lost", hidden: true },
    el("span", {}, "The connection is lost. Trying again …"), button("Try now", connectNow));
  let timer = 0;

  /** @param {State} state */
  function drawEnd(state) {
    end.hidden = !state.view.end;
    if (!state.view.end) return;
    const { winner } = state.view.end;
    const outcome = winner === null ? "A draw." : winner === state.you ? "You won." : "You lost.";
    fill(end,
      el("strong", { class: "outcome" }, outcome),
      el("div", { class: "row" },
        el("a", { class: "button primary", href: `/review/${encodeURIComponent(state.game.id)}`, "data-test": "to-review" }, "Review the game"),
        rematch(state),
        el("a", { class: "button", href: "/new", "data-test": "to-new" }, "New game"),
      ),
    );
  }

  /** @param {State} state */
  function rematch({ rematch, you }) {
    if (rematch?.game) return el("a", { class: "button", href: `/game/${encodeURIComponent(rematch.game)}`, "data-test": "rematch-link" }, "To the next game");
    if (rematch?.by === you) return el("span", { class: "muted", "data-test": "rematch-offered" }, "Rematch offered.");
    return button(rematch ? "Accept the rematch" : "Rematch", () => act("rematch"), { "data-test": "rematch" });
  }

  /** @param {State} state */
  function drawOffer(state) {
    offer.hidden = !state.offer || Boolean(state.view.end);
    if (offer.hidden) return;
    if (state.offer === state.you) fill(offer, el("span", {}, "You offer a draw."));
    else {
      fill(offer,
        el("span", {}, `${sideName(otherSide(state.you))} offers a draw.`),
        button("Accept", () => act("accept"), { class: "primary", "data-test": "accept-draw" }),
        button("Decline", () => act("decline"), { "data-test": "decline-draw" }),
      );
    }
  }

  return {
    element: el("section", { class: "now card", "aria-label": "Now" },
      lost,
      el("div", { class: "row status-row" }, status, badge, asking),
      offer, end, hover, said,
    ),
    /** @param {State} state @param {boolean} isAsking */
    draw(state, isAsking) {
      const words = statusWords(state);
      if (status.textContent !== words) fill(status, words);
      const pawnTries = pawnTryWords(state.view);
      badge.hidden = !pawnTries;
      badge.classList.toggle("none", Boolean(pawnTries?.none));
      if (pawnTries) fill(badge, pieceIcon(state.view.turn === "white" ? "P" : "p"), pawnTries.words);
      asking.hidden = !isAsking;
      drawOffer(state);
      drawEnd(state);
    },
    /** @param {string} words for a few seconds */
    say(words) {
      clearTimeout(timer);
      fill(said, words);
      if (words) timer = setTimeout(() => fill(said), SAID_FOR_MS);
    },
    /** @param {string} words chances of the try under the pointer */
    setHover(words) {
      fill(hover, words);
    },
    /** @param {Connection} connection */
    setConnection(connection) {
      if (connection === "lost") lost.hidden = false;
      if (connection === "open") lost.hidden = true;
    },
  };
}
