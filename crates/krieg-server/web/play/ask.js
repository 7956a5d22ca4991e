// Asking the umpire with the keyboard: the field for typed tries, and the button for "any?".

import { button, el } from "../dom.js";

/** @typedef {import("../types.js").StateMessage} State */

/** @param {(typed: string) => boolean} onTyped whether it was understood, and the field may be emptied */
export function makeAsk(onTyped) {
  const field = el("input", {
    id: "typed", name: "try", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 12, enterkeyhint: "send",
    placeholder: "Type a try: e2e4, Nf3 …", "aria-label": "Type a try", "data-test": "type-try",
  });
  const submit = el("button", { "data-test": "send-try" }, "Try");
  const any = button("Any?", () => void onTyped("any?"), {
    "data-test": "any", hidden: true, title: "Ask whether there is a pawn capture",
  });
  const form = el("form", {
    class: "ask",
    onsubmit: (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      if (field.value.trim() && onTyped(field.value)) field.value = "";
    },
  }, field, submit, any);

  /** Typing begins with a slash from anywhere, so that no mouse is needed. @param {KeyboardEvent} event */
  const onKey = (event) => {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLSelectElement;
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  };
  document.addEventListener("keydown", onKey);

  return {
    element: form,
    /** @param {State} state @param {boolean} mayTry @param {boolean} asks whether the ruleset has the question */
    draw(state, mayTry, asks) {
      form.hidden = Boolean(state.view.end);
      submit.disabled = !mayTry;
      any.hidden = !asks && !state.view.may_ask;
      any.disabled = !mayTry || !state.view.may_ask;
    },
    stop: () => document.removeEventListener("keydown", onKey),
  };
}
