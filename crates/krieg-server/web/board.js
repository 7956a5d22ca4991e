// The board: squares, men, guesses, chances and marks in one SVG, that a mouse, a finger or the keyboard can play on.

import { Hand } from "./board/hand.js";
import { drawHeat, drawMarks, drawTargets } from "./board/marks.js";
import { el, fill, svg } from "./dom.js";
import { pieceShape } from "./pieces.js";
import { FILES, KINDS, manName, placeOf, readMen, squareOf } from "./squares.js";

/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").Ghosts} Ghosts */

/**
 * @typedef {object} BoardOptions
 * @property {string} [label] for screen readers
 * @property {string} [vacant] what is said of a square without a man: `empty`, where all men are seen
 * @property {Side} [orientation]
 * @property {(from: string, to: string) => void | Promise<unknown>} [onMove] a man was dragged, or two squares clicked; he is held where he was dropped until a promise is settled
 * @property {(square: string) => boolean} [canMove] whether the man there may be picked up
 * @property {(square: string) => boolean} [dragOnly] whether a click on him goes to `onSquare` all the same
 * @property {(square: string) => string[]} [targetsOf] squares to be dotted when he is picked up
 * @property {(square: string, event: Event) => void} [onSquare] any other click on a square
 * @property {(square: string) => void} [onDropOff] a man was dragged off the board
 * @property {(from: string | null, to: string | null) => void} [onHover] the pointer is over a square with a man picked up; null when not
 */

/**
 * @typedef {object} Marks
 * @property {string[]} [last] squares of the last move
 * @property {[string, string][]} [refused] tries that the umpire refused
 * @property {string | null} [captured] where a man was taken
 * @property {string | null} [check] the king in check
 * @property {[string, string] | string[] | null} [hint] an arrow
 * @property {[string, string] | null} [asking] the try the umpire is asked about
 * @property {string[]} [named] squares the umpire named
 */

export const SQUARE = 45;

/** @param {string} name */
const layer = (name) => svg("g", { class: name, "aria-hidden": "true" });

export class Board {
  /** @type {Side} */ #orientation;
  /** @type {Map<string, string>} */ #men = new Map();
  /** @type {Ghosts} */ #ghosts = {};
  /** @type {Side} */ #ghostSide = "black";
  /** @type {Record<string, number> | null} */ #heat = null;
  /** @type {Marks} */ #marks = {};
  /** @type {string | null} */ #picked = null;
  /** @type {Map<string, SVGRectElement>} */ #squares = new Map();
  /** @type {Map<string, SVGGElement>} */ #figures = new Map();
  // The squares say in words all that the other layers show.
  #layer = {
    squares: svg("g", { class: "squares", role: "rowgroup" }),
    marked: layer("marked"),
    heat: layer("heat"),
    picked: layer("in-hand"),
    letters: layer("letters"),
    men: layer("men"),
    ghosts: layer("ghosts"),
    chances: layer("heat"),
    over: layer("over"),
    targets: layer("targets"),
    cursor: layer("cursor"),
  };
  #cursor = "e1";

  /**
   * @param {Element} host what the board is put into
   * @param {BoardOptions} [options]
   */
  constructor(host, options = {}) {
    this.options = options;
    this.#orientation = options.orientation ?? "white";
    this.#cursor = this.#orientation === "white" ? "e1" : "e8";
    const canvas = svg("svg", {
      class: `board ${options.onMove || options.onSquare ? "live" : "still"}`,
      viewBox: "0 0 360 360", role: "grid", "aria-label": options.label ?? "Board",
    }, Object.values(this.#layer));
    this.canvas = canvas;
    this.element = el("div", { class: "board-box" }, canvas);
    host.append(this.element);
    this.#layOut();
    // Not on the canvas itself: Chromium makes a stop of the Tab key of every SVG that listens for the focus.
    this.element.addEventListener("focusin", (event) => this.#focused(event.target));
    this.element.addEventListener("focusout", () => fill(this.#layer.cursor));
    this.hand = new Hand(this);
  }

  get orientation() {
    return this.#orientation;
  }

  /** The square of the man in hand, or null. */
  get picked() {
    return this.#picked;
  }

  /** @param {string} square @returns {{ x: number, y: number }} its corner in the drawing */
  cornerOf(square) {
    const [file, rank] = placeOf(square);
    const white = this.#orientation === "white";
    return { x: SQUARE * (white ? file : 7 - file), y: SQUARE * (white ? 7 - rank : rank) };
  }

  /** @param {number} x @param {number} y in the drawing @returns {string | null} */
  squareAt(x, y) {
    const across = Math.floor(x / SQUARE);
    const down = Math.floor(y / SQUARE);
    if (across < 0 || across > 7 || down < 0 || down > 7) return null;
    return this.#orientation === "white" ? squareOf(across, 7 - down) : squareOf(7 - across, down);
  }

  /** @param {string} square @returns {SVGGElement | undefined} the figure drawn there, a man or a guess */
  figureOn(square) {
    return this.#figures.get(square) ?? this.#layer.ghosts.querySelector(`[data-ghost="${square}"]`) ?? undefined;
  }

  /** @param {string} fen its first field is enough */
  setMen(fen) {
    const men = readMen(fen);
    this.hand.letGo();
    /** @type {Map<string, SVGGElement>} */
    const stay = new Map();
    const gone = [];
    for (const [square, figure] of this.#figures) {
      if (men.get(square) === this.#men.get(square)) stay.set(square, figure);
      else gone.push(square);
    }
    for (const [square, letter] of men) {
      if (stay.has(square)) continue;
      // A man of the same kind who left another square is the one that came: he glides.
      const before = gone.findIndex((from) => this.#men.get(from) === letter);
      const from = before < 0 ? undefined : gone.splice(before, 1)[0];
      const figure = (from && this.#figures.get(from)) || pieceShape(letter);
      if (!from) this.#layer.men.append(figure);
      stay.set(square, figure);
      this.#put(figure, square);
    }
    for (const square of gone) this.#figures.get(square)?.remove();
    this.#men = men;
    this.#figures = stay;
    if (this.#picked && !men.has(this.#picked)) this.select(null);
    this.settle();
    this.#label();
  }

  /** Puts every man back on his square, such as after a try that was refused. */
  settle() {
    for (const [square, figure] of this.#figures) {
      figure.classList.remove("held", "dragged");
      this.#put(figure, square);
    }
    this.#drawGhosts();
  }

  /** @param {Ghosts} ghosts @param {Side} side whose men they may be */
  setGhosts(ghosts, side) {
    this.#ghosts = { ...ghosts };
    this.#ghostSide = side;
    this.#drawGhosts();
    this.#label();
  }

  /** @param {Record<string, number> | null} heat chances from 0 to 1 */
  setHeat(heat) {
    this.#heat = heat;
    drawHeat(this, this.#layer.heat, this.#layer.chances, heat);
    this.#label();
  }

  /** @param {Marks} marks in place of those before */
  setMarks(marks) {
    this.#marks = marks;
    drawMarks(this, this.#layer.marked, this.#layer.over, marks);
    this.#label();
  }

  flip() {
    this.#orientation = this.#orientation === "white" ? "black" : "white";
    const hadFocus = this.canvas.contains(document.activeElement);
    this.#layOut();
    for (const [square, figure] of this.#figures) {
      figure.classList.add("still");
      this.#put(figure, square);
      requestAnimationFrame(() => figure.classList.remove("still"));
    }
    this.#drawGhosts();
    this.setHeat(this.#heat);
    this.setMarks(this.#marks);
    this.select(this.#picked);
    if (hadFocus) this.focus(this.#cursor);
  }

  /** @param {string | null} square picks up the man there, or lets go */
  select(square) {
    this.#picked = square;
    drawTargets(this, this.#layer.picked, this.#layer.targets, square, square ? this.options.targetsOf?.(square) ?? [] : [], (at) => this.#men.has(at));
    for (const [at, rect] of this.#squares) rect.setAttribute("aria-selected", String(at === square));
    if (!square) this.options.onHover?.(null, null);
  }

  /** @param {string} square puts the keyboard's cursor there */
  focus(square) {
    this.#squares.get(square)?.focus();
  }

  destroy() {
    this.hand.destroy();
    this.element.remove();
  }

  /** Lays out the squares in reading order, so that a screen reader goes through them as they are seen. */
  #layOut() {
    const rows = [];
    this.#squares.clear();
    for (let down = 0; down < 8; down++) {
      const rank = this.#orientation === "white" ? 8 - down : down + 1;
      const row = svg("g", { role: "row", "aria-label": `rank ${rank}` });
      for (let across = 0; across < 8; across++) {
        const x = across * SQUARE;
        const y = down * SQUARE;
        const square = /** @type {string} */ (this.squareAt(x, y));
        const rect = svg("rect", {
          class: `square ${(across + down) % 2 ? "dark" : "light"}`, x, y, width: SQUARE, height: SQUARE,
          role: "gridcell", "data-square": square, tabindex: square === this.#cursor ? 0 : -1,
        });
        this.#squares.set(square, rect);
        row.append(rect);
      }
      rows.push(row);
    }
    fill(this.#layer.squares, rows);
    fill(this.#layer.letters, [...FILES].flatMap((letter, at) => {
      const white = this.#orientation === "white";
      const across = SQUARE * (white ? at : 7 - at);
      const down = SQUARE * (white ? 7 - at : at);
      return [
        svg("text", { class: at % 2 === (white ? 0 : 1) ? "on-dark" : "on-light", x: across + 42.5, y: 357.5, "text-anchor": "end" }, letter),
        svg("text", { class: at % 2 === (white ? 0 : 1) ? "on-dark" : "on-light", x: 2.5, y: down + 9.5 }, at + 1),
      ];
    }));
    this.#label();
  }

  /** @param {SVGGElement} figure @param {string} square */
  #put(figure, square) {
    const { x, y } = this.cornerOf(square);
    figure.style.transform = `translate(${x}px, ${y}px)`;
  }

  #drawGhosts() {
    fill(this.#layer.ghosts, Object.entries(this.#ghosts).map(([square, letter]) => {
      const shape = pieceShape(this.#ghostSide === "white" ? letter.toUpperCase() : letter, "ghost", this.#ghostSide);
      shape.dataset.ghost = square;
      this.#put(shape, square);
      return shape;
    }));
  }

  /** @param {EventTarget | null} target */
  #focused(target) {
    const square = target instanceof SVGElement ? target.dataset.square : undefined;
    if (!square || !(target instanceof SVGElement)) return;
    this.#squares.get(this.#cursor)?.setAttribute("tabindex", "-1");
    this.#cursor = square;
    target.setAttribute("tabindex", "0");
    if (!target.matches(":focus-visible")) return;
    const { x, y } = this.cornerOf(square);
    fill(this.#layer.cursor, svg("rect", { x: x + 1.5, y: y + 1.5, width: SQUARE - 3, height: SQUARE - 3, rx: 2 }));
    if (this.#picked) this.options.onHover?.(this.#picked, square);
  }

  #label() {
    const { vacant = "empty" } = this.options;
    const refused = new Set((this.#marks.refused ?? []).map(([, to]) => to));
    for (const [square, rect] of this.#squares) {
      const man = this.#men.get(square);
      const ghost = this.#ghosts[square];
      const chance = this.#heat?.[square];
      const words = [square, man ? manName(man) : vacant];
      if (ghost) words.push(ghost === "?" ? "guess: somebody" : `guess: ${KINDS[ghost]}`);
      if (chance && chance >= 0.005) words.push(`${Math.round(chance * 100)} percent`);
      if (refused.has(square)) words.push("refused");
      if (this.#marks.captured === square) words.push("a man was taken here");
      if (this.#marks.check === square) words.push("in check");
      if (this.#marks.named?.includes(square)) words.push("has a pawn try");
      rect.setAttribute("aria-label", words.join(", "));
    }
  }
}
