// Hidden information: nothing that the server sends may reveal what a player must not know.

import assert from "node:assert/strict";

import { story } from "../story.mjs";
import { eventually } from "../waiting.mjs";

/** The first field of a FEN with a black piece. */
const BLACK_PIECES =
  /(?=[^"\s]*[pnbrqk])(?:[pnbrqkPNBRQK1-8]{1,8}\/){7}[pnbrqkPNBRQK1-8]{1,8}/;
/** Bob's moves, as squares and by name. */
const BOBS_MOVES = ["g8f6", "f6e4", "b8a6", "Nf6", "Ne4", "Na6"];

story("Nothing that the server sends to White reveals Black's pieces", async ({ guest }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const received = recordResponses(ann);
  const game = await ann.createGameWith(bob, { coach: true });
  await Promise.all([ann.openGame(game), bob.openGame(game)]);
  await ann.gamePage.tryByDrag("c2", "c3");
  await bob.gamePage.tryByDrag("g8", "f6");
  await ann.gamePage.tryByDrag("c3", "c4");
  await bob.gamePage.tryByDrag("f6", "e4");
  await ann.gamePage.tryByDrag("c4", "c5");
  await bob.gamePage.tryByDrag("b8", "a6");
  await ann.gamePage.waitForTurn();
  await ann.click("coach");
  await ann.waitForPart("coach-try");
  await ann.click("coach");
  await ann.page.reload();
  await ann.gamePage.ready();
  for (const path of ["", "/state", "/pgn", "/coach"]) {
    const url = `/api/games/${game}${path}`;
    await ann.page.evaluate((target) => fetch(target).then((response) => response.text()), url);
  }
  await ann.open("/");
  await ann.waitForPart("my-games");
  await ann.openGame(game);

  received.push({ source: "the page", text: await ann.page.content() });
  await eventually(() => {
    assert.ok(received.every(({ text }) => text !== null), "a response is not complete");
  });
  for (const expected of ["frame", `/api/games/${game}/pgn`, `/api/games/${game}/coach`]) {
    const isRecorded = received.some(({ source, text }) => source === expected && text);
    assert.ok(isRecorded, `${expected} was not recorded`);
  }
  for (const { source, text } of received) {
    assert.doesNotMatch(text ?? "", BLACK_PIECES, source);
    const revealed = BOBS_MOVES.find((move) => text?.includes(move));
    assert.equal(revealed, undefined, `${source} reveals it: ${text}`);
  }
  assert.equal(await ann.page.locator("[data-test=board] [aria-label*=', black ']").count(), 0);

  // After the game the same patterns match: they would have found a leak before.
  await bob.sendAction(game, "resign");
  const review = JSON.stringify(await ann.get(`/api/games/${game}/review`));
  assert.match(review, BLACK_PIECES);
  assert.ok(BOBS_MOVES.every((move) => review.includes(move)));
});

story("Other visitors see neither board of a running game", async ({ guest, visitor }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const game = await ann.createGameWith(bob);
  await ann.sendTry(game, "e2e4");
  for (const eve of [await visitor("Eve"), await guest("Mallory")]) {
    const received = recordResponses(eve);
    await eve.open(`/game/${game}`);
    await eve.expectText("game-note", /Two other players are playing/);
    await expectNoBoard(eve);
    await eve.open(`/review/${game}`);
    await eve.expectText("page-error", /\w/);
    await expectNoBoard(eve);
    for (const path of ["/state", "/pgn", "/coach", "/review", "/analysis"]) {
      const response = await eve.context.request.get(`/api/games/${game}${path}`);
      const status = response.status();
      assert.ok([401, 403, 409].includes(status), `${path} answers ${status}`);
    }
    for (const { source, text } of received) {
      assert.doesNotMatch(text ?? "", /e2e4|\be4\b|PPPP/, source);
    }
  }
}, { expectedErrors: [/40[139] \(/] });

story("A player cannot review a game before it is over", async ({ guest }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const game = await ann.createGameWith(bob);
  await bob.open(`/review/${game}`);
  await bob.expectText("page-error", /over/);
  await expectNoBoard(bob);
}, { expectedErrors: [/40[39] \(/] });

story("When a game is over, every visitor can review it", async ({ guest, visitor }) => {
  const [ann, bob, eve] = [await guest("Ann"), await guest("Bob"), await visitor("Eve")];
  const game = await ann.createGameWith(bob);
  await ann.sendTry(game, "e2e4");
  await bob.sendAction(game, "resign");
  await eve.open(`/game/${game}`);
  await eve.expectUrl(new RegExp(`^/review/${game}$`));
  await eve.waitForPart("board-umpire");
});

/** @param {import("../visitor.mjs").Visitor} visitor */
async function expectNoBoard(visitor) {
  assert.equal(await visitor.page.locator("[data-square]").count(), 0, "there is no board");
}

/**
 * Records everything that the server sends about games from now on, but not the files of the pages.
 * @param {import("../visitor.mjs").Visitor} visitor
 */
function recordResponses(visitor) {
  /** @type {{ source: string, text: string | null }[]} */
  const received = [];
  visitor.page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => {
      received.push({ source: "frame", text: String(payload) });
    });
  });
  visitor.page.on("response", async (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith("/api/") || response.status() === 101) return;
    /** @type {{ source: string, text: string | null }} */
    const entry = { source: pathname, text: null };
    received.push(entry);
    entry.text = await response.text().catch(() => "");
  });
  return received;
}
