// Two players with two browsers.

import assert from "node:assert/strict";

import { story } from "../story.mjs";
import { eventually } from "../waiting.mjs";

story("A friend joins by a link; a refusal is private; a draw; a rematch", async ({ visitor }) => {
  const ann = await visitor("Ann");
  const bob = await visitor("Bob");
  await ann.open("/new");
  await ann.part("new-opponent-invitation").check();
  await ann.part("new-color-white").check();
  await ann.click("new-start");
  await ann.part("account-name").fill(ann.name);
  await ann.click("account-submit");
  await ann.waitForPart("waiting-room");
  const link = await ann.part("invitation-link").inputValue();
  assert.match(link, /\/game\/\w+\?invitation=\w+/);

  await bob.open(link);
  await bob.expectText("join-offer", /Play against Ann.*You play Black/);
  await bob.click("join-game");
  await bob.part("account-name").fill(bob.name);
  await bob.click("account-submit");
  await bob.gamePage.ready();
  await ann.gamePage.ready();
  assert.equal((await bob.gamePage.state()).below, "black");
  assert.equal((await bob.gamePage.state()).mayTry, false);

  await play(ann, bob, ["e2", "e4"]);
  await play(bob, ann, ["e7", "e5"]);
  await ann.expectText("pawn-tries", /no pawn tries/);
  const before = (await bob.gamePage.state()).log;
  const refused = await ann.gamePage.tryByDrag("e4", "e5");
  assert.equal(refused.verdict, "refused");
  await play(ann, bob, ["g1", "f3"]);
  const heard = (await bob.gamePage.state()).log.slice(before.length);
  const verdicts = heard.map((line) => line.verdict);
  assert.deepEqual(verdicts, ["moved"], "Bob hears the move, but not the refused try");

  await play(bob, ann, ["b8", "c6"]);
  await ann.click("offer-draw");
  await bob.expectText("draw-offer", /White offers a draw/);
  await bob.click("decline-draw");
  await eventually(async () => assert.ok(await ann.part("offer-draw").isEnabled()));
  await bob.click("offer-draw");
  await ann.click("accept-draw");
  for (const one of [ann, bob]) await one.expectText("game-over", /A draw/);

  const first = new URL(ann.page.url()).pathname;
  await ann.click("rematch");
  await ann.waitForPart("rematch-offered");
  await bob.expectText("rematch", /Accept rematch/);
  await bob.click("rematch");
  for (const one of [ann, bob]) {
    await one.page.waitForURL((url) => /^\/game\//.test(url.pathname) && url.pathname !== first);
    await one.gamePage.ready();
  }
  assert.equal(new URL(ann.page.url()).pathname, new URL(bob.page.url()).pathname);
  assert.equal((await ann.gamePage.state()).below, "black", "colours are reversed");
  await play(bob, ann, ["d2", "d4"]);
  await play(ann, bob, ["d7", "d5"]);
});

story("Under Berkeley rules both players hear a refusal", async ({ guest }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const game = await ann.createGameWith(bob, { ruleset: "berkeley" });
  await Promise.all([ann.openGame(game), bob.openGame(game)]);
  const before = (await bob.gamePage.state()).log.length;
  const refused = await ann.gamePage.tryByDrag("e2", "d3");
  assert.equal(refused.crossedOut, "exd3");
  const line = await bob.gamePage.waitForAnnouncement(/./, before);
  assert.equal(line.verdict, "refused");
  assert.doesNotMatch(line.text, /d3|e2/);
  await play(ann, bob, ["e2", "e4"]);
});

story("An open game is listed until it is joined; another one is cancelled", async ({ guest }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const { game } = await ann.createGame({ opponent: { kind: "lobby" }, ruleset: "rand" });
  const { game: unwanted } = await ann.createGame({ opponent: { kind: "lobby" } });
  await ann.open("/");
  const row = ann.page.locator(`[data-test=my-games] [data-game="${unwanted.id}"]`);
  await row.getByTestId("cancel-game").click();
  await row.waitFor({ state: "detached" });

  await bob.open("/");
  const openGame = bob.page.locator(`[data-test=open-games] [data-game="${game.id}"]`);
  await openGame.getByTestId("join").click();
  await bob.expectUrl(new RegExp(`/game/${game.id}`));
  await bob.gamePage.ready();
  const { games } = await bob.get("/api/games?status=open");
  const ids = games.map((/** @type {{ id: string }} */ each) => each.id);
  assert.ok(!ids.includes(game.id) && !ids.includes(unwanted.id));
});

/**
 * Makes a legal move, and waits until the opponent hears it.
 * @param {import("../visitor.mjs").Visitor} mover
 * @param {import("../visitor.mjs").Visitor} opponent
 * @param {[string, string]} move
 */
async function play(mover, opponent, [from, to]) {
  const oldLines = (await opponent.gamePage.state()).log.length;
  const answer = await mover.gamePage.tryByDrag(from, to);
  assert.equal(answer.verdict, "moved");
  await opponent.gamePage.waitForAnnouncement(/moved/, oldLines);
}
