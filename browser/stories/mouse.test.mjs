// Games against bots, played with the mouse.

import assert from "node:assert/strict";

import { story } from "../story.mjs";

/** Number of moves, each of both players, after which an aimless game is resigned. */
const MAX_MOVES = 25;

story("From the home page through a whole game to its review by mouse", async ({ visitor, t }) => {
  const ann = await visitor("Ann");
  await ann.open("/");
  await ann.click("new-game");
  await ann.expectUrl(/^\/new$/);
  await ann.part("new-bot-semi-random").check();
  await ann.part("new-ms").selectOption("100");
  await ann.part("new-color-white").check();
  await ann.click("new-start");
  await ann.part("account-name").fill(ann.name);
  await ann.click("account-submit");
  await ann.expectUrl(/^\/game\/\w+$/);
  await ann.gamePage.ready();
  await ann.expectText("account", /^Ann$/);

  const log = await playAimlessly(ann);
  const refused = log.filter((line) => line.verdict === "refused");
  const moved = log.filter((line) => line.verdict === "moved");
  t.diagnostic(`${moved.length} moves, ${refused.length} tries refused`);
  assert.ok(refused.length > 0, "at least one try is refused");
  for (const line of refused) assert.match(line.crossedOut, /\w/, "a refused try is crossed out");

  await ann.waitForPart("game-over");
  await ann.click("to-review");
  await ann.expectUrl(/^\/review\//);
  await ann.waitForPart("review-line");
  const steps = (await ann.part("review-line").count()) - 1;
  await ann.expectText("review-position", new RegExp(`^0 / ${steps}$`));
  await ann.click("review-next");
  await ann.expectText("review-position", /^1 \//);
  await ann.expectText("review-result", /wins|draw/i);
});

story("A forced mate by mouse, after a refused try", async ({ guest }) => {
  const ann = await guest("Ann");
  // Black has a pawn that cannot move, and a king that can move to one square only.
  const { game } = await ann.createGame({ fen: "7k/R7/8/4p3/4P3/8/8/1R4K1 w - - 0 1" });
  await ann.openGame(game.id);
  const { gamePage } = ann;
  assert.equal(Object.keys((await gamePage.state()).pieces).length, 4);

  const blocked = await gamePage.tryByDrag("e4", "e5");
  assert.equal(blocked.verdict, "refused");
  assert.equal(blocked.crossedOut, "e5");
  assert.equal((await gamePage.state()).pieces.e4, "white pawn", "the pawn is back on its square");

  await gamePage.click("e4");
  assert.deepEqual((await gamePage.state()).targets, [], "a refused try is not offered again");
  await ann.expectText("pawn-tries", /no pawn tries/);

  await gamePage.tryByDrag("g1", "g2");
  await gamePage.waitForTurn();
  await gamePage.click("b1");
  assert.ok((await gamePage.state()).targets.includes("b8"));
  const mate = await gamePage.answerTo(() => gamePage.click("b8"));
  assert.match(mate.text, /checkmate/i);
  await ann.expectText("game-over", /You won/);
  await ann.click("to-review");
  await ann.expectText("review-result", /Checkmate: White wins/);
});

story("A piece can be deselected, and the board can be flipped", async ({ guest }) => {
  const ann = await guest("Ann");
  const { game } = await ann.createGame();
  await ann.openGame(game.id);
  const { gamePage } = ann;

  await gamePage.click("e2");
  assert.deepEqual((await gamePage.state()).targets.sort(), ["e3", "e4"]);
  await gamePage.click("e2");
  assert.deepEqual((await gamePage.state()).targets, []);

  await gamePage.drag("g1", "g4");
  await ann.expectText("notice", /A knight cannot move from g1 to g4/);
  await ann.click("flip");
  assert.equal((await gamePage.state()).below, "black");
  const answer = await gamePage.tryByDrag("g1", "f3");
  assert.equal(answer.verdict, "moved");

  await ann.click("resign");
  await ann.click("resign-no");
  await ann.click("resign");
  await ann.click("resign-yes");
  await ann.expectText("game-over", /You lost/);
});

/**
 * Makes tries that the board offers, with the pieces in a fixed order, by dragging and clicking in
 * turn.
 * @param {import("../visitor.mjs").Visitor} player
 */
async function playAimlessly(player) {
  const { gamePage } = player;
  for (let tries = 0; ; tries++) {
    const state = await gamePage.waitForTurn();
    if (state.isOver) return state.log;
    if (state.log.filter((line) => line.verdict === "moved").length >= 2 * MAX_MOVES) break;
    const squares = Object.keys(state.pieces);
    for (let next = tries * 5; ; next++) {
      assert.ok(next < tries * 5 + squares.length, "no piece has a try");
      const from = squares[next % squares.length];
      await gamePage.click(from);
      const { targets } = await gamePage.state();
      if (targets.length === 0) continue;
      const to = targets[tries % targets.length];
      await gamePage.answerTo(async () => {
        if (tries % 2) await gamePage.drag(from, to);
        else await gamePage.click(to);
        if (/pawn/.test(state.pieces[from]) && /[18]$/.test(to)) await player.click("promote-q");
      });
      break;
    }
  }
  await player.click("resign");
  await player.click("resign-yes");
  await player.waitForPart("game-over");
  return (await gamePage.state()).log;
}
