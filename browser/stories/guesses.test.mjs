// Guesses on the player's own board, which the server stores.

import assert from "node:assert/strict";

import { story } from "../story.mjs";
import { eventually } from "../waiting.mjs";

story("Guesses are placed, moved and erased, and survive a reload", async ({ guest }) => {
  const ann = await guest("Ann");
  const { game } = await ann.createGame();
  await ann.openGame(game.id);
  const { gamePage } = ann;
  const expectStored = async (/** @type {Record<string, string>} */ guesses) => {
    await eventually(async () => assert.deepEqual((await gamePage.state()).guesses, guesses));
    await eventually(async () =>
      assert.deepEqual(await storedGuesses(ann, game.id), lettersOf(guesses)));
    await ann.page.reload();
    await gamePage.ready();
    assert.deepEqual((await gamePage.state()).guesses, guesses);
  };

  await ann.click("guesses");
  await gamePage.click("e5");
  await ann.click("guess-q");
  await gamePage.click("d8");
  await ann.click("guess-any");
  await gamePage.click("h4");
  await expectStored({ e5: "pawn", d8: "queen", h4: "any piece" });

  await ann.click("guesses");
  await gamePage.drag("e5", "d5");
  await ann.click("guess-move");
  await gamePage.click("d8");
  await gamePage.click("d6");
  await expectStored({ d5: "pawn", d6: "queen", h4: "any piece" });

  await ann.click("guesses");
  await ann.click("guess-erase");
  await gamePage.click("h4");
  await ann.click("guess-p");
  await gamePage.click("e2");
  await ann.expectText("notice", /Your own piece is on that square/);
  await expectStored({ d5: "pawn", d6: "queen" });

  await ann.click("guesses");
  await ann.click("guess-clear");
  await expectStored({});
});

story("An own piece erases a guess, which never reaches the opponent", async ({ guest }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const game = await ann.createGameWith(bob);
  await Promise.all([ann.openGame(game), bob.openGame(game)]);
  await ann.click("guesses");
  await ann.gamePage.click("e4");
  await ann.gamePage.click("e5");
  await eventually(async () =>
    assert.deepEqual(await storedGuesses(ann, game), { e4: "p", e5: "p" }));
  await ann.click("guesses");
  await ann.gamePage.tryByDrag("e2", "e4");
  await eventually(async () =>
    assert.deepEqual((await ann.gamePage.state()).guesses, { e5: "pawn" }));
  await eventually(async () => assert.deepEqual(await storedGuesses(ann, game), { e5: "p" }));
  await bob.gamePage.waitForAnnouncement(/White moved/);
  assert.deepEqual((await bob.gamePage.state()).guesses, {});
  assert.deepEqual(await storedGuesses(bob, game), {});
});

/**
 * The guesses that the server has stored.
 * @param {import("../visitor.mjs").Visitor} visitor
 * @param {string} game its id
 */
async function storedGuesses(visitor, game) {
  return (await visitor.get(`/api/games/${game}/state`)).guesses;
}

/** @type {Record<string, string>} */
const LETTERS = { pawn: "p", queen: "q", "any piece": "?" };

/** @param {Record<string, string>} guesses */
const lettersOf = (guesses) =>
  Object.fromEntries(Object.entries(guesses).map(([square, name]) => [square, LETTERS[name]]));
