// A step of a review in words: what was tried, and who heard the answer.

import { el } from "../dom.js";
import { isRefused } from "../replay/marks.js";
import { sideName } from "../squares.js";

/** @typedef {import("../types.js").ReviewStep} ReviewStep */

/**
 * Whether the step is the question "any?". The answer shows this even if a transcript does not
 * contain the question.
 * @param {ReviewStep} step
 */
export const isQuestion = ({ announcement: { verdict } }) => verdict === "yes" || verdict === "no";

/**
 * The try of a step: crossed out if it was refused, and a question mark if it is not known.
 * @param {ReviewStep} step
 */
export function tryElement(step) {
  if (isQuestion(step)) return el("i", { class: "try-name" }, "any?");
  if (step.announcement.verdict === "ended") return null;
  return el(isRefused(step) ? "s" : "b", { class: "try-name" }, step.name ?? step.try ?? "?");
}

/** Who heard the announcement, if not both players did. @param {ReviewStep} step */
export function audienceText({ announcement }) {
  const heardBy = announcement.heard_by ?? [];
  return heardBy.length === 1 ? `Only ${sideName(heardBy[0])} heard it.` : null;
}
