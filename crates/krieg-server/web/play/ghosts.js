// Ghost men: guesses of where the enemy stands, put on one's own board, moved about and wiped off. The server keeps them with the game.

import { button, el } from "../dom.js";
import { pieceIcon } from "../pieces.js";
import { KINDS, otherSide, readMen } from "../squares.js";

/** @typedef {import("../types.js").Ghosts} Ghosts */
/** @typedef {import("../types.js").Side} Side */

// A burst of changes is one message.
const SAVE_AFTER_MS = 400;

/**
 * @param {object} table
 * @param {(ghosts: Ghosts) => Promise<unknown>} table.save
 * @param {() => void} table.onChange the guesses or the tool are others now
 * @param {(words: string) => void} table.say
 */
export function makeGhosts({ save, onChange, say }) {
  /** @type {Ghosts} */
  let ghosts = {};
  /** @type {Side} */
  let you = "white";
  let tool = "p";
  let open = false;
  let unsaved = false;
  let timer = 0;

  const palette = el("div", { class: "palette card", role: "group", "aria-label": "Guesses", hidden: true, "data-test": "ghost-palette" });

  function drawPalette() {
    /** @param {string} name @param {string} label @param {Node | string} sign */
    const choice = (name, label, sign) => button(sign, () => {
      tool = name;
      drawPalette();
      onChange();
    }, { class: "tool", "aria-pressed": String(tool === name), "aria-label": label, title: label, "data-test": `ghost-${name === "?" ? "any" : name}` });
    const foe = otherSide(you);
    const man = (/** @type {string} */ letter) => pieceIcon(foe === "white" ? letter.toUpperCase() : letter, "", foe);
    palette.replaceChildren(
      ...[..."pnbrqk"].map((letter) => choice(letter, `Guess: ${KINDS[letter]}`, man(letter))),
      choice("?", "Guess: somebody", "?"),
      choice("move", "Move a guess", "✥"),
      choice("erase", "Erase a guess", "⌫"),
      button("Clear", () => change({}), { class: "quiet", "data-test": "ghost-clear", title: "Erase all guesses" }),
    );
  }

  /** @param {Ghosts} next */
  function change(next) {
    ghosts = next;
    unsaved = true;
    clearTimeout(timer);
    timer = setTimeout(() => void keep(), SAVE_AFTER_MS);
    onChange();
  }

  async function keep() {
    clearTimeout(timer);
    if (!unsaved) return;
    unsaved = false;
    try {
      await save(ghosts);
    } catch (error) {
      unsaved = true;
      say(`Your guesses are not kept yet: ${error instanceof Error ? error.message : "something went wrong."}`);
    }
  }

  /** @param {string} square */
  function without(square) {
    const rest = { ...ghosts };
    delete rest[square];
    return rest;
  }

  return {
    element: palette,
    keep,
    get all() {
      return ghosts;
    },
    get open() {
      return open;
    },
    /** @param {boolean} shown */
    setOpen(shown) {
      open = shown;
      palette.hidden = !shown;
    },
    /** Whether a click picks a guess up, rather than putting one down. */
    get moving() {
      return tool === "move";
    },
    /** @param {Ghosts} kept what the server kept @param {Side} side one's own */
    load(kept, side) {
      you = side;
      drawPalette();
      if (unsaved) void keep();
      else ghosts = { ...kept };
    },
    /** Guesses where one's own men stand now were wrong, or are taken. @param {string} men */
    clearUnder(men) {
      const own = readMen(men);
      const right = Object.entries(ghosts).filter(([square]) => !own.has(square));
      if (right.length < Object.keys(ghosts).length) change(Object.fromEntries(right));
    },
    /** @param {string} square @param {boolean} own whether one's own man stands there */
    click(square, own) {
      if (own) say("Your own man stands there.");
      else if (tool === "erase" || ghosts[square] === tool) change(without(square));
      else if (tool !== "move") change({ ...ghosts, [square]: tool });
    },
    /** @param {string} from @param {string} to @param {boolean} own */
    move(from, to, own) {
      if (own) say("Your own man stands there.");
      else change({ ...without(from), [to]: ghosts[from] });
    },
    /** @param {string} square */
    erase(square) {
      change(without(square));
    },
  };
}
