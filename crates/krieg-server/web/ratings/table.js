// A table of ratings, the best first.

import { el } from "../dom.js";

/** @typedef {import("../types.js").Rating} Rating */

/** Above this a rating is little more than a guess, and is marked as one. */
const UNSURE = 110;

/** @param {Rating[]} ratings @param {string} ruleset */
export function ratingTable(ratings, ruleset) {
  if (ratings.length === 0) {
    return el("p", { class: "muted", "data-test": "ratings-empty" }, "Nobody has a rating by these rules yet. ",
      el("a", { href: "/new" }, "Play a rated game"), " to be the first.");
  }
  return el("table", { "data-test": "ratings" },
    el("caption", { class: "unseen" }, `Ratings, ${ruleset}`),
    el("thead", {}, el("tr", {},
      el("th", { scope: "col", class: "figure" }, "#"), el("th", { scope: "col" }, "Player"),
      el("th", { scope: "col", class: "figure" }, "Rating"), el("th", { scope: "col", class: "figure" }, "Give or take"),
      el("th", { scope: "col", class: "figure" }, "Games"))),
    el("tbody", {}, ratings.map(({ user: person, rating, deviation, games }, place) =>
      el("tr", {},
        el("td", { class: "figure muted" }, place + 1),
        el("td", {}, person.name, person.kind === "bot" && [" ", el("span", { class: "tag" }, "bot")]),
        el("td", { class: "figure" }, el("strong", {}, Math.round(rating)),
          deviation > UNSURE && el("abbr", { title: "Few games: still a guess" }, "?")),
        el("td", { class: "figure muted" }, `± ${Math.round(2 * deviation)}`),
        el("td", { class: "figure" }, games)))));
}
