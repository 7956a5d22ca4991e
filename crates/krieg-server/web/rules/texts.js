// What is said of each ruleset, in words: a line, a paragraph, and the choices that make it up.

/** @typedef {"pawns" | "yes" | "diagonal" | "refused" | "senseless" | "capture" | "passant" | "promotion" | "stalemate"} Question */

/**
 * @typedef {object} Rules
 * @property {string} line
 * @property {string} about
 * @property {string} hint for playing by it
 * @property {Partial<Record<Question, string>>} choices
 */

/** The questions, in the order of a page. @type {[Question, string][]} */
export const QUESTIONS = [
  ["pawns", "Of pawn tries the side to move hears"],
  ["yes", "After “yes” it may try"],
  ["diagonal", "A pawn may try its diagonals"],
  ["refused", "A refused try is heard by"],
  ["senseless", "A senseless or repeated try is"],
  ["capture", "A capture tells"],
  ["passant", "En passant, the square is"],
  ["promotion", "A promotion is"],
  ["stalemate", "A stalemate is"],
];

const usual = {
  passant: "the captured pawn's",
  promotion: "not told",
  stalemate: "a draw",
};

const asking = {
  pawns: "nothing, until it asks “any?”. It may ask once a turn",
  diagonal: "always, but not after “no”",
  refused: "both players",
};

const english = {
  ...usual,
  ...asking,
  yes: "one capture by a pawn, then anything",
  senseless: "refused like any other, and both hear it",
  passant: "where the taker lands, and it is said to be en passant",
};

/** @type {Record<string, Rules>} */
export const RULES = {
  icc: {
    line: "the number of pawn tries is told, and refusals are your secret.",
    about: "The game as it is played on the Internet Chess Club, where it is called wild 16. It is the usual ruleset here. The umpire is generous: he counts your pawn tries, and your opponent does not hear when a try of yours is refused.",
    hint: "Since nobody hears your refusals, ask as much as you like. Probe with queen and rooks before you settle on a move.",
    choices: {
      ...usual,
      pawns: "how many there are",
      diagonal: "if the number is not 0",
      refused: "the mover alone",
      senseless: "refused, and the mover alone hears it",
      capture: "the square, and whether it was a pawn or a piece",
    },
  },
  cincinnati: {
    line: "whether there is a pawn try is told. Refusals are public.",
    about: "Here the umpire speaks to the whole room. Both players hear everything he says. That there is a pawn try is announced, but not how many, nor where.",
    hint: "Your refusals tell your opponent that something of his stands in your way. Try what you mean.",
    choices: {
      ...usual,
      pawns: "whether there is one",
      diagonal: "if there is one",
      refused: "both players",
      senseless: "called “Nonsense”, and both hear it",
      capture: "the square, and whether it was a pawn or a piece",
    },
  },
  berkeley: {
    line: "nothing is told of pawn tries. Refusals are public.",
    about: "The most taciturn umpire. He says nothing of pawn tries, and of a capture he names only the square. What makes no sense he does not even answer.",
    hint: "Every pawn's diagonal is worth a try, if you can bear that your opponent hears it. Keep count of what you have taken.",
    choices: {
      ...usual,
      pawns: "nothing",
      diagonal: "always",
      refused: "both players",
      senseless: "not taken, and nobody hears of it",
      capture: "the square, and nothing else",
    },
  },
  "berkeley-any": {
    line: "you may ask “any?”. After “yes” a pawn has to capture.",
    about: "Berkeley, with a question. Once a turn you may ask whether your pawns have a capture. If the answer is yes you have to make one: only captures by pawns count until one of them is legal.",
    hint: "Ask only when you would be glad to capture with a pawn, whichever pawn it turns out to be.",
    choices: {
      ...usual,
      ...asking,
      yes: "captures by pawns only, until one is legal",
      senseless: "not taken, and nobody hears of it",
      capture: "the square, and nothing else",
    },
  },
  english: {
    line: "“any?” costs one try with a pawn. En passant is told.",
    about: "The game of the English clubs. You may ask “any?” once a turn. If the answer is yes you owe one try of a capture by a pawn. If that is refused, you are free again.",
    hint: "After “yes” you can try a capture that you know to be wrong, and then do what you like. Your opponent hears only “Illegal”.",
    choices: { ...english, capture: "the square, and nothing else" },
  },
  rand: {
    line: "the pawns with a try are named, promotions are told, stalemate loses.",
    about: "Named after the RAND Corporation, whose mathematicians played it. The umpire names the squares of the pawns that can capture. He tells promotions. And whoever is stalemated has lost.",
    hint: "Both players hear the squares, so every pawn try gives away where a pawn stands. And never mind stalemate: it wins.",
    choices: {
      ...usual,
      pawns: "which pawns have one",
      diagonal: "from the named squares",
      refused: "both players",
      senseless: "called “Nonsense”, and both hear it",
      capture: "the square, and whether it was a pawn or a piece",
      promotion: "told",
      stalemate: "lost by the side that cannot move",
    },
  },
  dutch: {
    line: "as English, and a capture tells whether a pawn or a piece made it.",
    about: "We know of the Dutch game by one mark: the umpire says of a capture whether a pawn or a piece made it. He does not say what was taken. For the rest we follow the English rules.",
    hint: "If a pawn took, a piece that takes back may be taken by the next pawn. If a piece took, take back gladly.",
    choices: { ...english, capture: "the square, and whether a pawn or a piece captured" },
  },
};
