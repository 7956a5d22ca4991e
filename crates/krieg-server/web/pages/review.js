// A game that is over, from all sides: the boards, the log, the graph and the moments, stepping together.

import { get } from "../api.js";
import { button, el, fill } from "../dom.js";
import { controlWords } from "../games/control.js";
import { playerName } from "../games/row.js";
import { movesWords, nameOf, resultWords, rulesetTitle } from "../games/words.js";
import { analysisPanel } from "../review/analysis.js";
import { reviewBoards } from "../review/boards.js";
import { stepControls, stepKeys } from "../review/controls.js";
import { Cursor } from "../review/cursor.js";
import { balanceGraph } from "../review/graph.js";
import { reviewLog } from "../review/log.js";
import { momentList } from "../review/moments.js";
import { placeInAddress } from "../review/place.js";
import { shareButtons } from "../review/share.js";
import { heardWords, isQuestion, triedWords } from "../review/tries.js";
import { sideName } from "../squares.js";

export const title = "Review";

/** @typedef {import("../types.js").Review} Review */

/** @param {HTMLElement} main @param {URL} address @param {AbortSignal} over */
export async function show(main, address, over) {
  const id = decodeURIComponent(address.pathname.split("/")[2] ?? "");
  /** @type {Review} */
  const review = await get(`/api/games/${encodeURIComponent(id)}/review`);
  const { game } = review;
  if (over.aborted) return;
  document.title = `${nameOf(game.white)} – ${nameOf(game.black)} · Krieg`;

  const cursor = new Cursor(review.steps.length);
  const boards = reviewBoards(review, cursor);
  const graph = balanceGraph(cursor);
  const moments = momentList(cursor);
  // Of a game that one side told there is nothing to compare.
  const analysis = review.narrator ? null : analysisPanel(id, (found) => {
    boards.setAnalysis(found);
    graph.show(found);
    moments.show(found);
    cursor.tell();
  });

  main.classList.add("review");
  main.append(
    heading(review, el("div", { class: "row" },
      button("Flip", () => boards.flip(), { "data-test": "review-flip" }),
      shareButtons(id, cursor))),
    el("div", { class: "review-body" },
      el("div", { class: "review-stage" },
        boards.element,
        el("div", { class: "review-deck" }, saidNow(review, cursor), el("div", { class: "deck-row" }, stepControls(cursor), boards.heatControls)),
        analysis?.element,
        graph.element,
      ),
      el("div", { class: "review-side", onclick: () => lookUp(boards.element) },
        moments.element,
        el("section", { class: "card log-card" }, el("h2", {}, "Every try"), reviewLog(review, cursor)),
      ),
    ),
  );
  const dropKeys = stepKeys(cursor);
  const leaveAddress = placeInAddress(cursor);
  return () => {
    dropKeys();
    leaveAddress();
    analysis?.stop();
    graph.stop();
    boards.destroy();
  };
}

/** In a narrow window the lists are far below the boards: whoever chooses a step there wants to see it. @param {HTMLElement} boards */
function lookUp(boards) {
  if (boards.getBoundingClientRect().bottom < 80) boards.scrollIntoView({ block: "start", behavior: "smooth" });
}

/** @param {Review} review @param {HTMLElement} actions */
function heading({ game, end, narrator }, actions) {
  const facts = [rulesetTitle(game.ruleset), game.source === "uploaded" ? "uploaded" : controlWords(game.control), movesWords(game), game.rated && "rated"];
  return el("header", { class: "page-head review-head" },
    el("div", {},
      el("h1", {}, playerName(game.white, "white"), el("span", { class: "versus", "aria-hidden": "true" }, "–"), playerName(game.black, "black")),
      el("p", {}, el("strong", { "data-test": "review-result" }, end?.text ?? `${resultWords(game)}.`), " ",
        el("span", { class: "muted" }, facts.filter(Boolean).join(" · "))),
      narrator && el("p", { class: "muted" }, `As ${sideName(narrator)} told it: the other side's men and tries are not known.`),
    ),
    actions,
  );
}

/** The line below the boards: what was tried last, and what the umpire said. @param {Review} review @param {Cursor} cursor */
function saidNow(review, cursor) {
  const line = el("p", { class: "said-now", "aria-live": "polite", "data-test": "review-said" });
  cursor.follow((at) => {
    const step = review.steps[at - 1];
    if (!step) {
      fill(line, el("span", { class: "said" }, `“${review.opening.text}”`));
      return;
    }
    fill(line,
      el("span", { class: "tried" }, el("span", { class: `disc ${step.by}` }),
        step.announcement.verdict === "ended" ? sideName(step.by) : `${step.move}. ${sideName(step.by)} ${isQuestion(step) ? "asked" : "tried"} `, triedWords(step)),
      el("span", { class: "said" }, `“${step.text}”`),
      el("span", { class: "muted small" }, heardWords(step)));
  });
  return line;
}
