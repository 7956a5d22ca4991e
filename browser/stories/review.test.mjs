// The review of a finished game: stepping, the three boards, the analysis, sharing.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

import { story } from "../story.mjs";
import { eventually } from "../waiting.mjs";

/** @typedef {import("../visitor.mjs").Visitor} Visitor */

/** The shortest mate. */
const SHORT_GAME = ["f2f3", "e7e5", "g2g4", "d8h4"];

/** Timeout of an analysis of a few moves, long enough for a busy machine. */
const ANALYSIS_TIMEOUT_MS = 120_000;

story("Buttons, keys, slider and log step through a review", async ({ guest }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const game = await ann.createGameWith(bob);
  await playShortGame(ann, bob, game);
  await ann.open(`/review/${game}`);
  await ann.expectText("review-position", /^0 \/ 4$/);
  await ann.expectText("review-result", /Checkmate: Black wins/);

  await ann.click("review-next");
  await ann.expectText("review-position", /^1 \/ 4$/);
  await ann.expectText("review-step", /White tried f3“White moved\. No pawn tries\.”/);
  await ann.click("review-last");
  await ann.expectText("review-position", /^4 \/ 4$/);
  assert.ok(await ann.part("review-next").isDisabled());
  await ann.click("review-previous");
  await ann.expectText("review-position", /^3 \/ 4$/);
  await ann.click("review-first");
  await ann.expectText("review-position", /^0 \/ 4$/);

  await ann.part("review-result").click();
  const keys = [["ArrowRight", 1], ["ArrowRight", 2], ["ArrowLeft", 1], ["End", 4], ["Home", 0]];
  for (const [key, step] of keys) {
    await ann.page.keyboard.press(String(key));
    await ann.expectText("review-position", new RegExp(`^${step} / 4$`));
  }
  await ann.part("review-slider").fill("2");
  await ann.expectText("review-position", /^2 \/ 4$/);
  await ann.page.locator("[data-test=review-line][data-step='4']").click();
  await ann.expectText("review-position", /^4 \/ 4$/);

  const white = await piecesOn(ann, "white");
  const umpire = await piecesOn(ann, "umpire");
  const black = await piecesOn(ann, "black");
  assert.deepEqual([white.white, white.black], [16, 0], "White's board has only White's pieces");
  assert.deepEqual([umpire.white, umpire.black], [16, 16], "the umpire's board has all pieces");
  assert.deepEqual([black.white, black.black], [0, 16], "Black's board has only Black's pieces");
  assert.equal(black.squares.h4, "black queen");
});

story("An analysis shows a graph, heat maps and key moments", async ({ guest, t }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const game = await ann.createGameWith(bob);
  await playShortGame(ann, bob, game);
  await ann.open(`/review/${game}`);
  const start = performance.now();
  await ann.click("analyse");
  const done = ann.page.locator("[data-test=analysis][data-status=done]");
  await done.waitFor({ state: "attached", timeout: ANALYSIS_TIMEOUT_MS });
  t.diagnostic(`analysed in ${((performance.now() - start) / 1000).toFixed(1)} s`);

  const curves = ann.page.locator("[data-test=graph] path.curve");
  assert.equal(await curves.count(), 3, "the umpire, White and Black");
  await ann.waitForPart("moments");
  await ann.click("review-last");
  for (const side of ["white", "black"]) {
    const tints = ann.page.locator(`[data-test=board-${side}] .tint`);
    await eventually(async () => assert.ok(await tints.count() > 0, `${side} has no heat map`));
  }
  const umpireTints = ann.page.locator("[data-test=board-umpire] .tint");
  assert.equal(await umpireTints.count(), 0, "the umpire's board has no heat map");
  await ann.part("review-heat").selectOption("king");
  const percentage = ann.page.locator("[data-test=board-white] .percentage").first();
  await eventually(async () => assert.match(await percentage.textContent() ?? "", /\d%/));
  await ann.part("review-heat").selectOption("");
  await eventually(async () => assert.equal(await ann.page.locator(".tint").count(), 0));

  const box = await ann.part("graph").boundingBox();
  assert.ok(box);
  await ann.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await ann.expectText("review-position", /^2 \/ 4$/);
});

story("A shared link opens at its step, for any visitor", async ({ guest, visitor }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const game = await ann.createGameWith(bob);
  await playShortGame(ann, bob, game);
  await ann.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await ann.open(`/review/${game}`);
  await ann.part("review-slider").fill("3");
  await ann.click("share");
  await ann.expectText("share", /Copied/);
  const link = await ann.page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /\/review\/\w+#3$/);

  const eve = await visitor("Eve");
  await eve.open(link);
  await eve.expectText("review-position", /^3 \/ 4$/);
  await eve.expectText("review-step", /White tried g4/);
});

story("A downloaded record can be uploaded, and is the same game", async ({ guest }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const game = await ann.createGameWith(bob);
  await ann.sendTry(game, "e2e4");
  await bob.sendTry(game, "d7d5");
  await ann.sendTry(game, "e4f5");
  await ann.sendTry(game, "e4d5");
  await bob.sendTry(game, "d8d5");
  await ann.sendAction(game, "resign");
  await ann.open(`/review/${game}`);
  await ann.waitForPart("review-line");
  const lines = await ann.part("review-line").allTextContents();
  assert.equal(lines.length, 7);
  const downloading = ann.page.waitForEvent("download");
  await ann.click("download-pgn");
  const download = await downloading;
  assert.equal(download.suggestedFilename(), `krieg-${game}.pgn`);
  const file = await download.path();
  assert.match(await readFile(file, "utf8"), /\[Ruleset "icc"\]/);

  await ann.click("nav-home");
  const buffer = await readFile(file);
  const upload = { name: "game.pgn", mimeType: "text/plain", buffer };
  await ann.part("upload-file").setInputFiles(upload);
  await ann.page.waitForURL(({ pathname }) =>
    pathname.startsWith("/review/") && !pathname.endsWith(game));
  await ann.waitForPart("review-line");
  assert.deepEqual(await ann.part("review-line").allTextContents(), lines);
});

story("The error for a text that is not a game names the wrong line", async ({ guest }) => {
  const ann = await guest("Ann");
  await ann.open("/");
  await ann.part("upload-text").fill("[Event \"?\"]\n\n1. e4 {P0:} 1... Pz9 {P0:} *\n");
  await ann.click("upload-send");
  await ann.expectText("upload-error", /line 3.*Pz9/);
}, { expectedErrors: [/400 \(Bad Request\)/] });

/** @param {Visitor} white @param {Visitor} black @param {string} game */
async function playShortGame(white, black, game) {
  for (const [ply, move] of SHORT_GAME.entries()) {
    await (ply % 2 ? black : white).sendTry(game, move);
  }
}

/**
 * The pieces on a board of the review, and how many of them are White's and Black's.
 * @param {Visitor} visitor
 * @param {string} viewer
 */
async function piecesOn(visitor, viewer) {
  const elements = visitor.page.locator(`[data-test=board-${viewer}] [data-square]`);
  const labels = await elements.evaluateAll((squares) =>
    squares.map((square) => (square.getAttribute("aria-label") ?? "").split(", ")));
  const squares = Object.fromEntries(labels.filter(([, piece]) => /^(white|black) /.test(piece)));
  const count = (/** @type {string} */ side) =>
    Object.values(squares).filter((piece) => piece.startsWith(side)).length;
  return { squares, white: count("white"), black: count("black") };
}
