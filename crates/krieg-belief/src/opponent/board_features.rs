//! What is the same for all moves on a board: the men of both sides, what was heard last, and how long the game has gone on.

use cozy_chess::{Board, Color, Piece, Square};

use crate::OpponentContext;

/// A man of either side on a square.
const MEN: usize = 0;
/// Where he has just lost a man.
const LOST: usize = MEN + Color::NUM * Piece::NUM * Square::NUM;
/// Where he took one in his last turn.
const TOOK: usize = LOST + Square::NUM;
/// Always there.
const ALWAYS: usize = TOOK + Square::NUM;
/// He was told that a pawn of his can capture.
const PAWN_TRY: usize = ALWAYS + 1;
const CHECKED: usize = PAWN_TRY + 1;
/// How many moves he has made.
const TURNS: usize = CHECKED + 1;
/// Moves are counted by so many, and no farther than to the last of these numbers.
const TURNS_AT_ONCE: u16 = 3;
const COUNTED: u16 = 32;
/// How many things there are to notice.
pub const BOARD_FEATURES: usize = TURNS + COUNTED as usize;

/// Names everything that there is about a board on which he is to move.
pub fn for_each_feature(board: &Board, situation: &OpponentContext, mut name: impl FnMut(usize)) {
    let he = board.side_to_move();
    let seen = |square: Square| square.relative_to(he) as usize;
    for (side, color) in [he, !he].into_iter().enumerate() {
        for piece in Piece::ALL {
            let first = MEN + (side * Piece::NUM + piece as usize) * Square::NUM;
            for square in board.colored_pieces(color, piece) {
                name(first + seen(square));
            }
        }
    }
    if let Some(square) = situation.lost_on() {
        name(LOST + seen(square));
    }
    if let Some(square) = situation.captured_on {
        name(TOOK + seen(square));
    }
    name(ALWAYS);
    if situation.has_pawn_try {
        name(PAWN_TRY);
    }
    if !board.checkers().is_empty() {
        name(CHECKED);
    }
    name(TURNS + usize::from((situation.move_count / TURNS_AT_ONCE).min(COUNTED - 1)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noticed(fen: &str, situation: &OpponentContext) -> Vec<usize> {
        let mut names = Vec::new();
        for_each_feature(&fen.parse().unwrap(), situation, |name| names.push(name));
        names
    }

    #[test]
    fn both_sides_see_the_board_from_their_own_end() {
        let plain = OpponentContext {
            losses: [Some(Square::E4); 4],
            move_count: 7,
            ..OpponentContext::default()
        };
        let of_white = noticed("4k3/8/8/3p4/8/8/4P3/4K3 w - - 0 1", &plain);
        let turned = OpponentContext { losses: [Some(Square::E5); 4], ..plain };
        assert_eq!(noticed("4k3/4p3/8/8/3P4/8/8/4K3 b - - 0 1", &turned), of_white);
        assert!(of_white.contains(&(TURNS + 2)) && of_white.contains(&(LOST + 28)));
        assert!(!of_white.contains(&CHECKED));
        assert!(noticed("4k3/8/8/8/8/8/8/4RK2 b - - 0 1", &plain).contains(&CHECKED));
    }

    #[test]
    fn the_longest_game_is_counted_to_its_end() {
        let long = OpponentContext { move_count: u16::MAX, ..OpponentContext::default() };
        let last = noticed("4k3/8/8/8/8/8/8/4K3 w - - 0 1", &long).pop();
        assert_eq!(last, Some(BOARD_FEATURES - 1));
    }
}
