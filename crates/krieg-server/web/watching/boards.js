// Several boards of one game, side by side: what each player saw and what the umpire saw, always at the same step.

import { Board } from "../board.js";
import { el, fill } from "../dom.js";
import { marksAt, menAt } from "./marks.js";

/** @typedef {import("../types.js").Side} Side */
/** @typedef {import("./marks.js").Seat} Seat */
/** @typedef {import("./marks.js").Step} Step */
/** @typedef {import("../dom.js").Child} Child */

/**
 * @typedef {object} Watched
 * @property {string} start a FEN
 * @property {Step[]} steps
 * @property {{ seat: Seat, title: Child, label: string }[]} seats from left to right
 * @property {Side} [orientation]
 */

export class WatchedBoards {
  /** @type {Map<Seat, Board>} */ boards = new Map();
  /** @type {Map<Seat, HTMLElement>} */ #captions = new Map();

  /** @param {Watched} watched */
  constructor(watched) {
    this.watched = watched;
    this.element = el("div", { class: `watched seats-${watched.seats.length}` });
    for (const { seat, title, label } of watched.seats) {
      const caption = el("p", { class: "caption small muted" });
      const figure = el("figure", { class: `seat seat-${seat}`, "data-test": `board-${seat}` }, el("figcaption", {}, title));
      this.boards.set(seat, new Board(figure, { label, orientation: watched.orientation ?? "white" }));
      this.#captions.set(seat, caption);
      figure.append(caption);
      this.element.append(figure);
    }
    this.show(0);
  }

  /**
   * @param {number} at how many steps have been made
   * @param {Partial<Record<Seat, [string, string] | null>>} [hints] an arrow on somebody's board
   */
  show(at, hints = {}) {
    const { start, steps } = this.watched;
    for (const [seat, board] of this.boards) {
      board.setMen(menAt(start, steps, at, seat));
      board.setMarks({ ...marksAt(start, steps, at, seat), hint: hints[seat] });
    }
  }

  /** Words below a board. @param {Seat} seat @param {...Child} words */
  caption(seat, ...words) {
    const caption = this.#captions.get(seat);
    if (caption) fill(caption, ...words);
  }

  flip() {
    for (const board of this.boards.values()) board.flip();
  }

  destroy() {
    for (const board of this.boards.values()) board.destroy();
  }
}
