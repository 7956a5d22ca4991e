// The page with the form for a new game.

import { el } from "../dom.js";
import { navigate } from "../navigation.js";
import { newGameForm } from "../new_game/form.js";
import { loadOptions } from "../options.js";

export const title = "New game";

/** @param {HTMLElement} main @param {URL} url `?ruleset=`, `?bot=`, `?opponent=`: initial values */
export async function show(main, url) {
  const options = await loadOptions();
  const form = newGameForm(options, url.searchParams, ({ game, invitation }) => {
    const query = invitation ? `?invitation=${encodeURIComponent(invitation)}` : "";
    navigate(`/game/${game.id}${query}`);
  });
  main.append(el("div", { class: "new-page" },
    el("header", { class: "page-head" },
      el("h1", {}, "New game"),
      el("p", { class: "muted" }, "Choose an opponent and the rules."),
    ),
    form,
  ));
}
