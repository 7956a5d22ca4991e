//! Properties that hold in every game under every ruleset.

use std::collections::BTreeSet;

use krieg_core::{
    Color, Direction, Game, Move, Piece, Position, Setup, Square, Try, Umpire, Verdict, View,
};
use krieg_testing::{TEST_POSITIONS, cases, random_game, random_setup, random_try, seeded_rng};
use proptest::prelude::*;
use rand::RngExt;

/// Reference implementation of pawn tries: selects them from all legal moves.
fn reference_pawn_tries(position: &Position) -> BTreeSet<(Square, Square)> {
    let pawns = position.pieces(position.turn()).pieces(Piece::Pawn);
    let is_capture = |mv: &Move| pawns.has(mv.from) && mv.from.file() != mv.to.file();
    position.legal_moves().iter().filter(|mv| is_capture(mv)).map(|mv| (mv.from, mv.to)).collect()
}

/// Reference implementation of checks: finds every opponent piece that attacks the king.
fn reference_checks(position: &Position) -> Vec<Direction> {
    let board = position.board();
    let king = board.king(position.turn());
    let opponents = board.colors(!position.turn());
    let attacks = |from: Square| {
        let piece = board.piece_on(from).unwrap();
        let (occupied, them) = (board.occupied(), !position.turn());
        match piece {
            Piece::Pawn => cozy_chess::get_pawn_attacks(from, them),
            Piece::Knight => cozy_chess::get_knight_moves(from),
            Piece::Bishop => cozy_chess::get_bishop_moves(from, occupied),
            Piece::Rook => cozy_chess::get_rook_moves(from, occupied),
            Piece::Queen => {
                cozy_chess::get_bishop_moves(from, occupied)
                    | cozy_chess::get_rook_moves(from, occupied)
            }
            Piece::King => cozy_chess::get_king_moves(from),
        }
    };
    let mut checks: Vec<Direction> = opponents
        .into_iter()
        .filter(|&from| attacks(from).has(king))
        .map(|from| Direction::between(king, from))
        .collect();
    checks.sort();
    checks
}

proptest! {
    #![proptest_config(cases(1_000))]

    #[test]
    fn umpire_and_views_agree_with_the_position(seed in any::<u64>()) {
        let mut rng = seeded_rng(seed);
        let Setup { ruleset, draws, start } = random_setup(&mut rng);
        let mut umpire = Umpire::with_draws(ruleset, draws, start);
        for _ in 0..120 {
            let position = umpire.position().clone();
            for player in [Color::White, Color::Black] {
                prop_assert_eq!(umpire.view(player).pieces(), &position.pieces(player));
            }
            let checks: Vec<_> = position.checks().iter().collect();
            prop_assert_eq!(checks, reference_checks(&position));
            let reference = reference_pawn_tries(&position);
            let pawn_tries = position.pawn_tries();
            prop_assert_eq!(pawn_tries.count as usize, reference.len(), "{}", position);
            let from: BTreeSet<Square> = reference.iter().map(|(from, _)| *from).collect();
            prop_assert_eq!(pawn_tries.from.into_iter().collect::<BTreeSet<_>>(), from);

            if umpire.outcome().is_some() {
                prop_assert!(umpire.view(Color::White).tries().is_empty());
                prop_assert!(umpire.view(Color::Black).tries().is_empty());
                break;
            }
            let view = umpire.view(umpire.turn()).clone();
            prop_assert!(umpire.view(!umpire.turn()).tries().is_empty());
            // At least one sensible try is legal.
            let is_legal = |mv: &Move| position.is_legal(*mv);
            prop_assert!(view.tries().iter().any(|mv| is_legal(&mv)), "{}", position);
            if view.refusals() == 0 && !view.must_capture_with_pawn() {
                for mv in position.legal_moves() {
                    prop_assert!(view.tries().contains(mv), "{} in {}", mv, position);
                }
            }
            let tried = random_try(&view, &mut rng);
            let was_sensible = view.is_sensible(tried);
            match umpire.judge(tried) {
                Ok(announcement) => {
                    if announcement.verdict == Verdict::Moved {
                        let Try::Move(mv) = tried else { panic!("a question moved a piece") };
                        prop_assert!(was_sensible && position.is_legal(mv));
                    } else {
                        prop_assert_eq!(umpire.position(), &position);
                        let view = umpire.view(umpire.turn());
                        prop_assert!(!view.is_sensible(tried), "sensible again after a refusal");
                    }
                }
                Err(_) => {
                    prop_assert!(!was_sensible);
                    prop_assert_eq!(umpire.view(umpire.turn()), &view, "the view changed");
                }
            }
        }
    }

    /// A remote program rebuilds the umpire's view from its own observations.
    #[test]
    fn view_rebuilt_from_observations_equals_the_umpires(seed in any::<u64>()) {
        let mut rng = seeded_rng(seed);
        let setup = random_setup(&mut rng);
        let game = random_game(setup.clone(), seed, 100);
        for player in [Color::White, Color::Black] {
            let transcript = game.record().transcript(player);
            let pieces = setup.start.pieces(player);
            let mut view = View::new(setup.ruleset, pieces, &transcript.opening);
            for observation in &transcript.observations {
                view.observe(observation);
            }
            let replayed = game.record().replay(usize::MAX);
            prop_assert_eq!(&view, replayed.umpire().view(player));
        }
    }

    #[test]
    fn replaying_a_record_reproduces_it(seed in any::<u64>()) {
        let mut rng = seeded_rng(seed);
        let game = random_game(random_setup(&mut rng), seed, 100);
        let resumed = Game::resume(game.record().clone());
        prop_assert_eq!(resumed.record(), game.record());
        prop_assert_eq!(resumed.umpire().position(), game.umpire().position());
        for player in [Color::White, Color::Black] {
            prop_assert_eq!(resumed.umpire().view(player), game.umpire().view(player));
        }
        let replayed = game.record().replay(usize::MAX);
        prop_assert_eq!(replayed.record().entries(), game.record().entries());
    }

    /// A prepared try gives the same game as a judged one, and fits no other state of the game.
    #[test]
    fn committing_a_prepared_try_equals_judging_it(seed in any::<u64>()) {
        let mut rng = seeded_rng(seed);
        let setup = random_setup(&mut rng);
        let (mut judged, mut committed) = (Game::new(setup.clone()), Game::new(setup));
        let mut stale = Vec::new();
        for ms in 0..120 {
            if judged.umpire().outcome().is_some() {
                break;
            }
            let tried = random_try(judged.umpire().view(judged.umpire().turn()), &mut rng);
            let prepared = committed.prepare(tried);
            let announcement = judged.judge_timed(tried, Some(ms));
            match prepared {
                Err(error) => prop_assert_eq!(announcement, Err(error)),
                Ok(prepared) => {
                    prop_assert_eq!(announcement, Ok(*prepared.announcement()));
                    stale.push(prepared.clone());
                    prop_assert_eq!(committed.commit(prepared, Some(ms)).ok(), announcement.ok());
                }
            }
            prop_assert_eq!(committed.record(), judged.record());
            prop_assert_eq!(committed.umpire().position(), judged.umpire().position());
            for player in Color::ALL {
                prop_assert_eq!(committed.umpire().view(player), judged.umpire().view(player));
            }
            // A try from an earlier state is accepted only where the umpire would give the same
            // answer again, as for a senseless try that the ruleset lets a player repeat.
            for old in &stale {
                let answer = judged.umpire().prepare(old.tried());
                if answer.as_ref() != Ok(old) {
                    prop_assert!(committed.clone().commit(old.clone(), None).is_err());
                }
            }
        }
    }

    #[test]
    fn position_round_trips_through_fen(seed in any::<u64>()) {
        let mut rng = seeded_rng(seed);
        let fen = TEST_POSITIONS[rng.random_range(0..TEST_POSITIONS.len())];
        let mut position = Position::from_fen(fen).unwrap();
        for _ in 0..40 {
            let text = position.to_string();
            prop_assert_eq!(Position::from_fen(&text), Ok(position.clone()), "{}", text);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[rng.random_range(0..moves.len())]).unwrap();
        }
    }

    #[test]
    fn parsers_do_not_panic(text in "\\PC{0,80}") {
        let _ = Position::from_fen(&text);
        let _ = text.parse::<Try>();
        let _ = krieg_core::excerpt(&text);
    }
}

/// Every FEN that is accepted gives a position that can be played on. The inputs are valid FENs
/// with one to three random edits, so that some of them are still valid.
#[test]
fn accepted_fens_can_be_played() {
    let mut rng = seeded_rng(5);
    let mut accepted = 0;
    for round in 0..60_000 {
        let mut text: Vec<u8> = TEST_POSITIONS[rng.random_range(0..TEST_POSITIONS.len())].into();
        for _ in 0..rng.random_range(1..4) {
            let letters = b"pnbrqkPNBRQK12345678/-wbKQkq abcdefgh0";
            let letter = letters[rng.random_range(0..letters.len())];
            let index = rng.random_range(0..text.len());
            match rng.random_range(0..3) {
                0 => text[index] = letter,
                1 => text.insert(index, letter),
                _ => drop(text.remove(index)),
            }
        }
        let text = String::from_utf8(text).unwrap();
        let Ok(start) = Position::from_fen(&text) else { continue };
        accepted += 1;
        assert_eq!(Position::from_fen(&start.to_string()), Ok(start.clone()), "{text}");
        random_game(Setup { start, ..Setup::default() }, round, 30);
    }
    assert!(accepted > 500, "only {accepted} texts were accepted");
}
