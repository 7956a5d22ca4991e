// Pages without a game: home, rules, ratings, accounts, themes.

import assert from "node:assert/strict";

import { story } from "../story.mjs";
import { eventually } from "../waiting.mjs";

/** @typedef {import("../visitor.mjs").Visitor} Visitor */

/** Maximum size of the home page with all its files, in bytes. */
const MAX_HOME_PAGE_BYTES = 200 * 1024;

/** How long a test waits before it concludes that a page does not change. */
const SETTLE_MS = 400;

/**
 * Waits until a page of the rules is shown. The URL changes before that.
 * @param {Visitor} visitor
 * @param {string} name of the ruleset
 */
async function waitForRules(visitor, name) {
  const link = visitor.page.locator(`[data-test="rules-${name}"][aria-current="page"]`);
  await link.waitFor({ state: "visible" });
}

/**
 * Delays a response until it is released.
 * @param {Visitor} visitor
 * @param {string} url
 * @returns {Promise<{ requested: Promise<void>, release: () => Promise<void> }>} `requested` is
 *   settled when the page waits for the response
 */
async function delayResponse(visitor, url) {
  const { promise: released, resolve: markReleased } = makePromise();
  const { promise: requested, resolve: markRequested } = makePromise();
  await visitor.page.route(url, async (route) => {
    markRequested();
    await released;
    await route.continue();
  });
  return {
    requested,
    release: async () => {
      const response = visitor.page.waitForResponse(url);
      markReleased();
      await (await response).finished();
    },
  };
}

function makePromise() {
  /** @type {() => void} */
  let resolve = () => {};
  /** @type {Promise<void>} */
  const promise = new Promise((resolvePromise) => (resolve = resolvePromise));
  return { promise, resolve };
}

story("The home page is small, and a visitor can play at once", async ({ visitor, t }) => {
  const ann = await visitor("Ann");
  const session = await ann.context.newCDPSession(ann.page);
  await session.send("Network.enable");
  let bytes = 0;
  let files = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    files += 1;
  });
  const start = performance.now();
  await ann.open("/");
  await ann.waitForPart("play-marshal");
  assert.ok(await ann.part("play-marshal").isEnabled());
  const ready = performance.now() - start;
  await ann.page.waitForLoadState("networkidle");
  const size = `${(bytes / 1024).toFixed(0)} KB in ${files} files`;
  t.diagnostic(`${size}, ready to play after ${ready.toFixed(0)} ms`);
  assert.ok(bytes > 0 && bytes < MAX_HOME_PAGE_BYTES, `${bytes} bytes`);

  await ann.click("play-marshal");
  await ann.part("account-name").fill(ann.name);
  await ann.click("account-submit");
  await ann.expectUrl(/^\/game\//);
  await ann.gamePage.waitForTurn();
});

story("Every page of the rules opens, with examples to step through", async ({ visitor }) => {
  const ann = await visitor("Ann");
  await ann.open("/rules");
  await ann.waitForPart("example");
  const options = await ann.get("/api/options");
  const rulesets = options.rulesets.map((/** @type {{ name: string }} */ { name }) => name);
  assert.ok(rulesets.length >= 7);
  for (const name of rulesets) {
    await ann.click(`rules-${name}`);
    await ann.expectUrl(new RegExp(`^/rules/${name}$`));
    await waitForRules(ann, name);
    await ann.waitForPart("rule-table");
    await ann.waitForPart("example");
    const example = ann.part("example").first();
    const previous = example.getByRole("button", { name: "Previous", exact: true });
    while (await previous.isEnabled()) await previous.click();
    const controls = example.locator(".example-controls");
    await eventually(async () => assert.match((await controls.textContent()) ?? "", /0 of \d/));
  }
  await ann.click("rules-play");
  await ann.expectUrl(/^\/new\?ruleset=/);
  const ruleset = ann.part("new-ruleset");
  await eventually(async () => assert.equal(await ruleset.inputValue(), rulesets.at(-1)));
});

story("A slow page does not replace the page opened after it", async ({ visitor }) => {
  const ann = await visitor("Ann");
  await ann.open("/rules");
  await ann.waitForPart("example");
  const slow = await delayResponse(ann, "**/web/rules/examples/icc.json");
  await ann.click("rules-icc");
  await slow.requested;
  // The header stays while a page loads.
  await ann.click("nav-rules");
  await waitForRules(ann, "introduction");
  // After this time the slow page would have shown its loading message.
  await ann.page.waitForTimeout(SETTLE_MS);
  await waitForRules(ann, "introduction");
  await slow.release();
  await ann.page.waitForTimeout(SETTLE_MS);
  await waitForRules(ann, "introduction");
  assert.doesNotMatch(await ann.page.title(), /ICC/);
});

story("The other pages open, the example plays, and the back button works", async ({ visitor }) => {
  const ann = await visitor("Ann");
  await ann.open("/");
  await ann.click("showcase-pause");
  await ann.click("showcase-umpire");
  await ann.click("nav-ratings");
  await ann.waitForPart("ratings-ruleset");
  await ann.click("nav-new");
  await ann.waitForPart("new-form");
  await ann.page.goBack();
  await ann.waitForPart("ratings-ruleset");
  await ann.open("/rules/nowhere");
  await ann.expectText("page-error", /no ruleset called “nowhere”/);
  await ann.click("nav-home");
  await ann.click("example-game");
  await ann.expectUrl(/^\/review\//);
  await ann.expectText("review-result", /White wins/);
});

story("The theme is remembered", async ({ visitor }) => {
  const ann = await visitor("Ann", { colorScheme: "light" });
  const look = () => ann.page.evaluate(() => {
    const { backgroundColor } = getComputedStyle(document.body);
    return [document.documentElement.dataset.theme ?? "", backgroundColor];
  });
  await ann.open("/");
  await ann.waitForPart("play-marshal");
  const [, light] = await look();
  await ann.click("theme");
  const [theme, dark] = await look();
  assert.equal(theme, "dark");
  assert.notEqual(dark, light);
  await ann.page.reload();
  await ann.waitForPart("play-marshal");
  assert.deepEqual(await look(), ["dark", dark]);
  await ann.click("theme");
  await ann.page.reload();
  await ann.waitForPart("play-marshal");
  assert.deepEqual(await look(), ["light", light]);
});

story("Without a choice, the theme is that of the system", async ({ visitor }) => {
  const backgrounds = [];
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    const ann = await visitor("Ann", { colorScheme });
    await ann.open("/rules");
    await ann.waitForPart("example");
    const background = () => getComputedStyle(document.body).backgroundColor;
    backgrounds.push(await ann.page.evaluate(background));
  }
  assert.notEqual(backgrounds[0], backgrounds[1]);
});

story("A guest registers, and signs in from another browser", async ({ visitor }) => {
  const ann = await visitor("Ann");
  await ann.open("/");
  await ann.click("account");
  await ann.click("account-guest");
  await ann.part("account-name").fill(ann.name);
  await ann.click("account-submit");
  await ann.expectText("account", new RegExp(`^${ann.name}$`));
  await ann.click("account");
  await ann.click("account-keep");
  await ann.part("account-name").fill(ann.name);
  await ann.part("account-password").fill("correct password");
  await ann.click("account-submit");
  await ann.part("account-dialog").waitFor({ state: "detached" });

  const again = await visitor("Elsewhere");
  await again.open("/");
  await again.click("account");
  await again.part("account-name").fill(ann.name);
  await again.part("account-password").fill("wrong password");
  await again.click("account-submit");
  const dialog = again.part("account-dialog");
  await eventually(async () => assert.match(await dialog.textContent() ?? "", /password/i));
  await again.part("account-password").fill("correct password");
  await again.click("account-submit");
  await again.expectText("account", new RegExp(`^${ann.name}$`));
}, { expectedErrors: [/401 \(Unauthorized\)/] });

story("A slow game does not replace the page opened after it", async ({ visitor, guest }) => {
  const [ann, ben] = [await guest("Ann"), await visitor("Ben")];
  const { game } = await ann.createGame();
  await ann.sendAction(game.id, "resign");
  await ben.open("/ratings");
  await ben.waitForPart("ratings-ruleset");
  const slow = await delayResponse(ben, `**/api/games/${game.id}`);
  await ben.page.evaluate((path) => {
    history.pushState(null, "", path);
    window.dispatchEvent(new Event("krieg:navigate"));
  }, `/game/${game.id}`);
  await slow.requested;
  await ben.click("nav-rules");
  await waitForRules(ben, "introduction");
  await slow.release();
  await ben.page.waitForTimeout(SETTLE_MS);
  await waitForRules(ben, "introduction");
  assert.match(ben.page.url(), /\/rules$/);
});
