// Games played without a mouse: Tab, arrows, Enter, and typed tries.

import assert from "node:assert/strict";

import { story } from "../story.mjs";

story("From the first page to the review of a game by keyboard alone", async ({ visitor }) => {
  const ann = await visitor("Ann");
  const { page, table } = ann;
  const press = (/** @type {string} */ key) => page.keyboard.press(key);
  await ann.open("/");
  await ann.sees("other-game");
  await ann.tabTo("other-game");
  await press("Enter");
  await ann.isAt(/^\/new$/);
  await ann.sees("new-form");

  await ann.tabTo("new-bot-marshal");
  await press("ArrowUp");
  assert.ok(await ann.the("new-bot-random").isChecked(), "the bots are a ring");
  await ann.tabTo("new-ms");
  await press("Home");
  await ann.tabTo("new-ruleset");
  await page.keyboard.type("Berkeley");
  await ann.tabTo("new-color-random");
  await press("ArrowLeft");
  await ann.tabTo("new-start");
  await press("Enter");
  await ann.sees("who-name");
  await page.keyboard.type(ann.name);
  await press("Enter");
  await ann.isAt(/^\/game\//);
  await table.ready();

  await ann.tabTo("board");
  await table.walkTo("e2");
  await press("Enter");
  assert.deepEqual((await table.look()).targets.sort(), ["d3", "e3", "e4", "f3"], "in Berkeley a pawn may always try aslant");
  await press("Escape");
  assert.deepEqual((await table.look()).targets, []);
  assert.equal((await table.byArrows("e2", "e4")).verdict, "moved");
  assert.equal((await table.byTyping("Nf3")).verdict, "moved");
  assert.equal((await table.byTyping("d2-d3")).verdict, "moved");
  await table.turn();
  await page.keyboard.type("Qh9");
  await press("Enter");
  await ann.reads("notice", /is no try/);

  await ann.tabTo("resign");
  await press("Enter");
  assert.ok(await ann.the("resign-no").evaluate((no) => no === document.activeElement), "Enter alone does not resign");
  await press("Shift+Tab");
  await press("Enter");
  await ann.reads("game-over", /You lost/);
  await ann.tabTo("to-review");
  await press("Enter");
  await ann.isAt(/^\/review\//);
  await ann.sees("review-place");
  await press("ArrowRight");
  await ann.reads("review-place", /^1 \//);
  await press("End");
  await ann.reads("review-place", /^(\d+) \/ \1$/);
});

story("Any? by the English rules, and mate by promotion, by keyboard alone", async ({ guest }) => {
  const ann = await guest("Ann");
  const { page, table } = ann;
  const press = (/** @type {string} */ key) => page.keyboard.press(key);
  // There is one pawn capture, on d5; the queen on e8 would be mate.
  const { game } = await ann.begin({ ruleset: "english", fen: "7k/4P3/6K1/3p4/2P5/8/8/8 w - - 0 1" });
  await ann.sitDown(game.id);

  await ann.tabTo("any");
  const yes = await table.answerTo(() => press("Enter"));
  assert.equal(yes.verdict, "yes");
  await ann.reads("status", /You owe a pawn capture/);
  await ann.reads("pawn-tries", /a pawn try/);
  await table.turn();
  assert.ok(await ann.the("any").isDisabled(), "it is asked once");

  await press("/");
  await page.keyboard.type("g6f6");
  await press("Enter");
  await ann.reads("notice", /pawn capture/);

  await ann.tabTo("board");
  const refused = await table.answerTo(async () => {
    await table.walkTo("e7");
    await press("Enter");
    await table.walkTo("f8");
    await press("Enter");
    await ann.sees("promotion");
    await press("Enter");
  });
  assert.equal(refused.verdict, "refused", "nobody stands on f8");
  await ann.reads("status", /^Your turn\.$/);

  await ann.tabTo("board");
  const mate = await table.answerTo(async () => {
    await table.walkTo("e7");
    await press("Enter");
    await table.walkTo("e8");
    await press("Enter");
    await ann.sees("promotion");
    assert.ok(await ann.the("promote-q").evaluate((queen) => queen === document.activeElement));
    await press("Tab");
    await press("Enter");
  });
  assert.match(mate.words, /e8=R.*checkmate/i, "a rook mates as well");
  assert.equal((await table.look()).men.e8, "white rook");
  await ann.reads("game-over", /You won/);
});

story("The names of tries are understood as they are written", async ({ guest }) => {
  const ann = await guest("Ann");
  const { table } = ann;
  const { game } = await ann.begin({ fen: "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1" });
  await ann.sitDown(game.id);
  const castled = await table.byTyping("O-O-O");
  assert.equal(castled.verdict, "moved");
  const { men } = await table.turn();
  assert.deepEqual([men.c1, men.d1], ["white king", "white rook"]);
  await ann.page.keyboard.type("R1");
  await ann.page.keyboard.press("Enter");
  await ann.reads("notice", /is no try/);
});
