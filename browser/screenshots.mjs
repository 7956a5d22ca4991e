// Takes the screenshots of the documentation: `browser/run --screenshots`. The games are fixed, so
// that the screenshots are the same each time.

import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

import { openChromium } from "./chromium.mjs";
import { ROOT, Server } from "./server.mjs";
import { palettePng } from "./palette_png.mjs";
import { Visitor } from "./visitor.mjs";

const FOLDER = path.join(ROOT, "docs/pictures");

/** Maximum time of the analysis. */
const ANALYSIS_TIMEOUT_MS = 180_000;

// The tries of each game, with the refused ones: White's begin with "w", Black's with "b".

const PLAY_GAME = `
  w:e2e4 b:e7e5 w:g1f3 b:b8c6 w:d2d4 b:e5f4 b:e5d4 w:f3d4 b:c6d4 w:d1d4 b:g8f6 w:b1c3 b:d7d5
`;
const PLAY_REFUSED = ["e4f5", "d4d6"];
const PLAY_GUESSES = { d5: "p", e8: "k", d8: "q", f6: "n", c6: "?" };

/** A game in which Black has just captured on e4. */
const COACH_GAME = `
  w:d2d4 b:d7d5 w:c2c4 b:e7e6 w:b1c3 b:d5c4 w:e2e4 b:g8f6 w:f1c4 b:f6e4
`;

/** The game of the home page with a continuation, in which both players miss better tries. */
const REVIEW_GAME = `
  w:e2e4 b:d7d5 w:e4f5 w:e4d5 b:d8d5 w:b1c3 b:d5e5 w:g1f3 w:f1e2 b:c8g4 w:d2d4 b:g4e2 w:d4c5
  w:d4e5 b:e2d1 w:e1d1 b:b8c6 w:g1f3 b:e8c8 w:c1d2 b:e7e6 w:d1e2 b:c6e5 w:f3e5 b:f8c5 w:e5f7
  b:g8e7 w:f7d8 b:h8d8
`;

const [browser, server] = await Promise.all([openChromium(), Server.start()]);
try {
  await mkdir(FOLDER, { recursive: true });
  const ann = await Visitor.create(browser, server, "Ann", { colorScheme: "light" });
  const bob = await Visitor.create(browser, server, "Bob", { colorScheme: "light" });
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
  const game = await ann.createGameWith(bob, { control: "600+10" });
  await bob.openGame(game);
  await play(ann, bob, game, PLAY_GAME);
  await ann.sendAction(game, "guesses", { guesses: PLAY_GUESSES });
  await ann.openGame(game);
  for (const text of PLAY_REFUSED) {
    await ann.gamePage.tryByDrag(text.slice(0, 2), text.slice(2, 4));
  }
  await ann.gamePage.click("c3");
  await take(ann, "play");
  await ann.sendAction(game, "resign");
}

/** @param {Visitor} ann @param {Visitor} bob */
async function takeCoach(ann, bob) {
  const game = await ann.createGameWith(bob, { control: "600+10", coach: true });
  await bob.openGame(game);
  await play(ann, bob, game, COACH_GAME);
  await ann.page.setViewportSize({ width: 1280, height: 900 });
  await ann.openGame(game);
  await ann.click("coach");
  await ann.part("coach-try").first().hover();
  await take(ann, "coach");
  await ann.sendAction(game, "resign");
}

/** @param {Visitor} ann @param {Visitor} bob */
async function takeReview(ann, bob) {
  const game = await ann.createGameWith(bob);
  await play(ann, bob, game, REVIEW_GAME);
  await bob.sendAction(game, "resign");
  await ann.page.setViewportSize({ width: 1280, height: 960 });
  await ann.open(`/review/${game}`);
  await ann.click("analyse");
  const done = ann.page.locator("[data-test=analysis][data-status=done]");
  await done.waitFor({ state: "attached", timeout: ANALYSIS_TIMEOUT_MS });
  await ann.part("moment").last().click();
  await take(ann, "review");
}

/** @param {Visitor} white @param {Visitor} black @param {string} game @param {string} tries */
async function play(white, black, game, tries) {
  for (const [side, text] of tries.trim().split(/\s+/).map((entry) => entry.split(":"))) {
    await (side === "w" ? white : black).sendTry(game, text);
  }
}

/** @param {Visitor} visitor @param {string} name */
async function take(visitor, name) {
  const file = path.join(FOLDER, `${name}.png`);
  const picture = await palettePng(visitor.page, await visitor.page.screenshot());
  await writeFile(file, picture);
  console.log(`${path.relative(ROOT, file)}: ${Math.ceil(picture.length / 1024)} KB`);
}
