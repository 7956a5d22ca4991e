// Games played without a mouse: Tab, arrows, Enter, and typed tries.

import assert from "node:assert/strict";

import { story } from "../story.mjs";

/** @typedef {import("../visitor.mjs").Visitor} Visitor */

story("From the home page to the review of a game by keyboard alone", async ({ visitor }) => {
  const ann = await visitor("Ann");
  const { page, gamePage } = ann;
  const press = (/** @type {string} */ key) => page.keyboard.press(key);
  await ann.open("/");
  await ann.waitForPart("new-game");
  await ann.tabTo("new-game");
  await press("Enter");
  await ann.expectUrl(/^\/new$/);
  await ann.waitForPart("new-form");

  await ann.tabTo("new-bot-marshal");
  await press("ArrowUp");
  assert.ok(await ann.part("new-bot-random").isChecked(), "the first bot follows the last");
  await ann.tabTo("new-ms");
  await press("Home");
  await ann.tabTo("new-ruleset");
  await page.keyboard.type("Berkeley");
  await ann.tabTo("new-color-random");
  await press("ArrowLeft");
  await ann.tabTo("new-start");
  await press("Enter");
  await ann.waitForPart("account-name");
  await page.keyboard.type(ann.name);
  await press("Enter");
  await ann.expectUrl(/^\/game\//);
  await gamePage.ready();

  await ann.tabTo("board");
  await gamePage.moveFocusTo("e2");
  await press("Enter");
  const { targets } = await gamePage.state();
  const message = "under Berkeley rules a pawn may always try its diagonals";
  assert.deepEqual(targets.sort(), ["d3", "e3", "e4", "f3"], message);
  await press("Escape");
  assert.deepEqual((await gamePage.state()).targets, []);
  assert.equal((await gamePage.tryByArrows("e2", "e4")).verdict, "moved");
  assert.equal((await gamePage.tryByTyping("Nf3")).verdict, "moved");
  assert.equal((await gamePage.tryByTyping("d2-d3")).verdict, "moved");
  await gamePage.waitForTurn();
  await page.keyboard.type("Qh9");
  await press("Enter");
  await ann.expectText("notice", /is not a try/);

  await ann.tabTo("resign");
  await press("Enter");
  assert.ok(await hasFocus(ann, "resign-no"), "pressing Enter twice does not resign");
  await press("Shift+Tab");
  await press("Enter");
  await ann.expectText("game-over", /You lost/);
  await ann.tabTo("to-review");
  await press("Enter");
  await ann.expectUrl(/^\/review\//);
  await ann.waitForPart("review-position");
  await press("ArrowRight");
  await ann.expectText("review-position", /^1 \//);
  await press("End");
  await ann.expectText("review-position", /^(\d+) \/ \1$/);
});

story("Under English rules, “any?” and mate by promotion by keyboard alone", async ({ guest }) => {
  const ann = await guest("Ann");
  const { page, gamePage } = ann;
  const press = (/** @type {string} */ key) => page.keyboard.press(key);
  // There is one pawn capture, on d5; the queen on e8 would be mate.
  const fen = "7k/4P3/6K1/3p4/2P5/8/8/8 w - - 0 1";
  const { game } = await ann.createGame({ ruleset: "english", fen });
  await ann.openGame(game.id);

  await ann.tabTo("any");
  const yes = await gamePage.answerTo(() => press("Enter"));
  assert.equal(yes.verdict, "yes");
  await ann.expectText("status", /You must try a pawn capture/);
  await ann.expectText("pawn-tries", /at least one pawn try/);
  await gamePage.waitForTurn();
  assert.ok(await ann.part("any").isDisabled(), "it can be asked once a turn");

  await press("/");
  await page.keyboard.type("g6f6");
  await press("Enter");
  await ann.expectText("notice", /pawn capture/);

  await ann.tabTo("board");
  const refused = await gamePage.answerTo(async () => {
    await gamePage.moveFocusTo("e7");
    await press("Enter");
    await gamePage.moveFocusTo("f8");
    await press("Enter");
    await ann.waitForPart("promotion");
    await press("Enter");
  });
  assert.equal(refused.verdict, "refused", "f8 is empty");
  await ann.expectText("status", /^Your turn\.$/);

  await ann.tabTo("board");
  const mate = await gamePage.answerTo(async () => {
    await gamePage.moveFocusTo("e7");
    await press("Enter");
    await gamePage.moveFocusTo("e8");
    await press("Enter");
    await ann.waitForPart("promotion");
    assert.ok(await hasFocus(ann, "promote-q"));
    await press("Tab");
    await press("Enter");
  });
  assert.match(mate.text, /e8=R.*checkmate/i, "a rook gives mate, too");
  assert.equal((await gamePage.state()).pieces.e8, "white rook");
  await ann.expectText("game-over", /You won/);
});

story("Tries are understood in algebraic notation", async ({ guest }) => {
  const ann = await guest("Ann");
  const { gamePage } = ann;
  const { game } = await ann.createGame({ fen: "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1" });
  await ann.openGame(game.id);
  const castled = await gamePage.tryByTyping("O-O-O");
  assert.equal(castled.verdict, "moved");
  const { pieces } = await gamePage.waitForTurn();
  assert.deepEqual([pieces.c1, pieces.d1], ["white king", "white rook"]);
  await ann.page.keyboard.type("R1");
  await ann.page.keyboard.press("Enter");
  await ann.expectText("notice", /is not a try/);
});

/** Whether a part of the page has the focus. @param {Visitor} visitor @param {string} part */
const hasFocus = (visitor, part) =>
  visitor.part(part).evaluate((element) => element === document.activeElement);
