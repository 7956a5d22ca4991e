//! What holds in every game under every ruleset.

use std::collections::BTreeSet;

use krieg_core::{
    Color, Direction, Game, Move, Piece, Position, Setup, Square, Try, Umpire, Verdict, View,
};
use krieg_testing::{LIVELY, cases, draw_game, draw_setup, draw_try, hat};
use proptest::prelude::*;
use rand::RngExt;

/// The pawn tries found the slow way: list the legal moves and pick.
fn slow_pawn_tries(position: &Position) -> BTreeSet<(Square, Square)> {
    let pawns = position.men(position.turn()).pieces(Piece::Pawn);
    let is_capture = |mv: &Move| pawns.has(mv.from) && mv.from.file() != mv.to.file();
    position.legal_moves().iter().filter(|mv| is_capture(mv)).map(|mv| (mv.from, mv.to)).collect()
}

/// The checks found the slow way: which enemy man could take the king if it were his turn?
fn slow_checks(position: &Position) -> Vec<Direction> {
    let board = position.board();
    let king = board.king(position.turn());
    let enemies = board.colors(!position.turn());
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
    let mut checks: Vec<Direction> = enemies
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
    fn the_umpire_and_the_views_agree_with_the_board(seed in any::<u64>()) {
        let mut rng = hat(seed);
        let Setup { ruleset, draws, start } = draw_setup(&mut rng);
        let mut umpire = Umpire::with_draws(ruleset, draws, start);
        for _ in 0..120 {
            let position = umpire.position().clone();
            for player in [Color::White, Color::Black] {
                prop_assert_eq!(umpire.view(player).men(), &position.men(player));
            }
            prop_assert_eq!(position.checks().iter().collect::<Vec<_>>(), slow_checks(&position));
            let slow = slow_pawn_tries(&position);
            let fast = position.pawn_tries();
            prop_assert_eq!(fast.count as usize, slow.len(), "{}", position);
            let from: BTreeSet<Square> = slow.iter().map(|(from, _)| *from).collect();
            prop_assert_eq!(fast.from.into_iter().collect::<BTreeSet<_>>(), from);

            if umpire.outcome().is_some() {
                prop_assert!(umpire.view(Color::White).tries().is_empty());
                prop_assert!(umpire.view(Color::Black).tries().is_empty());
                break;
            }
            let view = umpire.view(umpire.turn()).clone();
            prop_assert!(umpire.view(!umpire.turn()).tries().is_empty());
            // Something legal is always left to try.
            let legal = |mv: &Move| position.is_legal(*mv);
            prop_assert!(view.tries().iter().any(|mv| legal(&mv)), "{}", position);
            if view.refusals() == 0 && !view.owes_a_pawn_capture() {
                for mv in position.legal_moves() {
                    prop_assert!(view.tries().contains(mv), "{} in {}", mv, position);
                }
            }
            let tried = draw_try(&view, &mut rng);
            let was_sensible = view.is_sensible(tried);
            match umpire.judge(tried) {
                Ok(said) => {
                    if said.verdict == Verdict::Moved {
                        let Try::Move(mv) = tried else { panic!("a question moved a man") };
                        prop_assert!(was_sensible && position.is_legal(mv));
                    } else {
                        prop_assert_eq!(umpire.position(), &position);
                        prop_assert!(!umpire.view(umpire.turn()).is_sensible(tried), "no try twice");
                    }
                }
                Err(_) => {
                    prop_assert!(!was_sensible);
                    prop_assert_eq!(umpire.view(umpire.turn()), &view, "nothing has changed");
                }
            }
        }
    }

    /// A program at the other end of a wire keeps a view from its own tries and what it hears.
    #[test]
    fn a_view_kept_far_away_is_the_umpires(seed in any::<u64>()) {
        let mut rng = hat(seed);
        let setup = draw_setup(&mut rng);
        let game = draw_game(setup.clone(), seed, 100);
        for player in [Color::White, Color::Black] {
            let transcript = game.record().transcript(player);
            let mut view =
                View::new(setup.ruleset, setup.start.men(player), &transcript.opening);
            for line in &transcript.lines {
                view.live(line);
            }
            let replayed = game.record().replay(usize::MAX);
            prop_assert_eq!(&view, replayed.umpire().view(player));
        }
    }

    #[test]
    fn a_record_plays_again_to_itself(seed in any::<u64>()) {
        let mut rng = hat(seed);
        let game = draw_game(draw_setup(&mut rng), seed, 100);
        let again = Game::resume(game.record().clone());
        prop_assert_eq!(again.record(), game.record());
        prop_assert_eq!(again.umpire().position(), game.umpire().position());
        for player in [Color::White, Color::Black] {
            prop_assert_eq!(again.umpire().view(player), game.umpire().view(player));
        }
        let replayed = game.record().replay(usize::MAX);
        prop_assert_eq!(replayed.record().entries(), game.record().entries());
    }

    /// A position goes through its text and back.
    #[test]
    fn a_position_reads_back(seed in any::<u64>()) {
        let mut rng = hat(seed);
        let fen = LIVELY[rng.random_range(0..LIVELY.len())];
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
    fn no_text_makes_the_reader_panic(text in "\\PC{0,80}") {
        let _ = Position::from_fen(&text);
        let _ = text.parse::<Try>();
        let _ = krieg_core::excerpt(&text);
    }
}

/// Whatever the border lets in can be played on. Good positions are spoiled a little, so that some
/// of them are still good.
#[test]
fn what_gets_over_the_border_can_be_played_on() {
    let mut rng = hat(5);
    let mut let_in = 0;
    for round in 0..60_000 {
        let mut text: Vec<u8> = LIVELY[rng.random_range(0..LIVELY.len())].into();
        for _ in 0..rng.random_range(1..4) {
            let letters = b"pnbrqkPNBRQK12345678/-wbKQkq abcdefgh0";
            let letter = letters[rng.random_range(0..letters.len())];
            let place = rng.random_range(0..text.len());
            match rng.random_range(0..3) {
                0 => text[place] = letter,
                1 => text.insert(place, letter),
                _ => drop(text.remove(place)),
            }
        }
        let text = String::from_utf8(text).unwrap();
        let Ok(start) = Position::from_fen(&text) else { continue };
        let_in += 1;
        assert_eq!(Position::from_fen(&start.to_string()), Ok(start.clone()), "{text}");
        draw_game(Setup { start, ..Setup::default() }, round, 30);
    }
    assert!(let_in > 500, "only {let_in} of them were positions");
}
