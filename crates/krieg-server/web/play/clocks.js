// The clocks: the remaining times of the server's last message, less the time since.

import { el } from "../dom.js";
import { sideName } from "../squares.js";

/** @typedef {import("../types.js").Clock} Clock */
/** @typedef {import("../types.js").Side} Side */

const TICK_MS = 100;
/** Below this time a clock shows tenths of a second and a warning colour. */
const LOW_MS = 20_000;

/** @param {number} ms */
export function clockText(ms) {
  const left = Math.max(0, ms);
  if (left < LOW_MS) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.floor(left / 1000);
  const twoDigits = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = twoDigits(seconds % 60);
  return hours ? `${hours}:${twoDigits(minutes)}:${rest}` : `${minutes}:${rest}`;
}

export function makeClocks() {
  /** @type {Clock | null} */
  let clock = null;
  let receivedAt = 0;
  const elements = { white: clockElement("white"), black: clockElement("black") };

  function draw() {
    for (const side of /** @type {Side[]} */ (["white", "black"])) {
      const element = elements[side];
      element.hidden = clock === null;
      if (!clock) continue;
      const running = clock.running === side;
      const left = clock[`${side}_ms`] - (running ? performance.now() - receivedAt : 0);
      const text = clockText(left);
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("running", running);
      element.classList.toggle("low", left < LOW_MS);
    }
  }
  const timer = setInterval(() => clock?.running && draw(), TICK_MS);
  return {
    elements,
    /** @param {Clock | null} received */
    set(received) {
      clock = received;
      receivedAt = performance.now();
      draw();
    },
    stop: () => clearInterval(timer),
  };
}

/** @param {Side} side */
const clockElement = (side) => el("span", {
  class: "clock", role: "timer", "aria-label": `${sideName(side)}'s clock`,
  "data-test": `clock-${side}`, hidden: true,
});
