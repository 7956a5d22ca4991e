//! Whether the opponent can mate at once.
//!
//! Nobody plays a mate that is on the board more often than other moves by habit alone, but by what he imagines he finds every second one: in 300 games of the players
//! `ismcts` and `mo-ismcts` it was 21 of 37 (`benches/runs`). Whoever reckons with habits loses his king in the opening, with more men.

use cozy_chess::{
    BitBoard, Board, Move as BoardMove, Piece, get_bishop_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

/// The number of a move among these legal ones that mates, if there is one. Checks that come from behind the man who moves are not looked for.
pub fn mate(board: &Board, moves: &[BoardMove]) -> Option<usize> {
    let checking = checking_squares(board);
    moves.iter().position(|mv| {
        let piece = mv.promotion.or_else(|| board.piece_on(mv.from));
        if !piece.is_some_and(|piece| checking[piece as usize].has(mv.to)) {
            return false;
        }
        let mut after = board.clone();
        after.play_unchecked(*mv);
        !after.generate_moves(|_| true) && !after.checkers().is_empty()
    })
}

/// For each kind of man of the side to move, from where he would give check.
fn checking_squares(board: &Board) -> [BitBoard; Piece::NUM] {
    let other = !board.side_to_move();
    let (king, occupied) = (board.king(other), board.occupied());
    let (bishop, rook) = (get_bishop_moves(king, occupied), get_rook_moves(king, occupied));
    let mut squares = [BitBoard::EMPTY; Piece::NUM];
    squares[Piece::Pawn as usize] = get_pawn_attacks(king, other);
    squares[Piece::Knight as usize] = get_knight_moves(king);
    squares[Piece::Bishop as usize] = bishop;
    squares[Piece::Rook as usize] = rook;
    squares[Piece::Queen as usize] = bishop | rook;
    squares
}

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::GameStatus;
    use krieg_core::{Position, Setup};
    use krieg_testing::draw_game;

    fn moves(board: &Board) -> Vec<BoardMove> {
        let mut moves = Vec::new();
        board.generate_moves(|of_one_man| {
            moves.extend(of_one_man);
            false
        });
        moves
    }

    fn mates(board: &Board, mv: BoardMove) -> bool {
        let mut after = board.clone();
        after.play(mv);
        after.status() == GameStatus::Won
    }

    #[test]
    fn a_mate_is_found_wherever_the_man_who_moves_gives_it() {
        let (mut found, mut none) = (0, 0);
        for seed in 0..400 {
            let game = draw_game(Setup::default(), seed, 300);
            let record = game.record();
            let mut umpire = record.replay(0).umpire().clone();
            for entry in record.entries() {
                let board = umpire.position().board().clone();
                let moves = moves(&board);
                match mate(&board, &moves) {
                    Some(number) => {
                        assert!(mates(&board, moves[number]), "{board}");
                        found += 1;
                    }
                    None => {
                        // What is left are mates from behind.
                        for mv in moves.into_iter().filter(|mv| mates(&board, *mv)) {
                            let mut after = board.clone();
                            after.play(mv);
                            assert!(!after.checkers().has(mv.to), "{board}: {mv}");
                        }
                        none += 1;
                    }
                }
                let _ = umpire.judge(entry.tried);
            }
        }
        assert!(found > 100 && none > 10_000, "{found} {none}");
    }

    #[test]
    fn a_promotion_mates_and_a_stalemate_does_not() {
        let found = |fen: &str| {
            let board = Position::from_fen(fen).unwrap().board().clone();
            let moves = moves(&board);
            mate(&board, &moves).map(|number| moves[number].to_string())
        };
        let promotes = found("6k1/4Pppp/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        assert!(["e7e8q", "e7e8r"].contains(&promotes.as_str()), "{promotes}");
        assert_eq!(found("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1"), Some("f2f8".to_string()));
        assert_eq!(found("k7/8/1K6/8/8/8/8/2N5 w - - 0 1"), None);
    }
}
