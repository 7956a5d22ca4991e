//! Weighted boards: exact while there is room, never one that does not fit, and on the average as likely as they are.

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

/// A random game as one player begin_turn it.
fn heard(setup: &Setup, player: Color, seed: u64, tries: usize) -> Vec<Observation> {
    let mut rng = seeded_rng(seed);
    let mut game = Game::new(setup.clone());
    let mut ear = Observer::new(player);
    let mut lines = Vec::new();
    for _ in 0..tries {
        let tried = random_try(game.umpire().view(game.umpire().turn()), &mut rng);
        let Ok(said) = game.judge(tried) else { continue };
        if said.end.is_some() {
            break;
        }
        lines.extend(ear.observe(&Entry { tried, announcement: said, spent_ms: None }));
    }
    lines
}

fn setups() -> impl Iterator<Item = Setup> {
    Ruleset::ALL.into_iter().flat_map(|ruleset| {
        TEST_POSITIONS.into_iter().map(move |fen| {
            let start = Position::from_fen(fen).unwrap();
            Setup { ruleset, start, ..Setup::default() }
        })
    })
}

fn particles(setup: &Setup, player: Color, most: usize, seed: u64) -> ParticleFilter {
    ParticleFilter::new(setup, player, most, Box::new(UniformPolicy), Densities::default(), seed)
}

/// The boards with their weights, in plain words: every game that sounds like this, each move as likely as any other.
fn slowly(setup: &Setup, player: Color, lines: &[Observation]) -> HashMap<OpponentBoard, f64> {
    let rules = ObservationModel::new(setup);
    let opening = setup.start.opening(&setup.ruleset, setup.draws);
    let mut view = krieg_core::View::new(setup.ruleset, setup.start.pieces(player), &opening);
    let mut turn = OpponentTurn::after(&opening);
    let mut boards = vec![(setup.start.clone(), 1.0)];
    for line in lines {
        let mut next = Vec::new();
        // A question of the opponent's is heard, too.
        match line.tried.filter(|_| line.announcement.by == player) {
            Some(tried) => {
                let is_telling = view.is_sensible(tried);
                turn = OpponentTurn::after(&line.announcement);
                for (board, weight) in boards {
                    let after = if is_telling {
                        rules.after_own_try(&board, tried, &line.announcement)
                    } else {
                        Some(board)
                    };
                    next.extend(after.map(|after| (after, weight)));
                }
            }
            None if line.announcement.verdict == Verdict::Moved => {
                let owes = turn.owes_pawn_capture(&setup.ruleset);
                for (board, weight) in boards {
                    let men = board.pieces(board.turn());
                    let legal = board.legal_moves();
                    let open = legal.iter().filter(|mv| !owes || men.is_pawn_capture(**mv)).count();
                    let share = weight / open.max(1) as f64;
                    let found = |_, after| next.push((after, share));
                    rules.for_each_successor(&board, &turn, &line.announcement, || true, found);
                }
            }
            None => {
                turn.observe(&line.announcement);
                next = boards;
            }
        }
        view.observe(line);
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
fn with_room_for_all_the_weights_are_exact() {
    let mut compared = 0;
    for (seed, setup) in setups().enumerate() {
        let player = if seed % 2 == 0 { Color::White } else { Color::Black };
        let lines = heard(&setup, player, seed as u64, 6);
        let mut belief = particles(&setup, player, 100_000, 0);
        for line in &lines {
            belief.observe(line).unwrap();
        }
        if !belief.is_complete() {
            continue;
        }
        let mut weights: HashMap<OpponentBoard, f64> = HashMap::new();
        for (board, weight) in belief.weighted_boards() {
            *weights.entry(board).or_default() += weight;
        }
        let expected = slowly(&setup, player, &lines);
        assert_eq!(weights.len(), expected.len(), "{}", setup.ruleset);
        for (board, weight) in expected {
            assert!((weights[&board] - weight).abs() < 1e-9, "{} {board:?}", setup.ruleset);
            compared += 1;
        }
    }
    assert!(compared > 1_000, "{compared}");
}

#[test]
fn whatever_is_mended_or_exchanged_fits_everything_heard() {
    let (mut compared, mut strangers) = (0, 0);
    let mut care = ParticleStats::default();
    for (seed, setup) in setups().enumerate() {
        let player = if seed % 2 == 0 { Color::White } else { Color::Black };
        let mut exact = BoardSet::new(&setup, player, 60_000, 0);
        let mut belief = particles(&setup, player, 40, seed as u64)
            .with_rejuvenation(20.0)
            .with_defensive_share(0.0);
        for line in heard(&setup, player, 99 + seed as u64, 30) {
            exact.observe(&line).ok();
            // Forty boards may all be wrong, and then they are bent.
            belief.observe(&line).ok();
            if !exact.is_complete() || belief.stats().recoveries > 0 {
                break;
            }
            strangers += belief
                .weighted_boards()
                .filter(|(board, _)| !exact.boards().contains(board))
                .count();
            compared += belief.len();
        }
        care.repaired += belief.stats().repaired;
        care.regenerated += belief.stats().regenerated;
        care.exchanged += belief.stats().exchanged;
    }
    assert_eq!(strangers, 0);
    assert!(care.repaired.min(care.regenerated).min(care.exchanged) > 100, "{care:?}");
    assert!(compared > 5_000, "{compared}");
}

#[test]
fn in_a_hurry_nothing_is_mended_but_boards_are_kept() {
    let (mut heard_of, mut cared) = (0, 0);
    for (setup, lines) in surprising().into_iter().take(10) {
        let mut hurried = particles(&setup, Color::White, 120, 1);
        let now = Instant::now();
        hurried.set_deadline(Some(Deadline { soft: now, hard: now + Duration::from_secs(3_600) }));
        let mut patient = particles(&setup, Color::White, 120, 1);
        for line in &lines {
            hurried.observe(line).ok();
            patient.observe(line).ok();
            assert!(!hurried.is_empty(), "without time, too, there is something to go by");
            heard_of += 1;
        }
        let of = |ParticleStats { repaired, regenerated, exchanged, .. }| {
            repaired + regenerated + exchanged
        };
        assert_eq!(of(hurried.stats()), 0);
        cared += of(patient.stats());
    }
    assert!(heard_of > 50 && cared > 100, "{heard_of} {cared}");
}

#[test]
fn when_time_is_over_nothing_is_looked_for_and_later_boards_are_found_again() {
    let setup = Setup::default();
    let mut belief = particles(&setup, Color::White, 500, 1);
    let now = Instant::now();
    belief.set_deadline(Some(Deadline { soft: now, hard: now }));
    // No board explains that a pawn cannot make its first step.
    let said = Announcement::plain(Color::White, Verdict::Refused, Audience::Mover);
    let refused =
        Observation { tried: Some("e2e3".parse().unwrap()), announcement: said, spent_ms: None };
    assert!(belief.observe(&refused).is_err());
    assert!(belief.is_empty());
    assert_eq!(belief.stats().recoveries, 1);
    belief.set_deadline(None);
    let mut game = Game::new(setup);
    let mut ear = Observer::new(Color::White);
    for tried in ["d2d4", "d7d6"] {
        game.judge(tried.parse().unwrap()).unwrap();
        let line = ear.observe(game.record().entries().last().unwrap()).unwrap();
        assert!(belief.observe(&line).is_err(), "nothing was known that this could fit");
    }
    assert!(!belief.is_empty());
}

#[test]
fn few_boards_are_on_the_average_as_likely_as_all() {
    let start = Position::from_fen("4k3/pp3ppp/2n5/8/8/8/PP3PPP/2B1K3 w - - 0 1").unwrap();
    let setup = Setup { start, ..Setup::default() };
    let player = Color::White;
    let lines = heard(&setup, player, 3, 8);
    let mut exact = particles(&setup, player, 1_000_000, 0);
    lines.iter().for_each(|line| exact.observe(line).unwrap());
    assert!(exact.is_complete() && exact.len() > 1_000);
    let map = exact.marginals();

    let runs = 150;
    let mut average = vec![0.0; 6 * 64];
    for seed in 0..runs {
        let mut belief = particles(&setup, player, 150, seed);
        for line in &lines {
            belief.observe(line).unwrap();
        }
        let map = belief.marginals();
        for (at, sum) in average.iter_mut().enumerate() {
            *sum += chance(&map, at) / runs as f64;
        }
    }
    for (at, average) in average.into_iter().enumerate() {
        let expected = chance(&map, at);
        assert!((average - expected).abs() < 0.03, "{at}: {average} for {expected}");
    }
}

/// Games in which something surprising is heard at the end, so that boards have to be found.
fn surprising() -> Vec<(Setup, Vec<Observation>)> {
    let start = Position::from_fen("4k3/pp3ppp/2n5/8/8/8/PP3PPP/2B1K3 w - - 0 1").unwrap();
    let setup = Setup { start, ..Setup::default() };
    let mut games = Vec::new();
    for seed in 0..200 {
        let mut lines = heard(&setup, Color::White, seed, 12);
        let is_surprise =
            |line: &Observation| line.tried.is_none() && line.announcement.capture.is_some();
        let Some(at) = lines.iter().rposition(is_surprise).filter(|at| *at > 5) else { continue };
        lines.truncate(at + 1);
        games.push((setup.clone(), lines));
    }
    games
}

#[test]
fn mended_boards_are_on_the_average_as_likely_as_they_are() {
    let (mut compared, mut repaired) = (0, 0);
    for (setup, lines) in surprising().into_iter().take(4) {
        let mut exact = particles(&setup, Color::White, 1_000_000, 0);
        lines.iter().for_each(|line| exact.observe(line).unwrap());
        assert!(exact.is_complete());
        let map = exact.marginals();
        let runs = 60;
        let mut average = vec![0.0; 6 * 64];
        for seed in 0..runs {
            let mut belief = particles(&setup, Color::White, 120, seed);
            for line in &lines {
                belief.observe(line).ok();
            }
            repaired += belief.stats().repaired;
            let map = belief.marginals();
            for (at, sum) in average.iter_mut().enumerate() {
                *sum += chance(&map, at) / runs as f64;
            }
        }
        for (at, average) in average.into_iter().enumerate() {
            let expected = chance(&map, at);
            assert!((average - expected).abs() < 0.12, "{at}: {average} for {expected}");
            compared += 1;
        }
    }
    assert!(compared > 1_000 && repaired > 1_000, "{compared} {repaired}");
}

#[test]
fn however_a_game_goes_the_men_are_all_there_and_no_board_twice() {
    let (mut looked, mut recoveries, mut perturbations) = (0, 0, 0);
    for (seed, setup) in setups().enumerate() {
        for player in Color::ALL {
            let mut rng = seeded_rng(seed as u64);
            let mut game = Game::new(setup.clone());
            let mut ear = Observer::new(player);
            let mut belief = particles(&setup, player, 60, seed as u64);
            for _ in 0..120 {
                // Some of these are nonsense, which some umpires refuse as they refuse anything.
                let tried = random_try(game.umpire().view(game.umpire().turn()), &mut rng);
                let Ok(said) = game.judge(tried) else { continue };
                if said.end.is_some() {
                    break;
                }
                let Some(line) = ear.observe(&Entry { tried, announcement: said, spent_ms: None })
                else {
                    continue;
                };
                belief.observe(&line).ok();
                let men = game.umpire().position().pieces(!player).all().len();
                let boards: Vec<OpponentBoard> =
                    belief.weighted_boards().map(|(board, _)| board).collect();
                assert!(boards.iter().all(|board| board.all().len() == men), "{}", setup.ruleset);
                let distinct: HashSet<&OpponentBoard> = boards.iter().collect();
                assert_eq!(distinct.len(), boards.len());
                assert!(boards.len() <= 60);
                let weights: f64 = belief.weighted_boards().map(|(_, weight)| weight).sum();
                assert!(boards.is_empty() || (weights - 1.0).abs() < 1e-6, "{weights}");
                looked += boards.len();
            }
            recoveries += belief.stats().recoveries;
            perturbations += belief.stats().perturbations;
        }
    }
    assert!(looked > 100_000, "{looked}");
    assert!(recoveries > 20 && perturbations > 100, "{recoveries} {perturbations}");
}

/// An opponent who shows what he is like changes how likely his moves of long ago were, and with few boards many are repaired.
#[test]
fn no_board_weighs_less_than_nothing_however_the_opponent_changes() {
    let mut repaired = 0;
    for (seed, setup) in (0..).zip(setups()) {
        let lines = heard(&setup, Color::White, seed, 160);
        let (model, densities) = (OpponentMixture::default(), Densities::default());
        let mut belief = ParticleFilter::new(&setup, Color::White, 60, model, densities, seed);
        for line in &lines {
            let _ = belief.observe(line);
            let weights: Vec<f64> = belief.weighted_boards().map(|(_, weight)| weight).collect();
            assert!(weights.iter().all(|weight| *weight >= 0.0), "{weights:?} after {line:?}");
        }
        repaired += belief.stats().repaired;
    }
    assert!(repaired > 100, "{repaired} boards were repaired");
}

fn chance(map: &krieg_belief::OpponentMap, at: usize) -> f64 {
    map.probability(krieg_core::Piece::ALL[at / 64], krieg_core::Square::index(at % 64))
}

#[test]
fn the_move_model_is_believed() {
    /// An opponent who moves only his king, if he can.
    struct Restless;
    impl OpponentPolicy for Restless {
        fn weigh_moves(
            &mut self,
            board: &Position,
            _situation: &OpponentContext,
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
        ParticleFilter::new(&setup, Color::White, 5_000, Box::new(Restless), densities(), 1);
    let mut game = Game::new(setup);
    let mut ear = Observer::new(Color::White);
    for mv in ["e2e4", "e7e6", "d2d4", "e8e7"] {
        let tried: Try = mv.parse().unwrap();
        let said = game.judge(tried).unwrap();
        if let Some(line) = ear.observe(&Entry { tried, announcement: said, spent_ms: None }) {
            belief.observe(&line).unwrap();
        }
    }
    let at_home = belief.marginals().probability(krieg_core::Piece::King, krieg_core::Square::E8);
    assert!(at_home < 0.9, "{at_home}: once a pawn has made way, he walks");
}

#[test]
fn the_impossible_is_survived_and_named() {
    let mut belief = particles(&Setup::default(), Color::Black, 50, 1);
    // After White's first move nobody is in check.
    let mut said = Announcement::plain(Color::White, Verdict::Moved, Audience::Both);
    said.checks = krieg_core::Checks::new([krieg_core::Direction::Knight]);
    said.pawn_tries = krieg_core::PawnTryAnnouncement::Count(2);
    let line = Observation { tried: None, announcement: said, spent_ms: None };
    let contradiction = belief.observe(&line).unwrap_err();
    assert!(contradiction.to_string().contains("Knight check"), "{contradiction}");
    let boards = belief.sample(5, &mut seeded_rng(1));
    assert!(!boards.is_empty() && boards.iter().all(|board| !board.checks().is_empty()));
}

#[test]
fn the_same_seed_is_the_same_belief() {
    let setup = Setup::default();
    let lines = heard(&setup, Color::White, 5, 60);
    let follow = |seed| {
        let mut belief = particles(&setup, Color::White, 100, seed);
        for line in &lines {
            belief.observe(line).ok();
        }
        belief.weighted_boards().collect::<Vec<_>>()
    };
    assert_eq!(follow(1), follow(1));
    assert_ne!(follow(1), follow(2));
}
