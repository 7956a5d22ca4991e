// A scene: a few tries on small boards, with what the umpire says to each. The scenes are in `scenes/`, and a test lets the umpire play them.

import { get } from "../api.js";
import { button, el, fill } from "../dom.js";
import { sideName } from "../squares.js";
import { WatchedBoards } from "./boards.js";
import { isRefused } from "./marks.js";

/** @typedef {import("../types.js").Side} Side */
/** @typedef {import("../types.js").Said} Said */
/** @typedef {import("./marks.js").Seat} Seat */

/**
 * @typedef {object} SceneStep
 * @property {Side} by
 * @property {string} try
 * @property {string} name
 * @property {string | null} text what the umpire says, or null where he does not take the try
 * @property {string} [reason] why he does not
 * @property {Said | null} announcement
 * @property {string} fen
 * @property {string} [note] what is to be learned from it
 */

/**
 * @typedef {object} Scene
 * @property {string} id
 * @property {string} ruleset
 * @property {string} title
 * @property {string} text
 * @property {Seat[]} boards
 * @property {string} start a FEN
 * @property {string} opening what the umpire says at first
 * @property {SceneStep[]} steps
 */

/** @param {string} name of the file in `scenes/` @returns {Promise<Scene[]>} */
export const scenesOf = (name) => get(`/web/scenes/${name}.json`);

/** @param {Seat} seat */
const seatTitle = (seat) => (seat === "umpire" ? "The umpire sees" : `${sideName(seat)} sees`);

/** The boards that a scene is played on. @param {Scene} scene */
export function sceneBoards(scene) {
  const player = scene.boards.find((seat) => seat !== "umpire");
  return new WatchedBoards({
    start: scene.start,
    steps: scene.steps,
    orientation: player === "black" ? "black" : "white",
    seats: scene.boards.map((seat) => ({ seat, title: seatTitle(seat), label: `${scene.title}: ${seatTitle(seat)}` })),
  });
}

/** @param {SceneStep} step */
export const tryingWords = (step) => `${sideName(step.by)} ${step.try === "any?" ? "asks" : "tries"}`;

/** @param {SceneStep} step */
export function triedName(step) {
  return el(isRefused(step) ? "s" : "b", { class: "try-name" }, step.name);
}

/** Who heard an answer, where that was not both. @param {SceneStep} step */
export function hearing(step) {
  if (!step.announcement) return "Nobody else hears it.";
  const heard = step.announcement.heard_by ?? [];
  return heard.length === 1 ? `Only ${sideName(heard[0])} hears it.` : null;
}

/** A scene with its boards and its lines. A line shows the boards as they stood then. @param {Scene} scene */
export function drawScene(scene) {
  const boards = sceneBoards(scene);
  const lines = [
    el("button", { type: "button", class: "scene-line", onclick: () => show(0) },
      el("span", { class: "said" }, `“${scene.opening}”`)),
    ...scene.steps.map((step, before) => {
      const hidden = !scene.boards.includes(step.by);
      return el("button", { type: "button", class: "scene-line", onclick: () => show(before + 1) },
        el("span", { class: "tried" }, el("span", { class: `disc ${step.by}` }), `${tryingWords(step)} `, triedName(step),
          hidden && el("span", { class: "muted" }, " (unseen)")),
        el("span", { class: "said" }, step.text ? `“${step.text}”` : `Not taken: ${step.reason}.`),
        el("span", { class: "muted small" }, [step.note, hearing(step)].filter(Boolean).join(" ")),
      );
    }),
  ];
  const back = button("‹", () => show(at - 1), { "aria-label": "Back", class: "icon" });
  const on = button("›", () => show(at + 1), { "aria-label": "On", class: "icon" });
  const place = el("span", { class: "muted small" });
  let at = 0;

  /** @param {number} to */
  function show(to) {
    at = Math.max(0, Math.min(scene.steps.length, to));
    boards.show(at);
    lines.forEach((line, each) => {
      if (each === at) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    });
    back.disabled = at === 0;
    on.disabled = at === scene.steps.length;
    fill(place, `${at} of ${scene.steps.length}`);
  }

  const element = el("section", { class: "scene card", id: scene.id, "data-test": "scene", "data-scene": scene.id },
    el("h3", {}, scene.title),
    el("p", {}, scene.text),
    boards.element,
    scene.steps.length > 0 && el("div", { class: "scene-script" },
      el("div", { class: "scene-lines" }, lines),
      el("div", { class: "scene-step" }, back, place, on),
    ),
  );
  // The last line is what the scene is about, and a page that is only read should show it.
  show(scene.steps.length);
  return { element, destroy: () => boards.destroy() };
}
