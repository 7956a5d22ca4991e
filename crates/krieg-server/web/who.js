// Who is here: the person of this browser, and the dialog that asks for a name when one is needed.

import { button, el, fill } from "./dom.js";
import { ApiError, get, post } from "./requests.js";

/** @typedef {import("./types.js").Person} Person */
/** @typedef {"guest" | "login" | "register"} Way */

/** @type {Promise<Person | null> | null} */
let known = null;

/** The person of this browser, or null; asked of the server once. @returns {Promise<Person | null>} */
export function me() {
  known ??= get("/api/me").then(
    (answer) => answer.user,
    (error) => {
      known = null;
      throw error;
    },
  );
  return known;
}

/** @param {Person | null} person */
function become(person) {
  known = Promise.resolve(person);
  window.dispatchEvent(new CustomEvent("krieg:person", { detail: person }));
}

/** Makes sure that there is a person, by asking for a name if need be. Rejects if nobody gives one. @returns {Promise<Person>} */
export async function needName() {
  const person = await me();
  if (person) return person;
  const named = await nameDialog("guest");
  if (!named) throw new ApiError("sign-in", "It takes a name to do that.", 401);
  return named;
}

/** What a click on one's own name opens: signing in, keeping a guest's games with a password, leaving. */
export async function showPerson() {
  const person = await me().catch(() => null);
  if (!person) {
    await nameDialog("login");
    return;
  }
  const dialog = el("dialog", { class: "card dialog", "aria-labelledby": "who-title" });
  const leave = async () => {
    await post("/api/logout");
    dialog.close();
    become(null);
  };
  const trouble = el("p", { class: "error", role: "alert" });
  fill(
    dialog,
    el("h2", { id: "who-title" }, person.name),
    el("p", {}, person.kind === "guest"
      ? "You are a guest. This browser alone remembers you. A password keeps your name and your games."
      : "You are signed in."),
    trouble,
    el("div", { class: "row" },
      person.kind === "guest" && button("Keep my name", () => {
        dialog.close();
        void nameDialog("register");
      }, { class: "primary", "data-test": "who-keep" }),
      button(person.kind === "guest" ? "Forget me here" : "Sign out", () => {
        leave().catch((error) => fill(trouble, error.message));
      }, { "data-test": "who-leave" }),
      button("Close", () => dialog.close(), { class: "quiet" }),
    ),
  );
  opened(dialog);
}

const WAYS = /** @type {const} */ ({
  guest: { title: "What shall we call you?", path: "/api/guest", button: "Play as a guest", about: "Any name will do. No account is needed." },
  login: { title: "Sign in", path: "/api/login", button: "Sign in", about: "With the name and password you registered." },
  register: { title: "Make an account", path: "/api/register", button: "Register", about: "Your name and your games are kept, on any device." },
});

/**
 * @param {Way} first
 * @returns {Promise<Person | null>}
 */
function nameDialog(first) {
  return new Promise((resolve) => {
    /** @type {Person | null} */
    let person = null;
    const dialog = el("dialog", { class: "card dialog", "aria-labelledby": "who-title", "data-test": "who-dialog" });
    dialog.addEventListener("close", () => resolve(person));

    /** @param {Way} way @param {string} name */
    const show = (way, name) => {
      const words = WAYS[way];
      const nameField = el("input", {
        name: "name", required: true, maxlength: 30, autocomplete: "username", value: name, autofocus: true, "data-test": "who-name",
      });
      const password = el("input", {
        name: "password", type: "password", required: true, maxlength: 200, "data-test": "who-password",
        autocomplete: way === "login" ? "current-password" : "new-password",
      });
      const trouble = el("p", { class: "error", role: "alert" });
      const submit = el("button", { class: "primary", "data-test": "who-submit" }, words.button);
      /** @param {SubmitEvent} event */
      const onsubmit = async (event) => {
        event.preventDefault();
        submit.disabled = true;
        try {
          const answer = await post(words.path, {
            name: nameField.value.trim(),
            ...(way === "guest" ? {} : { password: password.value }),
          });
          person = answer.user;
          become(person);
          dialog.close();
        } catch (error) {
          fill(trouble, error instanceof Error ? error.message : "That did not work.");
          submit.disabled = false;
        }
      };
      /** @param {Way} other @param {string} label */
      const change = (other, label) =>
        button(label, () => show(other, nameField.value), { class: "link", "data-test": `who-${other}` });
      fill(
        dialog,
        el("form", { onsubmit, class: "stack" },
          el("h2", { id: "who-title" }, words.title),
          el("p", { class: "muted" }, words.about),
          el("label", {}, "Name", nameField),
          way !== "guest" && el("label", {}, "Password", password),
          trouble,
          el("div", { class: "row" }, submit, button("Not now", () => dialog.close(), { class: "quiet" })),
          el("p", { class: "row small" },
            way !== "guest" && change("guest", "Be a guest"),
            way !== "login" && change("login", "Sign in"),
            way !== "register" && change("register", "Register"),
          ),
        ),
      );
      nameField.focus();
    };
    opened(dialog);
    show(first, "");
  });
}

/** @param {HTMLDialogElement} dialog */
function opened(dialog) {
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
