// The table of a game that is being played: keeps what this player knows, and lets the parts of the page draw it.

import { tableSocket } from "../api.js";
import { go } from "../address.js";
import { Board } from "../board.js";
import { el, fill } from "../dom.js";
import { otherSide, readMen } from "../squares.js";
import { makeAsk } from "./ask.js";
import { makeClocks } from "./clocks.js";
import { makeCoach } from "./coach.js";
import { makeGhosts } from "./ghosts.js";
import { makeLog } from "./log.js";
import { marksOf } from "./marks.js";
import { makeNow } from "./now.js";
import { makePlayers } from "./players.js";
import { choosePromotion } from "./promotion.js";
import { makeVoice } from "./speech.js";
import { makeTools } from "./tools.js";
import { readDragged, readTyped } from "./tries.js";

/** @typedef {import("../types.js").StateMessage} State */
/** @typedef {import("../types.js").TableSays} TableSays */
/** @typedef {import("./tries.js").Meaning} Meaning */

/**
 * @param {HTMLElement} main
 * @param {string} id of the game
 * @returns {() => void} to leave the table
 */
export function openTable(main, id) {
  /** @type {State | null} */
  let state = null;
  let connected = false;
  let asks = false;
  // Whoever wanted another game is taken to it.
  let wantsAnother = false;
  /** @type {string | null} */
  let asking = null;
  /** @type {string | null} */
  let hint = null;
  /** @type {Board | null} */
  let board = null;

  const voice = makeVoice();
  const clocks = makeClocks();
  const players = makePlayers(clocks.faces);
  const log = makeLog();
  const now = makeNow(act, () => socket.connectNow());
  const ask = makeAsk((typed) => state !== null && tryIt(readTyped(typed, state.view)) !== null);
  const ghosts = makeGhosts({
    save: (all) => socket.send({ action: "guesses", guesses: all }),
    onChange: draw,
    say: now.say,
  });
  const coach = makeCoach({
    id,
    setHeat: (heat) => board?.setHeat(heat),
    setHint: (each) => {
      hint = each;
      draw();
    },
  });
  const tools = makeTools({
    flip: () => {
      board?.flip();
      draw();
    },
    toggleGhosts: () => {
      ghosts.setOpen(!ghosts.open);
      board?.select(null);
      draw();
    },
    toggleCoach: () => {
      if (state) coach.setOpen(!coach.open, otherSide(state.you));
      now.setHover("");
      draw();
    },
    toggleVoice: () => {
      voice.toggle();
      draw();
    },
    hasVoice: voice.can,
    act,
  });

  const place = el("div", { class: "table-board", "data-test": "board" });
  fill(main, el("div", { class: "table" },
    players.top, place, players.bottom,
    el("div", { class: "side" }, now.element, log.element, coach.element, ghosts.element, ask.element, tools.element,
      el("p", { class: "keys small muted" }, "Keys: arrows and ", el("kbd", {}, "Enter"), " on the board, ", el("kbd", {}, "Esc"), " lets go, ", el("kbd", {}, "/"), " types a try."),
    ),
  ));
  const socket = tableSocket(id, hear, (connection) => {
    connected = connection === "open";
    now.setConnection(connection);
    draw();
  });

  /** @param {TableSays} message */
  function hear(message) {
    switch (message.type) {
      case "state":
        state = message;
        asking = null;
        wantsAnother ||= state.rematch?.by === state.you;
        ghosts.load(state.guesses, state.you);
        board ??= makeBoard(state);
        log.fill(state.log);
        clocks.set(state.clock);
        break;
      case "observation":
        if (!state) return;
        state = { ...state, view: message.view, clock: message.clock, offer: message.offer, log: [...state.log, message.observation] };
        log.add(message.observation);
        voice.say(message.observation.text);
        clocks.set(message.clock);
        now.say("");
        break;
      case "status": {
        if (!state) return;
        const { offer, rematch, opponent_connected, clock } = message;
        state = { ...state, offer, rematch, opponent_connected, clock };
        clocks.set(clock);
        if (rematch?.game && wantsAnother) go(`/game/${encodeURIComponent(rematch.game)}`);
        break;
      }
      case "over":
        if (state) state = { ...state, game: message.game };
        break;
      case "error":
        now.say(message.message);
        break;
    }
    if (state) {
      asks ||= state.view.may_ask || state.log.some((line) => ["yes", "no"].includes(line.announcement.verdict));
      if (state.view.end) ghosts.setOpen(false);
      if (message.type === "state" || message.type === "observation") {
        board?.setMen(state.view.pieces);
        if (!state.view.end) ghosts.clearUnder(state.view.pieces);
      }
      coach.hear(state.log.length, state.view.turn === state.you, Boolean(state.view.end));
    }
    draw();
  }

  const mayTry = () => state !== null && connected && asking === null && !state.view.end && state.view.turn === state.you;
  const own = (/** @type {string} */ square) => state !== null && readMen(state.view.pieces).has(square);

  /** @param {State} first */
  function makeBoard(first) {
    return new Board(place, {
      label: "Your board",
      vacant: "no man of yours",
      orientation: first.you,
      canMove: (square) => (ghosts.open ? square in ghosts.all : mayTry() && own(square)),
      dragOnly: () => ghosts.open && !ghosts.moving,
      targetsOf: (square) => (ghosts.open ? [] : [...new Set((state?.view.tries ?? []).filter((each) => each.startsWith(square)).map((each) => each.slice(2, 4)))]),
      onMove: (from, to) => {
        if (ghosts.open) ghosts.move(from, to, own(to));
        else if (state) return tryIt(readDragged(from, to, state.view, state.log)) ?? undefined;
      },
      onSquare: (square) => {
        if (ghosts.open) ghosts.click(square, own(square));
        else if (state && own(square) && !mayTry() && !state.view.end) now.say(connected ? "It is not your turn." : "There is no connection to the table just now.");
      },
      onDropOff: (square) => {
        if (ghosts.open) ghosts.erase(square);
      },
      onHover: (from, to) => now.setHover(coach.chances(from, to)),
    });
  }

  /**
   * @param {Meaning} meaning
   * @returns {Promise<void> | null} until the umpire has answered; null where he is not asked
   */
  function tryIt(meaning) {
    if ("problem" in meaning) {
      now.say(meaning.problem);
      return null;
    }
    if (!state || !mayTry()) {
      now.say(connected ? "It is not your turn." : "There is no connection to the table just now.");
      return null;
    }
    if ("send" in meaning) return sendTry(meaning.send);
    return choosePromotion(meaning.choose, state.you).then((chosen) => (chosen ? sendTry(chosen) : undefined));
  }

  /** @param {string} each */
  async function sendTry(each) {
    asking = each;
    now.say("");
    now.setHover("");
    draw();
    try {
      await socket.send({ action: "try", try: each });
    } catch (error) {
      now.say(error instanceof Error ? error.message : "That did not work.");
    }
    asking = null;
    draw();
  }

  /** @param {string} action */
  function act(action) {
    wantsAnother ||= action === "rematch";
    socket.send({ action }).catch((error) => now.say(error.message));
  }

  function draw() {
    if (!state || !board) return;
    const below = board.orientation;
    players.draw(state, below);
    now.draw(state, asking !== null);
    ask.draw(state, mayTry(), asks);
    tools.draw(state, { ghosts: ghosts.open, coach: coach.open, voice: voice.on, connected });
    board.setGhosts(ghosts.all, otherSide(state.you));
    board.setMarks(marksOf(state, asking, hint));
    place.classList.toggle("waiting", !mayTry());
    document.title = `${state.view.end ? "Game over" : state.view.turn === state.you ? "Your turn" : "Waiting"} · Krieg`;
  }

  return () => {
    void ghosts.keep();
    socket.close();
    clocks.stop();
    voice.stop();
    ask.stop();
    log.stop();
    coach.stop();
    board?.destroy();
  };
}
