// Kriegspiel in five minutes: for somebody who knows chess and has never heard of it.

import { el } from "../dom.js";
import { RULESETS, rulesetTitle } from "../games/words.js";
import { drawScene, scenesOf } from "../watching/scene.js";
import { RULES } from "./texts.js";

export async function introduction() {
  const scenes = (await scenesOf("intro")).map(drawScene);
  const [oneGame, probe, takeBack, check, pawnTries, mate] = scenes.map((scene) => scene.element);
  const elements = [
    el("h1", {}, "Kriegspiel in five minutes"),
    el("p", { class: "lead" },
      "Kriegspiel is chess, with one thing taken away: you do not see your opponent's men. An umpire sees both sides. You try a move, and the umpire tells you whether it stands."),
    oneGame,
    el("h2", {}, "Trying"),
    el("p", {},
      "A move that you make is a try. If it is legal on the umpire's board, it stands, and it is your opponent's turn. If not, you hear “Illegal”, and you try something else. That costs no turn. "
      + "So a try is also a question. A refusal means that somebody was in the way, or that your king would have been in check."),
    probe,
    el("h2", {}, "What everybody hears"),
    el("p", {}, "Both players hear that a move was made, on which square a man was captured, and from which direction a king is in check. Nobody hears which man moved, or where."),
    takeBack,
    check,
    el("p", {}, "The five directions are rank, file, long diagonal, short diagonal and knight. A pawn gives check along a diagonal, as a bishop does."),
    el("h2", {}, "Pawn tries"),
    el("p", {},
      "A pawn goes straight ahead and captures aslant, so it cannot find out by itself whether it may capture. Here the rulesets differ most. The usual one here, ICC, tells the side to move how many captures its pawns have."),
    pawnTries,
    el("h2", {}, "The end"),
    el("p", {}, "The umpire announces mate and stalemate, and the draws of chess. You can also resign, agree to a draw, or run out of time."),
    mate,
    el("h2", {}, "Five hints for the first game"),
    el("ol", { class: "hints" },
      el("li", {}, "Listen for the square when you lose a man. Whoever took it still stands there. Often you can take back."),
      el("li", {}, "Try the bold thing first. If it is refused you have lost nothing, and you know more. But in most rulesets your opponent hears the refusal, too."),
      el("li", {}, "When there are pawn tries, think of taking first. You win a man, and at worst a pawn is lost for it."),
      el("li", {}, "Keep your king behind his pawns, and guard your men. What is guarded can be taken back."),
      el("li", {}, "Put ghosts on the board: your own guesses of who stands where. They stay with the game."),
    ),
    el("h2", {}, "Seven rulesets"),
    el("p", {}, "The chess is always the same. They differ in what the umpire says, and who hears it."),
    el("ul", { class: "ruleset-list" },
      RULESETS.map((name) =>
        el("li", {}, el("a", { href: `/rules/${name}` }, rulesetTitle(name)), el("span", { class: "muted" }, ` – ${RULES[name].line}`)))),
    el("p", { class: "row" },
      el("a", { href: "/new", class: "button primary" }, "Play a game"),
      el("a", { href: "/rules/icc", class: "button" }, "Start with ICC"),
    ),
  ];
  return { elements, scenes };
}
