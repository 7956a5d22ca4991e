// Tries in words: what a step was, and who heard what was said to it.

import { el } from "../dom.js";
import { sideName } from "../squares.js";
import { isRefused } from "../watching/marks.js";

/** @typedef {import("../types.js").ReviewStep} ReviewStep */

/** Whether it was "any?", also where the one who tells the game only heard the answer. @param {ReviewStep} step */
export const isQuestion = (step) => step.announcement.verdict === "yes" || step.announcement.verdict === "no";

/** What was tried: struck out where it was refused, and a question mark where nobody told us. @param {ReviewStep} step */
export function triedWords(step) {
  if (isQuestion(step)) return el("i", { class: "try-name" }, "any?");
  if (step.announcement.verdict === "ended") return null;
  return el(isRefused(step) ? "s" : "b", { class: "try-name" }, step.name ?? step.try ?? "?");
}

/** @param {ReviewStep} step */
export function heardWords(step) {
  const heard = step.announcement.heard_by ?? [];
  return heard.length === 1 ? `Only ${sideName(heard[0])} heard it.` : null;
}
