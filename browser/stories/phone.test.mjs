// The same on a phone: a finger, and a narrow window.

import assert from "node:assert/strict";

import { story } from "../story.mjs";
import { eventually } from "../waiting.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

story("A game is played by tapping, and the whole board is in sight", async ({ guest }) => {
  const ann = await guest("Ann", PHONE);
  const { game } = await ann.begin({ fen: "7k/R7/8/4p3/4P3/8/8/1R4K1 w - - 0 1" });
  await ann.sitDown(game.id);
  const { table } = ann;
  const board = await table.board.boundingBox();
  assert.ok(board && board.y + board.height <= PHONE.viewport.height, "the board ends above the edge of the window");
  assert.ok(board.width > 350, "and is as wide as it can be");

  assert.equal((await table.byTaps("e4", "e5")).verdict, "refused");
  assert.equal((await table.byTaps("g1", "g2")).verdict, "moved");
  await table.turn();
  assert.match((await table.byTaps("b1", "b8")).words, /checkmate/i);
  await ann.the("to-review").tap();
  await ann.isAt(/^\/review\//);
  await ann.the("review-on").tap();
  await ann.reads("review-place", /^1 \//);
});

story("No page scrolls sideways on a phone", async ({ guest }) => {
  const ann = await guest("Ann", PHONE);
  const finished = (await ann.begin({ fen: "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1" })).game.id;
  await ann.tries(finished, "a1a8");
  const playing = (await ann.begin({ ruleset: "rand", control: "600+10", coach: true })).game.id;
  const open = (await ann.begin({ opponent: { kind: "invitation" } })).game.id;
  const pages = {
    "/": "play-marshal", "/new": "new-start", "/rules": "scene", "/rules/berkeley-any": "scene", "/ratings": "ratings-ruleset",
    [`/game/${playing}`]: "log-line", [`/game/${open}`]: "waiting", [`/review/${finished}`]: "review-line",
  };
  for (const [path, part] of Object.entries(pages)) {
    await ann.open(path);
    await ann.sees(part);
    await fits(ann);
    if (path.endsWith(playing)) {
      await ann.the("ghosts").tap();
      await ann.the("coach").tap();
      await ann.sees("coach-try");
      await fits(ann);
    }
  }
});

/** @param {import("../visitor.mjs").Visitor} visitor */
async function fits(visitor) {
  await eventually(async () => {
    const { needed, given } = await visitor.page.evaluate(() => ({ needed: document.documentElement.scrollWidth, given: innerWidth }));
    assert.ok(needed <= given, `${visitor.page.url()} is ${needed} wide in a window of ${given}`);
    assert.equal(given, PHONE.viewport.width, "and the browser has not made everything smaller");
  }, 3000);
}
