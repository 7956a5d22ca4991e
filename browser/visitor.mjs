// Somebody with a browser: opens pages, may have a name at the server, and remembers every error that a page says.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";

import { Table } from "./table.mjs";
import { PATIENCE_MS, eventually } from "./waiting.mjs";

/** @typedef {import("./server.mjs").Server} Server */

/** A game that needs no waiting: a bot that hardly thinks, no clock. */
const QUICK_GAME = {
  ruleset: "icc", control: "none", color: "white", rated: false, coach: false,
  opponent: { kind: "bot", name: "random", ms: 100 },
};

export class Visitor {
  /** @type {string[]} */ errors = [];

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
    this.table = new Table(page);
    page.on("pageerror", (error) => this.errors.push(`${name}: ${error.stack ?? error}`));
    page.on("console", (line) => {
      if (line.type() === "error") this.errors.push(`${name}: ${line.text()} (${line.location().url})`);
    });
    page.on("response", (response) => {
      if (response.status() >= 500) this.errors.push(`${name}: ${response.status()} from ${response.url()}`);
    });
  }

  /**
   * @param {import("playwright-core").Browser} browser
   * @param {Server} server
   * @param {string} name
   * @param {import("playwright-core").BrowserContextOptions} [options]
   */
  static async come(browser, server, name, options) {
    const context = await browser.newContext({ baseURL: server.address, viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    await context.tracing.start({ snapshots: true, screenshots: false });
    return new Visitor(server, name, context, await context.newPage());
  }

  /** Takes the name at the server, without the page: most stories are about something else. */
  async signIn() {
    await this.post("/api/guest", { name: this.name });
  }

  /** @param {string} path @param {unknown} [body] @returns {Promise<any>} */
  async post(path, body = {}) {
    return answer(await this.context.request.post(path, { data: body }));
  }

  /** @param {string} path @returns {Promise<any>} */
  async get(path) {
    return answer(await this.context.request.get(path));
  }

  /** Begins a game as a program would, such as from a position that no form offers. @param {Record<string, unknown>} [wish] */
  async begin(wish = {}) {
    return this.post("/api/games", { ...QUICK_GAME, ...wish });
  }

  /** Begins a game against a friend, who takes the seat. @param {Visitor} friend @param {Record<string, unknown>} [wish] @returns {Promise<string>} its id */
  async beginWith(friend, wish = {}) {
    const { game, invitation } = await this.begin({ opponent: { kind: "invitation" }, ...wish });
    await friend.post(`/api/games/${game.id}/join`, { invitation });
    return game.id;
  }

  /** Makes a try as a program would. @param {string} game @param {string} text */
  async tries(game, text) {
    return this.act(game, "try", { try: text });
  }

  /** @param {string} game @param {string} action @param {Record<string, unknown>} [more] */
  async act(game, action, more = {}) {
    return this.post(`/api/games/${game}/actions`, { action, ...more });
  }

  /** @param {string} path */
  async open(path) {
    await this.page.goto(path);
  }

  /** @param {string} game */
  async sitDown(game) {
    await this.open(`/game/${game}`);
    await this.table.ready();
  }

  /** @param {string} name of a part of the page, as in `data-test` */
  the(name) {
    return this.page.getByTestId(name);
  }

  /** @param {string} name */
  async click(name) {
    await this.the(name).click();
  }

  /** @param {string} name */
  async sees(name) {
    await this.the(name).first().waitFor({ state: "visible" });
  }

  /** @param {string} name @param {RegExp} words */
  async reads(name, words) {
    await eventually(async () => assert.match((await this.the(name).first().textContent({ timeout: 1000 })) ?? "", words));
  }

  /** @param {RegExp} path waits until the address of the page is like that */
  async isAt(path) {
    await this.page.waitForURL((url) => path.test(url.pathname + url.search + url.hash));
  }

  /** Presses Tab until that part of the page has the focus, as somebody without a mouse does. @param {string} name */
  async tabTo(name) {
    const goal = this.the(name).first();
    for (let steps = 0; steps < 120; steps++) {
      if (await goal.evaluate((element) => element.contains(document.activeElement))) return;
      await this.page.keyboard.press("Tab");
    }
    assert.fail(`Tab never came to ${name}`);
  }

  /** @param {string} file without its ending */
  async keep(file) {
    await this.page.screenshot({ path: `${file}.png` }).catch(() => {});
    await this.context.tracing.stop({ path: `${file}.zip` }).catch(() => {});
    await writeFile(`${file}.txt`, [this.page.url(), ...this.errors].join("\n"));
  }

  async leave() {
    await this.context.close();
  }
}

/** @param {import("playwright-core").APIResponse} response */
async function answer(response) {
  const text = await response.text();
  assert.ok(response.ok(), `${response.url()} answered ${response.status()}: ${text}`);
  return text === "" ? null : JSON.parse(text);
}
