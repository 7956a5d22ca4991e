// The screen between the players: nothing that comes to a browser may tell what its player is not to know.

import assert from "node:assert/strict";

import { story } from "../story.mjs";
import { eventually } from "../waiting.mjs";

/** Eight ranks with a man of Black's on them. */
const BLACK_MEN = /(?=[^"\s]*[pnbrqk])(?:[pnbrqkPNBRQK1-8]{1,8}\/){7}[pnbrqkPNBRQK1-8]{1,8}/;
/** What Bob plays, as squares and by name. */
const BOBS_MOVES = ["g8f6", "f6e4", "b8a6", "Nf6", "Ne4", "Na6"];

story("Nothing that comes to White's browser tells where Black's men are", async ({ guest }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const came = listen(ann);
  const game = await ann.beginWith(bob, { coach: true });
  await Promise.all([ann.sitDown(game), bob.sitDown(game)]);
  await ann.table.byDrag("c2", "c3");
  await bob.table.byDrag("g8", "f6");
  await ann.table.byDrag("c3", "c4");
  await bob.table.byDrag("f6", "e4");
  await ann.table.byDrag("c4", "c5");
  await bob.table.byDrag("b8", "a6");
  await ann.table.turn();
  await ann.click("coach");
  await ann.sees("coach-try");
  await ann.click("coach");
  await ann.page.reload();
  await ann.table.ready();
  for (const path of ["", "/state", "/pgn", "/coach"]) {
    await ann.page.evaluate((address) => fetch(address).then((response) => response.text()), `/api/games/${game}${path}`);
  }
  await ann.open("/");
  await ann.sees("your-games");
  await ann.sitDown(game);

  came.push({ what: "the page", text: await ann.page.content() });
  await eventually(() => assert.ok(came.every((one) => one.text !== null), "everything has come"));
  for (const what of ["frame", `/api/games/${game}/pgn`, `/api/games/${game}/coach`]) {
    assert.ok(came.some((one) => one.what === what && one.text), `${what} is listened to`);
  }
  for (const { what, text } of came) {
    assert.doesNotMatch(text ?? "", BLACK_MEN, what);
    const told = BOBS_MOVES.find((move) => text?.includes(move));
    assert.equal(told, undefined, `${what} tells it: ${text}`);
  }
  assert.equal(await ann.page.locator("[data-test=board] [aria-label*=', black ']").count(), 0);

  // The net has no holes: afterwards there is something to catch.
  await bob.act(game, "resign");
  const review = JSON.stringify(await ann.get(`/api/games/${game}/review`));
  assert.match(review, BLACK_MEN);
  assert.ok(BOBS_MOVES.every((move) => review.includes(move)));
});

story("Strangers see neither board of a game that is going on", async ({ guest, visitor }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const game = await ann.beginWith(bob);
  await ann.tries(game, "e2e4");
  for (const eve of [await visitor("Eve"), await guest("Mallory")]) {
    const came = listen(eve);
    await eve.open(`/game/${game}`);
    await eve.reads("game-note", /between others/);
    await seesNothing(eve);
    await eve.open(`/review/${game}`);
    await eve.reads("page-error", /\w/);
    await seesNothing(eve);
    for (const path of ["/state", "/pgn", "/coach", "/review", "/analysis"]) {
      const response = await eve.context.request.get(`/api/games/${game}${path}`);
      assert.ok([401, 403, 409].includes(response.status()), `${path} answers ${response.status()}`);
    }
    for (const { what, text } of came) assert.doesNotMatch(text ?? "", /e2e4|\be4\b|PPPP/, what);
  }
}, { forgive: [/40[139] \(/] });

story("A player cannot review his own game before it is over", async ({ guest }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const game = await ann.beginWith(bob);
  await bob.open(`/review/${game}`);
  await bob.reads("page-error", /over/);
  await seesNothing(bob);
}, { forgive: [/40[39] \(/] });

story("When the game is over everybody sees everything", async ({ guest, visitor }) => {
  const [ann, bob, eve] = [await guest("Ann"), await guest("Bob"), await visitor("Eve")];
  const game = await ann.beginWith(bob);
  await ann.tries(game, "e2e4");
  await bob.act(game, "resign");
  await eve.open(`/game/${game}`);
  await eve.isAt(new RegExp(`^/review/${game}$`));
  await eve.sees("board-umpire");
});

/** @param {import("../visitor.mjs").Visitor} visitor */
async function seesNothing(visitor) {
  assert.equal(await visitor.page.locator("[data-square]").count(), 0, "there is no board");
}

/**
 * Everything of a game that the server says to a browser from now on: what programs and pages are made of is left out.
 * @param {import("../visitor.mjs").Visitor} visitor
 */
function listen(visitor) {
  /** @type {{ what: string, text: string | null }[]} */
  const came = [];
  visitor.page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => came.push({ what: "frame", text: String(payload) }));
  });
  visitor.page.on("response", async (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith("/api/") || response.status() === 101) return;
    /** @type {{ what: string, text: string | null }} */
    const one = { what: pathname, text: null };
    came.push(one);
    one.text = await response.text().catch(() => "");
  });
  return came;
}
