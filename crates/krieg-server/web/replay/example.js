// Examples: a few tries on small boards, with the umpire's answers. They are stored in
// `rules/examples/`, and a test checks them against the umpire.

import { get } from "../api.js";
import { button, el, fill } from "../dom.js";
import { sideName } from "../squares.js";
import { ReplayBoards } from "./boards.js";
import { isRefused } from "./marks.js";

/** @typedef {import("../types.js").Side} Side */
/** @typedef {import("../types.js").Announcement} Announcement */
/** @typedef {import("./marks.js").Viewer} Viewer */

/**
 * @typedef {object} ExampleStep
 * @property {Side} by
 * @property {string} try
 * @property {string} name
 * @property {string | null} text the umpire's words; null if the umpire ignores the try
 * @property {string} [reason] why the umpire ignores the try
 * @property {Announcement | null} announcement
 * @property {string} fen
 * @property {string} [note] a comment for the reader
 */

/**
 * @typedef {object} Example
 * @property {string} id
 * @property {string} ruleset
 * @property {string} title
 * @property {string} text
 * @property {Viewer[]} boards
 * @property {string} start a FEN
 * @property {string} opening what the umpire says at the beginning
 * @property {ExampleStep[]} steps
 */

/** @param {string} name of the file in `rules/examples/` @returns {Promise<Example[]>} */
export const loadExamples = (name) => get(`/web/rules/examples/${name}.json`);

/** @param {Viewer} viewer */
const viewerTitle = (viewer) =>
  viewer === "umpire" ? "The umpire's board" : `${sideName(viewer)}'s view`;

/** @param {Example} example */
function exampleBoards({ title, boards, start, steps }) {
  return new ReplayBoards({
    start,
    steps,
    orientation: boards.find((viewer) => viewer !== "umpire") === "black" ? "black" : "white",
    viewers: boards.map((viewer) => ({
      viewer, title: viewerTitle(viewer), label: `${title}: ${viewerTitle(viewer)}`,
    })),
  });
}

/** @param {ExampleStep} step */
export const tryingText = (step) =>
  `${sideName(step.by)} ${step.try === "any?" ? "asks" : "tries"}`;

/** @param {ExampleStep} step */
export const tryNameElement = (step) =>
  el(isRefused(step) ? "s" : "b", { class: "try-name" }, step.name);

/** Who heard an answer, if not both players did. @param {ExampleStep} step */
function audienceText({ announcement }) {
  if (!announcement) return "The opponent does not hear it.";
  const heardBy = announcement.heard_by ?? [];
  return heardBy.length === 1 ? `Only ${sideName(heardBy[0])} hears it.` : null;
}

/**
 * Creates an example with its boards and its steps. A click on a step shows the boards after it.
 * @param {Example} example
 */
export function renderExample(example) {
  const { steps } = example;
  const boards = exampleBoards(example);
  /** @param {number} step @param {...import("../dom.js").Child} children */
  const stepButton = (step, ...children) =>
    el("button", { type: "button", class: "example-step", onclick: () => show(step) }, ...children);
  const buttons = [
    stepButton(0, el("span", { class: "announcement" }, `“${example.opening}”`)),
    ...steps.map((step, index) => {
      const isHidden = !example.boards.includes(step.by);
      return stepButton(index + 1,
        el("span", { class: "try-text" },
          el("span", { class: `disc ${step.by}` }), `${tryingText(step)} `, tryNameElement(step),
          isHidden && el("span", { class: "muted" }, " (hidden)")),
        el("span", { class: "announcement" },
          step.text ? `“${step.text}”` : `Ignored: ${step.reason}.`),
        el("span", { class: "muted small" },
          [step.note, audienceText(step)].filter(Boolean).join(" ")),
      );
    }),
  ];
  const previous = button("‹", () => show(at - 1), { "aria-label": "Previous", class: "icon" });
  const next = button("›", () => show(at + 1), { "aria-label": "Next", class: "icon" });
  const position = el("span", { class: "muted small" });
  let at = 0;

  /** @param {number} step */
  function show(step) {
    at = Math.max(0, Math.min(steps.length, step));
    boards.show(at);
    buttons.forEach((element, index) => {
      if (index === at) element.setAttribute("aria-current", "step");
      else element.removeAttribute("aria-current");
    });
    previous.disabled = at === 0;
    next.disabled = at === steps.length;
    fill(position, `${at} of ${steps.length}`);
  }

  const element = el("section", {
    class: "example card", id: example.id, "data-test": "example", "data-example": example.id,
  },
    el("h3", {}, example.title),
    el("p", {}, example.text),
    boards.element,
    steps.length > 0 && el("div", { class: "example-script" },
      el("div", { class: "example-steps" }, buttons),
      el("div", { class: "example-controls" }, previous, position, next),
    ),
  );
  // The last step is what the example is about, so it is shown first.
  show(steps.length);
  return { element, destroy: () => boards.destroy() };
}
