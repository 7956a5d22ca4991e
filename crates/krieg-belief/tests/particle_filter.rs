//! The particle filter: exact within its capacity, consistent, and unbiased on average.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use krieg_belief::{
    Belief, BoardSet, Deadline, Densities, ObservationModel, OpponentBoard, OpponentContext,
    OpponentMixture, OpponentPolicy, OpponentTurn, ParticleFilter, ParticleStats, UniformPolicy,
    WeightedBelief,
};
use krieg_core::{
    Announcement, Audience, Color, Entry, Game, Observation, Observer, Position, Ruleset, Setup,
    Try, Verdict,
};
use krieg_testing::{TEST_POSITIONS, random_try, seeded_rng};

/// The observations of one player in a random game.
fn random_observations(setup: &Setup, player: Color, seed: u64, tries: usize) -> Vec<Observation> {
    let mut rng = seeded_rng(seed);
    let mut game = Game::new(setup.clone());
    let mut observer = Observer::new(player);
    let mut observations = Vec::new();
    for _ in 0..tries {
        let tried = random_try(game.umpire().view(game.umpire().turn()), &mut rng);
        let Ok(announcement) = game.judge(tried) else { continue };
        if announcement.end.is_some() {
            break;
        }
        observations.extend(observer.observe(&Entry { tried, announcement, spent_ms: None }));
    }
    observations
}

fn setups() -> impl Iterator<Item = Setup> {
    Ruleset::ALL.into_iter().flat_map(|ruleset| {
        TEST_POSITIONS.into_iter().map(move |fen| {
            let start = Position::from_fen(fen).unwrap();
            Setup { ruleset, start, ..Setup::default() }
        })
    })
}

fn particles(setup: &Setup, player: Color, capacity: usize, seed: u64) -> ParticleFilter {
    ParticleFilter::new(
        setup,
        player,
        capacity,
        Box::new(UniformPolicy),
        Densities::default(),
        seed,
    )
}

/// The boards with their weights by plain enumeration: every game with these observations, with
/// uniformly random moves of the opponent.
fn enumerated(
    setup: &Setup,
    player: Color,
    observations: &[Observation],
) -> HashMap<OpponentBoard, f64> {
    let rules = ObservationModel::new(setup);
    let opening = setup.start.opening(&setup.ruleset, setup.draws);
    let mut view = krieg_core::View::new(setup.ruleset, setup.start.pieces(player), &opening);
    let mut turn = OpponentTurn::after(&opening);
    let mut boards = vec![(setup.start.clone(), 1.0)];
    for observation in observations {
        let mut next = Vec::new();
        match observation.tried.filter(|_| observation.announcement.by == player) {
            Some(tried) => {
                let is_telling = view.is_sensible(tried);
                turn = OpponentTurn::after(&observation.announcement);
                for (board, weight) in boards {
                    let after = if is_telling {
                        rules.after_own_try(&board, tried, &observation.announcement)
                    } else {
                        Some(board)
                    };
                    next.extend(after.map(|after| (after, weight)));
                }
            }
            None if observation.announcement.verdict == Verdict::Moved => {
                let owes = turn.owes_pawn_capture(&setup.ruleset);
                for (board, weight) in boards {
                    let pieces = board.pieces(board.turn());
                    let legal = board.legal_moves();
                    let open =
                        legal.iter().filter(|mv| !owes || pieces.is_pawn_capture(**mv)).count();
                    let share = weight / open.max(1) as f64;
                    let found = |_, after| next.push((after, share));
                    rules.for_each_successor(
                        &board,
                        &turn,
                        &observation.announcement,
                        || true,
                        found,
                    );
                }
            }
            None => {
                turn.observe(&observation.announcement);
                next = boards;
            }
        }
        view.observe(observation);
        boards = next;
    }
    let sum: f64 = boards.iter().map(|(_, weight)| weight).sum();
    let mut weights = HashMap::new();
    for (board, weight) in boards {
        *weights.entry(OpponentBoard::of(&board, !player)).or_default() += weight / sum;
    }
    weights
}

#[test]
fn weights_are_exact_within_the_capacity() {
    let mut compared = 0;
    for (seed, setup) in setups().enumerate() {
        let player = if seed % 2 == 0 { Color::White } else { Color::Black };
        let observations = random_observations(&setup, player, seed as u64, 6);
        let mut belief = particles(&setup, player, 100_000, 0);
        for observation in &observations {
            belief.observe(observation).unwrap();
        }
        if !belief.is_complete() {
            continue;
        }
        let mut weights: HashMap<OpponentBoard, f64> = HashMap::new();
        for (board, weight) in belief.weighted_boards() {
            *weights.entry(board).or_default() += weight;
        }
        let expected = enumerated(&setup, player, &observations);
        assert_eq!(weights.len(), expected.len(), "{}", setup.ruleset);
        for (board, weight) in expected {
            assert!((weights[&board] - weight).abs() < 1e-9, "{} {board:?}", setup.ruleset);
            compared += 1;
        }
    }
    assert!(compared > 1_000, "{compared}");
}

#[test]
fn recovered_boards_fit_all_observations() {
    let (mut compared, mut inconsistent) = (0, 0);
    let mut stats = ParticleStats::default();
    for (seed, setup) in setups().enumerate() {
        let player = if seed % 2 == 0 { Color::White } else { Color::Black };
        let mut exact = BoardSet::new(&setup, player, 60_000, 0);
        let mut belief = particles(&setup, player, 40, seed as u64)
            .with_rejuvenation(20.0)
            .with_defensive_share(0.0);
        for observation in random_observations(&setup, player, 99 + seed as u64, 30) {
            exact.observe(&observation).ok();
            // Forty boards may all be wrong, and then they are perturbed.
            belief.observe(&observation).ok();
            if !exact.is_complete() || belief.stats().recoveries > 0 {
                break;
            }
            inconsistent += belief
                .weighted_boards()
                .filter(|(board, _)| !exact.boards().contains(board))
                .count();
            compared += belief.len();
        }
        stats.repaired += belief.stats().repaired;
        stats.regenerated += belief.stats().regenerated;
        stats.exchanged += belief.stats().exchanged;
    }
    assert_eq!(inconsistent, 0);
    assert!(stats.repaired.min(stats.regenerated).min(stats.exchanged) > 100, "{stats:?}");
    assert!(compared > 5_000, "{compared}");
}

#[test]
fn after_the_soft_deadline_nothing_is_repaired_but_boards_are_kept() {
    let (mut observed, mut recovered) = (0, 0);
    for (setup, observations) in games_with_surprise().into_iter().take(10) {
        let mut late = particles(&setup, Color::White, 120, 1);
        let now = Instant::now();
        late.set_deadline(Some(Deadline { soft: now, hard: now + Duration::from_secs(3_600) }));
        let mut unlimited = particles(&setup, Color::White, 120, 1);
        for observation in &observations {
            late.observe(observation).ok();
            unlimited.observe(observation).ok();
            assert!(!late.is_empty(), "boards are kept even without time");
            observed += 1;
        }
        let of = |ParticleStats { repaired, regenerated, exchanged, .. }| {
            repaired + regenerated + exchanged
        };
        assert_eq!(of(late.stats()), 0);
        recovered += of(unlimited.stats());
    }
    assert!(observed > 50 && recovered > 100, "{observed} {recovered}");
}

#[test]
fn after_the_hard_deadline_boards_are_recovered_by_the_next_update() {
    let setup = Setup::default();
    let mut belief = particles(&setup, Color::White, 500, 1);
    let now = Instant::now();
    belief.set_deadline(Some(Deadline { soft: now, hard: now }));
    // No board explains the refusal of a pawn's first step.
    let announcement = Announcement::plain(Color::White, Verdict::Refused, Audience::Mover);
    let refused =
        Observation { tried: Some("e2e3".parse().unwrap()), announcement, spent_ms: None };
    assert!(belief.observe(&refused).is_err());
    assert!(belief.is_empty());
    assert_eq!(belief.stats().recoveries, 1);
    belief.set_deadline(None);
    let mut game = Game::new(setup);
    let mut observer = Observer::new(Color::White);
    for tried in ["d2d4", "d7d6"] {
        game.judge(tried.parse().unwrap()).unwrap();
        let observation = observer.observe(game.record().entries().last().unwrap()).unwrap();
        assert!(belief.observe(&observation).is_err(), "there was no board to update");
    }
    assert!(!belief.is_empty());
}

#[test]
fn marginals_of_few_particles_are_unbiased() {
    let start = Position::from_fen("4k3/pp3ppp/2n5/8/8/8/PP3PPP/2B1K3 w - - 0 1").unwrap();
    let setup = Setup { start, ..Setup::default() };
    let player = Color::White;
    let observations = random_observations(&setup, player, 3, 8);
    let mut exact = particles(&setup, player, 1_000_000, 0);
    observations.iter().for_each(|observation| exact.observe(observation).unwrap());
    assert!(exact.is_complete() && exact.len() > 1_000);
    let map = exact.marginals();

    let runs = 150;
    let mut average = vec![0.0; 6 * 64];
    for seed in 0..runs {
        let mut belief = particles(&setup, player, 150, seed);
        for observation in &observations {
            belief.observe(observation).unwrap();
        }
        let map = belief.marginals();
        for (at, sum) in average.iter_mut().enumerate() {
            *sum += probability(&map, at) / runs as f64;
        }
    }
    for (at, average) in average.into_iter().enumerate() {
        let expected = probability(&map, at);
        assert!((average - expected).abs() < 0.03, "{at}: {average} for {expected}");
    }
}

/// Games that end with an unexpected capture, so that boards must be recovered.
fn games_with_surprise() -> Vec<(Setup, Vec<Observation>)> {
    let start = Position::from_fen("4k3/pp3ppp/2n5/8/8/8/PP3PPP/2B1K3 w - - 0 1").unwrap();
    let setup = Setup { start, ..Setup::default() };
    let mut games = Vec::new();
    for seed in 0..200 {
        let mut observations = random_observations(&setup, Color::White, seed, 12);
        let is_surprise = |observation: &Observation| {
            observation.tried.is_none() && observation.announcement.capture.is_some()
        };
        let Some(at) = observations.iter().rposition(is_surprise).filter(|at| *at > 5) else {
            continue;
        };
        observations.truncate(at + 1);
        games.push((setup.clone(), observations));
    }
    games
}

#[test]
fn marginals_after_repair_are_unbiased() {
    let (mut compared, mut repaired) = (0, 0);
    for (setup, observations) in games_with_surprise().into_iter().take(4) {
        let mut exact = particles(&setup, Color::White, 1_000_000, 0);
        observations.iter().for_each(|observation| exact.observe(observation).unwrap());
        assert!(exact.is_complete());
        let map = exact.marginals();
        let runs = 60;
        let mut average = vec![0.0; 6 * 64];
        for seed in 0..runs {
            let mut belief = particles(&setup, Color::White, 120, seed);
            for observation in &observations {
                belief.observe(observation).ok();
            }
            repaired += belief.stats().repaired;
            let map = belief.marginals();
            for (at, sum) in average.iter_mut().enumerate() {
                *sum += probability(&map, at) / runs as f64;
            }
        }
        for (at, average) in average.into_iter().enumerate() {
            let expected = probability(&map, at);
            assert!((average - expected).abs() < 0.12, "{at}: {average} for {expected}");
            compared += 1;
        }
    }
    assert!(compared > 1_000 && repaired > 1_000, "{compared} {repaired}");
}

#[test]
fn boards_are_distinct_and_have_the_right_number_of_pieces() {
    let (mut checked, mut recoveries, mut perturbations) = (0, 0, 0);
    for (seed, setup) in setups().enumerate() {
        for player in Color::ALL {
            let mut rng = seeded_rng(seed as u64);
            let mut game = Game::new(setup.clone());
            let mut observer = Observer::new(player);
            let mut belief = particles(&setup, player, 60, seed as u64);
            for _ in 0..120 {
                // Some tries are senseless, which some rulesets refuse like any other illegal try.
                let tried = random_try(game.umpire().view(game.umpire().turn()), &mut rng);
                let Ok(announcement) = game.judge(tried) else { continue };
                if announcement.end.is_some() {
                    break;
                }
                let Some(observation) =
                    observer.observe(&Entry { tried, announcement, spent_ms: None })
                else {
                    continue;
                };
                belief.observe(&observation).ok();
                let pieces = game.umpire().position().pieces(!player).all().len();
                let boards: Vec<OpponentBoard> =
                    belief.weighted_boards().map(|(board, _)| board).collect();
                assert!(
                    boards.iter().all(|board| board.all().len() == pieces),
                    "{}",
                    setup.ruleset
                );
                let distinct: HashSet<&OpponentBoard> = boards.iter().collect();
                assert_eq!(distinct.len(), boards.len());
                assert!(boards.len() <= 60);
                let weights: f64 = belief.weighted_boards().map(|(_, weight)| weight).sum();
                assert!(boards.is_empty() || (weights - 1.0).abs() < 1e-6, "{weights}");
                checked += boards.len();
            }
            recoveries += belief.stats().recoveries;
            perturbations += belief.stats().perturbations;
        }
    }
    assert!(checked > 100_000, "{checked}");
    assert!(recoveries > 20 && perturbations > 100, "{recoveries} {perturbations}");
}

/// The posterior over opponent types changes the probabilities of earlier moves, and with few
/// particles many trajectories are repaired.
#[test]
fn weights_are_not_negative_when_the_posterior_changes() {
    let mut repaired = 0;
    for (seed, setup) in (0..).zip(setups()) {
        let observations = random_observations(&setup, Color::White, seed, 160);
        let (model, densities) = (OpponentMixture::default(), Densities::default());
        let mut belief = ParticleFilter::new(&setup, Color::White, 60, model, densities, seed);
        for observation in &observations {
            let _ = belief.observe(observation);
            let weights: Vec<f64> = belief.weighted_boards().map(|(_, weight)| weight).collect();
            assert!(
                weights.iter().all(|weight| *weight >= 0.0),
                "{weights:?} after {observation:?}"
            );
        }
        repaired += belief.stats().repaired;
    }
    assert!(repaired > 100, "{repaired} trajectories were repaired");
}

fn probability(map: &krieg_belief::OpponentMap, at: usize) -> f64 {
    map.probability(krieg_core::Piece::ALL[at / 64], krieg_core::Square::index(at % 64))
}

#[test]
fn the_opponent_model_determines_the_weights() {
    /// A model of an opponent who moves the king whenever that is legal.
    struct KingMover;
    impl OpponentPolicy for KingMover {
        fn weigh_moves(
            &mut self,
            board: &Position,
            _context: &OpponentContext,
            moves: &[cozy_chess::Move],
            weights: &mut Vec<f64>,
        ) {
            let king = board.board().king(board.turn());
            weights.extend(moves.iter().map(|mv| if mv.from == king { 1e6 } else { 1.0 }));
        }
    }
    let setup = Setup::default();
    let densities = Densities::default;
    let mut belief =
        ParticleFilter::new(&setup, Color::White, 5_000, Box::new(KingMover), densities(), 1);
    let mut game = Game::new(setup);
    let mut observer = Observer::new(Color::White);
    for mv in ["e2e4", "e7e6", "d2d4", "e8e7"] {
        let tried: Try = mv.parse().unwrap();
        let announcement = game.judge(tried).unwrap();
        if let Some(observation) = observer.observe(&Entry { tried, announcement, spent_ms: None })
        {
            belief.observe(&observation).unwrap();
        }
    }
    let at_home = belief.marginals().probability(krieg_core::Piece::King, krieg_core::Square::E8);
    assert!(at_home < 0.9, "{at_home}: the king moves once a pawn has cleared the way");
}

#[test]
fn a_contradiction_is_reported_and_survived() {
    let mut belief = particles(&Setup::default(), Color::Black, 50, 1);
    // White's first move cannot give check.
    let mut announcement = Announcement::plain(Color::White, Verdict::Moved, Audience::Both);
    announcement.checks = krieg_core::Checks::new([krieg_core::Direction::Knight]);
    announcement.pawn_tries = krieg_core::PawnTryAnnouncement::Count(2);
    let observation = Observation { tried: None, announcement, spent_ms: None };
    let contradiction = belief.observe(&observation).unwrap_err();
    assert!(contradiction.to_string().contains("Knight check"), "{contradiction}");
    let boards = belief.sample(5, &mut seeded_rng(1));
    assert!(!boards.is_empty() && boards.iter().all(|board| !board.checks().is_empty()));
}

#[test]
fn updates_are_reproducible_for_a_seed() {
    let setup = Setup::default();
    let observations = random_observations(&setup, Color::White, 5, 60);
    let follow = |seed| {
        let mut belief = particles(&setup, Color::White, 100, seed);
        for observation in &observations {
            belief.observe(observation).ok();
        }
        belief.weighted_boards().collect::<Vec<_>>()
    };
    assert_eq!(follow(1), follow(1));
    assert_ne!(follow(1), follow(2));
}
