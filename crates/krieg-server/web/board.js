// The board as one SVG: squares, pieces, guesses, a heat map and marks. Usable with a mouse, a
// touch screen or the keyboard.

import { BoardInput } from "./board/input.js";
import { drawHeat, drawMarks, drawTargets } from "./board/marks.js";
import { el, fill, svg } from "./dom.js";
import { pieceShape } from "./pieces.js";
import { FILES, KINDS, coordinatesOf, parsePieces, pieceName, squareOf } from "./squares.js";

/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").Guesses} Guesses */

/**
 * @typedef {object} BoardOptions
 * @property {string} [label] for screen readers
 * @property {string} [emptyLabel] what a screen reader says for a square without a visible piece
 * @property {Side} [orientation]
 * @property {(from: string, to: string) => void | Promise<unknown>} [onMove] called when a piece is
 *   dragged, or two squares are clicked. A dropped piece stays there until the promise is settled
 * @property {(square: string) => boolean} [canMove] whether the piece on the square may be selected
 * @property {(square: string) => boolean} [dragOnly] whether the piece can be dragged, but a click
 *   on it calls `onSquare`
 * @property {(square: string) => string[]} [targetsOf] squares to mark with dots when the piece is
 *   selected
 * @property {(square: string, event: Event) => void} [onSquare] called for any other click on a
 *   square
 * @property {(square: string) => void} [onDropOff] called when a piece is dragged off the board
 * @property {(from: string | null, to: string | null) => void} [onHover] called when the pointer is
 *   over a square while a piece is selected, and with null when it no longer is
 */

/**
 * @typedef {object} Marks
 * @property {string[]} [last] squares of the last move
 * @property {[string, string][]} [refused] tries that the umpire refused
 * @property {string | null} [captured] the square of a capture
 * @property {string | null} [check] the square of a king in check
 * @property {[string, string] | string[] | null} [hint] an arrow
 * @property {[string, string] | null} [pending] a try that the umpire has not answered yet
 * @property {string[]} [named] squares that the umpire announced as pawn tries
 */

export const SQUARE = 45;

/** @param {string} name */
const layer = (name) => svg("g", { class: name, "aria-hidden": "true" });

export class Board {
  /** @type {Side} */ #orientation;
  /** @type {Map<string, string>} */ #pieces = new Map();
  /** @type {Guesses} */ #guesses = {};
  /** @type {Side} */ #guessSide = "black";
  /** @type {Record<string, number> | null} */ #heat = null;
  /** @type {Marks} */ #marks = {};
  /** @type {string | null} */ #selected = null;
  /** @type {Map<string, SVGRectElement>} */ #squares = new Map();
  /** @type {Map<string, SVGGElement>} */ #pieceElements = new Map();
  // The labels of the squares describe all other layers to screen readers.
  #layer = {
    squares: svg("g", { class: "squares", role: "rowgroup" }),
    marks: layer("marks"),
    heat: layer("heat"),
    selection: layer("selection"),
    coordinates: layer("coordinates"),
    pieces: layer("pieces"),
    guesses: layer("guesses"),
    percentages: layer("heat"),
    arrows: layer("arrows"),
    targets: layer("targets"),
    cursor: layer("cursor"),
  };
  #cursor = "e1";

  /**
   * @param {Element} host the element to put the board into
   * @param {BoardOptions} [options]
   */
  constructor(host, options = {}) {
    this.options = options;
    this.#orientation = options.orientation ?? "white";
    this.#cursor = this.#orientation === "white" ? "e1" : "e8";
    const canvas = svg("svg", {
      class: `board ${options.onMove || options.onSquare ? "interactive" : "static"}`,
      viewBox: "0 0 360 360", role: "grid", "aria-label": options.label ?? "Board",
    }, Object.values(this.#layer));
    this.canvas = canvas;
    this.element = el("div", { class: "board-box" }, canvas);
    host.append(this.element);
    this.#drawSquares();
    // Not on the SVG itself: Chromium puts every SVG that listens for focus into the tab order.
    this.element.addEventListener("focusin", (event) => this.#onFocus(event.target));
    this.element.addEventListener("focusout", () => fill(this.#layer.cursor));
    this.input = new BoardInput(this);
  }

  get orientation() {
    return this.#orientation;
  }

  /** The square of the selected piece, or null. */
  get selected() {
    return this.#selected;
  }

  /** @param {string} square @returns {{ x: number, y: number }} its corner in the drawing */
  cornerOf(square) {
    const [file, rank] = coordinatesOf(square);
    const white = this.#orientation === "white";
    return { x: SQUARE * (white ? file : 7 - file), y: SQUARE * (white ? 7 - rank : rank) };
  }

  /** @param {number} x @param {number} y in the drawing @returns {string | null} */
  squareAt(x, y) {
    const column = Math.floor(x / SQUARE);
    const row = Math.floor(y / SQUARE);
    if (column < 0 || column > 7 || row < 0 || row > 7) return null;
    return this.#orientation === "white" ? squareOf(column, 7 - row) : squareOf(7 - column, row);
  }

  /** @param {string} square @returns {SVGGElement | undefined} the piece or guess drawn there */
  pieceElementOn(square) {
    const piece = this.#pieceElements.get(square);
    if (piece) return piece;
    const guess = this.#layer.guesses.querySelector(`[data-guess="${square}"]`);
    return /** @type {SVGGElement | null} */ (guess) ?? undefined;
  }

  /** @param {string} fen its first field is enough */
  setPieces(fen) {
    const pieces = parsePieces(fen);
    this.input.cancelDrag();
    /** @type {Map<string, SVGGElement>} */
    const elements = new Map();
    const vacated = [];
    for (const [square, element] of this.#pieceElements) {
      if (pieces.get(square) === this.#pieces.get(square)) elements.set(square, element);
      else vacated.push(square);
    }
    for (const [square, letter] of pieces) {
      if (elements.has(square)) continue;
      // A piece of the same kind that left another square is the one that moved: it slides.
      const index = vacated.findIndex((from) => this.#pieces.get(from) === letter);
      const from = index < 0 ? undefined : vacated.splice(index, 1)[0];
      const element = (from && this.#pieceElements.get(from)) || pieceShape(letter);
      if (!from) this.#layer.pieces.append(element);
      elements.set(square, element);
      this.#place(element, square);
    }
    for (const square of vacated) this.#pieceElements.get(square)?.remove();
    this.#pieces = pieces;
    this.#pieceElements = elements;
    if (this.#selected && !pieces.has(this.#selected)) this.select(null);
    this.restorePieces();
    this.#updateLabels();
  }

  /** Puts every piece back on its square, for example after a refused try. */
  restorePieces() {
    for (const [square, element] of this.#pieceElements) {
      element.classList.remove("pending", "dragged");
      this.#place(element, square);
    }
    this.#drawGuesses();
  }

  /** @param {Guesses} guesses @param {Side} side the side whose pieces are guessed */
  setGuesses(guesses, side) {
    this.#guesses = { ...guesses };
    this.#guessSide = side;
    this.#drawGuesses();
    this.#updateLabels();
  }

  /** @param {Record<string, number> | null} heat a probability for each square */
  setHeat(heat) {
    this.#heat = heat;
    drawHeat(this, this.#layer.heat, this.#layer.percentages, heat);
    this.#updateLabels();
  }

  /** @param {Marks} marks replace all previous marks */
  setMarks(marks) {
    this.#marks = marks;
    drawMarks(this, this.#layer.marks, this.#layer.arrows, marks);
    this.#updateLabels();
  }

  flip() {
    this.#orientation = this.#orientation === "white" ? "black" : "white";
    const hadFocus = this.canvas.contains(document.activeElement);
    this.#drawSquares();
    for (const [square, element] of this.#pieceElements) {
      element.classList.add("no-animation");
      this.#place(element, square);
      requestAnimationFrame(() => element.classList.remove("no-animation"));
    }
    this.#drawGuesses();
    this.setHeat(this.#heat);
    this.setMarks(this.#marks);
    this.select(this.#selected);
    if (hadFocus) this.focus(this.#cursor);
  }

  /** @param {string | null} square selects the piece there; null clears the selection */
  select(square) {
    this.#selected = square;
    const targets = square ? this.options.targetsOf?.(square) ?? [] : [];
    const { selection, targets: dots } = this.#layer;
    drawTargets(this, selection, dots, square, targets, (target) => this.#pieces.has(target));
    for (const [name, rect] of this.#squares) {
      rect.setAttribute("aria-selected", String(name === square));
    }
    if (!square) this.options.onHover?.(null, null);
  }

  /** @param {string} square moves the keyboard focus there */
  focus(square) {
    this.#squares.get(square)?.focus();
  }

  destroy() {
    this.input.destroy();
    this.element.remove();
  }

  /**
   * Draws the squares in reading order, which is the order in which a screen reader visits them.
   */
  #drawSquares() {
    const rows = [];
    this.#squares.clear();
    for (let row = 0; row < 8; row++) {
      const rank = this.#orientation === "white" ? 8 - row : row + 1;
      const group = svg("g", { role: "row", "aria-label": `rank ${rank}` });
      for (let column = 0; column < 8; column++) {
        const x = column * SQUARE;
        const y = row * SQUARE;
        const square = /** @type {string} */ (this.squareAt(x, y));
        const rect = svg("rect", {
          class: `square ${(column + row) % 2 ? "dark" : "light"}`,
          x, y, width: SQUARE, height: SQUARE,
          role: "gridcell", "data-square": square, tabindex: square === this.#cursor ? 0 : -1,
        });
        this.#squares.set(square, rect);
        group.append(rect);
      }
      rows.push(group);
    }
    fill(this.#layer.squares, rows);
    fill(this.#layer.coordinates, [...FILES].flatMap((letter, index) => {
      const white = this.#orientation === "white";
      const x = SQUARE * (white ? index : 7 - index);
      const y = SQUARE * (white ? 7 - index : index);
      const color = index % 2 === (white ? 0 : 1) ? "on-dark" : "on-light";
      return [
        svg("text", { class: color, x: x + 42.5, y: 357.5, "text-anchor": "end" }, letter),
        svg("text", { class: color, x: 2.5, y: y + 9.5 }, index + 1),
      ];
    }));
    this.#updateLabels();
  }

  /** @param {SVGGElement} element @param {string} square */
  #place(element, square) {
    const { x, y } = this.cornerOf(square);
    element.style.transform = `translate(${x}px, ${y}px)`;
  }

  #drawGuesses() {
    const side = this.#guessSide;
    fill(this.#layer.guesses, Object.entries(this.#guesses).map(([square, letter]) => {
      const shape = pieceShape(side === "white" ? letter.toUpperCase() : letter, "guess", side);
      shape.dataset.guess = square;
      this.#place(shape, square);
      return shape;
    }));
  }

  /** @param {EventTarget | null} target */
  #onFocus(target) {
    const square = target instanceof SVGElement ? target.dataset.square : undefined;
    if (!square || !(target instanceof SVGElement)) return;
    this.#squares.get(this.#cursor)?.setAttribute("tabindex", "-1");
    this.#cursor = square;
    target.setAttribute("tabindex", "0");
    if (!target.matches(":focus-visible")) return;
    const { x, y } = this.cornerOf(square);
    const size = SQUARE - 3;
    const box = { x: x + 1.5, y: y + 1.5, width: size, height: size, rx: 2 };
    fill(this.#layer.cursor, svg("rect", box));
    if (this.#selected) this.options.onHover?.(this.#selected, square);
  }

  /** Updates what a screen reader says for each square. */
  #updateLabels() {
    const { emptyLabel = "empty" } = this.options;
    const refused = new Set((this.#marks.refused ?? []).map(([, to]) => to));
    for (const [square, rect] of this.#squares) {
      const piece = this.#pieces.get(square);
      const guess = this.#guesses[square];
      const percentage = Math.round((this.#heat?.[square] ?? 0) * 100);
      const parts = [square, piece ? pieceName(piece) : emptyLabel];
      if (guess) parts.push(guess === "?" ? "guess: any piece" : `guess: ${KINDS[guess]}`);
      if (percentage > 0) parts.push(`${percentage} percent`);
      if (refused.has(square)) parts.push("refused");
      if (this.#marks.captured === square) parts.push("capture here");
      if (this.#marks.check === square) parts.push("in check");
      if (this.#marks.named?.includes(square)) parts.push("has a pawn try");
      rect.setAttribute("aria-label", parts.join(", "));
    }
  }
}
