// Guesses on one's own board, which the server keeps.

import assert from "node:assert/strict";

import { story } from "../story.mjs";
import { eventually } from "../waiting.mjs";

story("Guesses are placed, moved and erased, and outlive a reload", async ({ guest }) => {
  const ann = await guest("Ann");
  const { game } = await ann.begin();
  await ann.sitDown(game.id);
  const { table } = ann;
  const kept = async (/** @type {Record<string, string>} */ guesses) => {
    await eventually(async () => assert.deepEqual((await table.look()).guesses, guesses));
    await eventually(async () => assert.deepEqual((await ann.get(`/api/games/${game.id}/state`)).guesses, letters(guesses)));
    await ann.page.reload();
    await table.ready();
    assert.deepEqual((await table.look()).guesses, guesses);
  };

  await ann.click("ghosts");
  await table.click("e5");
  await ann.click("ghost-q");
  await table.click("d8");
  await ann.click("ghost-any");
  await table.click("h4");
  await kept({ e5: "pawn", d8: "queen", h4: "somebody" });

  await ann.click("ghosts");
  await table.drag("e5", "d5");
  await ann.click("ghost-move");
  await table.click("d8");
  await table.click("d6");
  await kept({ d5: "pawn", d6: "queen", h4: "somebody" });

  await ann.click("ghosts");
  await ann.click("ghost-erase");
  await table.click("h4");
  await ann.click("ghost-p");
  await table.click("e2");
  await ann.reads("notice", /Your own man stands there/);
  await kept({ d5: "pawn", d6: "queen" });

  await ann.click("ghosts");
  await ann.click("ghost-clear");
  await kept({});
});

story("A guess is wiped off by one's own man, and never reaches the other player", async ({ guest }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const game = await ann.beginWith(bob);
  await Promise.all([ann.sitDown(game), bob.sitDown(game)]);
  await ann.click("ghosts");
  await ann.table.click("e4");
  await ann.table.click("e5");
  await eventually(async () => assert.deepEqual((await ann.get(`/api/games/${game}/state`)).guesses, { e4: "p", e5: "p" }));
  await ann.click("ghosts");
  await ann.table.byDrag("e2", "e4");
  await eventually(async () => assert.deepEqual((await ann.table.look()).guesses, { e5: "pawn" }));
  await eventually(async () => assert.deepEqual((await ann.get(`/api/games/${game}/state`)).guesses, { e5: "p" }));
  await bob.table.hears(/White moved/);
  assert.deepEqual((await bob.table.look()).guesses, {});
  assert.deepEqual((await bob.get(`/api/games/${game}/state`)).guesses, {});
});

/** @param {Record<string, string>} guesses */
const letters = (guesses) =>
  Object.fromEntries(Object.entries(guesses).map(([square, man]) => [square, { pawn: "p", queen: "q", somebody: "?" }[man]]));
