// The form to upload a game in extended PGN, as a file or as text, and review it.

import { post, withUser } from "../api.js";
import { button, el, fill } from "../dom.js";
import { errorMessage } from "../games/text.js";
import { navigate } from "../navigation.js";
import { EXAMPLE } from "./example.js";

/** Maximum size of a file in bytes. The server would reject a larger one. */
const MAX_SIZE = 512 * 1024;

/** Uploads a game, and opens its review. @param {string} pgn */
export async function uploadAndReview(pgn) {
  const { game } = await withUser(() => post("/api/uploads", pgn));
  navigate(`/review/${game.id}`);
}

export function uploadForm() {
  const text = el("textarea", {
    rows: 5, spellcheck: "false", class: "mono", "aria-label": "A game in extended PGN",
    placeholder: "1. e4 {P0:} 1... d5 {P1:} 2. exd5 {P0,Xd5:exf5} …", "data-test": "upload-text",
  });
  const file = el("input", {
    type: "file", accept: ".pgn,.txt,text/plain,application/x-chess-pgn", class: "visually-hidden",
    tabindex: -1, "data-test": "upload-file",
  });
  const errorText = el("p", { class: "error", role: "alert", "data-test": "upload-error" });
  const send = el("button", { class: "primary", "data-test": "upload-send" }, "Review");

  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    file.value = "";
    if (chosen) await uploadFile(chosen);
  });

  /** @param {File} chosen */
  async function uploadFile(chosen) {
    if (chosen.size > MAX_SIZE) {
      fill(errorText, "This file is too large. Upload one game of at most 512 KB.");
      return;
    }
    text.value = await chosen.text();
    await upload();
  }

  async function upload() {
    fill(errorText);
    if (text.value.trim() === "") {
      fill(errorText, "Choose a file or paste a game first.");
      return;
    }
    send.disabled = true;
    try {
      await uploadAndReview(text.value);
    } catch (error) {
      const message = errorMessage(error);
      fill(errorText, message);
      selectLine(text, message);
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
  const ondragover = (event) => event.preventDefault();
  /** @param {DragEvent} event */
  const ondrop = (event) => {
    const dropped = event.dataTransfer?.files[0];
    if (!dropped) return;
    event.preventDefault();
    void uploadFile(dropped);
  };
  const insertExample = () => {
    text.value = EXAMPLE;
    text.focus();
    fill(errorText);
  };
  return el("form", {
    class: "card upload", onsubmit, ondrop, ondragover, "data-test": "upload",
  },
    el("h2", {}, "Upload a game"),
    el("p", { class: "muted small" },
      "Extended PGN with announcements, a transcript of one player, or any chess game."),
    text,
    errorText,
    el("div", { class: "row" },
      send,
      button("Choose a file", () => file.click(), { "data-test": "upload-choose" }),
      button("Insert an example", insertExample, { class: "quiet", "data-test": "upload-example" }),
      file,
    ),
  );
}

/**
 * Selects the line that an error message of the server names.
 * @param {HTMLTextAreaElement} text
 * @param {string} message
 */
function selectLine(text, message) {
  const found = message.match(/line (\d+)/i);
  if (!found) return;
  const lines = text.value.split("\n");
  const index = Number(found[1]) - 1;
  if (index < 0 || index >= lines.length) return;
  const start = lines.slice(0, index).reduce((sum, line) => sum + line.length + 1, 0);
  text.focus();
  text.setSelectionRange(start, start + lines[index].length);
}
