// The status panel: whose turn it is, pawn tries, draw offers, a lost connection, the result.

import { button, el, fill } from "../dom.js";
import { pieceIcon } from "../pieces.js";
import { oppositeSide, sideName } from "../squares.js";
import { pawnTryText, statusText } from "./status_text.js";

/** @typedef {import("../types.js").StateMessage} State */
/** @typedef {import("../socket.js").Connection} Connection */

const NOTICE_MS = 7000;

/**
 * @param {(action: string) => void} act sends an action
 * @param {() => void} reconnect
 */
export function makeStatus(act, reconnect) {
  const status = el("p", {
    class: "status", role: "status", "data-test": "status",
  }, "Connecting …");
  const badge = el("span", { class: "badge", "data-test": "pawn-tries", hidden: true });
  const pending = el("span", { class: "small muted", hidden: true }, "Waiting for the umpire …");
  const notice = el("p", { class: "notice-text small", role: "status", "data-test": "notice" });
  const hover = el("p", { class: "hover-text small", "data-test": "coach-hover" });
  const offer = el("div", { class: "banner", "data-test": "draw-offer", hidden: true });
  const end = el("div", { class: "banner end", "data-test": "game-over", hidden: true });
  const lost = el("div", {
    class: "banner warn", role: "alert", "data-test": "connection-lost", hidden: true,
  },
    el("span", {}, "The connection is lost. Reconnecting …"),
    button("Reconnect now", reconnect),
  );
  let noticeTimer = 0;

  /** @param {State} state */
  function drawEnd(state) {
    end.hidden = !state.view.end;
    if (!state.view.end) return;
    const { winner } = state.view.end;
    const outcome = winner === null ? "A draw." : winner === state.you ? "You won." : "You lost.";
    const review = `/review/${encodeURIComponent(state.game.id)}`;
    fill(end,
      el("strong", { class: "outcome" }, outcome),
      el("div", { class: "row" },
        el("a", { class: "button primary", href: review, "data-test": "to-review" },
          "Review the game"),
        rematchButton(state),
        el("a", { class: "button", href: "/new", "data-test": "to-new" }, "New game"),
      ),
    );
  }

  /** @param {State} state */
  function rematchButton({ rematch, you }) {
    if (rematch?.game) {
      const href = `/game/${encodeURIComponent(rematch.game)}`;
      return el("a", { class: "button", href, "data-test": "rematch-link" }, "Go to the rematch");
    }
    if (rematch?.by === you) {
      return el("span", { class: "muted", "data-test": "rematch-offered" }, "Rematch offered.");
    }
    const label = rematch ? "Accept rematch" : "Offer rematch";
    return button(label, () => act("rematch"), { "data-test": "rematch" });
  }

  /** @param {State} state */
  function drawOffer(state) {
    offer.hidden = !state.offer || Boolean(state.view.end);
    if (offer.hidden) return;
    if (state.offer === state.you) {
      fill(offer, el("span", {}, "You offered a draw."));
      return;
    }
    fill(offer,
      el("span", {}, `${sideName(oppositeSide(state.you))} offers a draw.`),
      button("Accept", () => act("accept"), { class: "primary", "data-test": "accept-draw" }),
      button("Decline", () => act("decline"), { "data-test": "decline-draw" }),
    );
  }

  return {
    element: el("section", { class: "status-panel card", "aria-label": "Status" },
      lost,
      el("div", { class: "row status-row" }, status, badge, pending),
      offer, end, hover, notice,
    ),
    /** @param {State} state @param {boolean} isPending whether a try has not been answered yet */
    draw(state, isPending) {
      const text = statusText(state);
      if (status.textContent !== text) fill(status, text);
      const pawnTries = pawnTryText(state.view);
      badge.hidden = !pawnTries;
      badge.classList.toggle("none", Boolean(pawnTries?.none));
      if (pawnTries) {
        fill(badge, pieceIcon(state.view.turn === "white" ? "P" : "p"), pawnTries.text);
      }
      pending.hidden = !isPending;
      drawOffer(state);
      drawEnd(state);
    },
    /** @param {string} text shown for a few seconds */
    showNotice(text) {
      clearTimeout(noticeTimer);
      fill(notice, text);
      if (text) noticeTimer = setTimeout(() => fill(notice), NOTICE_MS);
    },
    /** @param {string} text probabilities of the try under the pointer */
    setHover(text) {
      fill(hover, text);
    },
    /** @param {Connection} connection */
    setConnection(connection) {
      if (connection === "lost") lost.hidden = false;
      if (connection === "open") lost.hidden = true;
    },
  };
}
