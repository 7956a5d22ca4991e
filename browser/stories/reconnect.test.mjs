// A lost connection in the middle of a game, and the game goes on.

import assert from "node:assert/strict";

import { story } from "../story.mjs";
import { eventually } from "../waiting.mjs";

/** What a browser logs if a server cannot be reached. */
const UNREACHABLE = [
  /ERR_CONNECTION_REFUSED/,
  /ERR_CONNECTION_RESET/,
  /ERR_INTERNET_DISCONNECTED/,
  /ERR_SOCKET_NOT_CONNECTED/,
  /WebSocket connection to/,
];

story("A game goes on after the server is killed and restarted", async ({ server, guest }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const game = await ann.createGameWith(bob, { control: "600+10" });
  await Promise.all([ann.openGame(game), bob.openGame(game)]);
  await ann.gamePage.tryByDrag("e2", "e4");
  await bob.gamePage.tryByDrag("d7", "d5");
  await ann.expectText("pawn-tries", /1 pawn try/);
  assert.equal((await ann.gamePage.tryByDrag("e4", "f5")).verdict, "refused");
  const before = { ann: await ann.gamePage.state(), bob: await bob.gamePage.state() };

  await server.kill();
  for (const one of [ann, bob]) {
    await one.waitForPart("connection-lost");
    const { mayTry } = await one.gamePage.state();
    assert.equal(mayTry, false, "no try is possible without a connection");
  }
  await ann.part("connection-lost").getByRole("button", { name: "Reconnect now" }).click();
  await ann.waitForPart("connection-lost");
  await server.run();
  for (const one of [ann, bob]) await one.part("connection-lost").waitFor({ state: "hidden" });
  // The clocks go on, but the rest of the page is the same.
  await eventually(async () => assert.deepEqual(await ann.gamePage.state(), before.ann));
  await eventually(async () => assert.deepEqual(await bob.gamePage.state(), before.bob));
  assert.match((await ann.part("clock-white").textContent()) ?? "", /^(10:0|9:5)\d$/);

  const capture = await ann.gamePage.tryByDrag("e4", "d5");
  assert.match(capture.text, /Pawn on d5 captured/);
  await bob.gamePage.waitForAnnouncement(/Pawn on d5 captured/);
  assert.equal((await bob.gamePage.tryByDrag("d8", "d5")).verdict, "moved");
}, { expectedErrors: UNREACHABLE });

story("A bot that was thinking during a crash moves afterwards", async ({ server, guest }) => {
  const ann = await guest("Ann");
  const opponent = { kind: "bot", name: "semi-random", ms: 1000 };
  const { game } = await ann.createGame({ opponent });
  await ann.openGame(game.id);
  await ann.gamePage.tryByDrag("e2", "e4");
  await server.kill();
  await ann.waitForPart("connection-lost");
  await server.run();
  await ann.gamePage.waitForAnnouncement(/^Black moved/);
  assert.equal((await ann.gamePage.tryByDrag("d2", "d3")).verdict, "moved");
}, { expectedErrors: UNREACHABLE });

story("A player hears after a lost connection what happened meanwhile", async ({ guest }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const game = await ann.createGameWith(bob);
  /** @type {import("playwright-core").WebSocketRoute[]} */
  const sockets = [];
  let blocked = false;
  await ann.page.routeWebSocket(/\/ws$/, (socket) => {
    if (blocked) {
      void socket.close();
      return;
    }
    sockets.push(socket);
    socket.connectToServer();
  });
  await Promise.all([ann.openGame(game), bob.openGame(game)]);
  await ann.gamePage.tryByDrag("e2", "e4");

  blocked = true;
  await Promise.all(sockets.map((socket) => socket.close()));
  await ann.waitForPart("connection-lost");
  await bob.expectText("player-top", /disconnected/);
  await bob.gamePage.tryByDrag("e7", "e5");
  blocked = false;
  await ann.gamePage.waitForAnnouncement(/Black moved/);
  await ann.part("connection-lost").waitFor({ state: "hidden" });
  await eventually(async () => {
    assert.doesNotMatch((await bob.part("player-top").textContent()) ?? "", /disconnected/);
  });
  assert.equal((await ann.gamePage.tryByDrag("g1", "f3")).verdict, "moved");
}, { expectedErrors: UNREACHABLE });

story("A page without a network says so, and reconnects by itself", async ({ server, guest }) => {
  const ann = await guest("Ann");
  const { game } = await ann.createGame();
  await ann.openGame(game.id);
  await ann.gamePage.tryByDrag("e2", "e4");
  const before = await ann.gamePage.waitForTurn();
  // An open socket survives this, so the server is restarted as well.
  await ann.context.setOffline(true);
  await server.kill();
  await server.run();
  await ann.waitForPart("connection-lost");
  await ann.context.setOffline(false);
  await ann.part("connection-lost").waitFor({ state: "hidden" });
  await eventually(async () => assert.deepEqual(await ann.gamePage.state(), before));
}, { expectedErrors: UNREACHABLE });
