//! Beliefs that guess: what they imagine fits what was heard, and nothing that is said brings them down.

use krieg_belief::{Belief, Densities, Hybrid, LastObservation, ObservationModel};
use krieg_core::{
    Announcement, Audience, Color, Direction, Entry, Game, Observation, Observer, Piece, Position,
    Ruleset, Setup, Verdict,
};
use krieg_testing::{random_try, seeded_rng};

/// Leads a random game, and shows a belief of White's to `look` whenever it is his turn.
fn lead<B: Belief>(
    setup: &Setup,
    seed: u64,
    mut belief: B,
    mut look: impl FnMut(&Game, &Announcement, &mut B),
) {
    let mut rng = seeded_rng(seed);
    let mut game = Game::new(setup.clone());
    let mut ear = Observer::new(Color::White);
    for _ in 0..200 {
        let tried = random_try(game.umpire().view(game.umpire().turn()), &mut rng);
        let Ok(said) = game.judge(tried) else { continue };
        if said.end.is_some() {
            return;
        }
        if let Some(line) = ear.observe(&Entry { tried, announcement: said, spent_ms: None }) {
            // A contradiction is survived, and that is what is looked at.
            let _ = belief.observe(&line);
            if said.by == Color::Black && said.verdict == Verdict::Moved {
                look(&game, &said, &mut belief);
            }
        }
    }
}

fn setups() -> impl Iterator<Item = Setup> {
    Ruleset::ALL.into_iter().map(|ruleset| Setup { ruleset, ..Setup::default() })
}

/// The board is one on which this could have been said, with White's men where they are and as many enemies as there can be.
fn assert_fits(board: &Position, game: &Game, said: &Announcement, setup: &Setup) {
    let truth = game.umpire().position();
    assert_eq!(board.pieces(Color::White).all(), truth.pieces(Color::White).all());
    assert!(ObservationModel::new(setup).is_consistent(board, said), "{board} {said}");
    let (men, there) = (board.pieces(Color::Black), truth.pieces(Color::Black));
    assert_eq!(men.all().len(), there.all().len(), "{board} {truth}");
    if setup.ruleset.announces_victim {
        let pawns = |men: &krieg_core::PieceSet| men.pieces(Piece::Pawn).len();
        assert!(pawns(&men) >= pawns(&there), "{board} {truth}");
    }
    if let Some(capture) = said.capture.filter(|capture| !capture.en_passant) {
        let stands = men.all().has(capture.square);
        // Unless it was taken in passing, where the taker stands behind.
        assert!(stands || capture.square.rank() == krieg_core::Rank::Fourth, "{board} {said}");
    }
}

#[test]
fn what_was_heard_last_is_what_is_imagined() {
    let mut found = 0;
    for (seed, setup) in setups().enumerate() {
        let belief = LastObservation::new(&setup, Color::White, Densities::default());
        let mut rng = seeded_rng(seed as u64);
        lead(&setup, seed as u64, belief, |game, said, belief| {
            for board in belief.sample(3, &mut rng) {
                assert_fits(&board, game, said, &setup);
                found += 1;
            }
        });
    }
    assert!(found > 300, "{found}");
}

#[test]
fn a_small_pool_is_filled_up_and_goes_on() {
    let (mut looked, mut empty, mut refills) = (0, 0, 0);
    for (seed, setup) in setups().enumerate() {
        let belief = Hybrid::new(&setup, Color::White, 50, Densities::default(), 1);
        let mut rng = seeded_rng(seed as u64);
        lead(&setup, seed as u64, belief, |game, said, belief| {
            let boards = belief.sample(3, &mut rng);
            looked += 1;
            empty += u32::from(boards.is_empty());
            refills = refills.max(belief.refills());
            for board in boards {
                assert!(
                    ObservationModel::new(&setup).is_consistent(&board, said),
                    "{board} {said}"
                );
                assert_eq!(
                    board.pieces(Color::White).all(),
                    game.umpire().position().pieces(Color::White).all()
                );
            }
        });
    }
    assert!(looked > 200 && empty * 20 < looked && refills > 3, "{looked} {empty} {refills}");
}

#[test]
fn what_cannot_be_is_said_so_and_survived() {
    let setup = Setup::default();
    let mut belief = Hybrid::new(&setup, Color::Black, 50, Densities::default(), 1);
    // After White's first move nobody is in check.
    let mut said = Announcement::plain(Color::White, Verdict::Moved, Audience::Both);
    said.checks = krieg_core::Checks::new([Direction::Knight]);
    said.pawn_tries = krieg_core::PawnTryAnnouncement::Count(0);
    let line = Observation { tried: None, announcement: said, spent_ms: None };
    let contradiction = belief.observe(&line).unwrap_err();
    let words =
        "no board that was thought possible fits \"White moved. Knight check. No pawn tries.\"";
    assert_eq!(contradiction.to_string(), words);
    let boards = belief.sample(5, &mut seeded_rng(1));
    assert!(boards.iter().all(|board| !board.checks().is_empty()), "{boards:?}");
}
