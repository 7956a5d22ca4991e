//! The screen holds: what a player sees, is offered and hears depends on nothing he was not told.
//!
//! Two games are led side by side in which one player hears the same, while the hidden men stand
//! elsewhere. As long as nothing he hears differs, nothing he sees may.

use krieg_core::{
    BitBoard, Color, DrawRules, Piece, Position, Rank, Ruleset, Setup, Square, Umpire, placement,
};
use krieg_testing::{LIVELY, hat, lead_twin_games};
use rand::{Rng, seq::SliceRandom};

/// How often the two boards differed behind equal views, so that the test is seen to test.
#[derive(Default, Debug)]
struct Tally {
    looks: u32,
    different_boards: u32,
}

fn assert_same_to(player: Color, one: &Umpire, other: &Umpire) {
    assert_eq!(
        one.view(player),
        other.view(player),
        "{player:?} tells apart\n{}\n{}",
        one.position(),
        other.position(),
    );
}

#[test]
fn a_player_who_hears_the_same_sees_the_same() {
    let mut tally = Tally::default();
    for ruleset in Ruleset::ALL {
        for (number, fen) in LIVELY.iter().enumerate() {
            for player in [Color::White, Color::Black] {
                for seed in 0..25 {
                    let start = Position::from_fen(fen).unwrap();
                    let setup = Setup { ruleset, draws: DrawRules::NONE, start };
                    lead_twin_games(setup, player, seed * 100 + number as u64, |one, other| {
                        assert_same_to(player, one.umpire(), other.umpire());
                        let differ = one.umpire().position() != other.umpire().position();
                        tally.looks += 1;
                        tally.different_boards += u32::from(differ);
                    });
                }
            }
        }
    }
    assert!(tally.different_boards > 20_000, "the worlds hardly differed: {tally:?}");
}

/// Puts the enemy's men on other squares: same men, same player's men, all else by chance.
fn scramble(position: &Position, player: Color, rng: &mut impl Rng) -> Option<Position> {
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
            let place = free.iter().position(|&square| !forbidden.has(square))?;
            placed.push((free.swap_remove(place), piece, !player));
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
fn hidden_men_put_elsewhere_change_nothing_but_what_is_said() {
    let mut rng = hat(7);
    let mut compared = 0;
    for ruleset in Ruleset::ALL {
        for fen in LIVELY {
            let position = Position::from_fen(fen).unwrap();
            let player = position.turn();
            let true_world = Umpire::with_draws(
                ruleset,
                DrawRules::NONE,
                // Castling and en passant rights are left out on both sides, as in the scramble.
                match scramble_nothing(&position) {
                    Some(position) => position,
                    None => continue,
                },
            );
            for _ in 0..60 {
                let Some(elsewhere) = scramble(&position, player, &mut rng) else { continue };
                let world = Umpire::with_draws(ruleset, DrawRules::NONE, elsewhere);
                if world.opening() != true_world.opening() {
                    continue;
                }
                assert_same_to(player, &true_world, &world);
                for mv in true_world.view(player).tries().iter() {
                    let (mut one, mut other) = (true_world.clone(), world.clone());
                    if one.judge(mv.into()) == other.judge(mv.into()) {
                        assert_same_to(player, &one, &other);
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 10_000, "only {compared} tries sounded the same in both worlds");
}

fn scramble_nothing(position: &Position) -> Option<Position> {
    let text = position.to_string();
    let mut fields = text.split(' ');
    let (men, turn) = (fields.next()?, fields.next()?);
    Position::from_fen(&format!("{men} {turn} - - 0 1")).ok()
}

/// The trap in a known referee: a capture in passing that a pin forbids is offered all the same,
/// and gives away that there is somebody to capture and somebody who pins.
#[test]
fn a_pinned_capture_in_passing_is_neither_counted_nor_offered() {
    for fen in [
        "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
        "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "7k/6b1/8/3pP3/3K4/8/8/8 w - d6 0 1",
    ] {
        let start = Position::from_fen(fen).unwrap();
        assert_eq!(start.pawn_tries().count, 0, "{fen}");
        for ruleset in [Ruleset::ICC, Ruleset::CINCINNATI, Ruleset::RAND] {
            let umpire = Umpire::new(ruleset, start.clone());
            let passing = "e5d6".parse().unwrap();
            assert!(!umpire.view(Color::White).tries().contains(passing), "{ruleset}: {fen}");
        }
    }
}
