// The list of finished and running games of all players, with filters.

import { get } from "../api.js";
import { button, el, fill } from "../dom.js";
import { gameRow } from "../games/row.js";
import { errorMessage } from "../games/text.js";
import { rulesets } from "../options.js";
import { EXAMPLE } from "../upload/example.js";
import { uploadAndReview } from "../upload/form.js";

/** @typedef {import("../types.js").GameList} GameList */
/** @typedef {import("../types.js").Summary} Summary */

const PAGE_SIZE = 15;

/** Delay between typing a name and the search for it. */
const SEARCH_DELAY_MS = 300;

export function gameList() {
  const status = el("select", { "aria-label": "Which games", "data-test": "filter-status" },
    el("option", { value: "over" }, "Finished"),
    el("option", { value: "playing" }, "Being played"));
  const ruleset = el("select", { "aria-label": "Rules", "data-test": "filter-ruleset" },
    el("option", { value: "" }, "All rules"),
    rulesets().map(({ name, title }) => el("option", { value: name }, title)));
  const player = el("input", {
    type: "search", placeholder: "Player's name", "aria-label": "Player", maxlength: 60,
    "data-test": "filter-player",
  });
  const mine = el("input", { type: "checkbox", "data-test": "filter-mine" });
  const list = el("ul", { class: "games", "data-test": "games" });
  const empty = el("div", { class: "empty", hidden: true });
  const errorText = el("p", { class: "error", role: "alert" });
  const more = button("Show more", () => void load(next), {
    "data-test": "more-games", hidden: true,
  });
  const example = button("Review an example game", () => {
    uploadAndReview(EXAMPLE).catch((error) => fill(errorText, errorMessage(error)));
  }, { "data-test": "example-game" });
  /** @type {string | number | null} */
  let next = null;
  let requests = 0;
  let searchTimer = 0;

  const isFiltered = () => ruleset.value !== "" || player.value.trim() !== "" || mine.checked;

  /** @param {string | number | null} before */
  function pathOf(before) {
    const query = new URLSearchParams({ status: status.value, limit: String(PAGE_SIZE) });
    if (ruleset.value) query.set("ruleset", ruleset.value);
    if (player.value.trim()) query.set("player", player.value.trim());
    if (mine.checked) query.set("mine", "true");
    if (before !== null) query.set("before", String(before));
    return `/api/games?${query}`;
  }

  /** @param {string | number | null} [before] the cursor of a page; null: the first page */
  async function load(before = null) {
    const request = ++requests;
    more.disabled = true;
    try {
      /** @type {GameList} */
      const answer = await get(pathOf(before));
      if (request !== requests) return;
      fill(errorText);
      if (before === null) fill(list);
      list.append(...answer.games.map(row));
      next = answer.next ?? null;
      more.hidden = next === null;
      empty.hidden = list.childElementCount > 0;
      fill(empty,
        el("p", { class: "muted" }, emptyText()),
        !isFiltered() && status.value === "over" && example,
      );
    } catch (error) {
      if (request === requests) fill(errorText, errorMessage(error));
    } finally {
      more.disabled = false;
    }
  }

  function emptyText() {
    if (isFiltered()) return "No games found. Try fewer filters.";
    if (status.value === "playing") return "No games are being played at the moment.";
    return "No game has been finished here yet. You can review finished games from both sides.";
  }

  for (const field of [status, ruleset, mine]) {
    field.addEventListener("change", () => void load());
  }
  player.addEventListener("input", () => {
    clearTimeout(searchTimer);
    searchTimer = setTimeout(() => void load(), SEARCH_DELAY_MS);
  });

  const element = el("section", { class: "card" },
    el("div", { class: "row spread" },
      el("h2", {}, "Games"),
      el("div", { class: "filters" }, status, ruleset, player, el("label", {}, mine, "My games")),
    ),
    errorText, list, empty, more);
  return { element, load: () => load() };
}

/** @param {Summary} game */
function row(game) {
  if (game.status === "over") {
    const href = `/review/${game.id}`;
    return gameRow(game, el("a", { href, class: "button", "data-test": "review" }, "Review"));
  }
  if (game.you) {
    return gameRow(game, el("a", { href: `/game/${game.id}`, class: "button" }, "Continue"));
  }
  return gameRow(game, el("span", { class: "muted small" }, "hidden until it is over"));
}
