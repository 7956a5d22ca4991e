//! The contribution of each piece to a network's evaluation.

use std::fmt;

use cozy_chess::{Board, Color, File, Piece, Rank, Square};

use super::{Accumulator, Network, Perspective, feature_index, output_bucket};
use crate::eval::Evaluate;

/// The evaluation of a board by a network, and the contribution of each piece: by how much the
/// network's output would change without it.
#[derive(Debug, Clone)]
pub struct NetworkBreakdown {
    pieces: Vec<PieceContribution>,
    /// The network's output for White.
    network: i32,
    /// The evaluation for White.
    white: i32,
}

#[derive(Debug, Clone)]
struct PieceContribution {
    square: Square,
    color: Color,
    piece: Piece,
    /// In centipawns for White. `None` for kings, which cannot be removed.
    value: Option<i32>,
}

impl Network {
    /// The contribution of each piece to the evaluation of a board.
    #[must_use]
    pub fn break_down(&self, board: &Board) -> NetworkBreakdown {
        let for_white = |value: i32| match board.side_to_move() {
            Color::White => value,
            Color::Black => -value,
        };
        let accumulator = self.refresh(board);
        let count = board.occupied().len() as usize;
        let network = self.output(board.side_to_move(), output_bucket(count), &accumulator);
        let pieces = board.occupied().into_iter().filter_map(|square| {
            let (color, piece) = (board.color_on(square)?, board.piece_on(square)?);
            if piece == Piece::King {
                return Some(PieceContribution { square, color, piece, value: None });
            }
            let without = Accumulator(Color::ALL.map(|side| {
                let feature = feature_index(Perspective::of(board, side), color, piece, square);
                let mut units = accumulator.0[side as usize].clone();
                units.subtract(&self.parameters.feature_weights[feature]);
                units
            }));
            let rest = self.output(board.side_to_move(), output_bucket(count - 1), &without);
            let value = Some(for_white(network - rest));
            Some(PieceContribution { square, color, piece, value })
        });
        let pieces = pieces.collect();
        let white = for_white(self.clone().evaluate(board, &accumulator));
        NetworkBreakdown { pieces, network: for_white(network), white }
    }
}

impl fmt::Display for NetworkBreakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "contribution of each piece for White, in centipawns")?;
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{}", rank as usize + 1)?;
            for file in File::ALL {
                let square = Square::new(file, rank);
                match self.pieces.iter().find(|entry| entry.square == square) {
                    Some(&PieceContribution { color, piece, value, .. }) => {
                        let letter = char::from(piece);
                        let letter = match color {
                            Color::White => letter.to_ascii_uppercase(),
                            Color::Black => letter,
                        };
                        match value {
                            Some(value) => write!(f, " {letter}{value:+6}")?,
                            None => write!(f, " {letter:<7}")?,
                        }
                    }
                    None => write!(f, " {:>7}", ".")?,
                }
            }
            writeln!(f)?;
        }
        writeln!(f, " {}", File::ALL.map(|file| format!(" {file}{:6}", "")).concat().trim_end())?;
        writeln!(f, "network {} for White", self.network)?;
        write!(f, "value {} centipawns for White", self.white)
    }
}
