// The clocks: what the server said was left, less what has gone by since.

import { el } from "../dom.js";
import { sideName } from "../squares.js";

/** @typedef {import("../types.js").Clock} Clock */
/** @typedef {import("../types.js").Side} Side */

const TICK_MS = 100;
const LOW_MS = 20000;

/** @param {number} ms */
export function clockWords(ms) {
  const left = Math.max(0, ms);
  if (left < LOW_MS) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.floor(left / 1000);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

export function makeClocks() {
  /** @type {Clock | null} */
  let clock = null;
  let since = 0;
  const faces = { white: face("white"), black: face("black") };

  function draw() {
    for (const side of /** @type {Side[]} */ (["white", "black"])) {
      const element = faces[side];
      element.hidden = clock === null;
      if (!clock) continue;
      const running = clock.running === side;
      const left = clock[`${side}_ms`] - (running ? performance.now() - since : 0);
      const words = clockWords(left);
      if (element.textContent !== words) element.textContent = words;
      element.classList.toggle("running", running);
      element.classList.toggle("low", left < LOW_MS);
    }
  }
  const timer = setInterval(() => clock?.running && draw(), TICK_MS);
  return {
    faces,
    /** @param {Clock | null} said */
    set(said) {
      clock = said;
      since = performance.now();
      draw();
    },
    stop: () => clearInterval(timer),
  };
}

/** @param {Side} side */
const face = (side) =>
  el("span", { class: "clock", role: "timer", "aria-label": `${sideName(side)}'s clock`, "data-test": `clock-${side}`, hidden: true });
