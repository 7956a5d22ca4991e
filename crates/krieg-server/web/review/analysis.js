// The analysis panel: requests an analysis, shows its progress, and passes on its results.

import { get, post, withUser } from "../api.js";
import { button, el, fill } from "../dom.js";
import { errorMessage } from "../games/text.js";

/** @typedef {import("../types.js").Analysis} Analysis */

const POLL_MS = 1500;

const ABOUT =
  "Marshal can analyse this game: where each side could expect the opponent's pieces, the expected "
  + "score, and where a better try could be found.";

/**
 * @param {string} id of the game
 * @param {(analysis: Analysis) => void} onResult
 */
export function analysisPanel(id, onResult) {
  const path = `/api/games/${encodeURIComponent(id)}/analysis`;
  const element = el("div", { class: "analysis", "data-test": "analysis" });
  const text = el("p", { class: "muted", role: "status" });
  const bar = el("progress", {
    max: 1, "aria-label": "Analysis", "data-test": "analysis-progress",
  });
  const start = button("Analyse the game", () => void request(), {
    class: "primary", "data-test": "analyse",
  });
  const errorText = el("p", { class: "error", role: "alert" });
  let timer = 0;
  let stopped = false;

  async function request() {
    start.disabled = true;
    fill(errorText);
    try {
      await withUser(() => post(path));
      await poll();
    } catch (error) {
      fill(errorText, errorMessage(error));
    } finally {
      start.disabled = false;
    }
  }

  async function poll() {
    /** @type {Analysis} */
    const analysis = await get(path);
    if (stopped) return;
    draw(analysis);
    if (analysis.status !== "none") onResult(analysis);
    if (analysis.status === "waiting" || analysis.status === "running") schedulePoll();
  }

  function schedulePoll() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      poll().catch((error) => {
        if (stopped) return;
        // The server may be restarting. It forgets the analysis, which can be requested again.
        fill(errorText, errorMessage(error));
        schedulePoll();
      });
    }, POLL_MS);
  }

  /** @param {Analysis} analysis */
  function draw(analysis) {
    const { status, done = 0, total = 0 } = analysis;
    fill(errorText);
    element.dataset.status = status;
    if (status === "none") {
      fill(text, ABOUT);
      fill(element, text, start, errorText);
    } else if (status === "done") {
      fill(element, errorText);
    } else {
      if (total > 0 && status === "running") bar.value = done / total;
      else bar.removeAttribute("value");
      fill(text, status === "waiting"
        ? "Waiting until other analyses are finished …"
        : `Analysing: ${done} of ${total} tries.`);
      fill(element, text, bar, errorText);
    }
  }

  poll().catch((error) => fill(element, errorText, fill(text, errorMessage(error))));
  return {
    element,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
