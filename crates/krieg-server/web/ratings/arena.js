// The tables of the arena, as the server has them.

import { el } from "../dom.js";

/** @typedef {import("../types.js").ArenaTable} ArenaTable */

/** @param {ArenaTable[]} tables */
export function arenaTables(tables) {
  if (tables.length === 0) return el("p", { class: "muted" }, "There are no tables on this server.");
  return tables.map((table) => {
    const figures = table.columns.map((_, column) => table.rows.length > 0 && table.rows.every((row) => isFigure(row[column])));
    return el("section", { class: "arena-table", "data-test": "arena-table" },
      el("h3", {}, table.title),
      el("div", { class: "scroll" },
        el("table", {},
          el("thead", {}, el("tr", {}, table.columns.map((words, column) => el("th", { scope: "col", class: figures[column] && "figure" }, words)))),
          el("tbody", {}, table.rows.map((row) =>
            el("tr", {}, row.map((cell, column) => el("td", { class: figures[column] && "figure" }, cell ?? "–"))))))));
  });
}

/** Numbers stand to the right, also those with a sign, a per cent or an error beside them. @param {string | number | null} cell */
function isFigure(cell) {
  return cell === null || typeof cell === "number" || /^\s*[+\-−±]?\d[\d.,]*\s*%?(\s*(±|\[).*)?\s*$/.test(cell) || /^[–-]?$/.test(cell);
}
