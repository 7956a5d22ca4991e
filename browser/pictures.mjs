// Takes the pictures of the docs: `browser/run --pictures`. The games are played move by move, so that they are the same each time.

import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

import { openChromium } from "./chromium.mjs";
import { ROOT, Server } from "./server.mjs";
import { smallPng } from "./small_png.mjs";
import { Visitor } from "./visitor.mjs";

const FOLDER = path.join(ROOT, "docs/pictures");

/** White's tries and Black's, with those that are refused. */
const MIDDLE_GAME = [
  ["white", "e2e4"], ["black", "e7e5"], ["white", "g1f3"], ["black", "b8c6"], ["white", "d2d4"], ["black", "e5f4"], ["black", "e5d4"],
  ["white", "f3d4"], ["black", "c6d4"], ["white", "d1d4"], ["black", "g8f6"], ["white", "b1c3"], ["black", "d7d5"],
];
const REFUSED_NOW = ["e4f5", "d4d6"];
const GUESSES = { d5: "p", e8: "k", d8: "q", f6: "n", c6: "?" };

/** Somebody has just taken on e4. */
const TAKEN_GAME = [
  ["white", "d2d4"], ["black", "d7d5"], ["white", "c2c4"], ["black", "e7e6"], ["white", "b1c3"], ["black", "d5c4"],
  ["white", "e2e4"], ["black", "g8f6"], ["white", "f1c4"], ["black", "f6e4"],
];

/** The game of the first page, and how it might have gone on: both miss something that was there to be known. */
const LOST_GAME = [
  ["white", "e2e4"], ["black", "d7d5"], ["white", "e4f5"], ["white", "e4d5"], ["black", "d8d5"], ["white", "b1c3"], ["black", "d5e5"],
  ["white", "g1f3"], ["white", "f1e2"], ["black", "c8g4"], ["white", "d2d4"], ["black", "g4e2"], ["white", "d4c5"], ["white", "d4e5"],
  ["black", "e2d1"], ["white", "e1d1"], ["black", "b8c6"], ["white", "g1f3"], ["black", "e8c8"], ["white", "c1d2"], ["black", "e7e6"],
  ["white", "d1e2"], ["black", "c6e5"], ["white", "f3e5"], ["black", "f8c5"], ["white", "e5f7"], ["black", "g8e7"], ["white", "f7d8"],
  ["black", "h8d8"],
];

const [browser, server] = await Promise.all([openChromium(), Server.start()]);
try {
  await mkdir(FOLDER, { recursive: true });
  const ann = await Visitor.come(browser, server, "Ann", { colorScheme: "light" });
  const bob = await Visitor.come(browser, server, "Bob", { colorScheme: "light" });
  await ann.signIn();
  await bob.signIn();
  await takePlay(ann, bob);
  await takeCoach(ann, bob);
  await takeReview(ann, bob);
} finally {
  await Promise.all([browser.close(), server.stop()]);
}

/** @param {Visitor} ann @param {Visitor} bob */
async function takePlay(ann, bob) {
  const game = await ann.beginWith(bob, { control: "600+10" });
  await bob.sitDown(game);
  await play(ann, bob, game, MIDDLE_GAME);
  await ann.act(game, "guesses", { guesses: GUESSES });
  await ann.sitDown(game);
  for (const each of REFUSED_NOW) await ann.table.byDrag(each.slice(0, 2), each.slice(2, 4));
  await ann.table.click("c3");
  await take(ann, "play");
  await ann.act(game, "resign");
}

/** @param {Visitor} ann @param {Visitor} bob */
async function takeCoach(ann, bob) {
  const game = await ann.beginWith(bob, { control: "600+10", coach: true });
  await bob.sitDown(game);
  await play(ann, bob, game, TAKEN_GAME);
  await ann.page.setViewportSize({ width: 1280, height: 900 });
  await ann.sitDown(game);
  await ann.click("coach");
  await ann.the("coach-try").first().hover();
  await take(ann, "coach");
  await ann.act(game, "resign");
}

/** @param {Visitor} ann @param {Visitor} bob */
async function takeReview(ann, bob) {
  const game = await ann.beginWith(bob);
  await play(ann, bob, game, LOST_GAME);
  await bob.act(game, "resign");
  await ann.page.setViewportSize({ width: 1280, height: 960 });
  await ann.open(`/review/${game}`);
  await ann.click("analyse");
  await ann.page.locator("[data-test=analysis][data-status=done]").waitFor({ state: "attached", timeout: 180_000 });
  await ann.the("moment").last().click();
  await take(ann, "review");
}

/** @param {Visitor} ann @param {Visitor} bob @param {string} game @param {string[][]} tries */
async function play(ann, bob, game, tries) {
  for (const [side, each] of tries) await (side === "white" ? ann : bob).tries(game, each);
}

/** @param {Visitor} visitor @param {string} name */
async function take(visitor, name) {
  const file = path.join(FOLDER, `${name}.png`);
  const picture = await smallPng(visitor.page, await visitor.page.screenshot());
  await writeFile(file, picture);
  console.log(`${path.relative(ROOT, file)}: ${Math.ceil(picture.length / 1024)} KB`);
}
