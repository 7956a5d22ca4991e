// The first page: what this is, a game at a click, and the games of everybody.

import { go } from "../address.js";
import { needName, post } from "../api.js";
import { button, el, fill } from "../dom.js";
import { errorWords } from "../games/words.js";
import { archive } from "../home/archive.js";
import { openGames } from "../home/open.js";
import { showcase } from "../home/showcase.js";
import { yourGames } from "../home/yours.js";
import { uploadBox } from "../upload/box.js";

export const title = "Krieg";

/** What a game at a click is: no clock to be afraid of, and a coach for whoever asks. */
const AT_ONCE = {
  ruleset: "icc", control: "none", color: "random", rated: false, coach: true,
  opponent: { kind: "bot", name: "marshal", ms: 1000 },
};

/** How often the lists of games that change are asked for again. */
const REFRESH_MS = 15_000;

/** @param {HTMLElement} main */
export async function show(main) {
  const example = showcase();
  const yours = yourGames();
  const open = openGames();
  const finished = archive();
  main.append(
    el("section", { class: "hero" },
      el("div", { class: "hero-words" },
        el("h1", {}, "Chess, and you see only half of it."),
        el("p", { class: "lead" },
          "Kriegspiel is chess with your opponent's men hidden from you. You try a move, and an umpire who sees both sides tells you whether it stands, what was captured, and where a check comes from."),
        playAtOnce(),
        el("p", { class: "hero-links" },
          el("a", { href: "/new", "data-test": "other-game" }, "Another game: other bots, people, rules, clocks"),
          el("a", { href: "/rules", "data-test": "learn" }, "Learn it in five minutes"),
        ),
      ),
      example.element,
    ),
    yours.element,
    el("div", { class: "home-grid" },
      el("div", { class: "home-main" }, finished.element),
      el("div", { class: "home-side" }, open.element, uploadBox()),
    ),
  );

  const reload = () => Promise.all([yours.load(), open.load()]);
  const timer = setInterval(() => {
    if (!document.hidden) void reload();
  }, REFRESH_MS);
  const personChanged = () => {
    void reload();
    void finished.load();
  };
  window.addEventListener("krieg:person", personChanged);
  personChanged();
  return () => {
    clearInterval(timer);
    window.removeEventListener("krieg:person", personChanged);
    example.stop();
  };
}

function playAtOnce() {
  const trouble = el("p", { class: "error", role: "alert", "data-test": "play-error" });
  const play = button("Play Marshal", async () => {
    fill(trouble);
    play.disabled = true;
    try {
      await needName();
      const { game } = await post("/api/games", AT_ONCE);
      go(`/game/${game.id}`);
    } catch (error) {
      fill(trouble, errorWords(error));
    } finally {
      play.disabled = false;
    }
  }, { class: "primary big", "data-test": "play-marshal" });
  return el("div", { class: "hero-play" },
    play,
    el("span", { class: "muted small" }, "Our strongest bot. No clock, nothing to install, no account."),
    trouble,
  );
}
