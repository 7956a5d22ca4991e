// A table of ratings, the best player first.

import { el } from "../dom.js";

/** @typedef {import("../types.js").Rating} Rating */

/** A rating with a higher deviation is marked as provisional. */
const PROVISIONAL_DEVIATION = 110;

/** @param {Rating[]} ratings @param {string} ruleset */
export function ratingTable(ratings, ruleset) {
  if (ratings.length === 0) {
    return el("p", { class: "muted", "data-test": "ratings-empty" },
      "There are no ratings for these rules yet. ",
      el("a", { href: "/new" }, "Play a rated game"), " to be the first.");
  }
  const header = (/** @type {string} */ name, isNumeric = true) =>
    el("th", { scope: "col", class: isNumeric && "numeric" }, name);
  return el("table", { "data-test": "ratings" },
    el("caption", { class: "visually-hidden" }, `Ratings, ${ruleset}`),
    el("thead", {}, el("tr", {},
      header("#"), header("Player", false), header("Rating"), header("95% interval"),
      header("Games"))),
    el("tbody", {}, ratings.map(ratingRow)));
}

/** @param {Rating} rating @param {number} index */
function ratingRow({ user, rating, deviation, games }, index) {
  return el("tr", {},
    el("td", { class: "numeric muted" }, index + 1),
    el("td", {}, user.name, user.kind === "bot" && [" ", el("span", { class: "tag" }, "bot")]),
    el("td", { class: "numeric" },
      el("strong", {}, Math.round(rating)),
      deviation > PROVISIONAL_DEVIATION
        && el("abbr", { title: "Provisional: based on few games" }, "?")),
    el("td", { class: "numeric muted" }, `± ${Math.round(2 * deviation)}`),
    el("td", { class: "numeric" }, games));
}
