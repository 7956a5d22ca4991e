// Beginning a game: the page around the form.

import { get } from "../api.js";
import { go } from "../address.js";
import { el } from "../dom.js";
import { newGameForm } from "../new/form.js";

export const title = "New game";

/** @param {HTMLElement} main @param {URL} address `?ruleset=` and `?bot=` choose beforehand */
export async function show(main, address) {
  /** @type {import("../types.js").Options} */
  const options = await get("/api/options");
  const form = newGameForm(options, address.searchParams, ({ game, invitation }) => {
    go(`/game/${game.id}${invitation ? `?invitation=${encodeURIComponent(invitation)}` : ""}`);
  });
  main.append(el("div", { class: "new-page" },
    el("header", { class: "page-head" },
      el("h1", {}, "New game"),
      el("p", { class: "muted" }, "Choose somebody to play, and how much the umpire says."),
    ),
    form,
  ));
}
