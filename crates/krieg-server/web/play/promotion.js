// Which man a pawn becomes: asked before the try is made, for the umpire hears the whole of it.

import { button, el } from "../dom.js";
import { pieceIcon } from "../pieces.js";
import { KINDS } from "../squares.js";

/**
 * @param {string[]} tries the same squares with different letters at their end
 * @param {import("../types.js").Side} side
 * @returns {Promise<string | null>} one of them, or null if none was chosen
 */
export function choosePromotion(tries, side) {
  return new Promise((resolve) => {
    /** @type {string | null} */
    let chosen = null;
    const choices = [..."qrbn"].flatMap((letter) => {
      const full = tries.find((each) => each.endsWith(letter));
      if (!full) return [];
      const man = side === "white" ? letter.toUpperCase() : letter;
      return [button([pieceIcon(man), el("span", {}, KINDS[letter])], () => {
        chosen = full;
        dialog.close();
      }, { class: "promotion-choice", "data-test": `promote-${letter}` })];
    });
    const dialog = el("dialog", { class: "card dialog promotion", "aria-label": "What shall the pawn become?", "data-test": "promotion" },
      el("h2", {}, "What shall the pawn become?"),
      el("div", { class: "promotion-choices" }, choices),
      el("div", { class: "row end" }, button("Leave it", () => dialog.close(), { class: "quiet" })),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(chosen);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
