//! What the encoder writes for small games, by the rules of `learning/OBSERVATION.md`.

mod ages;
mod evidence;
mod memory;
mod pawn_tries;
mod pieces;
mod scalars;
mod symmetry;

use krieg_core::{BitBoard, Color, Game, Position, Record, Ruleset, Setup, Square};
use krieg_net::{Encoder, Input, Orientation};

/// Kinds of evidence, by their number on the page.
const EMPTY: usize = 0;
const BLOCKED: usize = 1;
const KING_REFUSED: usize = 2;
const PUSH_REFUSED: usize = 3;
const CAPTURE_REFUSED: usize = 4;
const TARGET_REFUSED: usize = 5;
const CAPTURED: usize = 6;
const LOST: usize = 7;
const CHECK_LINE: usize = 8;
const PAWN_TRY: usize = 9;
const NO_PAWN_TRY: usize = 10;
const OPPONENT_PAWN_TRY: usize = 11;
const OPPONENT_PAWN: usize = 12;
const NO_OPPONENT_PAWN_TRY: usize = 13;
const KING_LINE: usize = 14;

/// The planes of the fast and the slow byte of a kind of evidence.
fn evidence_planes(kind: usize) -> [usize; 2] {
    [12 + 2 * kind, 13 + 2 * kind]
}

/// A game from a position, after these tries.
fn game(ruleset: Ruleset, fen: &str, tries: &str) -> Game {
    let start = Position::from_fen(fen).expect("the FEN is valid");
    let mut game = Game::new(Setup { ruleset, start, ..Setup::default() });
    for tried in tries.split_whitespace() {
        game.judge(tried.parse().expect("a try")).expect("the try is answered");
    }
    game
}

/// The encoder of a player who observed a game.
fn encoder(record: &Record, player: Color) -> Encoder {
    let transcript = record.transcript(player);
    let mut encoder = Encoder::new(player, &transcript.setup);
    for observation in &transcript.observations {
        encoder.observe(observation);
    }
    encoder
}

/// The input of one player after these tries.
struct Case {
    input: Input,
    player: Color,
}

impl Case {
    fn new(player: Color, ruleset: Ruleset, fen: &str, tries: &str) -> Self {
        let game = game(ruleset, fen, tries);
        Case { input: encoder(game.record(), player).encode(None), player }
    }

    fn white(ruleset: Ruleset, fen: &str, tries: &str) -> Self {
        Case::new(Color::White, ruleset, fen, tries)
    }

    fn black(ruleset: Ruleset, fen: &str, tries: &str) -> Self {
        Case::new(Color::Black, ruleset, fen, tries)
    }

    /// The squares whose byte on a plane is not 0, in absolute squares.
    fn plane(&self, plane: usize) -> BitBoard {
        let orientation = Orientation::of(self.player);
        (0..64)
            .filter(|&index| self.input.planes[index][plane] > 0)
            .map(|index| orientation.square(index))
            .collect()
    }

    /// The byte of a square on a plane.
    fn byte(&self, square: Square, plane: usize) -> u8 {
        self.input.planes[Orientation::of(self.player).index(square)][plane]
    }

    /// The squares with a kind of evidence.
    fn evidence(&self, kind: usize) -> BitBoard {
        self.plane(evidence_planes(kind)[0])
    }

    fn scalar(&self, index: usize) -> u8 {
        self.input.scalars[index]
    }
}

/// The set of these squares, written as `a1 b2`.
fn squares(names: &str) -> BitBoard {
    names.split_whitespace().map(|name| name.parse::<Square>().expect("a square")).collect()
}
