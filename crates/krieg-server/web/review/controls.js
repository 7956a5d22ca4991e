// Going through a game: buttons, a slider, and the arrow keys.

import { button, el, fill, svg } from "../dom.js";

/** @typedef {import("./cursor.js").Cursor} Cursor */

/** Drawn, since not every font has these signs. */
const SHAPES = {
  first: "M4 4h2v12H4zM16 4v12L7 10z",
  back: "M14 4v12L5 10z",
  on: "M6 4v12l9-6z",
  last: "M14 4h2v12h-2zM4 4v12l9-6z",
};

/** @param {Cursor} cursor */
export function stepControls(cursor) {
  const slider = el("input", {
    type: "range", min: 0, max: cursor.last, step: 1, value: 0, "aria-label": "Step", "data-test": "review-slider",
    oninput: () => cursor.to(Number(slider.value)),
  });
  const place = el("span", { class: "muted small number step-place", "data-test": "review-place" });
  /** @param {keyof typeof SHAPES} name @param {string} words @param {() => number} to */
  const step = (name, words, to) => button(
    svg("svg", { viewBox: "0 0 20 20", width: 20, height: 20, fill: "currentColor", "aria-hidden": "true" }, svg("path", { d: SHAPES[name] })),
    () => cursor.to(to()),
    { class: "icon", "aria-label": words, title: words, "data-test": `review-${name}` },
  );
  const first = step("first", "To the beginning (Home)", () => 0);
  const back = step("back", "Back (left arrow)", () => cursor.at - 1);
  const on = step("on", "On (right arrow)", () => cursor.at + 1);
  const last = step("last", "To the end (End)", () => cursor.last);
  cursor.follow((at) => {
    slider.value = String(at);
    for (const one of [first, back]) one.disabled = at === 0;
    for (const one of [on, last]) one.disabled = at === cursor.last;
    fill(place, `${at} / ${cursor.last}`);
    slider.setAttribute("aria-valuetext", `Step ${at} of ${cursor.last}`);
  });
  return el("div", { class: "step-controls", role: "group", "aria-label": "Steps" }, first, back, on, last, slider, place);
}

/** @param {Cursor} cursor @returns {() => void} takes the keys away again */
export function stepKeys(cursor) {
  /** @param {KeyboardEvent} event */
  const onkeydown = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    // Where the arrows have a meaning of their own they keep it.
    if (event.target instanceof Element && event.target.closest("input, select, textarea, dialog, [data-square]")) return;
    const to = { ArrowLeft: cursor.at - 1, ArrowRight: cursor.at + 1, Home: 0, End: cursor.last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    cursor.to(to);
  };
  document.addEventListener("keydown", onkeydown);
  return () => document.removeEventListener("keydown", onkeydown);
}
