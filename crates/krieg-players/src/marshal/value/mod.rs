//! The value model: the expected score of a board for the player to move, who does not see the
//! opponent's pieces.
//!
//! The evaluation of a chess engine assumes that both players see the board. In Kriegspiel a player
//! who is a rook ahead may not find the opponent's king, and a piece that the opponent could
//! capture may never be found. The weights here are therefore fitted to games between players who
//! did not see the board (`krieg-learn`).
//!
//! The model is a logistic regression with tapered weights ([`ValueModel::logit`]): the logit is a
//! weighted sum of [`features`], interpolated between middlegame and endgame. One feature is the
//! chess engine's static evaluation. The others describe what only matters without sight of the
//! board: what the player was told ([`ValueContext`]), and how easily a lead is converted
//! (advanced pawns, a weak king, plies without progress). A ridge penalty holds the weights near
//! an initial guess that plays well; they leave it only where many games say so.
//!
//! ```
//! use krieg_core::{Color, Position};
//! use krieg_players::marshal::value::{ValueContext, ValueModel};
//!
//! let mut model = ValueModel::default();
//! let mut value = |fen: &str| {
//!     let position = Position::from_fen(fen).unwrap();
//!     model.value(position.board(), Color::White, &ValueContext::default())
//! };
//! let queen_ahead = value("4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1");
//! let rook_ahead = value("4k3/pppp4/8/8/8/8/PPPP4/3RK3 w - - 0 1");
//! assert!(queen_ahead > rook_ahead && rook_ahead > 0.5);
//! ```

mod extract;
pub mod features;
mod file;
mod oriented_side;
mod registry;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use cozy_chess::{Board, Color, Square};
use krieg_chess::{Evaluate, Network};

pub use extract::extract_features;
use features::{BoardFeatures, FEATURE_COUNT};
pub use file::ValueModelError;
pub(super) use registry::named_or_read;
pub use registry::{VALUE_MODELS, ValueFunction, ValueModelKind};

/// The part of the player's recent observations that affects the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ValueContext {
    /// The square on which the opponent has just captured: the capturing piece stands there and may
    /// be recaptured.
    pub recapture_square: Option<Square>,
    /// Whether the player was told that one of their pawns can capture.
    pub has_pawn_try: bool,
    /// Plies since the last capture by either side or the player's last pawn move. The player does
    /// not observe the opponent's pawn moves.
    pub plies_without_progress: u16,
}

/// The weights of all features, for the middlegame and for the endgame.
#[derive(Debug, Clone)]
pub struct ValueModel {
    /// The chess engine's evaluation network, which gives the feature `engine-eval`.
    network: Network,
    middlegame: [f32; FEATURE_COUNT],
    endgame: [f32; FEATURE_COUNT],
}

impl ValueModel {
    /// A model with these weights, one per feature in the order of [`features::FEATURES`].
    #[must_use]
    pub fn from_weights(middlegame: [f32; FEATURE_COUNT], endgame: [f32; FEATURE_COUNT]) -> Self {
        ValueModel { network: Network::default(), middlegame, endgame }
    }

    /// The expected score of the player, who is to move, from 0 to 1.
    #[must_use]
    pub fn value(&mut self, board: &Board, player: Color, context: &ValueContext) -> f64 {
        sigmoid(self.logit(board, player, context))
    }

    /// The logit (log-odds) of the expected score.
    #[must_use]
    pub fn logit(&mut self, board: &Board, player: Color, context: &ValueContext) -> f64 {
        debug_assert_eq!(board.side_to_move(), player, "the player must be to move");
        let engine_eval = engine_eval(&mut self.network, board);
        self.logit_of(&extract_features(board, player, context, engine_eval))
    }

    /// The expected score for features that are already extracted.
    #[must_use]
    pub fn value_of(&self, features: &BoardFeatures) -> f64 {
        sigmoid(self.logit_of(features))
    }

    fn logit_of(&self, features: &BoardFeatures) -> f64 {
        let BoardFeatures { values, phase } = features;
        let sum = |weights: &[f32; FEATURE_COUNT]| -> f32 {
            weights.iter().zip(values).map(|(weight, value)| weight * value).sum()
        };
        f64::from(phase * sum(&self.middlegame) + (1.0 - phase) * sum(&self.endgame))
    }
}

/// The logistic function: from a logit to a probability.
#[must_use]
pub fn sigmoid(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// The chess engine's static evaluation for the side to move, in centipawns.
#[must_use]
pub fn engine_eval(network: &mut Network, board: &Board) -> i32 {
    let state = network.refresh(board);
    network.evaluate(board, &state)
}

static DEFAULT_MODEL: LazyLock<ValueModel> = LazyLock::new(|| {
    ValueModel::read(include_str!("../../../data/value.txt")).expect("the embedded file is valid")
});

impl Default for ValueModel {
    /// The embedded weights, fitted to games of the project's own arena.
    fn default() -> Self {
        DEFAULT_MODEL.clone()
    }
}
