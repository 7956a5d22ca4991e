// The controls to step through a game: buttons, a slider, and keys.

import { button, el, fill, svg } from "../dom.js";

/** @typedef {import("./cursor.js").Cursor} Cursor */

/** The icons as paths, since not every font has these characters. */
const ICONS = {
  first: "M4 4h2v12H4zM16 4v12L7 10z",
  previous: "M14 4v12L5 10z",
  next: "M6 4v12l9-6z",
  last: "M14 4h2v12h-2zM4 4v12l9-6z",
};

/** @param {Cursor} cursor */
export function stepControls(cursor) {
  const slider = el("input", {
    type: "range", min: 0, max: cursor.last, step: 1, value: 0, "aria-label": "Step",
    "data-test": "review-slider", oninput: () => cursor.moveTo(Number(slider.value)),
  });
  const position = el("span", {
    class: "muted small number step-position", "data-test": "review-position",
  });
  /** @param {keyof typeof ICONS} name @param {string} label @param {() => number} target */
  const stepButton = (name, label, target) => button(
    svg("svg", {
      viewBox: "0 0 20 20", width: 20, height: 20, fill: "currentColor", "aria-hidden": "true",
    }, svg("path", { d: ICONS[name] })),
    () => cursor.moveTo(target()),
    { class: "icon", "aria-label": label, title: label, "data-test": `review-${name}` },
  );
  const first = stepButton("first", "First step (Home)", () => 0);
  const previous = stepButton("previous", "Previous step (left arrow)", () => cursor.at - 1);
  const next = stepButton("next", "Next step (right arrow)", () => cursor.at + 1);
  const last = stepButton("last", "Last step (End)", () => cursor.last);
  cursor.subscribe((at) => {
    slider.value = String(at);
    for (const element of [first, previous]) element.disabled = at === 0;
    for (const element of [next, last]) element.disabled = at === cursor.last;
    fill(position, `${at} / ${cursor.last}`);
    slider.setAttribute("aria-valuetext", `Step ${at} of ${cursor.last}`);
  });
  return el("div", { class: "step-controls", role: "group", "aria-label": "Steps" },
    first, previous, next, last, slider, position);
}

/** Elements in which the arrow keys have another meaning. */
const USES_ARROW_KEYS = "input, select, textarea, dialog, [data-square]";

/**
 * Steps through the game with the arrow keys, Home and End.
 * @param {Cursor} cursor
 * @returns {() => void} removes the keys
 */
export function addStepKeys(cursor) {
  /** @param {KeyboardEvent} event */
  const onKeyDown = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest(USES_ARROW_KEYS)) return;
    const { at, last } = cursor;
    const step = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    cursor.moveTo(step);
  };
  document.addEventListener("keydown", onKeyDown);
  return () => document.removeEventListener("keydown", onKeyDown);
}
