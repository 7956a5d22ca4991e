// The text field for tries, and the button for the question "any?".

import { button, el } from "../dom.js";

/** @typedef {import("../types.js").StateMessage} State */

/** @param {(text: string) => boolean} onTyped returns whether the text was understood */
export function makeTryInput(onTyped) {
  const field = el("input", {
    id: "typed", name: "try", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    maxlength: 12, enterkeyhint: "send", placeholder: "Type a try: e2e4, Nf3 …",
    "aria-label": "Type a try", "data-test": "type-try",
  });
  const submit = el("button", { "data-test": "send-try" }, "Try");
  const any = button("Any?", () => void onTyped("any?"), {
    "data-test": "any", hidden: true, title: "Ask whether a pawn can capture",
  });
  const form = el("form", {
    class: "try-form",
    onsubmit: (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      if (field.value.trim() && onTyped(field.value)) field.value = "";
    },
  }, field, submit, any);

  /** Moves the focus to the text field when the user types a slash. @param {KeyboardEvent} event */
  const onKeyDown = (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.matches("input, textarea, select")) return;
    event.preventDefault();
    field.focus();
  };
  document.addEventListener("keydown", onKeyDown);

  return {
    element: form,
    /** @param {State} state @param {boolean} mayTry @param {boolean} hasAny in these rules */
    draw(state, mayTry, hasAny) {
      form.hidden = Boolean(state.view.end);
      submit.disabled = !mayTry;
      any.hidden = !hasAny && !state.view.may_ask;
      any.disabled = !mayTry || !state.view.may_ask;
    },
    stop: () => document.removeEventListener("keydown", onKeyDown),
  };
}
