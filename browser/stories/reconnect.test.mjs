// Losing the connection in the middle of a game, and going on as if nothing had been.

import assert from "node:assert/strict";

import { story } from "../story.mjs";
import { eventually } from "../waiting.mjs";

/** What a browser says of a server that is not there. */
const UNREACHABLE = [/ERR_CONNECTION_REFUSED/, /ERR_CONNECTION_RESET/, /ERR_INTERNET_DISCONNECTED/, /ERR_SOCKET_NOT_CONNECTED/, /WebSocket connection to/];

story("The server is killed in the middle, and comes back: the game goes on", async ({ server, guest }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const game = await ann.beginWith(bob, { control: "600+10" });
  await Promise.all([ann.sitDown(game), bob.sitDown(game)]);
  await ann.table.byDrag("e2", "e4");
  await bob.table.byDrag("d7", "d5");
  await ann.reads("pawn-tries", /1 pawn try/);
  assert.equal((await ann.table.byDrag("e4", "f5")).verdict, "refused");
  const before = { ann: await ann.table.look(), bob: await bob.table.look() };

  await server.kill();
  for (const one of [ann, bob]) {
    await one.sees("connection-lost");
    assert.equal((await one.table.look()).mayTry, false, "nobody can ask an umpire who is not there");
  }
  await ann.the("connection-lost").getByRole("button", { name: "Try now" }).click();
  await ann.sees("connection-lost");
  await server.go();
  for (const one of [ann, bob]) await one.the("connection-lost").waitFor({ state: "hidden" });
  // The clocks tick on, but the page is the same.
  await eventually(async () => assert.deepEqual(await ann.table.look(), before.ann));
  await eventually(async () => assert.deepEqual(await bob.table.look(), before.bob));
  assert.match((await ann.the("clock-white").textContent()) ?? "", /^(10:0|9:5)\d$/);

  const taken = await ann.table.byDrag("e4", "d5");
  assert.match(taken.words, /Pawn on d5 captured/);
  await bob.table.hears(/Pawn on d5 captured/);
  assert.equal((await bob.table.byDrag("d8", "d5")).verdict, "moved");
}, { forgive: UNREACHABLE });

story("A bot that was thinking when the server was killed moves after all", async ({ server, guest }) => {
  const ann = await guest("Ann");
  const { game } = await ann.begin({ opponent: { kind: "bot", name: "semi-random", ms: 1000 } });
  await ann.sitDown(game.id);
  await ann.table.byDrag("e2", "e4");
  await server.kill();
  await ann.sees("connection-lost");
  await server.go();
  await ann.table.hears(/^Black moved/);
  assert.equal((await ann.table.byDrag("d2", "d3")).verdict, "moved");
}, { forgive: UNREACHABLE });

story("While a line is cut the other plays on; what was missed is heard afterwards", async ({ guest }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const game = await ann.beginWith(bob);
  /** @type {import("playwright-core").WebSocketRoute[]} */
  const lines = [];
  let cut = false;
  await ann.page.routeWebSocket(/\/ws$/, (line) => {
    if (cut) {
      void line.close();
      return;
    }
    lines.push(line);
    line.connectToServer();
  });
  await Promise.all([ann.sitDown(game), bob.sitDown(game)]);
  await ann.table.byDrag("e2", "e4");

  cut = true;
  await Promise.all(lines.map((line) => line.close()));
  await ann.sees("connection-lost");
  await bob.reads("player-top", /away/);
  await bob.table.byDrag("e7", "e5");
  cut = false;
  await ann.table.hears(/Black moved/);
  await ann.the("connection-lost").waitFor({ state: "hidden" });
  await eventually(async () => assert.doesNotMatch((await bob.the("player-top").textContent()) ?? "", /away/));
  assert.equal((await ann.table.byDrag("g1", "f3")).verdict, "moved");
}, { forgive: UNREACHABLE });

story("Without a network the page says so, and finds the table again by itself", async ({ server, guest }) => {
  const ann = await guest("Ann");
  const { game } = await ann.begin();
  await ann.sitDown(game.id);
  await ann.table.byDrag("e2", "e4");
  const before = await ann.table.turn();
  // A socket that is open outlives this, so the server hangs up as well.
  await ann.context.setOffline(true);
  await server.kill();
  await server.go();
  await ann.sees("connection-lost");
  await ann.context.setOffline(false);
  await ann.the("connection-lost").waitFor({ state: "hidden" });
  await eventually(async () => assert.deepEqual(await ann.table.look(), before));
}, { forgive: UNREACHABLE });
