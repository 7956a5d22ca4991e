// The boards of a review: each player's and the umpire's, with heat maps if the game was analysed.

import { el } from "../dom.js";
import { userName } from "../games/text.js";
import { ReplayBoards } from "../replay/boards.js";
import { piecesAt, squaresOf } from "../replay/marks.js";
import { KINDS, oppositeSide, parsePieces, sideName } from "../squares.js";
import { heatOf, latestAnalysis } from "./turn_analysis.js";

/** @typedef {import("../types.js").Analysis} Analysis */
/** @typedef {import("../types.js").Kind} Kind */
/** @typedef {import("../types.js").Review} Review */
/** @typedef {import("../types.js").Side} Side */
/** @typedef {import("../types.js").TurnAnalysis} TurnAnalysis */
/** @typedef {import("./cursor.js").Cursor} Cursor */

/** @type {Side[]} */
const SIDES = ["white", "black"];

/** @param {Review} review @param {Cursor} cursor */
export function reviewBoards(review, cursor) {
  const { game, narrator } = review;
  const nearSide = narrator ?? game.you ?? "white";
  const boards = new ReplayBoards({
    start: review.start,
    steps: review.steps,
    orientation: nearSide,
    viewers: narrator
      ? [player(narrator)]
      : [player(nearSide), umpire(), player(oppositeSide(nearSide))],
  });
  /** @type {Analysis | null} */
  let analysis = null;

  /** @param {Side} side */
  function player(side) {
    return {
      viewer: side,
      title: [
        el("span", { class: `disc ${side}` }), el("strong", {}, userName(game[side])),
        game.you === side && " – you",
      ],
      label: `${sideName(side)}'s view`,
    };
  }

  function umpire() {
    const viewer = /** @type {const} */ ("umpire");
    return { viewer, title: el("strong", {}, "Umpire"), label: "The umpire's board" };
  }

  const heat = el("select", { "data-test": "review-heat", onchange: () => cursor.notify() },
    el("option", { value: "all" }, "all pieces"),
    Object.values(KINDS).reverse().map((kind) => {
      const isSingle = kind === "king" || kind === "queen";
      return el("option", { value: kind }, isSingle ? kind : `${kind}s`);
    }),
    el("option", { value: "" }, "off"));
  const heatControls = el("label", {
    class: "inline heat-controls", hidden: true,
    title: "Where each player could expect the opponent's pieces",
  }, "Heat map", heat);

  /** @param {Side} side @param {number} at */
  function drawSide(side, at) {
    const board = boards.boards.get(side);
    if (!board) return;
    const turn = latestAnalysis(analysis?.[side], at);
    // Since that turn the player's own pieces may have moved to squares with a probability.
    const own = parsePieces(piecesAt(review.start, review.steps, at, side));
    const kind = /** @type {Kind | "all" | ""} */ (heat.value);
    board.setHeat(kind ? heatOf(turn, kind, own) : null);
    const guesses = at === cursor.last ? review.guesses?.[side] ?? {} : {};
    board.setGuesses(guesses, oppositeSide(side));
    boards.caption(side,
      expectationText(turn, at),
      Object.keys(guesses).length > 0 && " Dashed pieces are the player's guesses.");
  }

  cursor.subscribe((at) => {
    /** @type {Partial<Record<Side, [string, string] | null>>} */
    const hints = {};
    for (const side of SIDES) {
      const moments = analysis?.moments ?? [];
      const isMoment = moments.some((moment) => moment.side === side && moment.at === at);
      const turn = latestAnalysis(analysis?.[side], at);
      if (isMoment && turn?.at === at) hints[side] = squaresOf(turn.preferred?.try ?? null);
    }
    boards.show(at, hints);
    for (const side of SIDES) drawSide(side, at);
    const balance = analysis?.balance?.[at];
    boards.caption("umpire", typeof balance === "number"
      && `Expected score: White ${balance.toFixed(2)}, Black ${(1 - balance).toFixed(2)}.`);
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

/**
 * The expected score of a player, if it is known.
 * @param {TurnAnalysis | undefined} turn
 * @param {number} at the current step
 */
function expectationText(turn, at) {
  if (typeof turn?.expected !== "number") return null;
  const label = turn.at < at ? "Expected score at the last turn" : "Expected score";
  const boards = `${turn.boards.toLocaleString("en")} ${turn.boards === 1 ? "board" : "boards"}`;
  return `${label}: ${turn.expected.toFixed(2)} (based on ${boards}).`;
}
