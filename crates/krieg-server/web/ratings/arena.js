// The tables of bot matches, as the server sends them.

import { el } from "../dom.js";

/** @typedef {import("../types.js").ArenaTable} ArenaTable */

/** A number, possibly with a sign, a percent sign, or an error or interval after it. */
const NUMBER = /^\s*[+\-−±]?\d[\d.,]*\s*%?(\s*(±|\[).*)?\s*$/;

/** @param {ArenaTable[]} tables */
export function arenaTables(tables) {
  if (tables.length === 0) {
    return el("p", { class: "muted" }, "This server has no results of bot matches.");
  }
  return tables.map(arenaTable);
}

/** @param {ArenaTable} table */
function arenaTable({ title, columns, rows }) {
  const isNumericColumn = columns.map((_, column) =>
    rows.length > 0 && rows.every((row) => isNumeric(row[column])));
  const classOf = (/** @type {number} */ column) => isNumericColumn[column] && "numeric";
  return el("section", { class: "arena-table", "data-test": "arena-table" },
    el("h3", {}, title),
    el("div", { class: "scroll" },
      el("table", {},
        el("thead", {}, el("tr", {}, columns.map((name, column) =>
          el("th", { scope: "col", class: classOf(column) }, name)))),
        el("tbody", {}, rows.map((row) =>
          el("tr", {}, row.map((cell, column) =>
            el("td", { class: classOf(column) }, cell ?? "–"))))),
      )));
}

/** Whether a cell is aligned to the right. @param {string | number | null} cell */
function isNumeric(cell) {
  return cell === null || typeof cell === "number" || NUMBER.test(cell) || /^[–-]?$/.test(cell);
}
