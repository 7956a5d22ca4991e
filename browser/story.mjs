// A story: a test with users, their browsers and a server. It fails if any page logs an error.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";

import { openChromium } from "./chromium.mjs";
import { ROOT, Server } from "./server.mjs";
import { Visitor } from "./visitor.mjs";

const ARTIFACTS = path.join(ROOT, "target/browser");

/** @typedef {import("playwright-core").BrowserContextOptions} BrowserContextOptions */
/** @typedef {import("node:test").TestContext} TestContext */
/** @typedef {(name: string, options?: BrowserContextOptions) => Promise<Visitor>} MakeVisitor */

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Server} */
let server;
/**
 * How often each name has been used: names are unique on the server.
 * @type {Map<string, number>}
 */
const nameCounts = new Map();

before(async () => {
  server = await Server.start();
  browser = await openChromium();
});

after(async () => {
  await Promise.all([browser?.close(), server?.stop()]);
});

/**
 * @typedef {object} StoryContext
 * @property {Server} server
 * @property {MakeVisitor} visitor opens a browser for a visitor who is not signed in
 * @property {MakeVisitor} guest opens a browser for a guest with that name
 * @property {TestContext} t
 */

/**
 * @param {string} title
 * @param {(context: StoryContext) => Promise<void>} run
 * @param {{ expectedErrors?: RegExp[] }} [options] `expectedErrors`: errors that belong to the
 *   story
 */
export function story(title, run, { expectedErrors = [] } = {}) {
  test(title, async (t) => {
    /** @type {Visitor[]} */
    const visitors = [];
    /** @type {MakeVisitor} */
    const visitor = async (name, options) => {
      const count = (nameCounts.get(name) ?? 0) + 1;
      nameCounts.set(name, count);
      const uniqueName = count > 1 ? `${name} ${count}` : name;
      const created = await Visitor.create(browser, server, uniqueName, options);
      visitors.push(created);
      return created;
    };
    /** @type {MakeVisitor} */
    const guest = async (name, options) => {
      const created = await visitor(name, options);
      await created.signIn();
      return created;
    };
    const isExpected = (/** @type {string} */ error) =>
      expectedErrors.some((expected) => expected.test(error));
    const logStart = server.stderr.length;
    try {
      await run({ server, visitor, guest, t });
      const errors = visitors.flatMap((each) => each.errors).filter((error) => !isExpected(error));
      assert.deepEqual(errors, [], "a page logged errors");
      const log = server.stderr.slice(logStart);
      assert.doesNotMatch(log, /panicked|ERROR/, "the server logged an error");
    } catch (error) {
      await saveArtifacts(title, visitors, server.stderr.slice(logStart), t);
      throw error;
    } finally {
      await Promise.all(visitors.map((each) => each.close()));
    }
  });
}

/**
 * @param {string} title
 * @param {Visitor[]} visitors
 * @param {string} serverLog
 * @param {TestContext} t
 */
async function saveArtifacts(title, visitors, serverLog, t) {
  const folder = path.join(ARTIFACTS, title.toLowerCase().replace(/[^a-z0-9]+/g, "-"));
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "server.log"), serverLog);
  for (const visitor of visitors) {
    const file = visitor.name.toLowerCase().replaceAll(" ", "-");
    await visitor.saveArtifacts(path.join(folder, file));
  }
  t.diagnostic(`screenshots and traces are in ${path.relative(ROOT, folder)}`);
}
