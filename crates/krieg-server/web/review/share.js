// Passing a review on: its link, at the step that is shown, and its record.

import { button, el, fill } from "../dom.js";

/** @typedef {import("./cursor.js").Cursor} Cursor */

/** How long "Copied" stands on the button. */
const SAID_MS = 1800;

/** @param {string} id @param {Cursor} cursor */
export function shareButtons(id, cursor) {
  const link = el("input", { readonly: true, hidden: true, class: "share-link", "aria-label": "Link to this step", "data-test": "share-link" });
  const address = () => `${location.origin}/review/${id}#${cursor.at}`;
  const share = button("Copy link", async () => {
    link.value = address();
    try {
      await navigator.clipboard.writeText(link.value);
      fill(share, "Copied");
      setTimeout(() => fill(share, "Copy link"), SAID_MS);
    } catch {
      // Without leave to use the clipboard the link is shown, to be copied by hand.
      link.hidden = false;
      link.select();
    }
  }, { "data-test": "share" });
  cursor.follow(() => {
    link.value = address();
  });
  return [
    share,
    el("a", { class: "button", href: `/api/games/${id}/pgn`, download: `krieg-${id}.pgn`, "data-test": "download-pgn" }, "Download PGN"),
    link,
  ];
}
