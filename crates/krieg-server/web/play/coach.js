// The coach: a panel with what follows from the player's observations. While it is open, it asks
// the server for new advice after each observation.

import { ApiError, get } from "../api.js";
import { button, el, fill } from "../dom.js";
import { pieceIcon } from "../pieces.js";
import { KINDS } from "../squares.js";
import { basisText, heatOf, hoverText, tryText } from "./advice.js";

/** @typedef {import("../types.js").Advice} Advice */
/** @typedef {import("../types.js").RankedTry} RankedTry */
/** @typedef {import("../types.js").Kind} Kind */
/** @typedef {import("../types.js").Side} Side */

/** Number of tries in the short list. */
const SHORT_LIST = 6;

/**
 * Delay before a request. Observations often come in quick succession, and only the last one
 * matters. While the opponent is to move the delay is longer, since the next move may arrive before
 * the answer.
 */
const REQUEST_DELAY_MS = 150;
const IDLE_REQUEST_DELAY_MS = 1500;
const RATE_LIMIT_DELAY_MS = 3000;

const ASK_FIRST =
  "Ask “any?” first: it does not cost a turn. The tries are ranked after the answer.";

/**
 * @param {object} options
 * @param {string} options.id of the game
 * @param {(heat: Record<string, number> | null) => void} options.setHeat
 * @param {(hint: string | null) => void} options.setHint shows a try on the board
 */
export function makeCoach({ id, setHeat, setHint }) {
  /** @type {Advice | null} */
  let advice = null;
  /** @type {Kind | "all" | "off"} */
  let heatKind = "all";
  let open = false;
  // Numbers of observations: known to the player, and at the time of the last request.
  let observations = 0;
  let requested = -1;
  let showAll = false;
  let timer = 0;
  let isYourTurn = false;
  /** @type {Side} */
  let opponentSide = "black";

  const heatKinds = el("div", { class: "heat-kinds", role: "group", "aria-label": "Heat map" });
  const basis = el("p", { class: "small muted", "data-test": "coach-basis" });
  const reasons = el("ul", { class: "reasons", "data-test": "coach-reasons" });
  const list = el("ol", { class: "ranked", "data-test": "coach-tries" });
  const panel = el("section", {
    class: "coach card", "aria-label": "Coach", "data-test": "coach-panel", hidden: true,
  },
    el("div", { class: "row spread" }, el("h2", {}, "Coach"), heatKinds),
    basis, reasons, list,
  );

  function drawHeatKinds() {
    /** @param {Kind | "all" | "off"} kind @param {string} label @param {Node | string} icon */
    const kindButton = (kind, label, icon) => button(icon, () => {
      heatKind = kind;
      drawHeatKinds();
      drawHeat();
    }, {
      class: "tool", "aria-pressed": String(heatKind === kind), "aria-label": label, title: label,
      "data-test": `heat-${kind}`,
    });
    fill(heatKinds,
      kindButton("all", "Heat map of all pieces", "All"),
      [..."pnbrqk"].map((letter) => {
        const piece = opponentSide === "white" ? letter.toUpperCase() : letter;
        return kindButton(KINDS[letter], `Heat map: ${KINDS[letter]}`, pieceIcon(piece));
      }),
      kindButton("off", "No heat map", "Off"),
    );
  }

  function drawHeat() {
    if (!open || !advice || heatKind === "off") setHeat(null);
    else setHeat(heatOf(advice.opponent_pieces, heatKind));
  }

  function draw() {
    if (!advice) return;
    fill(basis, basisText(advice));
    fill(reasons,
      advice.ask_any && el("li", {}, ASK_FIRST),
      advice.reasons.map((reason) => el("li", {}, reason)),
    );
    const tries = advice.tries ?? [];
    fill(list,
      (showAll ? tries : tries.slice(0, SHORT_LIST)).map(rankedTry),
      tries.length > SHORT_LIST && el("li", { class: "more" }, moreButton(tries.length)),
    );
    drawHeat();
  }

  /** @param {number} count */
  function moreButton(count) {
    return button(showAll ? "Show fewer" : `Show all ${count} tries`, () => {
      showAll = !showAll;
      draw();
    }, { class: "link", "data-test": "coach-more" });
  }

  /** @param {RankedTry} ranked */
  function rankedTry(ranked) {
    const show = () => setHint(ranked.try);
    const hide = () => setHint(null);
    const score = ranked.expected?.toFixed(2);
    const title = "Expected score, from 0 to 1";
    return el("li", {
      class: "ranked-try", tabindex: 0, "data-test": "coach-try", "data-try": ranked.try,
      onmouseenter: show, onmouseleave: hide, onfocus: show, onblur: hide, onclick: show,
    },
      el("b", { class: "try-name" }, ranked.name),
      score && el("span", { class: "expected number", title }, score),
      el("span", { class: "small muted probabilities" }, tryText(ranked)),
    );
  }

  async function request() {
    if (!open) return;
    const about = observations;
    requested = about;
    panel.setAttribute("aria-busy", "true");
    if (!advice) fill(basis, "The coach is thinking …");
    try {
      const answer = await get(`/api/games/${encodeURIComponent(id)}/coach`);
      if (about !== observations) return;
      advice = answer;
      draw();
    } catch (error) {
      if (about !== observations) return;
      requested = -1;
      if (error instanceof ApiError && error.code === "rate-limited") {
        timer = setTimeout(() => void request(), RATE_LIMIT_DELAY_MS);
      }
      fill(basis, error instanceof Error ? error.message : "The coach is not available.");
    }
    panel.removeAttribute("aria-busy");
  }

  /** Schedules a request for new advice. The old heat map stays on the board until then. */
  function refresh() {
    clearTimeout(timer);
    if (!open || requested === observations) return;
    const delay = isYourTurn || !advice ? REQUEST_DELAY_MS : IDLE_REQUEST_DELAY_MS;
    timer = setTimeout(() => void request(), delay);
  }

  return {
    element: panel,
    get open() {
      return open;
    },
    /** @param {boolean} shown @param {Side} opponent */
    setOpen(shown, opponent) {
      open = shown;
      opponentSide = opponent;
      panel.hidden = !shown;
      drawHeatKinds();
      if (!shown) setHint(null);
      draw();
      refresh();
    },
    /**
     * @param {number} count number of observations so far
     * @param {boolean} turn whether it is the player's turn
     * @param {boolean} isOver
     */
    update(count, turn, isOver) {
      isYourTurn = turn;
      if (isOver) {
        this.setOpen(false, opponentSide);
        return;
      }
      if (count === observations) return;
      observations = count;
      if (advice) {
        advice = { ...advice, ask_any: false, tries: [], reasons: [] };
        if (open) draw();
      }
      refresh();
    },
    stop: () => clearTimeout(timer),
    /**
     * @param {string | null} from
     * @param {string | null} to
     * @returns {string} the probabilities of that try, or an empty text if they are not known
     */
    hoverText(from, to) {
      if (!open || !from || !to) return "";
      const ranked = advice?.tries?.find(({ try: text }) => text.startsWith(from + to));
      return ranked ? hoverText(ranked) : "";
    },
  };
}
