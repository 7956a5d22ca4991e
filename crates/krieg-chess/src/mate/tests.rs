//! Tests of the mate search.

use super::*;

/// Mate search by brute force.
fn brute_force(board: &Board, plies_left: u32) -> bool {
    let moves = legal_moves(board);
    let mut children = moves.into_iter().map(|mv| {
        let mut after = board.clone();
        after.play_unchecked(mv);
        after
    });
    let has_moves = board.generate_moves(|_| true);
    let is_draw = has_moves && (board.halfmove_clock() >= 100 || is_insufficient_material(board));
    match plies_left % 2 {
        1 => !is_draw && children.any(|after| brute_force(&after, plies_left - 1)),
        _ if !has_moves => !board.checkers().is_empty(),
        _ => {
            plies_left > 0 && !is_draw && children.all(|after| brute_force(&after, plies_left - 1))
        }
    }
}

#[test]
fn results_agree_with_brute_force() {
    let mut counts = [0, 0];
    let endgames = crate::testing::random_boards(4_000, 11)
        .into_iter()
        .filter(|board| board.occupied().len() < 14);
    for board in endgames.take(150) {
        let result = MateSearch::new(1_000_000).mate_within(&board, 2);
        let is_mate = brute_force(&board, 3);
        counts[usize::from(is_mate)] += 1;
        assert_eq!(matches!(result, MateResult::Mate(_)), is_mate, "{board}");
    }
    assert!(counts[1] > 0, "{counts:?}");
}

#[test]
fn the_line_ends_with_mate() {
    let board: Board = "k7/8/2K5/8/8/8/8/1R6 w - - 0 1".parse().unwrap();
    let mut search = MateSearch::new(1_000_000);
    let MateResult::Mate(line) = search.shortest_mate(&board, 4) else { panic!("no mate") };
    assert_eq!(line.len(), 3);
    let mut current = board;
    for mv in line {
        current.play(mv);
    }
    assert!(!current.checkers().is_empty() && legal_moves(&current).is_empty());
}

#[test]
fn the_fifty_move_rule_prevents_a_mate() {
    // Mate in two, unless the first move is the hundredth ply without progress.
    let board = |clock| format!("k7/8/2K5/8/8/8/8/1R6 w - - {clock} 80").parse().unwrap();
    let search = |board: &Board| MateSearch::new(100_000).mate_within(board, 2);
    assert!(matches!(search(&board(96)), MateResult::Mate(_)));
    assert_eq!(search(&board(98)), MateResult::NoMate);
}

#[test]
fn the_node_limit_ends_the_search() {
    let board = Board::default();
    let mut search = MateSearch::new(1_000);
    assert_eq!(search.mate_within(&board, 5), MateResult::Unknown);
    assert!(search.nodes() < 5_000);
}
