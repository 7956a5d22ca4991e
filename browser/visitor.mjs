// A visitor: a browser context with one page, and requests to the server as the same user.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";

import { GamePage } from "./game_page.mjs";
import { TIMEOUT_MS, eventually } from "./waiting.mjs";

/** @typedef {import("./server.mjs").Server} Server */

/** A game without waiting: against a fast bot, without a clock. */
const QUICK_GAME = {
  ruleset: "icc", control: "none", color: "white", rated: false, coach: false,
  opponent: { kind: "bot", name: "random", ms: 100 },
};

/** How often `tabTo` presses the key at most. */
const MAX_TABS = 120;

export class Visitor {
  /** Everything that the page logged as an error. @type {string[]} */ errors = [];

  /**
   * @param {Server} server
   * @param {string} name
   * @param {import("playwright-core").BrowserContext} context
   * @param {import("playwright-core").Page} page
   */
  constructor(server, name, context, page) {
    this.server = server;
    this.name = name;
    this.context = context;
    this.page = page;
    this.gamePage = new GamePage(page);
    const addError = (/** @type {string} */ text) => this.errors.push(`${name}: ${text}`);
    page.on("pageerror", (error) => addError(error.stack ?? String(error)));
    page.on("console", (message) => {
      const url = message.location().url;
      if (message.type() === "error") addError(`${message.text()} (${url})`);
    });
    page.on("response", (response) => {
      if (response.status() >= 500) addError(`${response.status()} from ${response.url()}`);
    });
  }

  /**
   * @param {import("playwright-core").Browser} browser
   * @param {Server} server
   * @param {string} name
   * @param {import("playwright-core").BrowserContextOptions} [options]
   */
  static async create(browser, server, name, options) {
    const context = await browser.newContext({
      baseURL: server.url, viewport: { width: 1280, height: 800 }, reducedMotion: "reduce",
      ...options,
    });
    context.setDefaultTimeout(TIMEOUT_MS);
    await context.tracing.start({ snapshots: true, screenshots: false });
    return new Visitor(server, name, context, await context.newPage());
  }

  /** Signs in as a guest by a request, without the page. */
  async signIn() {
    await this.post("/api/guest", { name: this.name });
  }

  /** @param {string} path @param {unknown} [body] @returns {Promise<any>} */
  async post(path, body = {}) {
    return jsonOf(await this.context.request.post(path, { data: body }));
  }

  /** @param {string} path @returns {Promise<any>} */
  async get(path) {
    return jsonOf(await this.context.request.get(path));
  }

  /**
   * Creates a game by a request, with settings that the form may not offer.
   * @param {Record<string, unknown>} [settings]
   */
  async createGame(settings = {}) {
    return this.post("/api/games", { ...QUICK_GAME, ...settings });
  }

  /**
   * Creates a game against a friend, who joins it.
   * @param {Visitor} friend
   * @param {Record<string, unknown>} [settings]
   * @returns {Promise<string>} its id
   */
  async createGameWith(friend, settings = {}) {
    const opponent = { kind: "invitation" };
    const { game, invitation } = await this.createGame({ opponent, ...settings });
    await friend.post(`/api/games/${game.id}/join`, { invitation });
    return game.id;
  }

  /** Makes a try by a request. @param {string} game @param {string} text */
  async sendTry(game, text) {
    return this.sendAction(game, "try", { try: text });
  }

  /** @param {string} game @param {string} action @param {Record<string, unknown>} [fields] */
  async sendAction(game, action, fields = {}) {
    return this.post(`/api/games/${game}/actions`, { action, ...fields });
  }

  /** @param {string} path */
  async open(path) {
    await this.page.goto(path);
  }

  /** @param {string} game its id */
  async openGame(game) {
    await this.open(`/game/${game}`);
    await this.gamePage.ready();
  }

  /** A part of the page. @param {string} name as in `data-test` */
  part(name) {
    return this.page.getByTestId(name);
  }

  /** @param {string} name of a part */
  async click(name) {
    await this.part(name).click();
  }

  /** @param {string} name of a part that becomes visible */
  async waitForPart(name) {
    await this.part(name).first().waitFor({ state: "visible" });
  }

  /** Waits until a part has a text. @param {string} name @param {RegExp} text */
  async expectText(name, text) {
    await eventually(async () => {
      const content = await this.part(name).first().textContent({ timeout: 1000 });
      assert.match(content ?? "", text);
    });
  }

  /** Waits until the page has a URL. @param {RegExp} path with query and fragment */
  async expectUrl(path) {
    await this.page.waitForURL((url) => path.test(url.pathname + url.search + url.hash));
  }

  /** Presses Tab until a part has the focus. @param {string} name */
  async tabTo(name) {
    const target = this.part(name).first();
    const hasFocus = () =>
      target.evaluate((element) => element.contains(document.activeElement));
    for (let presses = 0; presses < MAX_TABS; presses++) {
      if (await hasFocus()) return;
      await this.page.keyboard.press("Tab");
    }
    assert.fail(`Tab did not reach ${name}`);
  }

  /** Saves a screenshot, a trace and the errors. @param {string} file without its extension */
  async saveArtifacts(file) {
    await this.page.screenshot({ path: `${file}.png` }).catch(() => {});
    await this.context.tracing.stop({ path: `${file}.zip` }).catch(() => {});
    await writeFile(`${file}.txt`, [this.page.url(), ...this.errors].join("\n"));
  }

  async close() {
    await this.context.close();
  }
}

/** @param {import("playwright-core").APIResponse} response */
async function jsonOf(response) {
  const text = await response.text();
  assert.ok(response.ok(), `${response.url()} answered ${response.status()}: ${text}`);
  return text === "" ? null : JSON.parse(text);
}
