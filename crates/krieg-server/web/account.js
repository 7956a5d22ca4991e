// The user of this browser: who is signed in, and the dialogs to sign in, register and sign out.

import { button, el, fill } from "./dom.js";
import { ApiError, get, post } from "./requests.js";

/** @typedef {import("./types.js").User} User */
/** @typedef {"guest" | "login" | "register"} SignInMode */

/** @type {Promise<User | null> | null} */
let userRequest = null;

/**
 * The user who is signed in, or null. The server is asked once.
 * @returns {Promise<User | null>}
 */
export function currentUser() {
  userRequest ??= get("/api/me").then(
    (answer) => answer.user,
    (error) => {
      userRequest = null;
      throw error;
    },
  );
  return userRequest;
}

/** @param {User | null} user */
function setUser(user) {
  userRequest = Promise.resolve(user);
  window.dispatchEvent(new CustomEvent("krieg:user", { detail: user }));
}

/**
 * The user who is signed in. Asks for a name if there is none, and rejects if the dialog is closed.
 * @returns {Promise<User>}
 */
export async function requireUser() {
  const user = (await currentUser()) ?? (await signInDialog("guest"));
  if (!user) throw new ApiError("sign-in", "Enter a name or sign in first.", 401);
  return user;
}

/**
 * Runs a request. If the server requires a user, asks for a name and runs the request again.
 * @template T
 * @param {() => Promise<T>} run
 * @returns {Promise<T>}
 */
export async function withUser(run) {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "sign-in-required") throw error;
    await requireUser();
    return run();
  }
}

/** Opens the account of the user, or the sign-in dialog if no user is signed in. */
export async function openAccountDialog() {
  const user = await currentUser().catch(() => null);
  if (!user) {
    await signInDialog("login");
    return;
  }
  const isGuest = user.kind === "guest";
  const dialog = el("dialog", { class: "card dialog", "aria-labelledby": "account-title" });
  const signOut = async () => {
    await post("/api/logout");
    dialog.close();
    setUser(null);
  };
  const register = () => {
    dialog.close();
    void signInDialog("register");
  };
  const errorText = el("p", { class: "error", role: "alert" });
  fill(
    dialog,
    el("h2", { id: "account-title" }, user.name),
    el("p", {}, isGuest
      ? "You are a guest: only this browser knows you. Register to keep your name and your games."
      : "You are signed in."),
    errorText,
    el("div", { class: "row" },
      isGuest && button("Register", register, { class: "primary", "data-test": "account-keep" }),
      button(isGuest ? "Remove guest from this browser" : "Sign out", () => {
        signOut().catch((error) => fill(errorText, error.message));
      }, { "data-test": "account-sign-out" }),
      button("Close", () => dialog.close(), { class: "quiet" }),
    ),
  );
  openDialog(dialog);
}

const SIGN_IN_MODES = /** @type {const} */ ({
  guest: {
    title: "Choose a name",
    path: "/api/guest",
    button: "Play as a guest",
    about: "Any name will do. You need no account.",
  },
  login: {
    title: "Sign in",
    path: "/api/login",
    button: "Sign in",
    about: "Enter the name and password of your account.",
  },
  register: {
    title: "Register",
    path: "/api/register",
    button: "Register",
    about: "An account keeps your name and your games, on any device.",
  },
});

/**
 * @param {SignInMode} firstMode
 * @returns {Promise<User | null>} null if the dialog was closed
 */
function signInDialog(firstMode) {
  return new Promise((resolve) => {
    /** @type {User | null} */
    let user = null;
    const dialog = el("dialog", {
      class: "card dialog", "aria-labelledby": "account-title", "data-test": "account-dialog",
    });
    dialog.addEventListener("close", () => resolve(user));

    /** @param {SignInMode} mode @param {string} name */
    const show = (mode, name) => {
      const texts = SIGN_IN_MODES[mode];
      const nameField = el("input", {
        name: "name", required: true, maxlength: 30, autocomplete: "username", value: name,
        autofocus: true, "data-test": "account-name",
      });
      const password = el("input", {
        name: "password", type: "password", required: true, maxlength: 200,
        autocomplete: mode === "login" ? "current-password" : "new-password",
        "data-test": "account-password",
      });
      const errorText = el("p", { class: "error", role: "alert" });
      const submit = el("button", {
        class: "primary", "data-test": "account-submit",
      }, texts.button);
      /** @param {SubmitEvent} event */
      const onsubmit = async (event) => {
        event.preventDefault();
        submit.disabled = true;
        try {
          const answer = await post(texts.path, {
            name: nameField.value.trim(),
            ...(mode === "guest" ? {} : { password: password.value }),
          });
          user = answer.user;
          setUser(user);
          dialog.close();
        } catch (error) {
          fill(errorText, error instanceof Error ? error.message : "Something went wrong.");
          submit.disabled = false;
        }
      };
      /** @param {SignInMode} other @param {string} label */
      const modeLink = (other, label) =>
        other !== mode && button(label, () => show(other, nameField.value), {
          class: "link", "data-test": `account-${other}`,
        });
      fill(
        dialog,
        el("form", { onsubmit, class: "stack" },
          el("h2", { id: "account-title" }, texts.title),
          el("p", { class: "muted" }, texts.about),
          el("label", {}, "Name", nameField),
          mode !== "guest" && el("label", {}, "Password", password),
          errorText,
          el("div", { class: "row" },
            submit,
            button("Cancel", () => dialog.close(), { class: "quiet" }),
          ),
          el("p", { class: "row small" },
            modeLink("guest", "Play as a guest"),
            modeLink("login", "Sign in"),
            modeLink("register", "Register"),
          ),
        ),
      );
      nameField.focus();
    };
    openDialog(dialog);
    show(firstMode, "");
  });
}

/** @param {HTMLDialogElement} dialog */
function openDialog(dialog) {
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
