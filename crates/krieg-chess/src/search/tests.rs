//! Tests of the search: against plain minimax, and for the rules of chess.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cozy_chess::{Board, Move as BoardMove, Piece};
use krieg_core::{Position, is_insufficient_material};

use super::*;
use crate::eval::{Classical, Evaluate};
use crate::moves::{is_tactical, is_underpromotion, legal_moves};
use crate::score::{MATE, Score};
use crate::see::see_ge;
use crate::testing::random_boards;

fn engine(options: SearchOptions) -> Engine<Classical> {
    Engine::new(Classical::default(), options, 1 << 20)
}

fn search(fen: &str, limits: &SearchLimits) -> (Position, SearchReport) {
    let position = Position::from_fen(fen).unwrap();
    let report = engine(SearchOptions::default()).search(
        &PositionHistory::new(&position),
        limits,
        &Arc::default(),
        |_| {},
    );
    (position, report)
}

fn after(board: &Board, mv: BoardMove) -> Board {
    let mut after = board.clone();
    after.play_unchecked(mv);
    after
}

/// Minimax to the full depth, with quiescence search at the leaves.
fn minimax(board: &Board, depth: i32, ply: i32, eval: &mut Classical) -> i32 {
    let moves = legal_moves(board);
    if moves.is_empty() {
        return if board.checkers().is_empty() { 0 } else { -MATE + ply };
    }
    if ply > 0 && (is_insufficient_material(board) || board.halfmove_clock() >= 100) {
        return 0;
    }
    if depth == 0 {
        return minimax_quiescence(board, ply, -MATE, MATE, eval);
    }
    let values = moves.into_iter().map(|mv| -minimax(&after(board, mv), depth - 1, ply + 1, eval));
    values.max().unwrap()
}

/// Quiescence search with plain alpha-beta, because trees of captures are too large for minimax.
fn minimax_quiescence(
    board: &Board,
    ply: i32,
    mut alpha: i32,
    beta: i32,
    eval: &mut Classical,
) -> i32 {
    let in_check = !board.checkers().is_empty();
    alpha =
        alpha.max(if in_check { -MATE + ply } else { eval.evaluate(board, &eval.refresh(board)) });
    for mv in legal_moves(board) {
        let is_searched =
            in_check || (is_tactical(board, mv) && !is_underpromotion(mv) && see_ge(board, mv, 0));
        if alpha < beta && is_searched {
            alpha = alpha.max(-minimax_quiescence(&after(board, mv), ply + 1, -beta, -alpha, eval));
        }
    }
    alpha
}

#[test]
fn all_methods_return_the_minimax_value() {
    let mut eval = Classical::default();
    for board in
        random_boards(2_000, 21).into_iter().filter(|board| board.occupied().len() < 14).take(25)
    {
        let Ok(position) = Position::from_fen(&board.to_string()) else { continue };
        for depth in 1..=3 {
            let expected = minimax(&board, depth, 0, &mut eval);
            for method in Method::ALL {
                let options =
                    SearchOptions { method, selective: false, ..SearchOptions::default() };
                let limits = SearchLimits::depth(depth as u32);
                let report = engine(options).search(
                    &PositionHistory::new(&position),
                    &limits,
                    &Arc::default(),
                    |_| {},
                );
                let found = report.variations[0].score.value();
                assert_eq!(found, expected, "{} depth {depth} {board}", method.name());
            }
        }
    }
}

#[test]
fn all_methods_find_mate_in_one() {
    for method in Method::ALL {
        let options = SearchOptions { method, ..SearchOptions::default() };
        let position = Position::from_fen("7k/R7/8/8/8/8/8/1R5K w - - 0 1").unwrap();
        let report = engine(options).search(
            &PositionHistory::new(&position),
            &SearchLimits::depth(6),
            &Arc::default(),
            |_| {},
        );
        assert_eq!(report.variations[0].score, Score::mate_in(1), "{}", method.name());
    }
}

#[test]
fn searches_with_a_node_limit_are_deterministic() {
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    let limits = SearchLimits::nodes(30_000);
    let (_, one) = search(fen, &limits);
    let (_, two) = search(fen, &limits);
    assert_eq!(one.variations, two.variations);
    assert_eq!((one.nodes, two.nodes), (30_000, 30_000));
}

#[test]
fn a_lost_side_forces_a_repetition() {
    // Black is far ahead, but White's queen gives perpetual check on e8 and h5.
    let fen = "6k1/6p1/8/7Q/8/8/qr4PP/6K1 w - - 0 1";
    let (_, report) = search(fen, &SearchLimits::nodes(200_000));
    assert!(report.variations[0].score >= Score::centipawns(-50), "{:?}", report.variations[0]);
}

#[test]
fn the_third_occurrence_of_a_position_is_a_threefold_repetition() {
    let mut history = PositionHistory::new(&Position::start());
    for mv in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"] {
        assert!(!history.is_threefold_repetition());
        history.play(mv.parse().unwrap()).unwrap();
    }
    assert!(history.is_threefold_repetition());
}

#[test]
fn checkmate_takes_precedence_over_the_fifty_move_rule() {
    // The mating move is also the hundredth ply without progress.
    let (position, report) = search("7k/5K2/8/8/8/8/8/6R1 w - - 99 90", &SearchLimits::depth(4));
    assert_eq!(position.player_move(report.best_move().unwrap()).to_string(), "g1h1");
    assert_eq!(report.variations[0].score, Score::mate_in(1));
}

#[test]
fn the_fifty_move_rule_is_a_draw() {
    let (_, report) = search("8/8/8/4k3/8/8/8/4K2R w K - 99 90", &SearchLimits::depth(4));
    assert_eq!(report.variations[0].score, Score::DRAW);
}

#[test]
fn multi_pv_variations_start_with_different_moves() {
    let options = SearchOptions { multi_pv: 4, ..SearchOptions::default() };
    let position = Position::start();
    let report = engine(options).search(
        &PositionHistory::new(&position),
        &SearchLimits::depth(7),
        &Arc::default(),
        |_| {},
    );
    let first_moves: std::collections::HashSet<_> =
        report.variations.iter().map(|pv| pv.moves[0].to_string()).collect();
    assert_eq!(first_moves.len(), 4);
    assert!(report.variations.is_sorted_by(|a, b| a.score >= b.score));
}

#[test]
fn principal_variations_are_legal() {
    for board in random_boards(60, 31) {
        let Ok(position) = Position::from_fen(&board.to_string()) else { continue };
        let report = engine(SearchOptions::default()).search(
            &PositionHistory::new(&position),
            &SearchLimits::nodes(3_000),
            &Arc::default(),
            |_| {},
        );
        let mut current = board;
        for &mv in &report.variations[0].moves {
            assert!(current.is_legal(mv), "{current} {mv}");
            current.play_unchecked(mv);
        }
    }
}

#[test]
fn only_the_given_search_moves_are_searched() {
    let mut limits = SearchLimits::depth(5);
    limits.search_moves = vec!["a2a3".parse().unwrap(), "h2h3".parse().unwrap()];
    let (_, report) = search("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &limits);
    assert!(limits.search_moves.contains(&report.best_move().unwrap()));
}

/// In a short search, late move pruning must not prune the queen's escapes: after 1.e4 d5 2.exd5
/// Qxd5 the move 3.Nc3 does not win the queen.
#[test]
fn an_attacked_queen_escapes_even_in_a_short_search() {
    let attacked = "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 3";
    for nodes in [300, 1_000, 4_000] {
        let (position, report) =
            search(attacked, &SearchLimits { nodes: Some(nodes), ..SearchLimits::default() });
        let best = report.best_move().unwrap();
        assert_eq!(position.board().piece_on(best.from), Some(Piece::Queen), "{nodes}");
    }
    let before = "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3";
    let (_, report) =
        search(before, &SearchLimits { nodes: Some(1_000), ..SearchLimits::default() });
    assert!(
        report.variations[0].score < Score::from_value(300),
        "{:?}",
        report.variations[0].score
    );
}

#[test]
fn an_unlimited_search_ends_when_it_is_stopped() {
    for threads in [1, 3] {
        let mut engine = engine(SearchOptions { threads, ..SearchOptions::default() });
        let control = Arc::new(SearchControl::default());
        let stopper = control.clone();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            stopper.stop();
        });
        let history = PositionHistory::new(&Position::start());
        let report = engine.search(&history, &SearchLimits::default(), &control, |_| {});
        thread.join().unwrap();
        assert!(report.best_move().is_some());
    }
}

#[test]
fn pondering_time_does_not_count() {
    let mut engine = engine(SearchOptions::default());
    let control = Arc::new(SearchControl::default());
    control.ponder();
    let hit = control.clone();
    let start = Instant::now();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(60));
        hit.ponder_hit(start.elapsed());
        start.elapsed()
    });
    let limits = SearchLimits::time(Duration::from_millis(20));
    let report =
        engine.search(&PositionHistory::new(&Position::start()), &limits, &control, |_| {});
    // The search continued until the ponder hit, although its time limit is shorter.
    assert!(report.time >= thread.join().unwrap());
}

#[test]
fn a_search_with_several_threads_returns_a_legal_move() {
    let mut engine = engine(SearchOptions { threads: 4, ..SearchOptions::default() });
    for board in random_boards(20, 41) {
        let Ok(position) = Position::from_fen(&board.to_string()) else { continue };
        let history = PositionHistory::new(&position);
        let report = engine.search(&history, &SearchLimits::depth(5), &Arc::default(), |_| {});
        assert!(board.is_legal(report.best_move().unwrap()));
    }
}
