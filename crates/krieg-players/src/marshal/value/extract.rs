//! Feature extraction: from a board and the player's recent observations to the feature vector.

use cozy_chess::{BitBoard, Board, Color, Piece, Rank, Square, get_king_moves};
use krieg_chess::static_exchange_value;

use super::ValueContext;
use super::features::*;
use super::oriented_side::{OrientedSide, POINTS, distance, fill_down, fill_up, pawn_attacks};

/// Material of both sides at the start without pawns, in points.
const STARTING_PIECES: f32 = 62.0;
/// Upper bound of a static exchange evaluation, in pawns.
const MAX_EXCHANGE: f32 = 10.0;
/// Plies without progress beyond which the feature `stalled-lead` grows no further: the game is
/// drawn there by the fifty-move rule.
const MAX_STALLED_PLIES: u16 = 100;

/// The features of a board for the player, who is to move. `engine_eval` is the chess engine's
/// static evaluation in centipawns ([`engine_eval`](super::engine_eval)).
#[must_use]
pub fn extract_features(
    board: &Board,
    player: Color,
    context: &ValueContext,
    engine_eval: i32,
) -> BoardFeatures {
    let mut values = [0.0; FEATURE_COUNT];
    let (own, opponent) = (OrientedSide::new(board, player), OrientedSide::new(board, !player));
    let (own_flipped, opponent_flipped) = (own.flipped(), opponent.flipped());
    add_side(&own, &opponent_flipped, 1.0, &mut values);
    add_side(&opponent, &own_flipped, -1.0, &mut values);

    values[TEMPO] = 1.0;
    values[ENGINE_EVAL] = engine_eval as f32 / 400.0;
    let (own_points, opponent_points) = (own.points(), opponent.points());
    // The constant bounds the relative lead where almost no material is left.
    let lead = (own_points - opponent_points) / (own_points + opponent_points + 2.0);
    values[STALLED_LEAD] =
        lead * f32::from(context.plies_without_progress.min(MAX_STALLED_PLIES)) / 100.0;

    values[OWN_HANGING] = own.points_on(opponent_flipped.attacked & !own.attacked) / 9.0;
    values[OPPONENT_HANGING] = opponent.points_on(own_flipped.attacked & !opponent.attacked) / 9.0;
    // In check there is no null move, and the feature stays 0.
    if let Some(opponent_to_move) = board.null_move() {
        values[OPPONENT_BEST_CAPTURE] = best_capture(&opponent_to_move) / 9.0;
    }
    values[OWN_BEST_CAPTURE] = best_capture(board) / 9.0;
    values[OWN_KING_ZONE] = opponent.king_zone_attacks as f32 / 4.0;
    values[OPPONENT_KING_ZONE] = own.king_zone_attacks as f32 / 4.0;
    if let Some(square) = context.recapture_square {
        values[RECAPTURE] = best_recapture(board, square) / 9.0;
    }
    if context.has_pawn_try {
        values[PAWN_TRY] = 1.0;
        values[PAWN_TRY_VICTIM] = pawn_try_victim(board, player, &own, &opponent_flipped) / 9.0;
    }

    let pawns = own.count(Piece::Pawn) + opponent.count(Piece::Pawn);
    let pieces = own_points + opponent_points - pawns;
    BoardFeatures { values, phase: (pieces / STARTING_PIECES).min(1.0) }
}

/// The exchange value of the best capture for the side to move, in pawns. En passant captures are
/// left out.
fn best_capture(board: &Board) -> f32 {
    let victims = board.colors(!board.side_to_move());
    let mut best = 0;
    board.generate_moves(|mut captures| {
        captures.to &= victims;
        for mv in captures {
            best = best.max(static_exchange_value(board, mv));
        }
        false
    });
    (best as f32 / 100.0).min(MAX_EXCHANGE)
}

/// The exchange value of the best recapture on this square, in pawns.
fn best_recapture(board: &Board, square: Square) -> f32 {
    let mut best = 0;
    board.generate_moves(|piece_moves| {
        for mv in piece_moves.into_iter().filter(|mv| mv.to == square) {
            best = best.max(static_exchange_value(board, mv));
        }
        false
    });
    best as f32 / 100.0
}

/// The points of the best piece that a pawn can capture. A pawn captured en passant counts like any
/// other pawn.
fn pawn_try_victim(
    board: &Board,
    player: Color,
    own: &OrientedSide,
    opponent: &OrientedSide,
) -> f32 {
    let pinned = match player {
        Color::White => board.pinned(),
        Color::Black => board.pinned().flip_ranks(),
    };
    let attacked = pawn_attacks(own.pieces(Piece::Pawn) & !pinned);
    let victims =
        Piece::ALL.into_iter().filter(|kind| !(opponent.pieces(*kind) & attacked).is_empty());
    victims.map(|kind| POINTS[kind as usize]).fold(1.0, f32::max)
}

/// Adds one side's share of the difference features with this sign. The other side must be flipped
/// to the same orientation.
fn add_side(
    own: &OrientedSide,
    other: &OrientedSide,
    sign: f32,
    values: &mut [f32; FEATURE_COUNT],
) {
    let mut add = |feature: usize, amount: f32| values[feature] += sign * amount;
    let indicator = |is_true: bool| f32::from(u8::from(is_true));
    let pawns = own.pieces(Piece::Pawn);
    if other.all.len() == 1 {
        let majors = own.pieces(Piece::Rook) | own.pieces(Piece::Queen);
        add(LONE_KING_MAJOR, indicator(!majors.is_empty()));
        add(LONE_KING_PAWN, indicator(majors.is_empty() && !pawns.is_empty()));
    }
    add(PAWNS, own.count(Piece::Pawn) / 2.0);
    let steps: usize = pawns.into_iter().map(|pawn| pawn.rank() as usize - 1).sum();
    add(PAWN_ADVANCE, steps as f32 / 8.0);
    add(PAWNLESS, indicator(pawns.is_empty()));
    add(BISHOP_PAIR, indicator(own.count(Piece::Bishop) > 1.0));
    add_passed_pawns(own, other, &mut add);
    let is_other_king_weak = other.all.len() == 1 + other.pieces(Piece::Pawn).len();
    let has_pieces = own.all.len() > 1 + pawns.len();
    if is_other_king_weak && has_pieces {
        let escapes = get_king_moves(other.king) & !own.attacked & !other.all;
        add(WEAK_KING_CONFINED, 1.0 - escapes.len() as f32 / 8.0);
        add(WEAK_KING_EDGE, 1.0 - centrality(other.king));
        add(WEAK_KING_NEAR, 1.0 - distance(own.king, other.king) as f32 / 7.0);
    }
}

/// Passed pawns: how far they have advanced, whether their path is free, and whose king is nearer.
fn add_passed_pawns(own: &OrientedSide, other: &OrientedSide, add: &mut impl FnMut(usize, f32)) {
    let pawns = own.pieces(Piece::Pawn);
    let other_pawns = other.pieces(Piece::Pawn);
    let behind_own = fill_down(BitBoard(pawns.0 >> 8));
    let blocked = fill_down(BitBoard(other_pawns.0 >> 8) | other.pawn_attacks);
    let occupied = own.all | other.all;
    for pawn in pawns & !behind_own & !blocked {
        let rank = pawn.rank() as usize;
        let advance = rank as f32 / 7.0;
        let path = fill_up(BitBoard(pawn.bitboard().0 << 8));
        let is_free = (path & (occupied | other.attacked)).is_empty();
        add(PASSED, 1.0);
        add(PASSED_ADVANCE, advance * advance);
        add(FREE_PATH, advance * f32::from(u8::from(is_free)));
        let next = Square::new(pawn.file(), Rank::index((rank + 1).min(7)));
        let nearer = distance(other.king, next) - distance(own.king, next);
        add(KING_ESCORT, advance * nearer as f32 / 7.0);
    }
}

/// 1 on the four centre squares, 0 at the edge.
fn centrality(square: Square) -> f32 {
    let offset = |index: usize| (2 * index as i32 - 7).abs() / 2;
    1.0 - offset(square.file() as usize).max(offset(square.rank() as usize)) as f32 / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features_of(fen: &str, context: &ValueContext) -> impl Fn(&str) -> f32 + use<> {
        let board: Board = fen.parse().unwrap();
        let features = extract_features(&board, board.side_to_move(), context, 0);
        move |name| {
            let index = FEATURES.iter().position(|feature| feature.name == name);
            features.values[index.expect("a feature")]
        }
    }

    #[test]
    fn only_the_tempo_is_nonzero_at_the_start() {
        let features =
            extract_features(&Board::default(), Color::White, &ValueContext::default(), 0);
        assert_eq!(features.phase, 1.0);
        for (feature, amount) in FEATURES.iter().zip(features.values) {
            let name = feature.name;
            assert_eq!(amount, f32::from(u8::from(name == "tempo")), "{name}");
        }
    }

    #[test]
    fn a_passed_pawn_escorted_by_its_king_has_a_free_path() {
        let feature = features_of("8/8/7p/3KP2p/8/8/k7/8 w - - 0 1", &ValueContext::default());
        assert_eq!(feature("passed-free-path"), 4.0 / 7.0 - 3.0 / 7.0);
        assert!(feature("passed-king-escort") > 0.0);
    }

    #[test]
    fn pawns_are_counted_with_their_advance_and_bishops_by_pairs() {
        // White: a2, e6 (passed) and two bishops; Black: a7 and one bishop.
        let fen = "5b2/p5k1/4P3/8/8/8/P7/2B1KB2 w - - 0 1";
        let feature = features_of(fen, &ValueContext::default());
        assert_eq!((feature("pawns"), feature("pawn-advance")), (2.0 / 2.0 - 1.0 / 2.0, 4.0 / 8.0));
        assert_eq!(
            (feature("passed"), feature("bishop-pair"), feature("pawnless")),
            (1.0, 1.0, 0.0)
        );
        assert!((feature("passed-advance") - 25.0 / 49.0).abs() < 1e-6);
    }

    #[test]
    fn recapture_and_pawn_try_need_an_announcement() {
        let fen = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1";
        let told = ValueContext {
            recapture_square: Some(Square::D5),
            has_pawn_try: true,
            plies_without_progress: 0,
        };
        let told = features_of(fen, &told);
        assert!(told("recapture") > 1.0);
        assert_eq!((told("pawn-try"), told("pawn-try-victim")), (1.0, 1.0));
        let untold = features_of(fen, &ValueContext::default());
        assert_eq!((untold("recapture"), untold("pawn-try")), (0.0, 0.0));
        assert!(untold("opponent-hanging") > 0.9 && untold("own-hanging") > 0.0);
    }

    #[test]
    fn best_captures_of_both_sides_are_extracted() {
        // Black's knight attacks queen and rook, and White's rook can capture the other one.
        let fen = "3r2k1/p7/1p6/2n5/Q7/3R4/7P/6K1 w - - 0 1";
        let captures = features_of(fen, &ValueContext::default());
        assert_eq!(captures("opponent-best-capture"), 9.5 / 9.0, "an undefended queen");
        assert_eq!(captures("own-best-capture"), 5.0 / 9.0, "an undefended rook");
        let in_check = features_of("k7/8/8/8/4q3/8/3R4/4K3 w - - 0 1", &ValueContext::default());
        assert_eq!(in_check("opponent-best-capture"), 0.0);
    }

    #[test]
    fn a_lone_king_at_the_edge_is_a_weak_king() {
        let feature = features_of("k7/2K5/8/8/8/8/8/7R w - - 0 1", &ValueContext::default());
        assert_eq!((feature("lone-king-major"), feature("weak-king-edge")), (1.0, 1.0));
        assert!(feature("weak-king-near") > 0.5 && feature("weak-king-confined") > 0.7);
    }
}
