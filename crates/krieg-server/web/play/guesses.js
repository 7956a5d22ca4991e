// Guesses: marks for opponent's pieces that the player places on the board. The server stores them
// with the game.

import { button, el } from "../dom.js";
import { pieceIcon } from "../pieces.js";
import { KINDS, oppositeSide, parsePieces } from "../squares.js";

/** @typedef {import("../types.js").Guesses} Guesses */
/** @typedef {import("../types.js").Side} Side */

/** Changes within this time are saved together. */
const SAVE_DELAY_MS = 400;

const OWN_PIECE = "Your own piece is on that square.";

/**
 * @param {object} options
 * @param {(guesses: Guesses) => Promise<unknown>} options.save
 * @param {() => void} options.onChange called when the guesses or the tool change
 * @param {(text: string) => void} options.showNotice
 */
export function makeGuesses({ save, onChange, showNotice }) {
  /** @type {Guesses} */
  let guesses = {};
  /** @type {Side} */
  let you = "white";
  let tool = "p";
  let open = false;
  let unsaved = false;
  let saveTimer = 0;

  const palette = el("div", {
    class: "palette card", role: "group", "aria-label": "Guesses", hidden: true,
    "data-test": "guess-palette",
  });

  function drawPalette() {
    /** @param {string} name @param {string} label @param {Node | string} icon */
    const toolButton = (name, label, icon) => button(icon, () => {
      tool = name;
      drawPalette();
      onChange();
    }, {
      class: "tool", "aria-pressed": String(tool === name), "aria-label": label, title: label,
      "data-test": `guess-${name === "?" ? "any" : name}`,
    });
    const side = oppositeSide(you);
    const icon = (/** @type {string} */ letter) =>
      pieceIcon(side === "white" ? letter.toUpperCase() : letter, "", side);
    palette.replaceChildren(
      ...[..."pnbrqk"].map((letter) =>
        toolButton(letter, `Guess: ${KINDS[letter]}`, icon(letter))),
      toolButton("?", "Guess: any piece", "?"),
      toolButton("move", "Move a guess", "✥"),
      toolButton("erase", "Erase a guess", "⌫"),
      button("Clear", () => change({}), {
        class: "quiet", "data-test": "guess-clear", title: "Erase all guesses",
      }),
    );
  }

  /** @param {Guesses} changed */
  function change(changed) {
    guesses = changed;
    unsaved = true;
    clearTimeout(saveTimer);
    saveTimer = setTimeout(() => void saveNow(), SAVE_DELAY_MS);
    onChange();
  }

  async function saveNow() {
    clearTimeout(saveTimer);
    if (!unsaved) return;
    unsaved = false;
    try {
      await save(guesses);
    } catch (error) {
      unsaved = true;
      const reason = error instanceof Error ? error.message : "something went wrong.";
      showNotice(`Your guesses could not be saved: ${reason}`);
    }
  }

  /** @param {string} square */
  function without(square) {
    const rest = { ...guesses };
    delete rest[square];
    return rest;
  }

  return {
    element: palette,
    saveNow,
    get all() {
      return guesses;
    },
    get open() {
      return open;
    },
    /** @param {boolean} shown */
    setOpen(shown) {
      open = shown;
      palette.hidden = !shown;
    },
    /** Whether a click selects a guess, to move it, instead of placing one. */
    get moving() {
      return tool === "move";
    },
    /** @param {Guesses} stored what the server has stored @param {Side} side the player's */
    load(stored, side) {
      you = side;
      drawPalette();
      if (unsaved) void saveNow();
      else guesses = { ...stored };
    },
    /** Erases guesses on squares of the player's own pieces. @param {string} fen */
    eraseUnder(fen) {
      const own = parsePieces(fen);
      const rest = Object.entries(guesses).filter(([square]) => !own.has(square));
      if (rest.length < Object.keys(guesses).length) change(Object.fromEntries(rest));
    },
    /** @param {string} square @param {boolean} isOwn whether the player's own piece is there */
    click(square, isOwn) {
      if (isOwn) showNotice(OWN_PIECE);
      else if (tool === "erase" || guesses[square] === tool) change(without(square));
      else if (tool !== "move") change({ ...guesses, [square]: tool });
    },
    /** @param {string} from @param {string} to @param {boolean} isOwn */
    move(from, to, isOwn) {
      if (isOwn) showNotice(OWN_PIECE);
      else change({ ...without(from), [to]: guesses[from] });
    },
    /** @param {string} square */
    erase(square) {
      change(without(square));
    },
  };
}
