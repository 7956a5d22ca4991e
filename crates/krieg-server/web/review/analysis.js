// Having a game analysed: asking for it, waiting for it, and handing on what has been found so far.

import { get, post } from "../api.js";
import { button, el, fill } from "../dom.js";
import { named } from "../games/named.js";
import { errorWords } from "../games/words.js";

/** @typedef {import("../types.js").Analysis} Analysis */

const POLL_MS = 1500;

/**
 * @param {string} id of the game
 * @param {(analysis: Analysis) => void} onFound
 */
export function analysisPanel(id, onFound) {
  const path = `/api/games/${encodeURIComponent(id)}/analysis`;
  const element = el("div", { class: "analysis", "data-test": "analysis" });
  const words = el("p", { class: "muted", role: "status" });
  const bar = el("progress", { max: 1, "aria-label": "Analysis", "data-test": "analysis-progress" });
  const start = button("Analyse", () => void ask(), { class: "primary", "data-test": "analyse" });
  const trouble = el("p", { class: "error", role: "alert" });
  let timer = 0;
  let left = false;

  async function ask() {
    start.disabled = true;
    fill(trouble);
    try {
      await named(() => post(path));
      await look();
    } catch (error) {
      fill(trouble, errorWords(error));
    } finally {
      start.disabled = false;
    }
  }

  async function look() {
    /** @type {Analysis} */
    const analysis = await get(path);
    if (left) return;
    draw(analysis);
    if (analysis.status !== "none") onFound(analysis);
    if (analysis.status === "waiting" || analysis.status === "running") again();
  }

  function again() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      look().catch((error) => {
        if (left) return;
        // The server may be starting anew: the analysis goes on when it is back.
        fill(trouble, errorWords(error));
        again();
      });
    }, POLL_MS);
  }

  /** @param {Analysis} analysis */
  function draw(analysis) {
    fill(trouble);
    element.dataset.status = analysis.status;
    if (analysis.status === "none") {
      fill(words, "Marshal can go through this game: where each side could think the enemy was, what it could expect, and where a better try was knowable.");
      fill(element, words, start, trouble);
    } else if (analysis.status === "done") {
      fill(element, trouble);
    } else {
      const { done = 0, of = 0 } = analysis;
      if (of > 0 && analysis.status === "running") bar.value = done / of;
      else bar.removeAttribute("value");
      fill(words, analysis.status === "waiting" ? "Waiting for other games to be analysed." : `Analysing: ${done} of ${of} steps.`);
      fill(element, words, bar, trouble);
    }
  }

  look().catch((error) => fill(element, trouble, fill(words, errorWords(error))));
  return {
    element,
    stop() {
      left = true;
      clearTimeout(timer);
    },
  };
}
