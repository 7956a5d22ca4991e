// Several boards of one game side by side, at the same step: the players' and the umpire's.

import { Board } from "../board.js";
import { el, fill } from "../dom.js";
import { marksAt, piecesAt } from "./marks.js";

/** @typedef {import("../types.js").Side} Side */
/** @typedef {import("./marks.js").Viewer} Viewer */
/** @typedef {import("./marks.js").Step} Step */
/** @typedef {import("../dom.js").Child} Child */

/**
 * @typedef {object} ReplayOptions
 * @property {string} start a FEN
 * @property {Step[]} steps
 * @property {{ viewer: Viewer, title: Child, label: string }[]} viewers from left to right
 * @property {Side} [orientation]
 */

export class ReplayBoards {
  /** @type {Map<Viewer, Board>} */ boards = new Map();
  /** @type {Map<Viewer, HTMLElement>} */ #captions = new Map();

  /** @param {ReplayOptions} options */
  constructor(options) {
    const { orientation = "white", viewers } = options;
    this.options = options;
    this.element = el("div", { class: `replay-boards viewers-${viewers.length}` });
    for (const { viewer, title, label } of viewers) {
      const caption = el("p", { class: "caption small muted" });
      const figure = el("figure", {
        class: `viewer viewer-${viewer}`, "data-test": `board-${viewer}`,
      }, el("figcaption", {}, title));
      this.boards.set(viewer, new Board(figure, { label, orientation }));
      this.#captions.set(viewer, caption);
      figure.append(caption);
      this.element.append(figure);
    }
    this.show(0);
  }

  /**
   * @param {number} at number of steps that have been made
   * @param {Partial<Record<Viewer, [string, string] | null>>} [hints] an arrow for each board
   */
  show(at, hints = {}) {
    const { start, steps } = this.options;
    for (const [viewer, board] of this.boards) {
      board.setPieces(piecesAt(start, steps, at, viewer));
      board.setMarks({ ...marksAt(start, steps, at, viewer), hint: hints[viewer] });
    }
  }

  /** Sets the text below a board. @param {Viewer} viewer @param {...Child} children */
  caption(viewer, ...children) {
    const caption = this.#captions.get(viewer);
    if (caption) fill(caption, ...children);
  }

  flip() {
    for (const board of this.boards.values()) board.flip();
  }

  destroy() {
    for (const board of this.boards.values()) board.destroy();
  }
}
