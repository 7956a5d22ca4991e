// The introduction to Kriegspiel, for readers who know chess.

import { el } from "../dom.js";
import { rulesets } from "../options.js";
import { loadExamples, renderExample } from "../replay/example.js";

const LEAD =
  "Kriegspiel is chess in which you do not see your opponent's pieces. An umpire sees both sides. "
  + "You try a move, and the umpire tells you whether it is legal.";
const TRIES =
  "An attempted move is called a try. If the try is legal on the umpire's board, it is accepted, "
  + "and it is your opponent's turn. If it is not, you hear “Illegal” and try something else. A "
  + "refused try does not cost you the turn.";
const QUESTIONS =
  "So a try is also a question. A refusal means that a piece was in the way, that a pawn had "
  + "nothing to capture, or that your king would have been in check.";
const ANNOUNCEMENTS =
  "Both players hear that a move was made, the square of a capture, and the direction of a check. "
  + "The umpire does not say which piece moved, or where.";
const DIRECTIONS =
  "The five directions of a check are rank, file, long diagonal, short diagonal and knight. A pawn "
  + "gives check on a diagonal, like a bishop.";
const PAWN_TRIES =
  "A legal capture by a pawn is called a pawn try. A pawn moves straight ahead but captures "
  + "diagonally, so its other moves do not reveal its captures. The rulesets differ most in what "
  + "the umpire says about pawn tries. Under ICC, the usual ruleset here, the side to move hears "
  + "how many it has.";
const END =
  "The umpire announces checkmate, stalemate and the draws of chess. You can also resign, agree to "
  + "a draw, or run out of time.";
const RULESETS_DIFFER =
  "The chess is always the same. The rulesets differ in what the umpire says, and who hears it.";

const HINTS = [
  "When you lose a piece, remember the square. The piece that captured it is still there, and "
  + "often you can recapture.",
  "Try the ambitious move first. If it is refused, you have lost nothing and learned something. "
  + "But under most rulesets your opponent hears the refusal, too.",
  "When you have pawn tries, consider capturing. You win a pawn or a piece, and risk only a pawn.",
  "Keep your king behind its pawns, and protect your pieces so that you can recapture.",
  "Place guesses on the board: marks for the pieces that you expect there. They are saved with the "
  + "game.",
];

export async function introduction() {
  const examples = (await loadExamples("intro")).map(renderExample);
  const [oneGame, probe, recapture, check, pawnTries, mate] =
    examples.map(({ element }) => element);
  const paragraph = (/** @type {string} */ text) => el("p", {}, text);
  const elements = [
    el("h1", {}, "Kriegspiel in five minutes"),
    el("p", { class: "lead" }, LEAD),
    oneGame,
    el("h2", {}, "Tries"),
    paragraph(TRIES),
    paragraph(QUESTIONS),
    probe,
    el("h2", {}, "Announcements"),
    paragraph(ANNOUNCEMENTS),
    recapture,
    check,
    paragraph(DIRECTIONS),
    el("h2", {}, "Pawn tries"),
    paragraph(PAWN_TRIES),
    pawnTries,
    el("h2", {}, "The end of the game"),
    paragraph(END),
    mate,
    el("h2", {}, "Five hints for your first game"),
    el("ol", { class: "hints" }, HINTS.map((hint) => el("li", {}, hint))),
    el("h2", {}, "The rulesets"),
    paragraph(RULESETS_DIFFER),
    el("ul", { class: "ruleset-list" }, rulesets().map((ruleset) =>
      el("li", {},
        el("a", { href: `/rules/${ruleset.name}` }, ruleset.title),
        el("span", { class: "muted" }, ` – ${ruleset.summary}`)))),
    el("p", { class: "row" },
      el("a", { href: "/new", class: "button primary" }, "Play a game"),
      el("a", { href: "/rules/icc", class: "button" }, "Read the ICC rules"),
    ),
  ];
  return { elements, examples };
}
