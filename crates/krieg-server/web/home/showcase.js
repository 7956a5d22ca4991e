// The example on the first page: a short game that plays itself, as White sees it or as the umpire does.

import { Board } from "../board.js";
import { button, el, fill } from "../dom.js";
import { marksAt, menAt } from "../watching/marks.js";
import { scenesOf, triedName, tryingWords } from "../watching/scene.js";

/** @typedef {import("../watching/scene.js").Scene} Scene */

const FIRST_MS = 900;
const STEP_MS = 2200;
const END_MS = 6000;
const LINES = 3;

export function showcase() {
  const screen = el("div", { class: "showcase-board" });
  const lines = el("ol", { class: "showcase-lines", "aria-hidden": "true" });
  const board = new Board(screen, { label: "An example: White's side of a game" });
  /** @type {Scene | null} */
  let scene = null;
  /** @type {"white" | "umpire"} */
  let seat = "white";
  let at = 0;
  let playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  let timer = 0;

  const pause = button("", () => {
    playing = !playing;
    draw();
    schedule();
  }, { class: "quiet", "data-test": "showcase-pause" });
  const peek = button("Look behind the screen", () => {
    seat = seat === "white" ? "umpire" : "white";
    draw();
  }, { class: "quiet", "data-test": "showcase-peek" });

  board.setMen("8/8/8/8/8/8/PPPPPPPP/RNBQKBNR");
  scenesOf("home").then((scenes) => {
    scene = scenes[0];
    if (!playing) at = scene.steps.length;
    draw();
    schedule();
  }, () => undefined);

  function draw() {
    fill(pause, playing ? "Pause" : "Play");
    peek.setAttribute("aria-pressed", String(seat === "umpire"));
    if (!scene) return;
    board.setMen(menAt(scene.start, scene.steps, at, seat));
    board.setMarks(marksAt(scene.start, scene.steps, at, seat));
    const heard = scene.steps.slice(0, at).filter((step) => seat === "umpire" || step.announcement?.heard_by?.includes("white"));
    const opening = heard.length < LINES && el("li", {}, el("span", { class: "said" }, `“${scene.opening}”`));
    // The newest comes first: however many lines fit, it is there.
    fill(lines, heard.slice(-LINES).reverse().map((step) =>
      el("li", { class: step.by },
        step.by === "white" || seat === "umpire"
          ? el("span", { class: "tried" }, `${tryingWords(step)} `, triedName(step))
          : el("span", { class: "tried muted" }, "Black tries something"),
        el("span", { class: "said" }, `“${step.text}”`),
        step.note && el("span", { class: "muted small" }, step.note),
      )), opening);
  }

  function schedule() {
    clearTimeout(timer);
    if (!playing || !scene) return;
    const end = at >= scene.steps.length;
    timer = setTimeout(() => {
      at = end ? 0 : at + 1;
      // A page in the background has nobody to show it to.
      if (!document.hidden) draw();
      schedule();
    }, end ? END_MS : at === 0 ? FIRST_MS : STEP_MS);
  }

  draw();
  return {
    element: el("aside", { class: "showcase", "aria-label": "An example" },
      screen, lines, el("div", { class: "row showcase-buttons" }, pause, peek)),
    stop() {
      clearTimeout(timer);
      scene = null;
      board.destroy();
    },
  };
}
