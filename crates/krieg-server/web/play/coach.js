// The coach: a panel with what the player could know. It asks the server anew whenever the umpire has spoken, while it is open.

import { ApiError, get } from "../api.js";
import { button, el, fill } from "../dom.js";
import { pieceIcon } from "../pieces.js";
import { KINDS } from "../squares.js";
import { heatOf, hoverWords, sourceWords, tryWords } from "./advice.js";

/** @typedef {import("../types.js").Advice} Advice */
/** @typedef {import("../types.js").CoachTry} CoachTry */
/** @typedef {import("../types.js").Kind} Kind */
/** @typedef {import("../types.js").Side} Side */

const SHOWN_AT_FIRST = 6;
// Lines of the umpire often come in twos and threes; the last of them is the one to think about. While the other side
// is to move there is no hurry at all, and its next move may come before an answer would.
const PAUSE_MS = 150;
const IDLE_PAUSE_MS = 1500;
const AGAIN_AFTER_MS = 3000;

const ASK_FIRST = "Ask “any?” first: it costs no turn, and the tries are weighed after the answer.";

/**
 * @param {object} table
 * @param {string} table.id of the game
 * @param {(heat: Record<string, number> | null) => void} table.setHeat
 * @param {(hint: string | null) => void} table.setHint a try to be shown on the board
 */
export function makeCoach({ id, setHeat, setHint }) {
  /** @type {Advice | null} */
  let advice = null;
  /** @type {Kind | "all" | "off"} */
  let kind = "all";
  let open = false;
  let heard = 0;
  let asked = -1;
  let more = false;
  let timer = 0;
  let myTurn = false;
  /** @type {Side} */
  let foe = "black";

  const kinds = el("div", { class: "kinds", role: "group", "aria-label": "Heat map of" });
  const source = el("p", { class: "small muted", "data-test": "coach-source" });
  const reasons = el("ul", { class: "reasons", "data-test": "coach-reasons" });
  const ranked = el("ol", { class: "ranked", "data-test": "coach-tries" });
  const panel = el("section", { class: "coach card", "aria-label": "Coach", "data-test": "coach-panel", hidden: true },
    el("div", { class: "row apart" }, el("h2", {}, "Coach"), kinds), source, reasons, ranked);

  function drawKinds() {
    /** @param {Kind | "all" | "off"} name @param {string} label @param {Node | string} sign */
    const choice = (name, label, sign) => button(sign, () => {
      kind = name;
      drawKinds();
      drawHeat();
    }, { class: "tool", "aria-pressed": String(kind === name), "aria-label": label, title: label, "data-test": `heat-${name}` });
    fill(kinds,
      choice("all", "Heat map of all men", "All"),
      [..."pnbrqk"].map((letter) => choice(KINDS[letter], `Heat map of the ${KINDS[letter]}`, pieceIcon(foe === "white" ? letter.toUpperCase() : letter))),
      choice("off", "No heat map", "Off"),
    );
  }

  function drawHeat() {
    setHeat(open && advice && kind !== "off" ? heatOf(advice.opponent_pieces, kind) : null);
  }

  function draw() {
    if (!advice) return;
    fill(source, sourceWords(advice));
    fill(reasons, advice.ask_any && el("li", {}, ASK_FIRST), advice.reasons.map((each) => el("li", {}, each)));
    const tries = advice.tries ?? [];
    fill(ranked,
      (more ? tries : tries.slice(0, SHOWN_AT_FIRST)).map(rankedTry),
      tries.length > SHOWN_AT_FIRST && el("li", { class: "more" }, button(more ? "Fewer" : `All ${tries.length} tries`, () => {
        more = !more;
        draw();
      }, { class: "link", "data-test": "coach-more" })),
    );
    drawHeat();
  }

  /** @param {CoachTry} each */
  function rankedTry(each) {
    const show = () => setHint(each.try);
    const hide = () => setHint(null);
    return el("li", {
      class: "ranked-try", tabindex: 0, "data-test": "coach-try", "data-try": each.try,
      onmouseenter: show, onmouseleave: hide, onfocus: show, onblur: hide, onclick: show,
    },
      el("b", { class: "try-name" }, each.name),
      each.expected !== null && el("span", { class: "expected number", title: "Expected score, from 0 to 1" }, each.expected.toFixed(2)),
      el("span", { class: "small muted chances" }, tryWords(each)),
    );
  }

  async function ask() {
    if (!open) return;
    const about = heard;
    asked = about;
    panel.setAttribute("aria-busy", "true");
    if (!advice) fill(source, "The coach is thinking …");
    try {
      const answer = await get(`/api/games/${encodeURIComponent(id)}/coach`);
      if (about !== heard) return;
      advice = answer;
      draw();
    } catch (error) {
      if (about !== heard) return;
      asked = -1;
      if (error instanceof ApiError && error.code === "rate-limited") timer = setTimeout(() => void ask(), AGAIN_AFTER_MS);
      fill(source, error instanceof Error ? error.message : "The coach has nothing to say.");
    }
    panel.removeAttribute("aria-busy");
  }

  /** Old advice stays on the board until the new has come, but its tries are those of another turn. */
  function refresh() {
    clearTimeout(timer);
    if (open && asked !== heard) timer = setTimeout(() => void ask(), myTurn || !advice ? PAUSE_MS : IDLE_PAUSE_MS);
  }

  return {
    element: panel,
    get open() {
      return open;
    },
    /** @param {boolean} shown @param {Side} enemy */
    setOpen(shown, enemy) {
      open = shown;
      foe = enemy;
      panel.hidden = !shown;
      drawKinds();
      if (!shown) setHint(null);
      draw();
      refresh();
    },
    /** @param {number} lines that the player has heard by now @param {boolean} turn whether it is his @param {boolean} over */
    hear(lines, turn, over) {
      myTurn = turn;
      if (over) {
        this.setOpen(false, foe);
        return;
      }
      if (lines === heard) return;
      heard = lines;
      if (advice) {
        advice = { ...advice, ask_any: false, tries: [], reasons: [] };
        if (open) draw();
      }
      refresh();
    },
    stop: () => clearTimeout(timer),
    /** @param {string | null} from @param {string | null} to @returns {string} chances of that try, where the coach knows them */
    chances(from, to) {
      const found = open && from && to ? advice?.tries?.find((each) => each.try.startsWith(from + to)) : null;
      return found ? hoverWords(found) : "";
    },
  };
}
