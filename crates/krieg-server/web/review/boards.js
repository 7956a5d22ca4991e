// The boards of a review: one for each player and one for the umpire, with heat maps where the game was analysed.

import { el } from "../dom.js";
import { nameOf } from "../games/words.js";
import { KINDS, otherSide, readMen, sideName } from "../squares.js";
import { WatchedBoards } from "../watching/boards.js";
import { menAt, squaresOf } from "../watching/marks.js";
import { heatOf, latest } from "./judgements.js";

/** @typedef {import("../types.js").Analysis} Analysis */
/** @typedef {import("../types.js").Kind} Kind */
/** @typedef {import("../types.js").Review} Review */
/** @typedef {import("../types.js").Side} Side */
/** @typedef {import("./cursor.js").Cursor} Cursor */

/** @type {Side[]} */
const SIDES = ["white", "black"];

/** @param {Review} review @param {Cursor} cursor */
export function reviewBoards(review, cursor) {
  const { game, narrator } = review;
  const mine = narrator ?? game.you ?? "white";
  /** @param {Side} side */
  const seat = (side) => ({
    seat: side,
    title: [
      el("span", { class: `disc ${side}` }), el("strong", {}, nameOf(game[side])), ` ${game.you === side ? "– you" : ""}`,
    ],
    label: `What ${sideName(side)} saw`,
  });
  const umpire = { seat: /** @type {const} */ ("umpire"), title: el("strong", {}, "Umpire"), label: "What the umpire saw" };
  const boards = new WatchedBoards({
    start: review.start,
    steps: review.steps,
    orientation: mine,
    seats: narrator ? [seat(narrator)] : [seat(mine), umpire, seat(otherSide(mine))],
  });
  /** @type {Analysis | null} */
  let analysis = null;

  const heat = el("select", { "data-test": "review-heat", onchange: () => cursor.tell() },
    el("option", { value: "all" }, "all men"),
    Object.values(KINDS).reverse().map((name) => el("option", { value: name }, name === "king" || name === "queen" ? `the ${name}` : `${name}s`)),
    el("option", { value: "" }, "off"));
  const heatControls = el("label", { class: "inline heat-controls", title: "Where each player could think the enemy's men were", hidden: true }, "Heat map", heat);

  /** @param {Side} side @param {number} at */
  function drawSide(side, at) {
    const board = boards.boards.get(side);
    if (!board) return;
    const judgement = latest(analysis?.[side], at);
    // His own men may have come to squares where he had thought of others.
    const own = readMen(menAt(review.start, review.steps, at, side));
    board.setHeat(heat.value ? heatOf(judgement, /** @type {Kind | "all"} */ (heat.value), own) : null);
    const guesses = at === cursor.last ? review.guesses?.[side] ?? {} : {};
    board.setGhosts(guesses, otherSide(side));
    boards.caption(side,
      typeof judgement?.expected === "number"
        && `${judgement.at < at ? "Last turn: could expect" : "Could expect"} ${judgement.expected.toFixed(2)} (${judgement.boards.toLocaleString("en")} ${judgement.boards === 1 ? "board" : "boards"} in mind).`,
      Object.keys(guesses).length > 0 && " Dashed men are the guesses kept to the end.");
  }

  cursor.follow((at) => {
    /** @type {Partial<Record<Side, [string, string] | null>>} */
    const hints = {};
    for (const side of SIDES) {
      const moment = analysis?.moments?.some((each) => each.side === side && each.at === at);
      const judgement = latest(analysis?.[side], at);
      if (moment && judgement?.at === at) hints[side] = squaresOf(judgement.preferred?.try ?? null);
    }
    boards.show(at, hints);
    for (const side of SIDES) drawSide(side, at);
    const balance = analysis?.balance?.[at];
    boards.caption("umpire", typeof balance === "number" && `${balance.toFixed(2)} for White, ${(1 - balance).toFixed(2)} for Black.`);
  });

  return {
    element: boards.element,
    heatControls,
    /** @param {Analysis} found */
    setAnalysis(found) {
      analysis = found;
      heatControls.hidden = !found.white?.length && !found.black?.length;
    },
    flip: () => boards.flip(),
    destroy: () => boards.destroy(),
  };
}
