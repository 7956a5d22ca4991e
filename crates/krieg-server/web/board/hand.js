// The hand at the board: dragging, clicking two squares, and the arrow keys come to the same thing.

import { placeOf, squareOf } from "../squares.js";

/** @typedef {import("../board.js").Board} Board */

// A finger trembles: less than this many pixels is still a click.
const TREMBLE = 5;

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Hand {
  /** @type {{ square: string, figure: SVGGElement, x: number, y: number, pointer: number, moved: boolean, wasPicked: boolean } | null} */
  #drag = null;
  #over = "";

  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    if (!board.options.onMove && !board.options.onSquare) {
      board.canvas.addEventListener("keydown", this.#wander);
      return;
    }
    board.canvas.addEventListener("pointerdown", this.#down);
    board.canvas.addEventListener("pointermove", this.#move);
    board.canvas.addEventListener("pointerup", this.#up);
    board.canvas.addEventListener("pointercancel", this.letGo);
    board.canvas.addEventListener("pointerleave", this.#leave);
    board.canvas.addEventListener("keydown", this.#key);
  }

  destroy() {
    this.letGo();
  }

  /** Ends a drag without a move. */
  letGo = () => {
    const drag = this.#drag;
    this.#drag = null;
    if (drag?.moved) this.board.settle();
  };

  /** @param {PointerEvent} event @returns {{ x: number, y: number }} in the drawing */
  #place(event) {
    const box = this.board.canvas.getBoundingClientRect();
    return { x: ((event.clientX - box.left) / box.width) * 360, y: ((event.clientY - box.top) / box.height) * 360 };
  }

  /** @param {PointerEvent} event */
  #down = (event) => {
    if (event.button !== 0 || this.#drag) return;
    const { x, y } = this.#place(event);
    const square = this.board.squareAt(x, y);
    if (!square) return;
    const picked = this.board.picked;
    const isTarget = picked !== null && picked !== square && (this.board.options.targetsOf?.(picked) ?? []).includes(square);
    const figure = this.board.figureOn(square);
    if (isTarget || !figure || !this.#mayPick(square)) return;
    this.#drag = { square, figure, x: event.clientX, y: event.clientY, pointer: event.pointerId, moved: false, wasPicked: picked === square };
    this.board.canvas.setPointerCapture(event.pointerId);
    if (!this.board.options.dragOnly?.(square)) this.board.select(square);
  };

  /** @param {PointerEvent} event */
  #move = (event) => {
    const { x, y } = this.#place(event);
    const drag = this.#drag;
    if (drag && drag.pointer === event.pointerId) {
      if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) >= TREMBLE) {
        drag.moved = true;
        drag.figure.classList.add("dragged");
        drag.figure.parentElement?.append(drag.figure);
      }
      if (drag.moved) drag.figure.style.transform = `translate(${x - 22.5}px, ${y - 22.5}px)`;
    }
    const from = drag?.moved ? drag.square : this.board.picked;
    const to = this.board.squareAt(x, y);
    if (from && to && this.#over !== from + to) {
      this.#over = from + to;
      this.board.options.onHover?.(from, to);
    }
  };

  /** @param {PointerEvent} event */
  #up = (event) => {
    if (event.button !== 0) return;
    const { x, y } = this.#place(event);
    const square = this.board.squareAt(x, y);
    const drag = this.#drag;
    this.#drag = null;
    this.#over = "";
    if (drag?.moved) {
      this.#drop(drag.square, square, drag.figure);
    } else if (square) {
      this.#click(square, event, drag?.wasPicked ?? false);
    }
  };

  #leave = () => {
    this.#over = "";
    if (this.board.picked) this.board.options.onHover?.(null, null);
  };

  /** @param {string} from @param {string | null} to @param {SVGGElement} figure */
  #drop(from, to, figure) {
    const { board } = this;
    figure.classList.remove("dragged");
    if (to === null) {
      board.select(null);
      board.settle();
      board.options.onDropOff?.(from);
    } else if (to === from) {
      board.settle();
    } else {
      this.#play(from, to, figure);
    }
  }

  /** @param {string} from @param {string} to @param {SVGGElement} [dropped] */
  #play(from, to, dropped) {
    const { board } = this;
    board.select(null);
    const answer = board.options.onMove?.(from, to);
    if (!answer) {
      board.settle();
      return;
    }
    if (dropped) {
      const { x, y } = board.cornerOf(to);
      dropped.style.transform = `translate(${x}px, ${y}px)`;
      dropped.classList.add("held");
    }
    const settle = () => board.settle();
    answer.then(settle, settle);
  }

  /** @param {string} square @param {Event} event @param {boolean} wasPicked the man there was in hand before this click */
  #click(square, event, wasPicked) {
    const { board } = this;
    const picked = board.picked;
    if (picked && picked !== square) {
      this.#play(picked, square);
    } else if (picked) {
      if (wasPicked) board.select(null);
    } else {
      board.options.onSquare?.(square, event);
    }
  }

  /** @param {string} square */
  #mayPick(square) {
    return Boolean(this.board.options.onMove) && (this.board.options.canMove?.(square) ?? true);
  }

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    const { board } = this;
    const square = event.target instanceof SVGElement ? event.target.dataset.square : undefined;
    if (!square) return;
    if (event.key === "Escape" && board.picked) {
      event.preventDefault();
      board.select(null);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#press(square, event);
    } else {
      this.#wander(event);
    }
  };

  /** @param {string} square @param {Event} event */
  #press(square, event) {
    const { board } = this;
    const picked = board.picked;
    const isTarget = picked !== null && (board.options.targetsOf?.(picked) ?? []).includes(square);
    if (picked === square) board.select(null);
    else if (!isTarget && board.figureOn(square) && this.#mayPick(square) && !board.options.dragOnly?.(square)) board.select(square);
    else this.#click(square, event, false);
  }

  /** @param {KeyboardEvent} event */
  #wander = (event) => {
    const step = ARROWS[event.key];
    const square = event.target instanceof SVGElement ? event.target.dataset.square : undefined;
    if (!step || !square) return;
    event.preventDefault();
    const turned = this.board.orientation === "white" ? 1 : -1;
    const [file, rank] = placeOf(square);
    const next = [file + step[0] * turned, rank + step[1] * turned];
    if (next.every((each) => each >= 0 && each <= 7)) this.board.focus(squareOf(next[0], next[1]));
  };
}
