// Bringing a game along: a file or pasted text of extended PGN, to be reviewed like one that was played here.

import { go } from "../address.js";
import { post } from "../api.js";
import { button, el, fill } from "../dom.js";
import { named } from "../games/named.js";
import { errorWords } from "../games/words.js";
import { EXAMPLE } from "./example.js";

/** More than this is no single game, and the server would not take it. */
const LARGEST = 512 * 1024;

/** Has a game kept by the server, and goes to its review. @param {string} pgn */
export async function review(pgn) {
  const { game } = await named(() => post("/api/uploads", pgn));
  go(`/review/${game.id}`);
}

export function uploadBox() {
  const text = el("textarea", {
    rows: 5, spellcheck: "false", class: "mono", "aria-label": "A game in extended PGN",
    placeholder: "1. e4 {P0:} 1... d5 {P1:} 2. exd5 {P0,Xd5:exf5} …", "data-test": "upload-text",
  });
  const file = el("input", { type: "file", accept: ".pgn,.txt,text/plain,application/x-chess-pgn", class: "unseen", tabindex: -1, "data-test": "upload-file" });
  const trouble = el("p", { class: "error", role: "alert", "data-test": "upload-error" });
  const send = el("button", { class: "primary", "data-test": "upload-send" }, "Look at it");

  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    file.value = "";
    if (chosen) await takeFile(chosen);
  });

  /** @param {File} chosen */
  async function takeFile(chosen) {
    if (chosen.size > LARGEST) {
      fill(trouble, "This file is too large for one game.");
      return;
    }
    text.value = await chosen.text();
    await upload();
  }

  async function upload() {
    fill(trouble);
    if (text.value.trim() === "") {
      fill(trouble, "There is nothing to look at yet. Choose a file, or paste a game.");
      return;
    }
    send.disabled = true;
    try {
      await review(text.value);
    } catch (error) {
      const words = errorWords(error);
      fill(trouble, words);
      showLine(text, words);
    } finally {
      send.disabled = false;
    }
  }

  /** @param {SubmitEvent} event */
  const onsubmit = (event) => {
    event.preventDefault();
    void upload();
  };
  /** @param {DragEvent} event */
  const ondrop = (event) => {
    const dropped = event.dataTransfer?.files[0];
    if (!dropped) return;
    event.preventDefault();
    void takeFile(dropped);
  };
  return el("form", { class: "card upload", onsubmit, ondrop, ondragover: (/** @type {DragEvent} */ event) => event.preventDefault(), "data-test": "upload" },
    el("h2", {}, "Bring a game"),
    el("p", { class: "muted small" }, "Extended PGN, with what the umpire said, or any game of chess. One player's side alone will do."),
    text,
    trouble,
    el("div", { class: "row" },
      send,
      button("Choose a file", () => file.click(), { "data-test": "upload-choose" }),
      button("An example", () => {
        text.value = EXAMPLE;
        text.focus();
        fill(trouble);
      }, { class: "quiet", "data-test": "upload-example" }),
      file,
    ),
  );
}

/**
 * The server says which line it could not read: that line is selected.
 * @param {HTMLTextAreaElement} text
 * @param {string} words
 */
function showLine(text, words) {
  const found = words.match(/line (\d+)/i);
  if (!found) return;
  const lines = text.value.split("\n");
  const line = Number(found[1]) - 1;
  if (line < 0 || line >= lines.length) return;
  const from = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
  text.focus();
  text.setSelectionRange(from, from + lines[line].length);
}
