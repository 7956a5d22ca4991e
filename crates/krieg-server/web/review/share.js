// The buttons to share a review: its link at the current step, and its PGN.

import { button, el, fill } from "../dom.js";

/** @typedef {import("./cursor.js").Cursor} Cursor */

/** How long the button shows "Copied". */
const COPIED_MS = 1800;

/** @param {string} id of the game @param {Cursor} cursor */
export function shareButtons(id, cursor) {
  const link = el("input", {
    readonly: true, hidden: true, class: "share-link", "aria-label": "Link to this step",
    "data-test": "share-link",
  });
  const url = () => `${location.origin}/review/${id}#${cursor.at}`;
  const share = button("Copy link", async () => {
    link.value = url();
    try {
      await navigator.clipboard.writeText(link.value);
      fill(share, "Copied");
      setTimeout(() => fill(share, "Copy link"), COPIED_MS);
    } catch {
      // Without permission for the clipboard, the link is shown for the user to copy.
      link.hidden = false;
      link.select();
    }
  }, { "data-test": "share" });
  cursor.subscribe(() => {
    link.value = url();
  });
  const download = el("a", {
    class: "button", href: `/api/games/${id}/pgn`, download: `krieg-${id}.pgn`,
    "data-test": "download-pgn",
  }, "Download PGN");
  return [share, download, link];
}
