// The home page: what Kriegspiel is, a game with one click, and lists of games.

import { post, requireUser } from "../api.js";
import { button, el, fill } from "../dom.js";
import { errorMessage } from "../games/text.js";
import { gameList } from "../home/game_list.js";
import { lobby } from "../home/lobby.js";
import { myGames } from "../home/my_games.js";
import { showcase } from "../home/showcase.js";
import { navigate } from "../navigation.js";
import { uploadForm } from "../upload/form.js";

export const title = "Krieg";

/** The game that one click starts: for beginners, without a clock and with the coach. */
const QUICK_GAME = {
  ruleset: "icc", control: "none", color: "random", rated: false, coach: true,
  opponent: { kind: "bot", name: "marshal", ms: 1000 },
};

/** How often the lists of running and open games are loaded again. */
const REFRESH_MS = 15_000;

/** @param {HTMLElement} main */
export async function show(main) {
  const example = showcase();
  const mine = myGames();
  const open = lobby();
  const all = gameList();
  main.append(
    el("section", { class: "hero" },
      el("div", { class: "hero-text" },
        el("h1", {}, "Chess with hidden pieces"),
        el("p", { class: "lead" },
          "In Kriegspiel you do not see your opponent's pieces. You try a move, and an umpire who "
          + "sees both sides tells you whether it is legal, what it captures, and where a check "
          + "comes from."),
        quickGame(),
        el("p", { class: "hero-links" },
          el("a", { href: "/new", "data-test": "new-game" },
            "Choose another bot, an opponent, the rules or a clock"),
          el("a", { href: "/rules", "data-test": "learn" }, "Learn Kriegspiel in five minutes"),
        ),
      ),
      example.element,
    ),
    mine.element,
    el("div", { class: "home-grid" },
      el("div", { class: "home-main" }, all.element),
      el("div", { class: "home-side" }, open.element, uploadForm()),
    ),
  );

  const refresh = () => Promise.all([mine.load(), open.load()]);
  const timer = setInterval(() => {
    if (!document.hidden) void refresh();
  }, REFRESH_MS);
  const onUserChange = () => {
    void refresh();
    void all.load();
  };
  window.addEventListener("krieg:user", onUserChange);
  onUserChange();
  return () => {
    clearInterval(timer);
    window.removeEventListener("krieg:user", onUserChange);
    example.stop();
  };
}

function quickGame() {
  const errorText = el("p", { class: "error", role: "alert", "data-test": "play-error" });
  const play = button("Play against Marshal", async () => {
    fill(errorText);
    play.disabled = true;
    try {
      await requireUser();
      const { game } = await post("/api/games", QUICK_GAME);
      navigate(`/game/${game.id}`);
    } catch (error) {
      fill(errorText, errorMessage(error));
    } finally {
      play.disabled = false;
    }
  }, { class: "primary big", "data-test": "play-marshal" });
  return el("div", { class: "hero-play" },
    play,
    el("span", { class: "muted small" }, "Our strongest bot. No clock, no account needed."),
    errorText,
  );
}
