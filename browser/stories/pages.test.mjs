// The pages that are only read: they are small, they open without a word of complaint, and they look as one likes them.

import assert from "node:assert/strict";

import { story } from "../story.mjs";
import { eventually } from "../waiting.mjs";

const LARGEST_FIRST_PAGE = 200 * 1024;

/** The address changes at once; that page's own list of rulesets comes with the page. @param {import("../visitor.mjs").Visitor} visitor @param {string} name */
async function rulesAreOpen(visitor, name) {
  await visitor.page.locator(`[data-test="rules-${name}"][aria-current="page"]`).waitFor({ state: "visible" });
}

/**
 * Lets an answer wait until it is told to come. @param {import("../visitor.mjs").Visitor} visitor @param {string} address
 * @returns {Promise<{ asked: Promise<void>, comes: () => Promise<void> }>} `asked`: the page waits for it now
 */
async function holdBack(visitor, address) {
  /** @type {() => void} */
  let letCome = () => {};
  /** @type {() => void} */
  let note = () => {};
  /** @type {Promise<void>} */
  const told = new Promise((resolve) => (letCome = resolve));
  /** @type {Promise<void>} */
  const asked = new Promise((resolve) => (note = resolve));
  await visitor.page.route(address, async (route) => {
    note();
    await told;
    await route.continue();
  });
  return {
    asked,
    comes: async () => {
      const arrived = visitor.page.waitForResponse(address);
      letCome();
      await (await arrived).finished();
    },
  };
}

story("The first page is small, and one can play at once", async ({ visitor, t }) => {
  const ann = await visitor("Ann");
  const wire = await ann.context.newCDPSession(ann.page);
  await wire.send("Network.enable");
  let bytes = 0;
  let files = 0;
  wire.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    files += 1;
  });
  const begun = performance.now();
  await ann.open("/");
  await ann.sees("play-marshal");
  assert.ok(await ann.the("play-marshal").isEnabled());
  const ready = performance.now() - begun;
  await ann.page.waitForLoadState("networkidle");
  t.diagnostic(`${(bytes / 1024).toFixed(0)} KB in ${files} files, a game can be begun after ${ready.toFixed(0)} ms`);
  assert.ok(bytes > 0 && bytes < LARGEST_FIRST_PAGE, `${bytes} bytes`);

  await ann.click("play-marshal");
  await ann.the("who-name").fill(ann.name);
  await ann.click("who-submit");
  await ann.isAt(/^\/game\//);
  await ann.table.turn();
});

story("Every page of the rules opens, and its scenes can be stepped through", async ({ visitor }) => {
  const ann = await visitor("Ann");
  await ann.open("/rules");
  await ann.sees("scene");
  const rulesets = (await ann.get("/api/options")).rulesets.map((/** @type {{ name: string }} */ each) => each.name);
  assert.ok(rulesets.length >= 7);
  for (const name of rulesets) {
    await ann.click(`rules-${name}`);
    await ann.isAt(new RegExp(`^/rules/${name}$`));
    await rulesAreOpen(ann, name);
    await ann.sees("choices");
    await ann.sees("scene");
    const scene = ann.the("scene").first();
    const back = scene.getByRole("button", { name: "Back", exact: true });
    while (await back.isEnabled()) await back.click();
    await eventually(async () => assert.match((await scene.locator(".scene-step").textContent()) ?? "", /0 of \d/));
  }
  await ann.click("rules-play");
  await ann.isAt(/^\/new\?ruleset=/);
  await eventually(async () => assert.equal(await ann.the("new-ruleset").inputValue(), rulesets.at(-1)));
});

story("Whoever clicks on before a slow page has come gets the page that was clicked last", async ({ visitor }) => {
  const ann = await visitor("Ann");
  await ann.open("/rules");
  await ann.sees("scene");
  const slow = await holdBack(ann, "**/web/scenes/icc.json");
  await ann.click("rules-icc");
  await slow.asked;
  // The row at the top stays, whatever becomes of the page.
  await ann.click("nav-rules");
  await rulesAreOpen(ann, "introduction");
  // Longer than a page waits before it says “One moment …”, which here would be the wrong page's word.
  await ann.page.waitForTimeout(400);
  await rulesAreOpen(ann, "introduction");
  await slow.comes();
  await ann.page.waitForTimeout(400);
  await rulesAreOpen(ann, "introduction");
  assert.doesNotMatch(await ann.page.title(), /ICC/);
});

story("The other pages open, the example plays, and back goes back", async ({ visitor }) => {
  const ann = await visitor("Ann");
  await ann.open("/");
  await ann.click("showcase-pause");
  await ann.click("showcase-peek");
  await ann.click("nav-ratings");
  await ann.sees("ratings-ruleset");
  await ann.click("nav-new");
  await ann.sees("new-form");
  await ann.page.goBack();
  await ann.sees("ratings-ruleset");
  await ann.open("/rules/nowhere");
  await ann.reads("page-error", /no ruleset called “nowhere”/);
  await ann.click("nav-home");
  await ann.click("example-game");
  await ann.isAt(/^\/review\//);
  await ann.reads("review-result", /White wins/);
});

story("Light or dark is remembered", async ({ visitor }) => {
  const ann = await visitor("Ann", { colorScheme: "light" });
  const look = () => ann.page.evaluate(() => [document.documentElement.dataset.theme ?? "", getComputedStyle(document.body).backgroundColor]);
  await ann.open("/");
  await ann.sees("play-marshal");
  const [, light] = await look();
  await ann.click("theme");
  const [theme, dark] = await look();
  assert.equal(theme, "dark");
  assert.notEqual(dark, light);
  await ann.page.reload();
  await ann.sees("play-marshal");
  assert.deepEqual(await look(), ["dark", dark]);
  await ann.click("theme");
  await ann.page.reload();
  await ann.sees("play-marshal");
  assert.deepEqual(await look(), ["light", light]);
});

story("Without a choice of one's own, a page is as dark as the system", async ({ visitor }) => {
  const backgrounds = [];
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    const one = await visitor("Ann", { colorScheme });
    await one.open("/rules");
    await one.sees("scene");
    backgrounds.push(await one.page.evaluate(() => getComputedStyle(document.body).backgroundColor));
  }
  assert.notEqual(backgrounds[0], backgrounds[1]);
});

story("A guest keeps his name with a password, and signs in with it elsewhere", async ({ visitor }) => {
  const ann = await visitor("Ann");
  await ann.open("/");
  await ann.click("who");
  await ann.click("who-guest");
  await ann.the("who-name").fill(ann.name);
  await ann.click("who-submit");
  await ann.reads("who", new RegExp(`^${ann.name}$`));
  await ann.click("who");
  await ann.click("who-keep");
  await ann.the("who-name").fill(ann.name);
  await ann.the("who-password").fill("behind the screen");
  await ann.click("who-submit");
  await ann.the("who-dialog").waitFor({ state: "detached" });

  const again = await visitor("Elsewhere");
  await again.open("/");
  await again.click("who");
  await again.the("who-name").fill(ann.name);
  await again.the("who-password").fill("before the screen");
  await again.click("who-submit");
  await eventually(async () => assert.match(await again.the("who-dialog").textContent() ?? "", /password/i));
  await again.the("who-password").fill("behind the screen");
  await again.click("who-submit");
  await again.reads("who", new RegExp(`^${ann.name}$`));
}, { forgive: [/401 \(Unauthorized\)/] });

story("A game that comes late does not take the reader away from the rules", async ({ visitor, guest }) => {
  const [ann, ben] = [await guest("Ann"), await visitor("Ben")];
  const { game } = await ann.begin();
  await ann.act(game.id, "resign");
  await ben.open("/ratings");
  await ben.sees("ratings-ruleset");
  const slow = await holdBack(ben, `**/api/games/${game.id}`);
  await ben.page.evaluate((path) => {
    history.pushState(null, "", path);
    window.dispatchEvent(new Event("krieg:address"));
  }, `/game/${game.id}`);
  await slow.asked;
  await ben.click("nav-rules");
  await rulesAreOpen(ben, "introduction");
  await slow.comes();
  await ben.page.waitForTimeout(400);
  await rulesAreOpen(ben, "introduction");
  assert.match(ben.page.url(), /\/rules$/);
});
