// The coach: heat maps and ranked tries.

import assert from "node:assert/strict";

import { story } from "../story.mjs";
import { eventually } from "../waiting.mjs";

story("The coach shows a heat map and ranked tries, and follows the game", async ({ guest }) => {
  const ann = await guest("Ann");
  const { game } = await ann.createGame({ coach: true });
  await ann.openGame(game.id);
  const tints = ann.page.locator("[data-test=board] .tint");
  assert.equal(await tints.count(), 0, "the coach is closed at first");
  await ann.click("coach");
  await ann.waitForPart("coach-try");
  await ann.expectText("coach-basis", /Only one board is possible/);
  assert.equal(await tints.count(), 16);
  await ann.click("heat-king");
  await eventually(async () => assert.equal(await tints.count(), 1));
  await ann.click("heat-all");

  const best = ann.part("coach-try").first();
  await best.hover();
  const arrows = ann.page.locator("[data-test=board] .arrow.hint");
  await eventually(async () => assert.equal(await arrows.count(), 1));
  const text = (await best.getAttribute("data-try")) ?? "";
  const [from, to] = [text.slice(0, 2), text.slice(2, 4)];
  const oldBasis = await ann.part("coach-basis").textContent();

  await ann.gamePage.click(from);
  const { x, y } = await ann.gamePage.centerOf(to);
  await ann.page.mouse.move(x, y);
  await ann.expectText("coach-hover", /legal 100%/);
  await ann.gamePage.answerTo(() => ann.gamePage.click(to));
  await ann.gamePage.waitForTurn();
  await ann.waitForPart("coach-try");
  await eventually(async () => {
    const basis = await ann.part("coach-basis").textContent();
    assert.notEqual(basis, oldBasis, "more boards are possible now");
  });
  await ann.click("coach");
  await eventually(async () => assert.equal(await tints.count(), 0));
});

story("If “any?” may be asked, the coach recommends it first", async ({ guest }) => {
  const ann = await guest("Ann");
  const { game } = await ann.createGame({ coach: true, ruleset: "english" });
  await ann.openGame(game.id);
  await ann.click("coach");
  await ann.expectText("coach-reasons", /Ask “any\?” first/);
  await ann.gamePage.answerTo(() => ann.click("any"));
  await ann.waitForPart("coach-try");
});
