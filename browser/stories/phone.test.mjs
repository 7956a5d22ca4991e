// Phones: a touch screen and a narrow window.

import assert from "node:assert/strict";

import { story } from "../story.mjs";
import { eventually } from "../waiting.mjs";

const PHONE = {
  viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2,
};

story("A game is played by tapping, and the whole board is visible", async ({ guest }) => {
  const ann = await guest("Ann", PHONE);
  const { game } = await ann.createGame({ fen: "7k/R7/8/4p3/4P3/8/8/1R4K1 w - - 0 1" });
  await ann.openGame(game.id);
  const { gamePage } = ann;
  const board = await gamePage.board.boundingBox();
  assert.ok(board && board.y + board.height <= PHONE.viewport.height, "the whole board is visible");
  assert.ok(board.width > 350, "the board fills the width");

  assert.equal((await gamePage.tryByTaps("e4", "e5")).verdict, "refused");
  assert.equal((await gamePage.tryByTaps("g1", "g2")).verdict, "moved");
  await gamePage.waitForTurn();
  assert.match((await gamePage.tryByTaps("b1", "b8")).text, /checkmate/i);
  await ann.part("to-review").tap();
  await ann.expectUrl(/^\/review\//);
  await ann.part("review-next").tap();
  await ann.expectText("review-position", /^1 \//);
});

story("No page scrolls sideways on a phone", async ({ guest }) => {
  const ann = await guest("Ann", PHONE);
  const finished = (await ann.createGame({ fen: "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1" })).game.id;
  await ann.sendTry(finished, "a1a8");
  const settings = { ruleset: "rand", control: "600+10", coach: true };
  const playing = (await ann.createGame(settings)).game.id;
  const open = (await ann.createGame({ opponent: { kind: "invitation" } })).game.id;
  const pages = {
    "/": "play-marshal",
    "/new": "new-start",
    "/rules": "example",
    "/rules/berkeley-any": "example",
    "/ratings": "ratings-ruleset",
    [`/game/${playing}`]: "log-line",
    [`/game/${open}`]: "waiting-room",
    [`/review/${finished}`]: "review-line",
  };
  for (const [path, part] of Object.entries(pages)) {
    await ann.open(path);
    await ann.waitForPart(part);
    await expectToFit(ann);
    if (path.endsWith(playing)) {
      await ann.part("guesses").tap();
      await ann.part("coach").tap();
      await ann.waitForPart("coach-try");
      await expectToFit(ann);
    }
  }
});

/** @param {import("../visitor.mjs").Visitor} visitor */
async function expectToFit(visitor) {
  await eventually(async () => {
    const { content, view } = await visitor.page.evaluate(() =>
      ({ content: document.documentElement.scrollWidth, view: innerWidth }));
    assert.ok(content <= view, `${visitor.page.url()} is ${content} wide in a window of ${view}`);
    assert.equal(view, PHONE.viewport.width, "the browser has zoomed out");
  }, 3000);
}
