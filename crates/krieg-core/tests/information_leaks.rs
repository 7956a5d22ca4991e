//! No information leaks: a player's view and sensible tries depend only on the player's
//! observations.
//!
//! The tests play pairs of games in which one player makes the same observations although the
//! opponent's pieces differ. The player's views must then be equal.

use krieg_core::{
    BitBoard, Color, DrawRules, Piece, Position, Rank, Ruleset, Setup, Square, Umpire, placement,
};
use krieg_testing::{TEST_POSITIONS, play_indistinguishable_games, seeded_rng};
use rand::{Rng, seq::SliceRandom};

/// How many pairs of views were compared, and how many of them had different positions behind
/// them. Shows that the test exercises the property.
#[derive(Default, Debug)]
struct ComparisonCounts {
    views: u32,
    different_positions: u32,
}

fn assert_equal_views(player: Color, one: &Umpire, other: &Umpire) {
    assert_eq!(
        one.view(player),
        other.view(player),
        "{player:?} can tell apart\n{}\n{}",
        one.position(),
        other.position(),
    );
}

#[test]
fn equal_observations_give_equal_views() {
    let mut counts = ComparisonCounts::default();
    for ruleset in Ruleset::ALL {
        for (number, fen) in TEST_POSITIONS.iter().enumerate() {
            for player in [Color::White, Color::Black] {
                for seed in 0..25 {
                    let start = Position::from_fen(fen).unwrap();
                    let setup = Setup { ruleset, draws: DrawRules::NONE, start };
                    let seed = seed * 100 + number as u64;
                    play_indistinguishable_games(setup, player, seed, |one, other| {
                        assert_equal_views(player, one.umpire(), other.umpire());
                        let differ = one.umpire().position() != other.umpire().position();
                        counts.views += 1;
                        counts.different_positions += u32::from(differ);
                    });
                }
            }
        }
    }
    assert!(counts.different_positions > 20_000, "too few differences: {counts:?}");
}

/// The position with the opponent's pieces on random squares and the player's pieces unchanged,
/// without castling and en passant rights; `None` if it is not valid.
fn shuffle_opponent(position: &Position, player: Color, rng: &mut impl Rng) -> Option<Position> {
    let board = position.board();
    let mut free: Vec<Square> = (!board.colors(player)).into_iter().collect();
    free.shuffle(rng);
    let mut placed: Vec<(Square, Piece, Color)> = Vec::new();
    for piece in Piece::ALL {
        for square in board.colored_pieces(player, piece) {
            placed.push((square, piece, player));
        }
        for _ in board.colored_pieces(!player, piece) {
            let ends = Rank::First.bitboard() | Rank::Eighth.bitboard();
            let forbidden = if piece == Piece::Pawn { ends } else { BitBoard::EMPTY };
            let index = free.iter().position(|&square| !forbidden.has(square))?;
            placed.push((free.swap_remove(index), piece, !player));
        }
    }
    let letter = |square: Square| {
        placed.iter().find(|(at, ..)| *at == square).map(|&(_, piece, color)| {
            let letter = char::from(piece);
            if color == Color::White { letter.to_ascii_uppercase() } else { letter }
        })
    };
    let turn = if position.turn() == Color::White { 'w' } else { 'b' };
    Position::from_fen(&format!("{} {turn} - - 0 1", placement::write(letter))).ok()
}

#[test]
fn shuffled_opponent_pieces_change_only_announcements() {
    let mut rng = seeded_rng(7);
    let mut compared = 0;
    for ruleset in Ruleset::ALL {
        for fen in TEST_POSITIONS {
            let position = Position::from_fen(fen).unwrap();
            let player = position.turn();
            // Without castling and en passant rights, as in the shuffled positions.
            let Some(start) = without_rights(&position) else { continue };
            let original = Umpire::with_draws(ruleset, DrawRules::NONE, start);
            for _ in 0..60 {
                let Some(start) = shuffle_opponent(&position, player, &mut rng) else { continue };
                let shuffled = Umpire::with_draws(ruleset, DrawRules::NONE, start);
                if shuffled.opening() != original.opening() {
                    continue;
                }
                assert_equal_views(player, &original, &shuffled);
                for mv in original.view(player).tries().iter() {
                    let (mut one, mut other) = (original.clone(), shuffled.clone());
                    if one.judge(mv.into()) == other.judge(mv.into()) {
                        assert_equal_views(player, &one, &other);
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 10_000, "only {compared} tries had equal answers in both games");
}

/// The position without castling and en passant rights.
fn without_rights(position: &Position) -> Option<Position> {
    let text = position.to_string();
    let mut fields = text.split(' ');
    let (pieces, turn) = (fields.next()?, fields.next()?);
    Position::from_fen(&format!("{pieces} {turn} - - 0 1")).ok()
}

/// Regression test for a leak in another umpire program: it offers an en passant capture that a
/// pin forbids, which reveals both the pawn that could be captured and the pinning piece.
#[test]
fn pinned_en_passant_capture_is_neither_counted_nor_sensible() {
    for fen in [
        "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
        "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "7k/6b1/8/3pP3/3K4/8/8/8 w - d6 0 1",
    ] {
        let start = Position::from_fen(fen).unwrap();
        assert_eq!(start.pawn_tries().count, 0, "{fen}");
        for ruleset in [Ruleset::ICC, Ruleset::CINCINNATI, Ruleset::RAND] {
            let umpire = Umpire::new(ruleset, start.clone());
            let en_passant = "e5d6".parse().unwrap();
            assert!(!umpire.view(Color::White).tries().contains(en_passant), "{ruleset}: {fen}");
        }
    }
}
