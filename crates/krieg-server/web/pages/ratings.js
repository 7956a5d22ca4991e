// Ratings of the players for each ruleset, and results of bot matches.

import { get } from "../api.js";
import { el, fill } from "../dom.js";
import { errorMessage } from "../games/text.js";
import { rulesetTitle, rulesets } from "../options.js";
import { arenaTables } from "../ratings/arena.js";
import { ratingTable } from "../ratings/table.js";

export const title = "Ratings";

/** @param {HTMLElement} main @param {URL} url `?ruleset=`: the initial ruleset */
export async function show(main, url) {
  const initial = url.searchParams.get("ruleset") ?? "icc";
  const table = el("div", { class: "scroll", "aria-live": "polite" });
  const arena = el("div", { class: "arena" });
  const select = el("select", { "aria-label": "Rules", "data-test": "ratings-ruleset" },
    rulesets().map(({ name, title }) =>
      el("option", { value: name, selected: name === initial }, title)));
  const errorElement = (/** @type {unknown} */ error) =>
    el("p", { class: "error" }, errorMessage(error));
  let requests = 0;

  async function load() {
    const request = ++requests;
    try {
      /** @type {import("../types.js").Ratings} */
      const answer = await get(`/api/ratings?ruleset=${encodeURIComponent(select.value)}`);
      if (request !== requests) return;
      fill(table, ratingTable(answer.ratings, rulesetTitle(select.value)));
    } catch (error) {
      if (request === requests) fill(table, errorElement(error));
    }
  }
  select.addEventListener("change", () => {
    history.replaceState(null, "", `/ratings?ruleset=${select.value}`);
    void load();
  });

  main.append(el("div", { class: "ratings-page" },
    el("header", { class: "page-head" },
      el("h1", {}, "Ratings"),
      el("p", { class: "muted" },
        "Each ruleset has its own ratings (Glicko-2). New players start at 1500, and a rating "
        + "becomes more certain with each game."),
    ),
    el("section", { class: "card" },
      el("div", { class: "row spread" },
        el("h2", {}, "Rated games"), el("div", { class: "narrow" }, select)),
      table,
    ),
    el("section", { class: "card arena-card" },
      el("h2", {}, "Bot matches"),
      el("p", { class: "muted small" }, "Results of matches between bots, of many games each."),
      arena,
    ),
  ));
  void load();
  get("/api/arena").then(
    (answer) => fill(arena, arenaTables(answer.tables)),
    (error) => fill(arena, errorElement(error)),
  );
}
