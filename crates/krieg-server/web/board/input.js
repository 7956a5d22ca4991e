// Input on the board: dragging, clicking two squares, and the keyboard all lead to the same calls.

import { coordinatesOf, squareOf } from "../squares.js";

/** @typedef {import("../board.js").Board} Board */

/** A press that moves by fewer pixels is a click, because a finger is never quite still. */
const DRAG_THRESHOLD_PX = 5;

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * @typedef {object} Drag
 * @property {string} square where it began
 * @property {SVGGElement} element the piece or guess
 * @property {number} x of the pointer where it began
 * @property {number} y
 * @property {number} pointer its id
 * @property {boolean} moved whether the pointer has moved far enough
 * @property {boolean} wasSelected whether the piece was selected before
 */

export class BoardInput {
  /** @type {Drag | null} */
  #drag = null;
  #hovered = "";

  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    const { canvas, options } = board;
    if (!options.onMove && !options.onSquare) {
      canvas.addEventListener("keydown", this.#moveFocus);
      return;
    }
    canvas.addEventListener("pointerdown", this.#onPointerDown);
    canvas.addEventListener("pointermove", this.#onPointerMove);
    canvas.addEventListener("pointerup", this.#onPointerUp);
    canvas.addEventListener("pointercancel", this.cancelDrag);
    canvas.addEventListener("pointerleave", this.#onPointerLeave);
    canvas.addEventListener("keydown", this.#onKeyDown);
  }

  destroy() {
    this.cancelDrag();
  }

  /** Ends a drag without a move. */
  cancelDrag = () => {
    const drag = this.#drag;
    this.#drag = null;
    if (drag?.moved) this.board.restorePieces();
  };

  /** @param {PointerEvent} event @returns {{ x: number, y: number }} in the drawing */
  #positionOf(event) {
    const box = this.board.canvas.getBoundingClientRect();
    return {
      x: ((event.clientX - box.left) / box.width) * 360,
      y: ((event.clientY - box.top) / box.height) * 360,
    };
  }

  /** @param {PointerEvent} event */
  #onPointerDown = (event) => {
    if (event.button !== 0 || this.#drag) return;
    const { board } = this;
    const { x, y } = this.#positionOf(event);
    const square = board.squareAt(x, y);
    if (!square) return;
    const element = board.pieceElementOn(square);
    const wasSelected = board.selected === square;
    const isTarget = !wasSelected && this.#isTarget(square);
    if (isTarget || !element || !this.#canSelect(square)) return;
    this.#drag = {
      square, element, x: event.clientX, y: event.clientY, pointer: event.pointerId, moved: false,
      wasSelected,
    };
    board.canvas.setPointerCapture(event.pointerId);
    if (!board.options.dragOnly?.(square)) board.select(square);
  };

  /** @param {PointerEvent} event */
  #onPointerMove = (event) => {
    const { x, y } = this.#positionOf(event);
    const drag = this.#drag;
    if (drag && drag.pointer === event.pointerId) {
      const distance = Math.hypot(event.clientX - drag.x, event.clientY - drag.y);
      if (!drag.moved && distance >= DRAG_THRESHOLD_PX) {
        drag.moved = true;
        drag.element.classList.add("dragged");
        drag.element.parentElement?.append(drag.element);
      }
      if (drag.moved) drag.element.style.transform = `translate(${x - 22.5}px, ${y - 22.5}px)`;
    }
    const from = drag?.moved ? drag.square : this.board.selected;
    const to = this.board.squareAt(x, y);
    if (from && to && this.#hovered !== from + to) {
      this.#hovered = from + to;
      this.board.options.onHover?.(from, to);
    }
  };

  /** @param {PointerEvent} event */
  #onPointerUp = (event) => {
    if (event.button !== 0) return;
    const { x, y } = this.#positionOf(event);
    const square = this.board.squareAt(x, y);
    const drag = this.#drag;
    this.#drag = null;
    this.#hovered = "";
    if (drag?.moved) {
      this.#drop(drag.square, square, drag.element);
    } else if (square) {
      this.#click(square, event, drag?.wasSelected ?? false);
    }
  };

  #onPointerLeave = () => {
    this.#hovered = "";
    if (this.board.selected) this.board.options.onHover?.(null, null);
  };

  /** @param {string} from @param {string | null} to @param {SVGGElement} element */
  #drop(from, to, element) {
    const { board } = this;
    element.classList.remove("dragged");
    if (to === null) {
      board.select(null);
      board.restorePieces();
      board.options.onDropOff?.(from);
    } else if (to === from) {
      board.restorePieces();
    } else {
      this.#move(from, to, element);
    }
  }

  /** @param {string} from @param {string} to @param {SVGGElement} [dropped] the dragged piece */
  #move(from, to, dropped) {
    const { board } = this;
    board.select(null);
    const answer = board.options.onMove?.(from, to);
    if (!answer) {
      board.restorePieces();
      return;
    }
    if (dropped) {
      const { x, y } = board.cornerOf(to);
      dropped.style.transform = `translate(${x}px, ${y}px)`;
      dropped.classList.add("pending");
    }
    const restore = () => board.restorePieces();
    answer.then(restore, restore);
  }

  /**
   * @param {string} square
   * @param {Event} event
   * @param {boolean} wasSelected whether its piece was selected before this click
   */
  #click(square, event, wasSelected) {
    const { board } = this;
    const { selected } = board;
    if (selected && selected !== square) {
      this.#move(selected, square);
    } else if (selected) {
      if (wasSelected) board.select(null);
    } else {
      board.options.onSquare?.(square, event);
    }
  }

  /** @param {string} square whether it is a target of the selected piece */
  #isTarget(square) {
    const { selected, options } = this.board;
    return selected !== null && (options.targetsOf?.(selected) ?? []).includes(square);
  }

  /** @param {string} square */
  #canSelect(square) {
    return Boolean(this.board.options.onMove) && (this.board.options.canMove?.(square) ?? true);
  }

  /** @param {KeyboardEvent} event */
  #onKeyDown = (event) => {
    const { board } = this;
    const square = event.target instanceof SVGElement ? event.target.dataset.square : undefined;
    if (!square) return;
    if (event.key === "Escape" && board.selected) {
      event.preventDefault();
      board.select(null);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#press(square, event);
    } else {
      this.#moveFocus(event);
    }
  };

  /** @param {string} square @param {Event} event */
  #press(square, event) {
    const { board } = this;
    if (board.selected === square) {
      board.select(null);
      return;
    }
    const isSelectable =
      board.pieceElementOn(square) && this.#canSelect(square) && !board.options.dragOnly?.(square);
    if (!this.#isTarget(square) && isSelectable) board.select(square);
    else this.#click(square, event, false);
  }

  /** @param {KeyboardEvent} event */
  #moveFocus = (event) => {
    const step = ARROWS[event.key];
    const square = event.target instanceof SVGElement ? event.target.dataset.square : undefined;
    if (!step || !square) return;
    event.preventDefault();
    const direction = this.board.orientation === "white" ? 1 : -1;
    const [file, rank] = coordinatesOf(square);
    const next = [file + step[0] * direction, rank + step[1] * direction];
    if (next.every((index) => index >= 0 && index <= 7)) {
      this.board.focus(squareOf(next[0], next[1]));
    }
  };
}
