// A story: people with browsers at a server. It fails by itself if any page says an error, whatever else it is about.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";

import { openChromium } from "./chromium.mjs";
import { ROOT, Server } from "./server.mjs";
import { Visitor } from "./visitor.mjs";

const KEPT = path.join(ROOT, "target/browser");

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Server} */
let server;
/** How many of a name have come: the server knows everybody by one of his own. @type {Map<string, number>} */
const namesakes = new Map();

before(async () => {
  server = await Server.start();
  browser = await openChromium();
});

after(async () => {
  await Promise.all([browser?.close(), server?.stop()]);
});

/**
 * @typedef {object} Cast
 * @property {Server} server
 * @property {(name: string, options?: import("playwright-core").BrowserContextOptions) => Promise<Visitor>} visitor
 *   somebody with a browser of his own, whom the server does not know
 * @property {(name: string, options?: import("playwright-core").BrowserContextOptions) => Promise<Visitor>} guest
 *   the same, with that name at the server
 * @property {import("node:test").TestContext} t
 */

/**
 * @param {string} title
 * @param {(cast: Cast) => Promise<void>} tell
 * @param {{ forgive?: RegExp[] }} [options] `forgive`: errors that belong to the story
 */
export function story(title, tell, { forgive = [] } = {}) {
  test(title, async (t) => {
    /** @type {Visitor[]} */
    const visitors = [];
    /** @type {Cast["visitor"]} */
    const visitor = async (name, options) => {
      const before = namesakes.get(name) ?? 0;
      namesakes.set(name, before + 1);
      const one = await Visitor.come(browser, server, before ? `${name} ${before + 1}` : name, options);
      visitors.push(one);
      return one;
    };
    /** @type {Cast["guest"]} */
    const guest = async (name, options) => {
      const one = await visitor(name, options);
      await one.signIn();
      return one;
    };
    const spoken = server.complaints.length;
    try {
      await tell({ server, visitor, guest, t });
      const errors = visitors.flatMap((one) => one.errors).filter((error) => !forgive.some((each) => each.test(error)));
      assert.deepEqual(errors, [], "a page said errors");
      assert.doesNotMatch(server.complaints.slice(spoken), /panicked|ERROR/, "the server has a bug");
    } catch (error) {
      await keep(title, visitors, server.complaints.slice(spoken), t);
      throw error;
    } finally {
      await Promise.all(visitors.map((one) => one.leave()));
    }
  });
}

/** @param {string} title @param {Visitor[]} visitors @param {string} complaints @param {import("node:test").TestContext} t */
async function keep(title, visitors, complaints, t) {
  const folder = path.join(KEPT, title.toLowerCase().replace(/[^a-z0-9]+/g, "-"));
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "server.log"), complaints);
  for (const one of visitors) await one.keep(path.join(folder, one.name.toLowerCase().replaceAll(" ", "-")));
  t.diagnostic(`pictures and traces are in ${path.relative(ROOT, folder)}`);
}
