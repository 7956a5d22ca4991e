// The promotion dialog. The piece is chosen before the try is sent, since it is a part of the try.

import { button, el } from "../dom.js";
import { pieceIcon } from "../pieces.js";
import { KINDS } from "../squares.js";

const TITLE = "Promote the pawn to";

/**
 * @param {string[]} tries the same squares, each with another promotion
 * @param {import("../types.js").Side} side
 * @returns {Promise<string | null>} the chosen try, or null if the dialog was closed
 */
export function choosePromotion(tries, side) {
  return new Promise((resolve) => {
    /** @type {string | null} */
    let chosen = null;
    const choices = [..."qrbn"].flatMap((letter) => {
      const promotion = tries.find((text) => text.endsWith(letter));
      if (!promotion) return [];
      const piece = side === "white" ? letter.toUpperCase() : letter;
      return [button([pieceIcon(piece), el("span", {}, KINDS[letter])], () => {
        chosen = promotion;
        dialog.close();
      }, { class: "promotion-choice", "data-test": `promote-${letter}` })];
    });
    const dialog = el("dialog", {
      class: "card dialog promotion", "aria-label": TITLE, "data-test": "promotion",
    },
      el("h2", {}, TITLE),
      el("div", { class: "promotion-choices" }, choices),
      el("div", { class: "row end" }, button("Cancel", () => dialog.close(), { class: "quiet" })),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(chosen);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
