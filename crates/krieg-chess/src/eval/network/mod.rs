//! An efficiently updatable neural network (NNUE; Yu Nasu, 2018).
//!
//! - **Input**: each side sees the board from its own [`Perspective`], with one feature for every
//!   piece of either colour on every square.
//! - **Accumulator**: [`HIDDEN_UNITS`] hidden units per perspective, each the sum of a bias and the
//!   weights of the active features. A move changes few features, so the accumulator is updated and
//!   not recomputed.
//! - **Output**: the units of both perspectives pass through a squared clipped ReLU (SCReLU) and
//!   one of [`OUTPUT_BUCKETS`] output layers, selected by the number of pieces ([`output_bucket`]).
//!
//! All arithmetic is in integers, so evaluations are the same on every machine.

mod breakdown;
mod features;
mod file;

use std::sync::{Arc, OnceLock};

use cozy_chess::{Board, Color, Move as BoardMove};

pub use breakdown::NetworkBreakdown;
pub use features::{INPUT_FEATURES, Perspective, feature_index, output_bucket};
pub use file::{NetworkError, Parameters};

use super::board_delta::{BoardDelta, PlacedPiece};
use super::{Evaluate, endgames};
use crate::score::MAX_EVAL;

/// Number of hidden units per perspective.
pub const HIDDEN_UNITS: usize = 128;
/// Number of output layers, from few pieces to many.
pub const OUTPUT_BUCKETS: usize = 8;
/// Quantization: the integer that stands for 1.0 in the accumulator (often called QA).
pub const ACTIVATION_SCALE: i32 = 255;
/// Quantization: the integer that stands for 1.0 in output weights (often called QB).
pub const OUTPUT_WEIGHT_SCALE: i32 = 512;
/// The number of centipawns that a network output of 1.0 stands for.
pub const CENTIPAWN_SCALE: i32 = 256;
/// Quantization: the integer that stands for 1.0 in the output layer's sum.
pub const OUTPUT_SCALE: i32 = ACTIVATION_SCALE * ACTIVATION_SCALE / 16 * OUTPUT_WEIGHT_SCALE;

/// One number per hidden unit, aligned to a cache line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[repr(align(64))]
pub struct HiddenVector(pub [i16; HIDDEN_UNITS]);

impl HiddenVector {
    /// All zeros.
    pub const ZERO: HiddenVector = HiddenVector([0; HIDDEN_UNITS]);

    #[inline(always)]
    fn add(&mut self, other: &HiddenVector) {
        self.0.iter_mut().zip(&other.0).for_each(|(unit, weight)| *unit += weight);
    }

    #[inline(always)]
    fn subtract(&mut self, other: &HiddenVector) {
        self.0.iter_mut().zip(&other.0).for_each(|(unit, weight)| *unit -= weight);
    }
}

/// An evaluation by a neural network.
#[derive(Debug, Clone)]
pub struct Network {
    parameters: Arc<Parameters>,
}

/// The accumulator: the hidden units before activation, from White's and from Black's perspective.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accumulator([HiddenVector; 2]);

impl Network {
    /// A network with these parameters.
    #[must_use]
    pub fn new(parameters: Parameters) -> Self {
        debug_assert!(parameters.is_overflow_safe());
        Network { parameters: Arc::new(parameters) }
    }

    /// The embedded network.
    #[must_use]
    pub fn built_in() -> Self {
        static BUILT_IN: OnceLock<Network> = OnceLock::new();
        BUILT_IN
            .get_or_init(|| {
                Network::read(include_bytes!("../../../network.bin"))
                    .expect("the embedded network is valid")
            })
            .clone()
    }

    /// Reads a network from the bytes of its file.
    ///
    /// # Errors
    /// If the bytes are not a valid network of this version.
    pub fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        Parameters::read(bytes).map(Network::new)
    }

    /// The bytes of the network's file.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        self.parameters.write()
    }

    /// The parameters.
    #[must_use]
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Computes the hidden units of one perspective from scratch.
    fn accumulate(&self, board: &Board, color: Color) -> HiddenVector {
        let perspective = Perspective::of(board, color);
        let mut units = self.parameters.feature_bias.clone();
        for piece_color in Color::ALL {
            for square in board.colors(piece_color) {
                let Some(piece) = board.piece_on(square) else { continue };
                let feature = feature_index(perspective, piece_color, piece, square);
                units.add(&self.parameters.feature_weights[feature]);
            }
        }
        units
    }

    /// The network's output in centipawns for the side to move, before endgame adjustments.
    fn output(&self, mover: Color, bucket: usize, accumulator: &Accumulator) -> i32 {
        let [own, other] = &self.parameters.output_weights[bucket];
        let sum = i64::from(screlu_dot(&accumulator.0[mover as usize], own))
            + i64::from(screlu_dot(&accumulator.0[!mover as usize], other))
            + i64::from(self.parameters.output_bias[bucket]);
        (sum * i64::from(CENTIPAWN_SCALE) / i64::from(OUTPUT_SCALE)) as i32
    }
}

impl Default for Network {
    fn default() -> Self {
        Network::built_in()
    }
}

/// The dot product of weights and activated units. The activation is SCReLU: units are clipped to
/// [0, 1] and squared.
#[inline]
fn screlu_dot(units: &HiddenVector, weights: &HiddenVector) -> i32 {
    units
        .0
        .iter()
        .zip(&weights.0)
        .map(|(&unit, &weight)| {
            let clipped = unit.clamp(0, ACTIVATION_SCALE as i16) as u16;
            // The square is reduced to twelve bits, so that it fits a signed 16-bit integer and the
            // compiler can multiply and add eight pairs with one instruction.
            let square = ((clipped * clipped) >> 4) as i16;
            i32::from(square) * i32::from(weight)
        })
        .sum()
}

impl Evaluate for Network {
    type State = Accumulator;

    fn refresh(&self, board: &Board) -> Accumulator {
        Accumulator([self.accumulate(board, Color::White), self.accumulate(board, Color::Black)])
    }

    fn update(
        &self,
        state: &Accumulator,
        before: &Board,
        mv: BoardMove,
        after: &Board,
    ) -> Accumulator {
        let delta = BoardDelta::of(before, mv);
        let side = |color: Color| {
            let perspective = Perspective::of(after, color);
            if perspective != Perspective::of(before, color) {
                // The king has crossed the middle of the board, so all features have changed.
                return self.accumulate(after, color);
            }
            let weights = |placed: PlacedPiece| {
                let PlacedPiece { color, piece, square } = placed;
                &self.parameters.feature_weights[feature_index(perspective, color, piece, square)]
            };
            let mut units = state.0[color as usize].clone();
            delta.added.iter().for_each(|placed| units.add(weights(placed)));
            delta.removed.iter().for_each(|placed| units.subtract(weights(placed)));
            units
        };
        Accumulator([side(Color::White), side(Color::Black)])
    }

    fn evaluate(&mut self, board: &Board, accumulator: &Accumulator) -> i32 {
        let bucket = output_bucket(board.occupied().len() as usize);
        let output = self.output(board.side_to_move(), bucket, accumulator);
        endgames::adjust_network_output(board, output).clamp(-MAX_EVAL, MAX_EVAL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::legal_moves;
    use crate::testing::{colors_swapped, files_mirrored, random_boards};

    fn value(board: &Board) -> i32 {
        let mut network = Network::built_in();
        network.evaluate(board, &network.refresh(board))
    }

    #[test]
    fn the_evaluation_is_symmetric_in_colours() {
        for board in random_boards(300, 1) {
            assert_eq!(value(&board), value(&colors_swapped(&board)), "{board}");
        }
    }

    #[test]
    fn the_evaluation_is_symmetric_in_files() {
        for board in random_boards(300, 6) {
            assert_eq!(value(&board), value(&files_mirrored(&board)), "{board}");
        }
    }

    #[test]
    fn incremental_updates_agree_with_refresh() {
        let network = Network::built_in();
        for board in random_boards(300, 2) {
            let state = network.refresh(&board);
            for mv in legal_moves(&board) {
                let mut after = board.clone();
                after.play_unchecked(mv);
                let updated = network.update(&state, &board, mv, &after);
                assert_eq!(updated, network.refresh(&after), "{board} {mv}");
            }
        }
    }

    #[test]
    fn pieces_have_plausible_values() {
        let start = value(&Board::default());
        assert!(start.abs() < 100, "{start}");
        let value_of_missing = |rank: &str| {
            let fen = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/{rank} w - - 0 1");
            start - value(&fen.parse().unwrap())
        };
        let [knight, rook, queen] = ["R1BQKBNR", "1NBQKBNR", "RNB1KBNR"].map(value_of_missing);
        assert!(150 < knight && knight < rook && rook < queen, "{knight} {rook} {queen}");
    }

    #[test]
    fn insufficient_mating_material_has_no_value() {
        assert_eq!(value(&"4k3/8/8/8/8/8/8/4KB2 w - - 0 1".parse().unwrap()), 0);
        assert_eq!(value(&"4k3/8/8/8/8/8/8/4KN2 b - - 0 1".parse().unwrap()), 0);
        assert!(value(&"4k3/8/8/8/8/8/8/4KR2 w - - 0 1".parse().unwrap()) > 300);
    }
}
