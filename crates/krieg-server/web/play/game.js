// A running game: keeps what the player knows, and updates the parts of the page.

import { gameSocket } from "../api.js";
import { Board } from "../board.js";
import { el, fill } from "../dom.js";
import { errorMessage } from "../games/text.js";
import { navigate } from "../navigation.js";
import { oppositeSide, parsePieces } from "../squares.js";
import { makeClocks } from "./clocks.js";
import { makeCoach } from "./coach.js";
import { makeGuesses } from "./guesses.js";
import { makeLog } from "./log.js";
import { marksOf } from "./marks.js";
import { makePlayerStrips } from "./players.js";
import { choosePromotion } from "./promotion.js";
import { makeSpeech } from "./speech.js";
import { makeStatus } from "./status.js";
import { makeToolbar } from "./toolbar.js";
import { parseDragged, parseTyped } from "./tries.js";
import { makeTryInput } from "./try_input.js";

/** @typedef {import("../types.js").StateMessage} State */
/** @typedef {import("../types.js").ServerMessage} ServerMessage */
/** @typedef {import("./tries.js").ParsedTry} ParsedTry */

/**
 * @param {HTMLElement} main
 * @param {string} id of the game
 * @returns {() => void} to be called when the user leaves the page
 */
export function openGame(main, id) {
  /** @type {State | null} */
  let state = null;
  let connected = false;
  /** Whether the ruleset has the question "any?". */
  let hasAny = false;
  /** Whether the player agreed to a rematch, and goes there when it exists. */
  let wantsRematch = false;
  /** A try that the umpire has not answered yet. @type {string | null} */
  let pendingTry = null;
  /** @type {string | null} */
  let hint = null;
  /** @type {Board | null} */
  let board = null;

  const speech = makeSpeech();
  const clocks = makeClocks();
  const players = makePlayerStrips(clocks.elements);
  const log = makeLog();
  const status = makeStatus(act, () => socket.reconnect());
  const tryInput = makeTryInput((text) =>
    state !== null && submitTry(parseTyped(text, state.view)) !== null);
  const guesses = makeGuesses({
    save: (all) => socket.send({ action: "guesses", guesses: all }),
    onChange: draw,
    showNotice: status.showNotice,
  });
  const coach = makeCoach({
    id,
    setHeat: (heat) => board?.setHeat(heat),
    setHint: (text) => {
      hint = text;
      draw();
    },
  });
  const toolbar = makeToolbar({
    flip: () => {
      board?.flip();
      draw();
    },
    toggleGuesses: () => {
      guesses.setOpen(!guesses.open);
      board?.select(null);
      draw();
    },
    toggleCoach: () => {
      if (state) coach.setOpen(!coach.open, oppositeSide(state.you));
      status.setHover("");
      draw();
    },
    toggleSpeech: () => {
      speech.toggle();
      draw();
    },
    hasSpeech: speech.supported,
    act,
  });

  const boardHost = el("div", { class: "game-board", "data-test": "board" });
  fill(main, el("div", { class: "game" },
    players.top, boardHost, players.bottom,
    el("div", { class: "side-panel" },
      status.element, log.element, coach.element, guesses.element,
      tryInput.element, toolbar.element,
      el("p", { class: "key-help small muted" },
        "Keys: arrows and ", el("kbd", {}, "Enter"), " to move, ", el("kbd", {}, "Esc"),
        " to deselect, ", el("kbd", {}, "/"), " to type a try.",
      ),
    ),
  ));
  const socket = gameSocket(id, receive, (connection) => {
    connected = connection === "open";
    status.setConnection(connection);
    draw();
  });

  /** @param {ServerMessage} message */
  function receive(message) {
    switch (message.type) {
      case "state":
        state = message;
        pendingTry = null;
        wantsRematch ||= state.rematch?.by === state.you;
        guesses.load(state.guesses, state.you);
        board ??= makeBoard(state);
        log.fill(state.log);
        clocks.set(state.clock);
        break;
      case "observation": {
        if (!state) return;
        const { observation, view, clock, offer } = message;
        state = { ...state, view, clock, offer, log: [...state.log, observation] };
        log.add(observation);
        speech.speak(observation.text);
        clocks.set(clock);
        status.showNotice("");
        break;
      }
      case "status": {
        if (!state) return;
        const { offer, rematch, opponent_connected, clock } = message;
        state = { ...state, offer, rematch, opponent_connected, clock };
        clocks.set(clock);
        if (rematch?.game && wantsRematch) navigate(`/game/${encodeURIComponent(rematch.game)}`);
        break;
      }
      case "over":
        if (state) state = { ...state, game: message.game };
        break;
      case "error":
        status.showNotice(message.message);
        break;
    }
    if (state) update(state, message.type === "state" || message.type === "observation");
    draw();
  }

  /** @param {State} current @param {boolean} isNewView */
  function update({ view, you, log: observations }, isNewView) {
    hasAny ||= view.may_ask
      || observations.some(({ announcement }) => ["yes", "no"].includes(announcement.verdict));
    if (view.end) guesses.setOpen(false);
    if (isNewView) {
      board?.setPieces(view.pieces);
      if (!view.end) guesses.eraseUnder(view.pieces);
    }
    coach.update(observations.length, view.turn === you, Boolean(view.end));
  }

  function mayTry() {
    if (!state || !connected || pendingTry !== null) return false;
    return !state.view.end && state.view.turn === state.you;
  }

  /** @param {string} square whether the player's own piece is there */
  const isOwn = (square) => state !== null && parsePieces(state.view.pieces).has(square);

  /** @param {string} square the squares that the piece there may try */
  function targetsOf(square) {
    if (guesses.open || !state) return [];
    const tries = state.view.tries.filter((text) => text.startsWith(square));
    return [...new Set(tries.map((text) => text.slice(2, 4)))];
  }

  function showWhyNoTry() {
    status.showNotice(connected
      ? "It is not your turn."
      : "There is no connection to the server. Trying to reconnect.");
  }

  /** @param {State} first */
  function makeBoard(first) {
    return new Board(boardHost, {
      label: "Your board",
      emptyLabel: "no piece of yours",
      orientation: first.you,
      canMove: (square) => (guesses.open ? square in guesses.all : mayTry() && isOwn(square)),
      dragOnly: () => guesses.open && !guesses.moving,
      targetsOf,
      onMove: (from, to) => {
        if (guesses.open) guesses.move(from, to, isOwn(to));
        if (guesses.open || !state) return;
        return submitTry(parseDragged(from, to, state.view, state.log)) ?? undefined;
      },
      onSquare: (square) => {
        if (guesses.open) guesses.click(square, isOwn(square));
        else if (state && isOwn(square) && !mayTry() && !state.view.end) showWhyNoTry();
      },
      onDropOff: (square) => {
        if (guesses.open) guesses.erase(square);
      },
      onHover: (from, to) => status.setHover(coach.hoverText(from, to)),
    });
  }

  /**
   * @param {ParsedTry} parsed
   * @returns {Promise<void> | null} settled when the umpire has answered; null if nothing is sent
   */
  function submitTry(parsed) {
    if ("problem" in parsed) {
      status.showNotice(parsed.problem);
      return null;
    }
    if (!state || !mayTry()) {
      showWhyNoTry();
      return null;
    }
    if ("send" in parsed) return sendTry(parsed.send);
    return choosePromotion(parsed.choose, state.you)
      .then((chosen) => (chosen ? sendTry(chosen) : undefined));
  }

  /** @param {string} text */
  async function sendTry(text) {
    pendingTry = text;
    status.showNotice("");
    status.setHover("");
    draw();
    try {
      await socket.send({ action: "try", try: text });
    } catch (error) {
      status.showNotice(errorMessage(error));
    }
    pendingTry = null;
    draw();
  }

  /** @param {string} action */
  function act(action) {
    wantsRematch ||= action === "rematch";
    socket.send({ action }).catch((error) => status.showNotice(error.message));
  }

  function draw() {
    if (!state || !board) return;
    const { view, you } = state;
    players.draw(state, board.orientation);
    status.draw(state, pendingTry !== null);
    tryInput.draw(state, mayTry(), hasAny);
    toolbar.draw(state, {
      guesses: guesses.open, coach: coach.open, speech: speech.on, connected,
    });
    board.setGuesses(guesses.all, oppositeSide(you));
    board.setMarks(marksOf(state, pendingTry, hint));
    boardHost.classList.toggle("waiting", !mayTry());
    const title = view.end ? "Game over" : view.turn === you ? "Your turn" : "Waiting";
    document.title = `${title} · Krieg`;
  }

  return () => {
    void guesses.saveNow();
    socket.close();
    clocks.stop();
    speech.stop();
    tryInput.stop();
    log.stop();
    coach.stop();
    board?.destroy();
  };
}
