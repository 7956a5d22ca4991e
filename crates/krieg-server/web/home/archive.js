// Games of everybody, finished or going on, with filters and as many as one cares to page through.

import { get } from "../api.js";
import { button, el, fill } from "../dom.js";
import { gameRow } from "../games/row.js";
import { RULESETS, errorWords, rulesetTitle } from "../games/words.js";
import { review } from "../upload/box.js";
import { EXAMPLE } from "../upload/example.js";

/** @typedef {import("../types.js").GameList} GameList */
/** @typedef {import("../types.js").Summary} Summary */

const PAGE = 15;

/** How long somebody may pause while typing a name before it is looked for. */
const TYPING_MS = 300;

export function archive() {
  const status = el("select", { "aria-label": "Which games", "data-test": "filter-status" },
    el("option", { value: "over" }, "Finished"),
    el("option", { value: "playing" }, "Going on"));
  const ruleset = el("select", { "aria-label": "Rules", "data-test": "filter-ruleset" },
    el("option", { value: "" }, "All rules"),
    RULESETS.map((name) => el("option", { value: name }, rulesetTitle(name))));
  const player = el("input", { type: "search", placeholder: "A player's name", "aria-label": "Player", maxlength: 60, "data-test": "filter-player" });
  const mine = el("input", { type: "checkbox", "data-test": "filter-mine" });
  const list = el("ul", { class: "games", "data-test": "games" });
  const empty = el("div", { class: "empty", hidden: true });
  const trouble = el("p", { class: "error", role: "alert" });
  const more = button("More", () => void load(next), { "data-test": "more-games", hidden: true });
  const example = button("Look at an example game", () => {
    review(EXAMPLE).catch((error) => fill(trouble, errorWords(error)));
  }, { "data-test": "example-game" });
  /** @type {string | number | null} */
  let next = null;
  let asked = 0;
  let typing = 0;

  const filtered = () => ruleset.value !== "" || player.value.trim() !== "" || mine.checked;

  /** @param {string | number | null} before */
  function question(before) {
    const query = new URLSearchParams({ status: status.value, limit: String(PAGE) });
    if (ruleset.value) query.set("ruleset", ruleset.value);
    if (player.value.trim()) query.set("player", player.value.trim());
    if (mine.checked) query.set("mine", "true");
    if (before !== null) query.set("before", String(before));
    return `/api/games?${query}`;
  }

  /** @param {string | number | null} [before] to go on after what is there already */
  async function load(before = null) {
    const thisTime = ++asked;
    more.disabled = true;
    try {
      /** @type {GameList} */
      const answer = await get(question(before));
      if (thisTime !== asked) return;
      fill(trouble);
      if (before === null) fill(list);
      list.append(...answer.games.map(row));
      next = answer.next ?? null;
      more.hidden = next === null;
      empty.hidden = list.childElementCount > 0;
      fill(empty, el("p", { class: "muted" }, emptyWords()), !filtered() && status.value === "over" && example);
    } catch (error) {
      if (thisTime === asked) fill(trouble, errorWords(error));
    } finally {
      more.disabled = false;
    }
  }

  function emptyWords() {
    if (filtered()) return "No such game. Try fewer filters.";
    if (status.value === "playing") return "Nobody is playing just now.";
    return "No game has been finished here yet. Yours may be the first: everything is kept, and can be looked at from both sides afterwards.";
  }

  for (const field of [status, ruleset, mine]) field.addEventListener("change", () => void load());
  player.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => void load(), TYPING_MS);
  });

  const element = el("section", { class: "card" },
    el("div", { class: "row apart" }, el("h2", {}, "Games"),
      el("div", { class: "filters" }, status, ruleset, player, el("label", {}, mine, "mine"))),
    trouble, list, empty, more);
  return { element, load: () => load() };
}

/** @param {Summary} game */
function row(game) {
  if (game.status === "over") return gameRow(game, el("a", { href: `/review/${game.id}`, class: "button", "data-test": "review" }, "Review"));
  if (game.you) return gameRow(game, el("a", { href: `/game/${game.id}`, class: "button" }, "Go on"));
  return gameRow(game, el("span", { class: "muted small" }, "hidden until it is over"));
}
