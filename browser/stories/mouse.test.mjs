// Games against bots, played with the mouse alone.

import assert from "node:assert/strict";

import { story } from "../story.mjs";

/** A game of tries made without a plan may never end by itself. */
const ENOUGH_MOVES = 25;

story("From the first page through a whole game by mouse, to its review", async ({ visitor, t }) => {
  const ann = await visitor("Ann");
  await ann.open("/");
  await ann.click("other-game");
  await ann.isAt(/^\/new$/);
  await ann.the("new-bot-semi-random").check();
  await ann.the("new-ms").selectOption("100");
  await ann.the("new-color-white").check();
  await ann.click("new-start");
  await ann.the("who-name").fill(ann.name);
  await ann.click("who-submit");
  await ann.isAt(/^\/game\/\w+$/);
  await ann.table.ready();
  await ann.reads("who", /^Ann$/);

  const heard = await playWithoutPlan(ann);
  const refused = heard.filter((line) => line.verdict === "refused");
  t.diagnostic(`${heard.filter((line) => line.verdict === "moved").length} moves, ${refused.length} tries refused`);
  assert.ok(refused.length > 0, "somebody was in the way at least once");
  for (const line of refused) assert.match(line.struck, /\w/, "a refused try is struck out");

  await ann.sees("game-over");
  await ann.click("to-review");
  await ann.isAt(/^\/review\//);
  await ann.sees("review-line");
  await ann.reads("review-place", new RegExp(`^0 / ${(await ann.the("review-line").count()) - 1}$`));
  await ann.click("review-on");
  await ann.reads("review-place", /^1 \//);
  await ann.reads("review-result", /wins|draw/i);
});

story("A forced mate by mouse, with a refused try on the way", async ({ guest }) => {
  const ann = await guest("Ann");
  // Black has a pawn that cannot move, and a king who can go to one square only.
  const { game } = await ann.begin({ fen: "7k/R7/8/4p3/4P3/8/8/1R4K1 w - - 0 1" });
  await ann.sitDown(game.id);
  const { table } = ann;
  assert.equal(Object.keys((await table.look()).men).length, 4);

  const inTheWay = await table.byDrag("e4", "e5");
  assert.equal(inTheWay.verdict, "refused");
  assert.equal(inTheWay.struck, "e5");
  assert.equal((await table.look()).men.e4, "white pawn", "he is back where he was");

  await table.click("e4");
  assert.deepEqual((await table.look()).targets, [], "what was refused is not offered again");
  await ann.reads("pawn-tries", /no pawn tries/);

  await table.byDrag("g1", "g2");
  await table.turn();
  await table.click("b1");
  assert.ok((await table.look()).targets.includes("b8"));
  const mate = await table.answerTo(() => table.click("b8"));
  assert.match(mate.words, /checkmate/i);
  await ann.reads("game-over", /You won/);
  await ann.click("to-review");
  await ann.reads("review-result", /Checkmate: White wins/);
});

story("A man can be let go again, and the board can be turned round", async ({ guest }) => {
  const ann = await guest("Ann");
  const { game } = await ann.begin();
  await ann.sitDown(game.id);
  const { table } = ann;

  await table.click("e2");
  assert.deepEqual((await table.look()).targets.sort(), ["e3", "e4"]);
  await table.click("e2");
  assert.deepEqual((await table.look()).targets, []);

  await table.drag("g1", "g4");
  await ann.reads("notice", /No knight goes from g1 to g4/);
  await ann.click("flip");
  assert.equal((await table.look()).below, "black");
  const answer = await table.byDrag("g1", "f3");
  assert.equal(answer.verdict, "moved");

  await ann.click("resign");
  await ann.click("resign-no");
  await ann.click("resign");
  await ann.click("resign-yes");
  await ann.reads("game-over", /You lost/);
});

/**
 * Tries whatever the board offers, turning the men over in a fixed order, by dragging and by clicking in turns.
 * @param {import("../visitor.mjs").Visitor} player
 */
async function playWithoutPlan(player) {
  const { table } = player;
  for (let tries = 0; ; tries++) {
    const sight = await table.turn();
    if (sight.over) return sight.log;
    if (sight.log.filter((line) => line.verdict === "moved").length >= 2 * ENOUGH_MOVES) break;
    const men = Object.keys(sight.men);
    for (let next = tries * 5; ; next++) {
      assert.ok(next < tries * 5 + men.length, "some man has a try");
      const from = men[next % men.length];
      await table.click(from);
      const { targets } = await table.look();
      if (targets.length === 0) continue;
      const to = targets[tries % targets.length];
      await table.answerTo(async () => {
        if (tries % 2) await table.drag(from, to);
        else await table.click(to);
        if (/pawn/.test(sight.men[from]) && /[18]$/.test(to)) await player.click("promote-q");
      });
      break;
    }
  }
  await player.click("resign");
  await player.click("resign-yes");
  await player.sees("game-over");
  return (await table.look()).log;
}
