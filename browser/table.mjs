// The table as its player sees it: reading the board and the log, and making tries by mouse, finger and keyboard.

import assert from "node:assert/strict";

import { eventually } from "./waiting.mjs";

/**
 * @typedef {object} Sight what the page shows
 * @property {Record<string, string>} men such as `e2: "white pawn"`
 * @property {Record<string, string>} guesses
 * @property {string[]} targets squares with a dot
 * @property {{ n: number, verdict: string, words: string, struck: string }[]} log
 * @property {boolean} mayTry
 * @property {boolean} over
 * @property {"white" | "black"} below whose side is below
 */

export class Table {
  /** @param {import("playwright-core").Page} page */
  constructor(page) {
    this.page = page;
    this.board = page.getByTestId("board");
  }

  /** Until the umpire has told what there is to know. */
  async ready() {
    await this.page.locator("[data-test=log-line]").first().waitFor();
  }

  /** @returns {Promise<Sight>} */
  async look() {
    return this.page.evaluate(() => {
      const board = document.querySelector("[data-test=board]");
      if (!board) throw new Error("there is no board");
      const squares = [...board.querySelectorAll("[data-square]")].map((each) => each.getAttribute("data-square") ?? "");
      /** @type {Record<string, string>} */
      const men = {};
      /** @type {Record<string, string>} */
      const guesses = {};
      for (const each of board.querySelectorAll("[data-square]")) {
        const [square, man, ...more] = (each.getAttribute("aria-label") ?? "").split(", ");
        if (/^(white|black) /.test(man)) men[square] = man;
        const guess = more.find((words) => words.startsWith("guess: "));
        if (guess) guesses[square] = guess.slice(7);
      }
      const targets = [...board.querySelectorAll("circle.target")].map((dot) =>
        squares[Math.floor(Number(dot.getAttribute("cy")) / 45) * 8 + Math.floor(Number(dot.getAttribute("cx")) / 45)]);
      const log = [...document.querySelectorAll("[data-test=log-line]")].map((line) => ({
        n: Number(line.getAttribute("data-n")),
        verdict: line.getAttribute("data-verdict") ?? "",
        words: line.querySelector(".line-words")?.textContent ?? "",
        struck: line.querySelector("s")?.textContent ?? "",
      }));
      const end = document.querySelector("[data-test=game-over]");
      return {
        men, guesses, targets, log,
        mayTry: !board.classList.contains("waiting"),
        over: end instanceof HTMLElement && !end.hidden,
        below: squares[0] === "a8" ? "white" : "black",
      };
    });
  }

  /** Until it is this player's turn, or the game is over. @returns {Promise<Sight>} */
  async turn() {
    return eventually(async () => {
      const sight = await this.look();
      assert.ok(sight.mayTry || sight.over, "the turn does not come");
      return sight;
    });
  }

  /** Until the umpire has said that. @param {RegExp} words @param {number} [after] a number of lines that are old */
  async hears(words, after = 0) {
    return eventually(async () => {
      const { log } = await this.look();
      const line = log.slice(after).find((each) => words.test(each.words));
      assert.ok(line, `not heard: ${words} in ${JSON.stringify(log.map((each) => each.words))}`);
      return line;
    });
  }

  /** Does something that the umpire answers, and waits for the answer. @param {() => Promise<void>} ask @returns {Promise<Sight["log"][0]>} */
  async answerTo(ask) {
    const before = (await this.turn()).log.length;
    await ask();
    return eventually(async () => {
      const { log } = await this.look();
      assert.ok(log.length > before, "the umpire does not answer");
      return log[before];
    });
  }

  /** @param {string} square @returns {Promise<{ x: number, y: number }>} its middle */
  async middle(square) {
    const box = await this.board.locator(`[data-square=${square}]`).boundingBox();
    assert.ok(box, `${square} is not to be seen`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** @param {string} square */
  async click(square) {
    const { x, y } = await this.middle(square);
    await this.page.mouse.click(x, y);
  }

  /** @param {string} square */
  async tap(square) {
    const { x, y } = await this.middle(square);
    await this.page.touchscreen.tap(x, y);
  }

  /** @param {string} from @param {string} to */
  async drag(from, to) {
    const start = await this.middle(from);
    const end = await this.middle(to);
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down();
    await this.page.mouse.move(end.x, end.y, { steps: 3 });
    await this.page.mouse.up();
  }

  /** A try by dragging. @param {string} from @param {string} to */
  async byDrag(from, to) {
    return this.answerTo(() => this.drag(from, to));
  }

  /** A try by clicking two squares. @param {string} from @param {string} to */
  async byClicks(from, to) {
    return this.answerTo(async () => {
      await this.click(from);
      await this.click(to);
    });
  }

  /** A try by tapping two squares. @param {string} from @param {string} to */
  async byTaps(from, to) {
    return this.answerTo(async () => {
      await this.tap(from);
      await this.tap(to);
    });
  }

  /** A try by the arrow keys, with the focus on the board. @param {string} from @param {string} to */
  async byArrows(from, to) {
    return this.answerTo(async () => {
      await this.walkTo(from);
      await this.page.keyboard.press("Enter");
      await this.walkTo(to);
      await this.page.keyboard.press("Enter");
    });
  }

  /** Takes the keyboard's cursor to a square. @param {string} square */
  async walkTo(square) {
    const here = await this.page.evaluate(() => document.activeElement?.getAttribute("data-square") ?? document.activeElement?.outerHTML ?? "");
    assert.match(here, /^[a-h][1-8]$/, "the focus is not on the board");
    const turned = (await this.look()).below === "white" ? 1 : -1;
    const across = (square.charCodeAt(0) - here.charCodeAt(0)) * turned;
    const up = (Number(square[1]) - Number(here[1])) * turned;
    for (let step = 0; step < Math.abs(across); step++) await this.page.keyboard.press(across > 0 ? "ArrowRight" : "ArrowLeft");
    for (let step = 0; step < Math.abs(up); step++) await this.page.keyboard.press(up > 0 ? "ArrowUp" : "ArrowDown");
  }

  /** A typed try. @param {string} text */
  async byTyping(text) {
    return this.answerTo(async () => {
      const typing = await this.page.getByTestId("type-try").evaluate((field) => field === document.activeElement);
      if (!typing) await this.page.keyboard.press("/");
      await this.page.keyboard.type(text);
      await this.page.keyboard.press("Enter");
    });
  }
}
