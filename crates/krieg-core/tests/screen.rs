//! The screen holds: what a player sees, is offered and hears depends on nothing he was not told.
//!
//! Two games are led side by side in which one player hears the same, while the hidden men stand
//! elsewhere. As long as nothing he hears differs, nothing he sees may.

use krieg_core::{
    BitBoard, Color, DrawRules, Piece, Position, Rank, Ruleset, Square, Try, Umpire, Verdict,
    placement,
};
use krieg_testing::{LIVELY, draw_try, hat};
use rand::{Rng, seq::SliceRandom};

/// How often the two boards differed behind equal views, so that the test is seen to test.
#[derive(Default, Debug)]
struct Tally {
    plies: u32,
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

/// Lets the opponent move in one world, and finds another move in the other world of which the
/// player hears the same. `false` if there is none.
fn opponent_moves(player: Color, one: &mut Umpire, other: &mut Umpire, rng: &mut impl Rng) -> bool {
    let mut heard = Vec::new();
    loop {
        let tried = draw_try(one.view(!player), rng);
        let Ok(said) = one.judge(tried) else { continue };
        if said.is_heard_by(player) {
            heard.push((tried, said));
        }
        if said.verdict == Verdict::Moved {
            break;
        }
    }
    for (tried, said) in heard {
        // Any try that sounds the same will do; another one than the true one is better.
        let men = *other.view(!player).men();
        let mut candidates: Vec<Try> = other.view(!player).tries().iter().map(Try::Move).collect();
        if said.verdict == Verdict::Nonsense || said.verdict == Verdict::Refused {
            let square = men.all().next_square().expect("a king at least");
            candidates.push(Try::Move(krieg_core::Move::new(square, square)));
        }
        if tried == Try::Any {
            candidates = vec![Try::Any];
        }
        candidates.shuffle(rng);
        candidates.sort_by_key(|candidate| *candidate == tried);
        let sounds_the_same = candidates.into_iter().find_map(|candidate| {
            let mut world = other.clone();
            (world.judge(candidate) == Ok(said)).then_some(world)
        });
        match sounds_the_same {
            Some(world) => *other = world,
            None => return false,
        }
    }
    true
}

fn lead_twin_games(ruleset: Ruleset, fen: &str, player: Color, seed: u64, tally: &mut Tally) {
    let mut rng = hat(seed);
    let start = Position::from_fen(fen).unwrap();
    let mut one = Umpire::with_draws(ruleset, DrawRules::NONE, start.clone());
    let mut other = Umpire::with_draws(ruleset, DrawRules::NONE, start);
    for _ in 0..80 {
        assert_same_to(player, &one, &other);
        tally.plies += 1;
        tally.different_boards += u32::from(one.position() != other.position());
        if one.outcome().is_some() {
            return;
        }
        if one.turn() != player {
            if !opponent_moves(player, &mut one, &mut other, &mut rng) {
                return;
            }
            continue;
        }
        let tried = draw_try(one.view(player), &mut rng);
        let (said, echoed) = (one.judge(tried), other.judge(tried));
        if said != echoed {
            // He has just learned something. Being turned away is not learning: it must not
            // depend on the hidden men at all.
            assert!(said.is_ok() && echoed.is_ok(), "{tried}: {said:?} against {echoed:?}");
            return;
        }
    }
}

#[test]
fn a_player_who_hears_the_same_sees_the_same() {
    let mut tally = Tally::default();
    for ruleset in Ruleset::ALL {
        for (number, fen) in LIVELY.iter().enumerate() {
            for player in [Color::White, Color::Black] {
                for seed in 0..25 {
                    lead_twin_games(ruleset, fen, player, seed * 100 + number as u64, &mut tally);
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
