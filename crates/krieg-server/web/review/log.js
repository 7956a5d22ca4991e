// The log of a review: all tries of the game. A click shows the boards after that try.

import { el } from "../dom.js";
import { isRefused } from "../replay/marks.js";
import { sideName } from "../squares.js";
import { tryElement } from "./tries.js";

/** @typedef {import("../types.js").Review} Review */
/** @typedef {import("../types.js").ReviewStep} ReviewStep */
/** @typedef {import("../dom.js").Child} Child */
/** @typedef {import("./cursor.js").Cursor} Cursor */

/** @param {Review} review @param {Cursor} cursor */
export function reviewLog(review, cursor) {
  /** @param {number} at @param {string} className @param {...Child} children */
  const line = (at, className, ...children) => el("button", {
    type: "button", class: `review-line ${className}`.trim(), onclick: () => cursor.moveTo(at),
    "data-step": at, "data-test": "review-line",
  }, ...children);
  const openingLine = line(0, "",
    el("span", { class: "move-number" }),
    el("span", { class: "try-text muted" }, "Start"),
    el("span", { class: "announcement" }, review.opening.text));
  /** @param {ReviewStep} step @param {number} index */
  const stepLine = (step, index) => {
    const { by, move, text } = step;
    return line(index + 1, `${by}${isRefused(step) ? " refused" : ""}`,
      el("span", { class: "move-number muted" }, move ? `${move}.` : ""),
      el("span", { class: "try-text" },
        el("span", { class: `disc ${by}`, role: "img", "aria-label": sideName(by) }),
        tryElement(step)),
      el("span", { class: "announcement" }, text));
  };
  const lines = [openingLine, ...review.steps.map(stepLine)];
  const list = el("div", {
    class: "review-log", role: "group", "aria-label": "Log", "data-test": "review-log",
  }, lines);
  /** @type {HTMLElement | null} */
  let current = null;

  /** Scrolls the list, not the page, so that the boards stay where they are. */
  function scrollToCurrent() {
    if (!current) return;
    const { offsetHeight, offsetTop } = current;
    const isAbove = offsetTop < list.scrollTop;
    const isBelow = offsetTop + offsetHeight > list.scrollTop + list.clientHeight;
    if (isAbove || isBelow) list.scrollTop = offsetTop - list.clientHeight / 2;
  }

  cursor.subscribe((at) => {
    current?.removeAttribute("aria-current");
    current = lines[at];
    current.setAttribute("aria-current", "step");
    requestAnimationFrame(scrollToCurrent);
  });
  return list;
}
