//! A network's judgement, shown man by man.

use std::fmt;

use cozy_chess::{Board, Color, File, Piece, Rank, Square};

use super::Network;
use super::features::{Perspective, feature_index, output_bucket};
use crate::eval::Evaluate;

/// What a network thinks of a board, and what would be lost if a man were not there.
#[derive(Debug, Clone)]
pub struct NetworkBreakdown {
    /// Kings cannot be missing, so nothing is said of what they add.
    pieces: Vec<(Square, Color, Piece, Option<i32>)>,
    network: i32,
    white: i32,
}

impl Network {
    /// What it thinks of a board, man by man.
    pub fn break_down(&self, board: &Board) -> NetworkBreakdown {
        let for_white = |value: i32| match board.side_to_move() {
            Color::White => value,
            Color::Black => -value,
        };
        let sums = self.refresh(board);
        let count = board.occupied().len() as usize;
        let network = self.judge(board.side_to_move(), output_bucket(count), &sums);
        let pieces = board.occupied().into_iter().filter_map(|square| {
            let (color, piece) = (board.color_on(square)?, board.piece_on(square)?);
            if piece == Piece::King {
                return Some((square, color, piece, None));
            }
            let without = Color::ALL.map(|who| {
                let gone = feature_index(Perspective::of(board, who), color, piece, square);
                let mut rest = sums.0[who as usize].clone();
                rest.take(&self.parameters.feature_weights[gone]);
                rest
            });
            let rest = self.judge(
                board.side_to_move(),
                output_bucket(count - 1),
                &super::Accumulator(without),
            );
            Some((square, color, piece, Some(for_white(network - rest))))
        });
        let pieces = pieces.collect();
        let white = for_white(self.clone().evaluate(board, &sums));
        NetworkBreakdown { pieces, network: for_white(network), white }
    }
}

impl fmt::Display for NetworkBreakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "what each man adds for White, in hundredths of a pawn")?;
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{}", rank as usize + 1)?;
            for file in File::ALL {
                let square = Square::new(file, rank);
                match self.pieces.iter().find(|man| man.0 == square) {
                    Some((_, color, piece, worth)) => {
                        let letter = char::from(*piece);
                        let letter = match color {
                            Color::White => letter.to_ascii_uppercase(),
                            Color::Black => letter,
                        };
                        match worth {
                            Some(worth) => write!(f, " {letter}{worth:+6}")?,
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
        write!(f, "value {} hundredths of a pawn for White", self.white)
    }
}
