// The review of a finished game: boards, log, graph and key moments, all at the same step.

import { get } from "../api.js";
import { button, el, fill } from "../dom.js";
import { playerName } from "../games/row.js";
import { moveCountText, resultText, userName } from "../games/text.js";
import { timeControlText } from "../games/time_control.js";
import { rulesetTitle } from "../options.js";
import { analysisPanel } from "../review/analysis.js";
import { reviewBoards } from "../review/boards.js";
import { addStepKeys, stepControls } from "../review/controls.js";
import { Cursor } from "../review/cursor.js";
import { balanceGraph } from "../review/graph.js";
import { reviewLog } from "../review/log.js";
import { momentList } from "../review/moments.js";
import { shareButtons } from "../review/share.js";
import { syncStepWithUrl } from "../review/step_in_url.js";
import { audienceText, isQuestion, tryElement } from "../review/tries.js";
import { sideName } from "../squares.js";

export const title = "Review";

/** @typedef {import("../types.js").Review} Review */

/** @param {HTMLElement} main @param {URL} url @param {AbortSignal} signal */
export async function show(main, url, signal) {
  const id = decodeURIComponent(url.pathname.split("/")[2] ?? "");
  /** @type {Review} */
  const review = await get(`/api/games/${encodeURIComponent(id)}/review`);
  const { game } = review;
  if (signal.aborted) return;
  document.title = `${userName(game.white)} – ${userName(game.black)} · Krieg`;

  const cursor = new Cursor(review.steps.length);
  const boards = reviewBoards(review, cursor);
  const graph = balanceGraph(cursor);
  const moments = momentList(cursor);
  // A transcript of one player cannot be analysed: the opponent's pieces are not known.
  const analysis = review.narrator ? null : analysisPanel(id, (found) => {
    boards.setAnalysis(found);
    graph.show(found);
    moments.show(found);
    cursor.notify();
  });

  main.classList.add("review");
  main.append(
    heading(review, el("div", { class: "row" },
      button("Flip", () => boards.flip(), { "data-test": "review-flip" }),
      shareButtons(id, cursor))),
    el("div", { class: "review-body" },
      el("div", { class: "review-main" },
        boards.element,
        el("div", { class: "review-controls" },
          currentStep(review, cursor),
          el("div", { class: "controls-row" }, stepControls(cursor), boards.heatControls)),
        analysis?.element,
        graph.element,
      ),
      el("div", { class: "review-side", onclick: () => scrollToBoards(boards.element) },
        moments.element,
        el("section", { class: "card log-card" },
          el("h2", {}, "All tries"), reviewLog(review, cursor)),
      ),
    ),
  );
  const removeStepKeys = addStepKeys(cursor);
  const stopSync = syncStepWithUrl(cursor);
  return () => {
    removeStepKeys();
    stopSync();
    analysis?.stop();
    graph.stop();
    boards.destroy();
  };
}

/**
 * Shows the boards after a click in the lists, which are far below them in a narrow window.
 * @param {HTMLElement} boards
 */
function scrollToBoards(boards) {
  if (boards.getBoundingClientRect().bottom < 80) {
    boards.scrollIntoView({ block: "start", behavior: "smooth" });
  }
}

/** @param {Review} review @param {HTMLElement} actions */
function heading({ game, end, narrator }, actions) {
  const facts = [
    rulesetTitle(game.ruleset),
    game.source === "uploaded" ? "uploaded" : timeControlText(game.control),
    moveCountText(game),
    game.rated && "rated",
  ];
  return el("header", { class: "page-head review-head" },
    el("div", {},
      el("h1", {},
        playerName(game.white, "white"),
        el("span", { class: "versus", "aria-hidden": "true" }, "–"),
        playerName(game.black, "black")),
      el("p", {},
        el("strong", { "data-test": "review-result" }, end?.text ?? `${resultText(game)}.`), " ",
        el("span", { class: "muted" }, facts.filter(Boolean).join(" · "))),
      narrator && el("p", { class: "muted" },
        `${sideName(narrator)}'s transcript: the opponent's pieces and tries are not known.`),
    ),
    actions,
  );
}

/**
 * The line below the boards: the try of the current step, and the umpire's announcement.
 * @param {Review} review
 * @param {Cursor} cursor
 */
function currentStep(review, cursor) {
  const line = el("p", {
    class: "current-step", "aria-live": "polite", "data-test": "review-step",
  });
  cursor.subscribe((at) => {
    const step = review.steps[at - 1];
    if (!step) {
      fill(line, el("span", { class: "announcement" }, `“${review.opening.text}”`));
      return;
    }
    const side = sideName(step.by);
    const isEnd = step.announcement.verdict === "ended";
    const verb = isQuestion(step) ? "asked" : "tried";
    fill(line,
      el("span", { class: "try-text" },
        el("span", { class: `disc ${step.by}` }),
        isEnd ? side : `${step.move}. ${side} ${verb} `,
        tryElement(step)),
      el("span", { class: "announcement" }, `“${step.text}”`),
      el("span", { class: "muted small" }, audienceText(step)));
  });
  return line;
}
