// Every try of the game, one below the other. A click goes there.

import { el } from "../dom.js";
import { sideName } from "../squares.js";
import { isRefused } from "../watching/marks.js";
import { triedWords } from "./tries.js";

/** @typedef {import("../types.js").Review} Review */
/** @typedef {import("./cursor.js").Cursor} Cursor */

/** @param {Review} review @param {Cursor} cursor */
export function reviewLog(review, cursor) {
  /** @param {number} at @param {import("../dom.js").Attributes} attributes @param {...import("../dom.js").Child} children */
  const line = (at, attributes, ...children) =>
    el("button", { type: "button", onclick: () => cursor.to(at), "data-step": at, "data-test": "review-line", ...attributes }, ...children);
  const lines = [
    line(0, { class: "review-line" }, el("span", { class: "move-number" }), el("span", { class: "tried muted" }, "Start"),
      el("span", { class: "said" }, review.opening.text)),
    ...review.steps.map((step, before) =>
      line(before + 1, { class: `review-line ${step.by}${isRefused(step) ? " refused" : ""}` },
        el("span", { class: "move-number muted" }, step.move ? `${step.move}.` : ""),
        el("span", { class: "tried" },
          el("span", { class: `disc ${step.by}`, role: "img", "aria-label": sideName(step.by) }), triedWords(step)),
        el("span", { class: "said" }, step.text))),
  ];
  const list = el("div", { class: "review-log", role: "group", "aria-label": "Log", "data-test": "review-log" }, lines);
  /** @type {HTMLElement | null} */
  let shown = null;

  /** The list is scrolled, not the page: the boards are to stay where they are. */
  function reveal() {
    if (!shown) return;
    const above = shown.offsetTop < list.scrollTop;
    const below = shown.offsetTop + shown.offsetHeight > list.scrollTop + list.clientHeight;
    if (above || below) list.scrollTop = shown.offsetTop - list.clientHeight / 2;
  }

  cursor.follow((at) => {
    shown?.removeAttribute("aria-current");
    shown = lines[at];
    shown.setAttribute("aria-current", "step");
    requestAnimationFrame(reveal);
  });
  return list;
}
