// The coach: what could be known, shown to whoever asks.

import assert from "node:assert/strict";

import { story } from "../story.mjs";
import { eventually } from "../waiting.mjs";

story("The coach shows a heat map and ranked tries, and follows the game", async ({ guest }) => {
  const ann = await guest("Ann");
  const { game } = await ann.begin({ coach: true });
  await ann.sitDown(game.id);
  const tints = ann.page.locator("[data-test=board] .tint");
  assert.equal(await tints.count(), 0, "nothing is shown until it is asked for");
  await ann.click("coach");
  await ann.sees("coach-try");
  await ann.reads("coach-source", /In mind: 1 board, all that are possible/);
  assert.equal(await tints.count(), 16);
  await ann.click("heat-king");
  await eventually(async () => assert.equal(await tints.count(), 1));
  await ann.click("heat-all");

  const best = ann.the("coach-try").first();
  await best.hover();
  await eventually(async () => assert.equal(await ann.page.locator("[data-test=board] .arrow.hint").count(), 1));
  const text = (await best.getAttribute("data-try")) ?? "";
  const [from, to] = [text.slice(0, 2), text.slice(2, 4)];
  const old = await ann.the("coach-source").textContent();

  await ann.table.click(from);
  const { x, y } = await ann.table.middle(to);
  await ann.page.mouse.move(x, y);
  await ann.reads("coach-hover", /legal 100%/);
  await ann.table.answerTo(() => ann.table.click(to));
  await ann.table.turn();
  await ann.sees("coach-try");
  await eventually(async () => assert.notEqual(await ann.the("coach-source").textContent(), old, "there are more boards to think of now"));
  await ann.click("coach");
  await eventually(async () => assert.equal(await tints.count(), 0));
});

story("Where there is “any?” the coach says so first", async ({ guest }) => {
  const ann = await guest("Ann");
  const { game } = await ann.begin({ coach: true, ruleset: "english" });
  await ann.sitDown(game.id);
  await ann.click("coach");
  await ann.reads("coach-reasons", /Ask “any\?” first/);
  await ann.table.answerTo(() => ann.click("any"));
  await ann.sees("coach-try");
});
