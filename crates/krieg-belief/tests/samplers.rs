//! Beliefs that sample: their boards fit the last observation, and they survive contradictions.

use krieg_belief::{Belief, Densities, Hybrid, LastObservation, ObservationModel};
use krieg_core::{
    Announcement, Audience, Color, Direction, Entry, Game, Observation, Observer, Piece, Position,
    Ruleset, Setup, Verdict,
};
use krieg_testing::{random_try, seeded_rng};

/// Plays a random game, and calls `look` with White's belief at the start of each of White's turns.
fn follow<B: Belief>(
    setup: &Setup,
    seed: u64,
    mut belief: B,
    mut look: impl FnMut(&Game, &Announcement, &mut B),
) {
    let mut rng = seeded_rng(seed);
    let mut game = Game::new(setup.clone());
    let mut observer = Observer::new(Color::White);
    for _ in 0..200 {
        let tried = random_try(game.umpire().view(game.umpire().turn()), &mut rng);
        let Ok(announcement) = game.judge(tried) else { continue };
        if announcement.end.is_some() {
            return;
        }
        if let Some(observation) = observer.observe(&Entry { tried, announcement, spent_ms: None })
        {
            // The belief must survive a contradiction.
            let _ = belief.observe(&observation);
            if announcement.by == Color::Black && announcement.verdict == Verdict::Moved {
                look(&game, &announcement, &mut belief);
            }
        }
    }
}

fn setups() -> impl Iterator<Item = Setup> {
    Ruleset::ALL.into_iter().map(|ruleset| Setup { ruleset, ..Setup::default() })
}

/// Asserts that the announcement is possible on a board, that White's pieces are correct, and that
/// Black has the right number of pieces.
fn assert_fits(board: &Position, game: &Game, announcement: &Announcement, setup: &Setup) {
    let truth = game.umpire().position();
    assert_eq!(board.pieces(Color::White).all(), truth.pieces(Color::White).all());
    assert!(
        ObservationModel::new(setup).is_consistent(board, announcement),
        "{board} {announcement}"
    );
    let (sampled, actual) = (board.pieces(Color::Black), truth.pieces(Color::Black));
    assert_eq!(sampled.all().len(), actual.all().len(), "{board} {truth}");
    if setup.ruleset.announces_victim {
        let pawns = |pieces: &krieg_core::PieceSet| pieces.pieces(Piece::Pawn).len();
        assert!(pawns(&sampled) >= pawns(&actual), "{board} {truth}");
    }
    if let Some(capture) = announcement.capture.filter(|capture| !capture.en_passant) {
        let is_occupied = sampled.all().has(capture.square);
        // After en passant the capturing pawn stands behind the captured one.
        assert!(
            is_occupied || capture.square.rank() == krieg_core::Rank::Fourth,
            "{board} {announcement}"
        );
    }
}

#[test]
fn sampled_boards_fit_the_last_observation() {
    let mut found = 0;
    for (seed, setup) in setups().enumerate() {
        let belief = LastObservation::new(&setup, Color::White, Densities::default());
        let mut rng = seeded_rng(seed as u64);
        follow(&setup, seed as u64, belief, |game, announcement, belief| {
            for board in belief.sample(3, &mut rng) {
                assert_fits(&board, game, announcement, &setup);
                found += 1;
            }
        });
    }
    assert!(found > 300, "{found}");
}

#[test]
fn a_small_set_is_refilled() {
    let (mut checked, mut empty, mut refills) = (0, 0, 0);
    for (seed, setup) in setups().enumerate() {
        let belief = Hybrid::new(&setup, Color::White, 50, Densities::default(), 1);
        let mut rng = seeded_rng(seed as u64);
        follow(&setup, seed as u64, belief, |game, announcement, belief| {
            let boards = belief.sample(3, &mut rng);
            checked += 1;
            empty += u32::from(boards.is_empty());
            refills = refills.max(belief.refills());
            for board in boards {
                assert!(
                    ObservationModel::new(&setup).is_consistent(&board, announcement),
                    "{board} {announcement}"
                );
                assert_eq!(
                    board.pieces(Color::White).all(),
                    game.umpire().position().pieces(Color::White).all()
                );
            }
        });
    }
    assert!(checked > 200 && empty * 20 < checked && refills > 3, "{checked} {empty} {refills}");
}

#[test]
fn a_contradiction_is_reported_and_survived() {
    let setup = Setup::default();
    let mut belief = Hybrid::new(&setup, Color::Black, 50, Densities::default(), 1);
    // White's first move cannot give check.
    let mut announcement = Announcement::plain(Color::White, Verdict::Moved, Audience::Both);
    announcement.checks = krieg_core::Checks::new([Direction::Knight]);
    announcement.pawn_tries = krieg_core::PawnTryAnnouncement::Count(0);
    let observation = Observation { tried: None, announcement, spent_ms: None };
    let contradiction = belief.observe(&observation).unwrap_err();
    let message = "no possible board fits the announcement \
                   \"White moved. Knight check. No pawn tries.\"";
    assert_eq!(contradiction.to_string(), message);
    let boards = belief.sample(5, &mut seeded_rng(1));
    assert!(boards.iter().all(|board| !board.checks().is_empty()), "{boards:?}");
}
