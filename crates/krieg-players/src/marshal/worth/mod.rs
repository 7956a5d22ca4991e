//! What a board is worth to the player who is to move, and who does not see the other side.
//!
//! A chess engine would say what a board is worth to somebody who sees it. In Kriegspiel the player who is a rook ahead may
//! not find the enemy king, and a man whom the enemy could take may never be found either; so these weights were learned from
//! games in which nobody saw the board, by what came of each turn ([`learn`]).
//!
//! The value is a logistic function of a sum of features ([`Worth::points`]): first what the chess engine makes of the board, then what only matters to
//! whoever does not see it. That is what the player has heard (the [`News`]), and how easily a lead is brought home: pawns on their way, a king who is
//! hunted, plies without progress. Weights are held near a guess that plays well, and leave it only where many games say so.
//!
//! ```
//! use krieg_core::{Color, Position};
//! use krieg_players::marshal::worth::{News, Worth};
//!
//! let mut worth = Worth::default();
//! let mut value = |fen: &str| {
//!     let position = Position::from_fen(fen).unwrap();
//!     worth.value(position.board(), Color::White, &News::default())
//! };
//! let queen_ahead = value("4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1");
//! let rook_ahead = value("4k3/pppp4/8/8/8/8/PPPP4/3RK3 w - - 0 1");
//! assert!(queen_ahead > rook_ahead && rook_ahead > 0.5);
//! ```

mod camp;
mod eye;
mod features;
mod file;
mod fit;
mod lessons;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use cozy_chess::{Board, Color, Square};
use krieg_chess::{Evaluate, Network};

use features::{FEATURES, Noticed};
pub use file::WorthError;
pub use fit::{LearnError, Loss, Report, learn};
pub use lessons::Hindsight;

/// What the player has just heard, as far as it bears on the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct News {
    /// Where the opponent has just taken a man: the taker stands there, and may be taken back.
    pub lost_on: Option<Square>,
    /// Whether the player was told that a pawn of his can capture.
    pub has_pawn_try: bool,
    /// Plies since the last capture by anybody or pawn move of the player's own: of the enemy's pawns he hears nothing.
    pub quiet: u16,
}

/// What each feature of a board is worth, in the middle game and in the ending.
#[derive(Debug, Clone)]
pub struct Worth {
    /// What boards are worth in chess.
    network: Network,
    middle: [f32; FEATURES],
    ending: [f32; FEATURES],
}

impl Worth {
    /// All boards are worth the same.
    fn nothing() -> Self {
        let [middle, ending] = [[0.0; FEATURES]; 2];
        Worth { network: Network::default(), middle, ending }
    }

    /// The expected score of the player, who is to move, from nought to one.
    pub fn value(&mut self, board: &Board, player: Color, news: &News) -> f64 {
        chance(self.points(board, player, news))
    }

    /// The same before it is bent to lie between nought and one: the logarithm of the odds.
    pub fn points(&mut self, board: &Board, player: Color, news: &News) -> f64 {
        debug_assert_eq!(board.side_to_move(), player, "whose turn it is, asks");
        let chess = chess(&mut self.network, board);
        self.points_of(&eye::notice(board, player, news, chess))
    }

    /// What was noticed is worth so much.
    fn points_of(&self, noticed: &Noticed) -> f64 {
        let Noticed { features, middle } = noticed;
        let sum = |weights: &[f32; FEATURES]| -> f32 {
            weights.iter().zip(features).map(|(weight, amount)| weight * amount).sum()
        };
        f64::from(middle * sum(&self.middle) + (1.0 - middle) * sum(&self.ending))
    }
}

/// From the logarithm of the odds to a chance.
fn chance(points: f64) -> f64 {
    1.0 / (1.0 + (-points).exp())
}

/// What a board is worth in chess to the side to move.
fn chess(network: &mut Network, board: &Board) -> i32 {
    let state = network.begin(board);
    network.value(board, &state)
}

static LEARNED: LazyLock<Worth> = LazyLock::new(|| {
    Worth::read(include_str!("../../../data/worth.txt")).expect("the file in the program is whole")
});

impl Default for Worth {
    /// The weights learned from games of our own arena.
    fn default() -> Self {
        LEARNED.clone()
    }
}
