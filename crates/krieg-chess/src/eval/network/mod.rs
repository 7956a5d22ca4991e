//! A small neural network, brought up to date move by move.
//!
//! Each side looks at the board as if it were White, with its own king on the queen's side (the
//! board is mirrored if it is not), and every man of either colour on every square is an input that is on or
//! off. A first layer adds up a row of [`HIDDEN_UNITS`] numbers for each man on the board; a move changes
//! a few men, so the sums are not made anew but a few rows added and taken away (the idea is Yu Nasu's, 2018).
//! The sums of the side to move and those of the other are cut off at 0 and 1, squared,
//! and weighed; which weights depends on how many men are left ([`bucket`]).
//!
//! All of it is whole numbers: a position has the same value on every machine.

mod breakdown;
mod features;
mod file;

use std::sync::Arc;

use cozy_chess::{Board, Color, Move as BoardMove};

pub use breakdown::NetworkBreakdown;
pub use features::{INPUT_FEATURES, Perspective, feature_index, output_bucket};
pub use file::{NetworkError, Parameters};

use super::board_delta::{BoardDelta, PlacedPiece};
use super::{Evaluate, endgames};
use crate::score::MAX_EVAL;

/// How many numbers each side's look at the board is summed up in.
pub const HIDDEN_UNITS: usize = 128;
/// Sets of output weights: from few men to many.
pub const OUTPUT_BUCKETS: usize = 8;
/// A sum of one.
pub const ACTIVATION_SCALE: i32 = 255;
/// An output of one, in hundredths of a pawn.
pub const CENTIPAWN_SCALE: i32 = 256;
/// An output weight of one.
pub const OUTPUT_WEIGHT_SCALE: i32 = 512;
/// An output of one, as it comes of squares and weights.
pub const OUTPUT_SCALE: i32 = ACTIVATION_SCALE * ACTIVATION_SCALE / 16 * OUTPUT_WEIGHT_SCALE;

/// As many numbers as there are hidden sums, where they are fetched fast.
#[derive(Debug, Clone, PartialEq, Eq)]
#[repr(align(64))]
pub struct HiddenVector(pub [i16; HIDDEN_UNITS]);

impl HiddenVector {
    /// All zeros.
    pub const ZERO: HiddenVector = HiddenVector([0; HIDDEN_UNITS]);

    #[inline(always)]
    fn add(&mut self, row: &HiddenVector) {
        self.0.iter_mut().zip(&row.0).for_each(|(sum, number)| *sum += number);
    }

    #[inline(always)]
    fn take(&mut self, row: &HiddenVector) {
        self.0.iter_mut().zip(&row.0).for_each(|(sum, number)| *sum -= number);
    }
}

/// An evaluation by a network.
#[derive(Debug, Clone)]
pub struct Network {
    parameters: Arc<Parameters>,
}

/// What a [`Network`] keeps up to date: the hidden sums as White and as Black see the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accumulator([HiddenVector; 2]);

impl Network {
    /// The network with these parameters.
    pub fn new(parameters: Parameters) -> Self {
        debug_assert!(parameters.fits());
        Network { parameters: Arc::new(parameters) }
    }

    /// The network that was trained for this engine.
    pub fn built_in() -> Self {
        static BUILT_IN: std::sync::OnceLock<Network> = std::sync::OnceLock::new();
        BUILT_IN
            .get_or_init(|| {
                Network::read(include_bytes!("../../../network.bin"))
                    .expect("the network that is built in is whole; a test reads it")
            })
            .clone()
    }

    /// A network from the bytes of its file.
    pub fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        Parameters::read(bytes).map(Network::new)
    }

    /// The bytes of its file.
    pub fn write(&self) -> Vec<u8> {
        self.parameters.write()
    }

    /// The numbers it was made of.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The hidden sums of one side.
    fn look(&self, board: &Board, who: Color) -> HiddenVector {
        let outlook = Perspective::of(board, who);
        let mut sums = self.parameters.feature_bias.clone();
        for color in Color::ALL {
            for square in board.colors(color) {
                let Some(piece) = board.piece_on(square) else { continue };
                sums.add(
                    &self.parameters.feature_weights[feature_index(outlook, color, piece, square)],
                );
            }
        }
        sums
    }

    /// The value to the mover, before what is known of endings.
    fn judge(&self, mover: Color, bucket: usize, sums: &Accumulator) -> i32 {
        let [own, other] = &self.parameters.output_weights[bucket];
        let sum = i64::from(weigh(&sums.0[mover as usize], own))
            + i64::from(weigh(&sums.0[!mover as usize], other))
            + i64::from(self.parameters.output_bias[bucket]);
        (sum * i64::from(CENTIPAWN_SCALE) / i64::from(OUTPUT_SCALE)) as i32
    }
}

impl Default for Network {
    fn default() -> Self {
        Network::built_in()
    }
}

/// The squares of the sums between 0 and 1, times their weights: in [`OUTPUT_SCALE`]ths of an output.
#[inline]
fn weigh(sums: &HiddenVector, weights: &HiddenVector) -> i32 {
    sums.0
        .iter()
        .zip(&weights.0)
        .map(|(&sum, &weight)| {
            let cut = sum.clamp(0, ACTIVATION_SCALE as i16) as u16;
            // Twelve bits of the square: so it has room in sixteen with a sign, and the processor
            // multiplies and adds eight pairs at once.
            let square = ((cut * cut) >> 4) as i16;
            i32::from(square) * i32::from(weight)
        })
        .sum()
}

impl Evaluate for Network {
    type State = Accumulator;

    fn refresh(&self, board: &Board) -> Accumulator {
        Accumulator([self.look(board, Color::White), self.look(board, Color::Black)])
    }

    fn update(
        &self,
        state: &Accumulator,
        before: &Board,
        mv: BoardMove,
        after: &Board,
    ) -> Accumulator {
        let changes = BoardDelta::of(before, mv);
        let rows = &self.parameters.feature_weights;
        let side = |who: Color| {
            let outlook = Perspective::of(after, who);
            if outlook != Perspective::of(before, who) {
                return self.look(after, who); // its king has crossed the middle: all is mirrored
            }
            let row =
                |man: PlacedPiece| &rows[feature_index(outlook, man.color, man.piece, man.square)];
            let mut sums = state.0[who as usize].clone();
            changes.come.iter().for_each(|man| sums.add(row(man)));
            changes.gone.iter().for_each(|man| sums.take(row(man)));
            sums
        };
        Accumulator([side(Color::White), side(Color::Black)])
    }

    fn evaluate(&mut self, board: &Board, state: &Accumulator) -> i32 {
        let bucket = output_bucket(board.occupied().len() as usize);
        let value = self.judge(board.side_to_move(), bucket, state);
        endgames::correct(board, value).clamp(-MAX_EVAL, MAX_EVAL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::move_picker::legal_moves;
    use crate::testing::{boards, mirrored, turned};

    fn value(board: &Board) -> i32 {
        let mut network = Network::built_in();
        network.evaluate(board, &network.refresh(board))
    }

    #[test]
    fn both_colours_are_valued_alike() {
        for board in boards(300, 1) {
            assert_eq!(value(&board), value(&turned(&board)), "{board}");
        }
    }

    #[test]
    fn left_and_right_are_valued_alike() {
        for board in boards(300, 6) {
            assert_eq!(value(&board), value(&mirrored(&board)), "{board}");
        }
    }

    #[test]
    fn what_is_updated_is_what_would_be_computed() {
        let network = Network::built_in();
        for board in boards(300, 2) {
            let state = network.refresh(&board);
            for mv in legal_moves(&board) {
                let mut after = board.clone();
                after.play_unchecked(mv);
                let advanced = network.update(&state, &board, mv, &after);
                assert_eq!(advanced, network.refresh(&after), "{board} {mv}");
            }
        }
    }

    #[test]
    fn it_knows_what_men_are_worth() {
        let start = value(&Board::default());
        assert!(start.abs() < 100, "{start}");
        let without = |pieces: &str| {
            let rows = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/{pieces} w - - 0 1");
            start - value(&rows.parse().unwrap())
        };
        let [knight, rook, queen] = ["R1BQKBNR", "1NBQKBNR", "RNB1KBNR"].map(without);
        assert!(150 < knight && knight < rook && rook < queen, "{knight} {rook} {queen}");
    }

    #[test]
    fn a_lead_that_cannot_win_is_worth_nothing() {
        assert_eq!(value(&"4k3/8/8/8/8/8/8/4KB2 w - - 0 1".parse().unwrap()), 0);
        assert_eq!(value(&"4k3/8/8/8/8/8/8/4KN2 b - - 0 1".parse().unwrap()), 0);
        assert!(value(&"4k3/8/8/8/8/8/8/4KR2 w - - 0 1".parse().unwrap()) > 300);
    }
}
