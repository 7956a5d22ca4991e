// The page of a running game: reads the board and the log, and makes tries with every kind of
// input.

import assert from "node:assert/strict";

import { eventually } from "./waiting.mjs";

/**
 * What the page shows.
 * @typedef {object} PageState
 * @property {Record<string, string>} pieces such as `e2: "white pawn"`
 * @property {Record<string, string>} guesses
 * @property {string[]} targets squares with a dot
 * @property {LogLine[]} log
 * @property {boolean} mayTry
 * @property {boolean} isOver
 * @property {"white" | "black"} below the side at the bottom of the board
 */

/**
 * @typedef {object} LogLine
 * @property {number} n
 * @property {string} verdict
 * @property {string} text
 * @property {string} crossedOut
 */

export class GamePage {
  /** @param {import("playwright-core").Page} page */
  constructor(page) {
    this.page = page;
    this.board = page.getByTestId("board");
  }

  /** Waits until the game is loaded. */
  async ready() {
    await this.page.locator("[data-test=log-line]").first().waitFor();
  }

  /** @returns {Promise<PageState>} */
  async state() {
    return this.page.evaluate(() => {
      const board = document.querySelector("[data-test=board]");
      if (!board) throw new Error("there is no board");
      const elements = [...board.querySelectorAll("[data-square]")];
      const squares = elements.map((element) => element.getAttribute("data-square") ?? "");
      /** @type {Record<string, string>} */
      const pieces = {};
      /** @type {Record<string, string>} */
      const guesses = {};
      for (const element of elements) {
        const label = element.getAttribute("aria-label") ?? "";
        const [square, piece, ...rest] = label.split(", ");
        if (/^(white|black) /.test(piece)) pieces[square] = piece;
        const guess = rest.find((text) => text.startsWith("guess: "));
        if (guess) guesses[square] = guess.slice(7);
      }
      const targets = [...board.querySelectorAll("circle.target")].map((dot) => {
        const row = Math.floor(Number(dot.getAttribute("cy")) / 45);
        const column = Math.floor(Number(dot.getAttribute("cx")) / 45);
        return squares[row * 8 + column];
      });
      const log = [...document.querySelectorAll("[data-test=log-line]")].map((line) => ({
        n: Number(line.getAttribute("data-n")),
        verdict: line.getAttribute("data-verdict") ?? "",
        text: line.querySelector(".log-text")?.textContent ?? "",
        crossedOut: line.querySelector("s")?.textContent ?? "",
      }));
      const end = document.querySelector("[data-test=game-over]");
      return {
        pieces, guesses, targets, log,
        mayTry: !board.classList.contains("waiting"),
        isOver: end instanceof HTMLElement && !end.hidden,
        below: squares[0] === "a8" ? "white" : "black",
      };
    });
  }

  /** Waits until it is this player's turn, or the game is over. @returns {Promise<PageState>} */
  async waitForTurn() {
    return eventually(async () => {
      const state = await this.state();
      assert.ok(state.mayTry || state.isOver, "it is still the opponent's turn");
      return state;
    });
  }

  /**
   * Waits for an announcement.
   * @param {RegExp} text
   * @param {number} [skip] number of lines of the log to skip
   */
  async waitForAnnouncement(text, skip = 0) {
    return eventually(async () => {
      const { log } = await this.state();
      const line = log.slice(skip).find((each) => text.test(each.text));
      assert.ok(line, `no ${text} in ${JSON.stringify(log.map((each) => each.text))}`);
      return line;
    });
  }

  /**
   * Makes a try in this player's turn, and waits for the umpire's answer.
   * @param {() => Promise<void>} makeTry
   * @returns {Promise<LogLine>}
   */
  async answerTo(makeTry) {
    const before = (await this.waitForTurn()).log.length;
    await makeTry();
    return eventually(async () => {
      const { log } = await this.state();
      assert.ok(log.length > before, "the umpire does not answer");
      return log[before];
    });
  }

  /** @param {string} square @returns {Promise<{ x: number, y: number }>} */
  async centerOf(square) {
    const box = await this.board.locator(`[data-square=${square}]`).boundingBox();
    assert.ok(box, `${square} is not visible`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** @param {string} square */
  async click(square) {
    const { x, y } = await this.centerOf(square);
    await this.page.mouse.click(x, y);
  }

  /** @param {string} square */
  async tap(square) {
    const { x, y } = await this.centerOf(square);
    await this.page.touchscreen.tap(x, y);
  }

  /** @param {string} from @param {string} to */
  async drag(from, to) {
    const start = await this.centerOf(from);
    const end = await this.centerOf(to);
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down();
    await this.page.mouse.move(end.x, end.y, { steps: 3 });
    await this.page.mouse.up();
  }

  /** @param {string} from @param {string} to */
  async tryByDrag(from, to) {
    return this.answerTo(() => this.drag(from, to));
  }

  /** @param {string} from @param {string} to */
  async tryByClicks(from, to) {
    return this.answerTo(async () => {
      await this.click(from);
      await this.click(to);
    });
  }

  /** @param {string} from @param {string} to */
  async tryByTaps(from, to) {
    return this.answerTo(async () => {
      await this.tap(from);
      await this.tap(to);
    });
  }

  /**
   * Makes a try with the arrow keys; the board has the focus.
   * @param {string} from
   * @param {string} to
   */
  async tryByArrows(from, to) {
    return this.answerTo(async () => {
      await this.moveFocusTo(from);
      await this.page.keyboard.press("Enter");
      await this.moveFocusTo(to);
      await this.page.keyboard.press("Enter");
    });
  }

  /** Moves the keyboard focus to a square with the arrow keys. @param {string} square */
  async moveFocusTo(square) {
    const current = await this.page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute("data-square") ?? element?.outerHTML ?? "";
    });
    assert.match(current, /^[a-h][1-8]$/, "the focus is not on the board");
    const direction = (await this.state()).below === "white" ? 1 : -1;
    const files = (square.charCodeAt(0) - current.charCodeAt(0)) * direction;
    const ranks = (Number(square[1]) - Number(current[1])) * direction;
    for (let step = 0; step < Math.abs(files); step++) {
      await this.page.keyboard.press(files > 0 ? "ArrowRight" : "ArrowLeft");
    }
    for (let step = 0; step < Math.abs(ranks); step++) {
      await this.page.keyboard.press(ranks > 0 ? "ArrowUp" : "ArrowDown");
    }
  }

  /** @param {string} text */
  async tryByTyping(text) {
    return this.answerTo(async () => {
      const field = this.page.getByTestId("type-try");
      const hasFocus = await field.evaluate((element) => element === document.activeElement);
      if (!hasFocus) await this.page.keyboard.press("/");
      await this.page.keyboard.type(text);
      await this.page.keyboard.press("Enter");
    });
  }
}
