// Who plays how well: ratings by ruleset, and the tables of matches among bots.

import { get } from "../api.js";
import { el, fill } from "../dom.js";
import { RULESETS, errorWords, rulesetTitle } from "../games/words.js";
import { arenaTables } from "../ratings/arena.js";
import { ratingTable } from "../ratings/table.js";

export const title = "Ratings";

/** @param {HTMLElement} main @param {URL} address `?ruleset=` chooses beforehand */
export async function show(main, address) {
  const wished = address.searchParams.get("ruleset") ?? "icc";
  const table = el("div", { class: "scroll", "aria-live": "polite" });
  const arena = el("div", { class: "arena" });
  const select = el("select", { "aria-label": "Rules", "data-test": "ratings-ruleset" },
    RULESETS.map((name) => el("option", { value: name, selected: name === wished }, rulesetTitle(name))));
  let asked = 0;

  async function load() {
    const thisTime = ++asked;
    try {
      /** @type {import("../types.js").Ratings} */
      const answer = await get(`/api/ratings?ruleset=${encodeURIComponent(select.value)}`);
      if (thisTime === asked) fill(table, ratingTable(answer.ratings, rulesetTitle(select.value)));
    } catch (error) {
      if (thisTime === asked) fill(table, el("p", { class: "error" }, errorWords(error)));
    }
  }
  select.addEventListener("change", () => {
    history.replaceState(null, "", `/ratings?ruleset=${select.value}`);
    void load();
  });

  main.append(el("div", { class: "ratings-page" },
    el("header", { class: "page-head" },
      el("h1", {}, "Ratings"),
      el("p", { class: "muted" }, "Each ruleset has its own. Everybody begins at 1500, and a rating is the surer the more games it is made of (Glicko-2)."),
    ),
    el("section", { class: "card" },
      el("div", { class: "row apart" }, el("h2", {}, "Rated games"), el("div", { class: "narrow" }, select)),
      table,
    ),
    el("section", { class: "card arena-card" },
      el("h2", {}, "Bots in the arena"),
      el("p", { class: "muted small" }, "Matches that we let our bots play against each other, many games each."),
      arena,
    ),
  ));
  void load();
  get("/api/arena").then(
    (answer) => fill(arena, arenaTables(answer.tables)),
    (error) => fill(arena, el("p", { class: "error" }, errorWords(error))),
  );
}
