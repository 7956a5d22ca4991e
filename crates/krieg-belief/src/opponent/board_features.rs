//! Features of the board and the player's knowledge, the same for all moves: the pieces of both
//! sides, the last observations, and the move count.

use cozy_chess::{Board, Color, Piece, Square};

use crate::OpponentContext;

/// First feature of the pieces: own pieces first, by piece type and square.
const PIECES: usize = 0;
/// First feature of the square where the player has just lost a piece.
const LOST_ON: usize = PIECES + Color::NUM * Piece::NUM * Square::NUM;
/// First feature of the square where the player captured in the last turn.
const CAPTURED_ON: usize = LOST_ON + Square::NUM;
/// Always present: the bias.
const BIAS: usize = CAPTURED_ON + Square::NUM;
/// A pawn try was announced to the player.
const PAWN_TRY: usize = BIAS + 1;
/// The player is in check.
const IN_CHECK: usize = PAWN_TRY + 1;
/// First feature of the move count.
const MOVE_COUNT: usize = IN_CHECK + 1;
/// Moves per feature of the move count.
const MOVES_PER_BUCKET: u16 = 3;
/// Number of features of the move count; the last one stands for all later moves.
const BUCKETS: u16 = 32;
/// The number of board features.
pub const BOARD_FEATURES: usize = MOVE_COUNT + BUCKETS as usize;

/// Calls `visit` with the index of each feature of this board for the player to move.
pub fn for_each_feature(board: &Board, context: &OpponentContext, mut visit: impl FnMut(usize)) {
    let color = board.side_to_move();
    let relative = |square: Square| square.relative_to(color) as usize;
    for (side, of_color) in [color, !color].into_iter().enumerate() {
        for piece in Piece::ALL {
            let first = PIECES + (side * Piece::NUM + piece as usize) * Square::NUM;
            for square in board.colored_pieces(of_color, piece) {
                visit(first + relative(square));
            }
        }
    }
    if let Some(square) = context.lost_on() {
        visit(LOST_ON + relative(square));
    }
    if let Some(square) = context.captured_on {
        visit(CAPTURED_ON + relative(square));
    }
    visit(BIAS);
    if context.has_pawn_try {
        visit(PAWN_TRY);
    }
    if !board.checkers().is_empty() {
        visit(IN_CHECK);
    }
    visit(MOVE_COUNT + usize::from((context.move_count / MOVES_PER_BUCKET).min(BUCKETS - 1)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(fen: &str, context: &OpponentContext) -> Vec<usize> {
        let mut features = Vec::new();
        for_each_feature(&fen.parse().unwrap(), context, |feature| features.push(feature));
        features
    }

    #[test]
    fn features_are_relative_to_the_player_to_move() {
        let context = OpponentContext {
            losses: [Some(Square::E4); 4],
            move_count: 7,
            ..OpponentContext::default()
        };
        let for_white = features("4k3/8/8/3p4/8/8/4P3/4K3 w - - 0 1", &context);
        let mirrored = OpponentContext { losses: [Some(Square::E5); 4], ..context };
        assert_eq!(features("4k3/4p3/8/8/3P4/8/8/4K3 b - - 0 1", &mirrored), for_white);
        assert!(for_white.contains(&(MOVE_COUNT + 2)) && for_white.contains(&(LOST_ON + 28)));
        assert!(!for_white.contains(&IN_CHECK));
        assert!(features("4k3/8/8/8/8/8/8/4RK2 b - - 0 1", &context).contains(&IN_CHECK));
    }

    #[test]
    fn long_games_have_the_last_move_count_feature() {
        let context = OpponentContext { move_count: u16::MAX, ..OpponentContext::default() };
        let last = features("4k3/8/8/8/8/8/8/4K3 w - - 0 1", &context).pop();
        assert_eq!(last, Some(BOARD_FEATURES - 1));
    }
}
