// Two people with two browsers, brought together by a link.

import assert from "node:assert/strict";

import { story } from "../story.mjs";
import { eventually } from "../waiting.mjs";

story("A friend comes by the link; a refusal is private; a draw; a rematch", async ({ visitor }) => {
  const ann = await visitor("Ann");
  const bob = await visitor("Bob");
  await ann.open("/new");
  await ann.the("new-opponent-invitation").check();
  await ann.the("new-color-white").check();
  await ann.click("new-start");
  await ann.the("who-name").fill(ann.name);
  await ann.click("who-submit");
  await ann.sees("waiting");
  const link = await ann.the("invitation-link").inputValue();
  assert.match(link, /\/game\/\w+\?invitation=\w+/);

  await bob.open(link);
  await bob.reads("seat-offer", /Ann asks for a game.*You play Black/);
  await bob.click("take-seat");
  await bob.the("who-name").fill(bob.name);
  await bob.click("who-submit");
  await bob.table.ready();
  await ann.table.ready();
  assert.equal((await bob.table.look()).below, "black");
  assert.equal((await bob.table.look()).mayTry, false);

  await play(ann, bob, ["e2", "e4"]);
  await play(bob, ann, ["e7", "e5"]);
  await ann.reads("pawn-tries", /no pawn tries/);
  const before = (await bob.table.look()).log;
  const refused = await ann.table.byDrag("e4", "e5");
  assert.equal(refused.verdict, "refused");
  await play(ann, bob, ["g1", "f3"]);
  const heard = (await bob.table.look()).log.slice(before.length);
  assert.deepEqual(heard.map((line) => line.verdict), ["moved"], "Bob heard of the move, and of nothing before it");

  await play(bob, ann, ["b8", "c6"]);
  await ann.click("offer-draw");
  await bob.reads("draw-offer", /White offers a draw/);
  await bob.click("decline-draw");
  await eventually(async () => assert.ok(await ann.the("offer-draw").isEnabled()));
  await bob.click("offer-draw");
  await ann.click("accept-draw");
  for (const one of [ann, bob]) await one.reads("game-over", /A draw/);

  const first = new URL(ann.page.url()).pathname;
  await ann.click("rematch");
  await ann.sees("rematch-offered");
  await bob.reads("rematch", /Accept the rematch/);
  await bob.click("rematch");
  for (const one of [ann, bob]) {
    await one.page.waitForURL((url) => /^\/game\//.test(url.pathname) && url.pathname !== first);
    await one.table.ready();
  }
  assert.equal(new URL(ann.page.url()).pathname, new URL(bob.page.url()).pathname);
  assert.equal((await ann.table.look()).below, "black", "colours are reversed");
  await play(bob, ann, ["d2", "d4"]);
  await play(ann, bob, ["d7", "d5"]);
});

story("By the Berkeley rules both hear a refusal, and only one knows of what", async ({ guest }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const game = await ann.beginWith(bob, { ruleset: "berkeley" });
  await Promise.all([ann.sitDown(game), bob.sitDown(game)]);
  const before = (await bob.table.look()).log.length;
  const refused = await ann.table.byDrag("e2", "d3");
  assert.equal(refused.struck, "exd3");
  const line = await bob.table.hears(/./, before);
  assert.equal(line.verdict, "refused");
  assert.doesNotMatch(line.words, /d3|e2/);
  await play(ann, bob, ["e2", "e4"]);
});

story("An open game is listed, joined, and gone from the list; another is taken back", async ({ guest }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const { game } = await ann.begin({ opponent: { kind: "lobby" }, ruleset: "rand" });
  const { game: unwanted } = await ann.begin({ opponent: { kind: "lobby" } });
  await ann.open("/");
  const hers = ann.page.locator(`[data-test=your-games] [data-game="${unwanted.id}"]`);
  await hers.getByTestId("take-back").click();
  await hers.waitFor({ state: "detached" });

  await bob.open("/");
  await bob.page.locator(`[data-test=open-games] [data-game="${game.id}"]`).getByTestId("join").click();
  await bob.isAt(new RegExp(`/game/${game.id}`));
  await bob.table.ready();
  const listed = await bob.get("/api/games?status=open");
  assert.deepEqual(listed.games.filter((/** @type {{ id: string }} */ each) => [game.id, unwanted.id].includes(each.id)), []);
});

/**
 * A legal move, which the other hears of.
 * @param {import("../visitor.mjs").Visitor} who
 * @param {import("../visitor.mjs").Visitor} other
 * @param {[string, string]} move
 */
async function play(who, other, [from, to]) {
  const old = (await other.table.look()).log.length;
  const answer = await who.table.byDrag(from, to);
  assert.equal(answer.verdict, "moved");
  await other.table.hears(/moved/, old);
}
