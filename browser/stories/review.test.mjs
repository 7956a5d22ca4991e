// Looking at a game that is over: stepping, the three boards, the analysis, passing it on.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

import { story } from "../story.mjs";
import { eventually } from "../waiting.mjs";

/** The shortest mate. */
const SHORT_GAME = ["f2f3", "e7e5", "g2g4", "d8h4"];

/** Much longer than an analysis of a few moves takes, even beside a compiler. */
const ANALYSIS_MS = 120_000;

story("A review is stepped through by buttons, keys, slider and log, and shows three boards", async ({ guest }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const game = await ann.beginWith(bob);
  await playShortGame(ann, bob, game);
  await ann.open(`/review/${game}`);
  await ann.reads("review-place", /^0 \/ 4$/);
  await ann.reads("review-result", /Checkmate: Black wins/);

  await ann.click("review-on");
  await ann.reads("review-place", /^1 \/ 4$/);
  await ann.reads("review-said", /White tried f3“White moved\. No pawn tries\.”/);
  await ann.click("review-last");
  await ann.reads("review-place", /^4 \/ 4$/);
  assert.ok(await ann.the("review-on").isDisabled());
  await ann.click("review-back");
  await ann.reads("review-place", /^3 \/ 4$/);
  await ann.click("review-first");
  await ann.reads("review-place", /^0 \/ 4$/);

  await ann.the("review-result").click();
  for (const [key, place] of [["ArrowRight", 1], ["ArrowRight", 2], ["ArrowLeft", 1], ["End", 4], ["Home", 0]]) {
    await ann.page.keyboard.press(String(key));
    await ann.reads("review-place", new RegExp(`^${place} / 4$`));
  }
  await ann.the("review-slider").fill("2");
  await ann.reads("review-place", /^2 \/ 4$/);
  await ann.page.locator("[data-test=review-line][data-step='4']").click();
  await ann.reads("review-place", /^4 \/ 4$/);

  const [white, umpire, black] = [await menOn(ann, "white"), await menOn(ann, "umpire"), await menOn(ann, "black")];
  assert.deepEqual([white.white, white.black], [16, 0], "White's board has White's men only");
  assert.deepEqual([umpire.white, umpire.black], [16, 16], "the umpire sees everything");
  assert.deepEqual([black.white, black.black], [0, 16], "Black's board has Black's men only");
  assert.equal(black.squares.h4, "black queen");
});

story("An analysis comes to its end, and shows balance, heat and moments", async ({ guest, t }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const game = await ann.beginWith(bob);
  await playShortGame(ann, bob, game);
  await ann.open(`/review/${game}`);
  const begun = performance.now();
  await ann.click("analyse");
  await ann.page.locator("[data-test=analysis][data-status=done]").waitFor({ state: "attached", timeout: ANALYSIS_MS });
  t.diagnostic(`analysed in ${((performance.now() - begun) / 1000).toFixed(1)} s`);

  assert.equal(await ann.page.locator("[data-test=graph] path.curve").count(), 3, "the umpire, White and Black");
  await ann.sees("moments");
  await ann.click("review-last");
  for (const side of ["white", "black"]) {
    await eventually(async () => assert.ok(await ann.page.locator(`[data-test=board-${side}] .tint`).count() > 0, `${side} has a heat map`));
  }
  assert.equal(await ann.page.locator("[data-test=board-umpire] .tint").count(), 0, "the umpire need not guess");
  await ann.the("review-heat").selectOption("king");
  await eventually(async () => assert.match(await ann.page.locator("[data-test=board-white] .chance").first().textContent() ?? "", /\d%/));
  await ann.the("review-heat").selectOption("");
  await eventually(async () => assert.equal(await ann.page.locator(".tint").count(), 0));

  const box = await ann.the("graph").boundingBox();
  assert.ok(box);
  await ann.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await ann.reads("review-place", /^2 \/ 4$/);
});

story("A link opens at its step, for anybody", async ({ guest, visitor }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const game = await ann.beginWith(bob);
  await playShortGame(ann, bob, game);
  await ann.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await ann.open(`/review/${game}`);
  await ann.the("review-slider").fill("3");
  await ann.click("share");
  await ann.reads("share", /Copied/);
  const link = await ann.page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /\/review\/\w+#3$/);

  const eve = await visitor("Eve");
  await eve.open(link);
  await eve.reads("review-place", /^3 \/ 4$/);
  await eve.reads("review-said", /White tried g4/);
});

story("A record that was downloaded can be uploaded, and is the same game", async ({ guest }) => {
  const [ann, bob] = [await guest("Ann"), await guest("Bob")];
  const game = await ann.beginWith(bob);
  await ann.tries(game, "e2e4");
  await bob.tries(game, "d7d5");
  await ann.tries(game, "e4f5");
  await ann.tries(game, "e4d5");
  await bob.tries(game, "d8d5");
  await ann.act(game, "resign");
  await ann.open(`/review/${game}`);
  await ann.sees("review-line");
  const lines = await ann.the("review-line").allTextContents();
  assert.equal(lines.length, 7);
  const [download] = await Promise.all([ann.page.waitForEvent("download"), ann.click("download-pgn")]);
  assert.equal(download.suggestedFilename(), `krieg-${game}.pgn`);
  const file = await download.path();
  assert.match(await readFile(file, "utf8"), /\[Variant "Kriegspiel"\]/);

  await ann.click("nav-home");
  await ann.the("upload-file").setInputFiles({ name: "game.pgn", mimeType: "text/plain", buffer: await readFile(file) });
  await ann.page.waitForURL((url) => url.pathname.startsWith("/review/") && !url.pathname.endsWith(game));
  await ann.sees("review-line");
  assert.deepEqual(await ann.the("review-line").allTextContents(), lines);
});

story("A text that is no game is answered with the line that is wrong", async ({ guest }) => {
  const ann = await guest("Ann");
  await ann.open("/");
  await ann.the("upload-text").fill("[Event \"?\"]\n\n1. e4 {P0:} 1... Pz9 {P0:} *\n");
  await ann.click("upload-send");
  await ann.reads("upload-error", /line 3.*Pz9/);
}, { forgive: [/400 \(Bad Request\)/] });

/** @param {import("../visitor.mjs").Visitor} white @param {import("../visitor.mjs").Visitor} black @param {string} game */
async function playShortGame(white, black, game) {
  for (const [ply, move] of SHORT_GAME.entries()) await (ply % 2 ? black : white).tries(game, move);
}

/** How many men of each side a board of the review shows. @param {import("../visitor.mjs").Visitor} visitor @param {string} seat */
async function menOn(visitor, seat) {
  const labels = await visitor.page.locator(`[data-test=board-${seat}] [data-square]`).evaluateAll((squares) => squares.map((each) => each.getAttribute("aria-label") ?? ""));
  const squares = Object.fromEntries(labels.map((label) => label.split(", ")).filter(([, man]) => /^(white|black) /.test(man)));
  const count = (/** @type {string} */ side) => Object.values(squares).filter((man) => man.startsWith(side)).length;
  return { squares, white: count("white"), black: count("black") };
}
