//! Tests of the move features, by their names.

use super::*;
use krieg_core::Position;

/// The features of a move: the name of the group, and the index in the group.
fn features(fen: &str, mv: &str, context: &OpponentContext) -> Vec<(&'static str, usize)> {
    let position = Position::from_fen(fen).unwrap();
    let mut moves = Vec::new();
    position.board().generate_moves(|piece_moves| {
        moves.extend(piece_moves);
        false
    });
    let mv = position.board_move(mv.parse().unwrap());
    assert!(moves.contains(&mv));
    let mut found = Vec::new();
    MoveFeatures::new(position.board(), context, &moves).for_each_feature(mv, |feature, count| {
        if count == 0 {
            return;
        }
        let contains = |group: &&krieg_core::FeatureGroup| group.range().contains(&feature);
        let group = f::FEATURE_GROUPS.iter().find(contains).unwrap();
        found.push((group.name, feature - group.start));
    });
    found
}

#[test]
fn recaptures_are_told_apart_from_captures() {
    // A bishop has just captured a knight on d4; the pawn and the queen can recapture.
    let fen = "4k3/8/8/8/3b4/4P3/3Q4/4K3 w - - 0 1";
    let mut context = OpponentContext::default();
    context.begin_turn(Some(Square::D4), true);
    let by_pawn = features(fen, "e3d4", &context);
    assert!(by_pawn.contains(&("recapture", 0)), "{by_pawn:?}");
    assert!(by_pawn.contains(&("least-valuable-recapture", 0)));
    assert!(by_pawn.contains(&("pawn-capture", 0)), "a pawn try was announced");
    let by_queen = features(fen, "d2d4", &context);
    assert!(by_queen.contains(&("recapture", 4)), "{by_queen:?}");
    assert!(!by_queen.contains(&("least-valuable-recapture", 0)));
    // Two turns later it is an earlier loss.
    context.begin_turn(None, true);
    context.begin_turn(None, false);
    let late = features(fen, "d2d4", &context);
    assert!(late.contains(&("to-earlier-loss", 1)), "{late:?}");
    assert!(late.contains(&("capture", 4 * 5 + 2)), "the queen captures a bishop");
}

#[test]
fn leaving_a_piece_undefended_is_a_feature() {
    // Only the knight defends the bishop. The knight moves, or the king does.
    let fen = "7k/8/8/8/4B3/8/3N4/7K w - - 0 1";
    let context = OpponentContext::default();
    assert!(features(fen, "d2b1", &context).contains(&("leaves-undefended", 1)));
    assert!(!features(fen, "h1g1", &context).contains(&("leaves-undefended", 1)));
}

#[test]
fn defended_destinations_are_a_feature() {
    let fen = "7k/8/8/8/4B3/8/3N4/7K w - - 0 1";
    let context = OpponentContext::default();
    assert!(features(fen, "e4f3", &context).contains(&("defended-destination", 2)));
    let undefended = features(fen, "e4a8", &context);
    assert!(!undefended.iter().any(|(name, _)| *name == "defended-destination"));
}

#[test]
fn attacked_squares_are_features_of_origin_and_destination() {
    let fen = "4k3/8/2p5/8/3N4/8/8/r3K1n1 w - - 0 1";
    let context = OpponentContext::default();
    // White is in check, and only the king can help.
    assert!(features(fen, "e1d2", &context).contains(&("check-evasion", 0)));
    let fen = "4k3/8/2p5/8/3N3r/8/8/4K3 w - - 0 1";
    let to_a_pawn = features(fen, "d4b5", &context);
    assert!(to_a_pawn.contains(&("attacked-destination", 1)), "{to_a_pawn:?}");
    assert!(to_a_pawn.contains(&("attacked-by-lesser", 1)));
    assert!(to_a_pawn.contains(&("leaves-attack", 1)), "the rook attacks the knight");
    let capture = features(fen, "d4c6", &context);
    assert!(capture.contains(&("capture", 5)), "{capture:?}");
    assert!(!capture.contains(&("capture-of-defended", 2)));
}

#[test]
fn castling_has_few_features_and_reversals_are_found() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let context = OpponentContext {
        last_move: Some("h2h1".parse().unwrap()),
        move_count: 20,
        ..OpponentContext::default()
    };
    assert_eq!(features(fen, "e1g1", &context), [("moved-piece", 17), ("castling", 0)]);
    assert_eq!(features(fen, "e1c1", &context), [("moved-piece", 17), ("castling", 1)]);
    assert!(features(fen, "e1e2", &context).contains(&("castling-rights-lost", 0)));
    let reversal = features(fen, "h1h2", &context);
    assert!(reversal.contains(&("reversal", 3)), "{reversal:?}");
    assert!(reversal.contains(&("castling-rights-lost", 1)), "{reversal:?}");
    assert!(features(fen, "h1h8", &context).contains(&("gives-check", 3)));
}

#[test]
fn checkmate_is_told_apart_from_check_and_stalemate() {
    let context = OpponentContext::default();
    let is_mate = |fen: &str, mv| features(fen, mv, &context).contains(&("checkmate", 0));
    let fen = "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1";
    assert!(is_mate(fen, "f2f8"));
    assert!(!is_mate(fen, "f2h2") && !is_mate(fen, "f2f7"));
    assert!(is_mate("6k1/4Pppp/8/8/8/8/8/4K3 w - - 0 1", "e7e8r"));
    assert!(!is_mate("6k1/4Pppp/8/8/8/8/8/4K3 w - - 0 1", "e7e8n"));
}

#[test]
fn passed_pawns_are_found_for_either_side() {
    let context = OpponentContext::default();
    let is_passed = |fen: &str, mv| features(fen, mv, &context).contains(&("passed-pawn", 0));
    assert!(is_passed("4k3/8/8/p3P3/8/8/8/4K3 w - - 0 1", "e5e6"));
    assert!(!is_passed("4k3/3p4/8/4P3/8/8/8/4K3 w - - 0 1", "e5e6"));
    assert!(is_passed("4k3/8/4P3/3p4/8/8/8/4K3 b - - 0 1", "d5d4"));
    assert!(!is_passed("4k3/8/8/3p4/8/8/4P3/4K3 b - - 0 1", "d5d4"));
}
