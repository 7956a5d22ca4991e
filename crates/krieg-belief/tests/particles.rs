//! Weighted boards: exact while there is room, never one that does not fit, and on the average as likely as they are.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use krieg_belief::{
    Belief, Care, Densities, EnemyTurn, Haste, Hidden, MoveModel, Opponents, Particles, Pool,
    Rules, Situation, Uniform,
};
use krieg_core::{
    Announcement, Audience, Color, Ear, Entry, Game, Line, Position, Ruleset, Setup, Try, Verdict,
};
use krieg_testing::{LIVELY, draw_try, hat};

/// A random game as one player hears it.
fn heard(setup: &Setup, player: Color, seed: u64, tries: usize) -> Vec<Line> {
    let mut rng = hat(seed);
    let mut game = Game::new(setup.clone());
    let mut ear = Ear::new(player);
    let mut lines = Vec::new();
    for _ in 0..tries {
        let tried = draw_try(game.umpire().view(game.umpire().turn()), &mut rng);
        let Ok(said) = game.judge(tried) else { continue };
        if said.end.is_some() {
            break;
        }
        lines.extend(ear.hear(&Entry { tried, said, spent_ms: None }));
    }
    lines
}

fn setups() -> impl Iterator<Item = Setup> {
    Ruleset::ALL.into_iter().flat_map(|ruleset| {
        LIVELY.into_iter().map(move |fen| {
            let start = Position::from_fen(fen).unwrap();
            Setup { ruleset, start, ..Setup::default() }
        })
    })
}

fn particles(setup: &Setup, player: Color, most: usize, seed: u64) -> Particles {
    Particles::new(setup, player, most, Box::new(Uniform), Densities::default(), seed)
}

/// The boards with their weights, in plain words: every game that sounds like this, each move as likely as any other.
fn slowly(setup: &Setup, player: Color, lines: &[Line]) -> HashMap<Hidden, f64> {
    let rules = Rules::of(setup);
    let opening = setup.start.opening(&setup.ruleset, setup.draws);
    let mut view = krieg_core::View::new(setup.ruleset, setup.start.men(player), &opening);
    let mut turn = EnemyTurn::after(&opening);
    let mut boards = vec![(setup.start.clone(), 1.0)];
    for line in lines {
        let mut next = Vec::new();
        // A question of the opponent's is heard, too.
        match line.tried.filter(|_| line.said.by == player) {
            Some(tried) => {
                let is_telling = view.is_sensible(tried);
                turn = EnemyTurn::after(&line.said);
                for (board, weight) in boards {
                    let after = if is_telling {
                        rules.after_own(&board, tried, &line.said)
                    } else {
                        Some(board)
                    };
                    next.extend(after.map(|after| (after, weight)));
                }
            }
            None if line.said.verdict == Verdict::Moved => {
                let owes = turn.owes_a_pawn_capture(&setup.ruleset);
                for (board, weight) in boards {
                    let men = board.men(board.turn());
                    let legal = board.legal_moves();
                    let open = legal.iter().filter(|mv| !owes || men.is_pawn_capture(**mv)).count();
                    let share = weight / open.max(1) as f64;
                    let found = |_, after| next.push((after, share));
                    rules.each_successor(&board, &turn, &line.said, || true, found);
                }
            }
            None => {
                turn.hear(&line.said);
                next = boards;
            }
        }
        view.live(line);
        boards = next;
    }
    let sum: f64 = boards.iter().map(|(_, weight)| weight).sum();
    let mut weights = HashMap::new();
    for (board, weight) in boards {
        *weights.entry(Hidden::of(&board, !player)).or_default() += weight / sum;
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
            belief.hear(line).unwrap();
        }
        if !belief.is_whole() {
            continue;
        }
        let mut weights: HashMap<Hidden, f64> = HashMap::new();
        for (board, weight) in belief.boards() {
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
    let mut care = Care::default();
    for (seed, setup) in setups().enumerate() {
        let player = if seed % 2 == 0 { Color::White } else { Color::Black };
        let mut exact = Pool::new(&setup, player, 60_000, 0);
        let mut belief =
            particles(&setup, player, 40, seed as u64).with_effort(20.0).with_doubt(0.0);
        for line in heard(&setup, player, 99 + seed as u64, 30) {
            exact.hear(&line).ok();
            // Forty boards may all be wrong, and then they are bent.
            belief.hear(&line).ok();
            if !exact.is_whole() || belief.care().rescues > 0 {
                break;
            }
            strangers +=
                belief.boards().filter(|(board, _)| !exact.boards().contains(board)).count();
            compared += belief.len();
        }
        care.mended += belief.care().mended;
        care.relived += belief.care().relived;
        care.exchanged += belief.care().exchanged;
    }
    assert_eq!(strangers, 0);
    assert!(care.mended.min(care.relived).min(care.exchanged) > 100, "{care:?}");
    assert!(compared > 5_000, "{compared}");
}

#[test]
fn in_a_hurry_nothing_is_mended_but_boards_are_kept() {
    let (mut heard_of, mut cared) = (0, 0);
    for (setup, lines) in surprising().into_iter().take(10) {
        let mut hurried = particles(&setup, Color::White, 120, 1);
        let now = Instant::now();
        hurried.hurry(Some(Haste { soft: now, hard: now + Duration::from_secs(3_600) }));
        let mut patient = particles(&setup, Color::White, 120, 1);
        for line in &lines {
            hurried.hear(line).ok();
            patient.hear(line).ok();
            assert!(!hurried.is_empty(), "without time, too, there is something to go by");
            heard_of += 1;
        }
        let of = |Care { mended, relived, exchanged, .. }| mended + relived + exchanged;
        assert_eq!(of(hurried.care()), 0);
        cared += of(patient.care());
    }
    assert!(heard_of > 50 && cared > 100, "{heard_of} {cared}");
}

#[test]
fn when_time_is_over_nothing_is_looked_for_and_later_boards_are_found_again() {
    let setup = Setup::default();
    let mut belief = particles(&setup, Color::White, 500, 1);
    let now = Instant::now();
    belief.hurry(Some(Haste { soft: now, hard: now }));
    // No board explains that a pawn cannot make its first step.
    let said = Announcement::plain(Color::White, Verdict::Refused, Audience::Mover);
    let refused = Line { tried: Some("e2e3".parse().unwrap()), said, spent_ms: None };
    assert!(belief.hear(&refused).is_err());
    assert!(belief.is_empty());
    assert_eq!(belief.care().rescues, 1);
    belief.hurry(None);
    let mut game = Game::new(setup);
    let mut ear = Ear::new(Color::White);
    for tried in ["d2d4", "d7d6"] {
        game.judge(tried.parse().unwrap()).unwrap();
        let line = ear.hear(game.record().entries().last().unwrap()).unwrap();
        assert!(belief.hear(&line).is_err(), "nothing was known that this could fit");
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
    lines.iter().for_each(|line| exact.hear(line).unwrap());
    assert!(exact.is_whole() && exact.len() > 1_000);
    let map = exact.map();

    let runs = 150;
    let mut average = vec![0.0; 6 * 64];
    for seed in 0..runs {
        let mut belief = particles(&setup, player, 150, seed);
        for line in &lines {
            belief.hear(line).unwrap();
        }
        let map = belief.map();
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
fn surprising() -> Vec<(Setup, Vec<Line>)> {
    let start = Position::from_fen("4k3/pp3ppp/2n5/8/8/8/PP3PPP/2B1K3 w - - 0 1").unwrap();
    let setup = Setup { start, ..Setup::default() };
    let mut games = Vec::new();
    for seed in 0..200 {
        let mut lines = heard(&setup, Color::White, seed, 12);
        let is_surprise = |line: &Line| line.tried.is_none() && line.said.capture.is_some();
        let Some(at) = lines.iter().rposition(is_surprise).filter(|at| *at > 5) else { continue };
        lines.truncate(at + 1);
        games.push((setup.clone(), lines));
    }
    games
}

#[test]
fn mended_boards_are_on_the_average_as_likely_as_they_are() {
    let (mut compared, mut mended) = (0, 0);
    for (setup, lines) in surprising().into_iter().take(4) {
        let mut exact = particles(&setup, Color::White, 1_000_000, 0);
        lines.iter().for_each(|line| exact.hear(line).unwrap());
        assert!(exact.is_whole());
        let map = exact.map();
        let runs = 60;
        let mut average = vec![0.0; 6 * 64];
        for seed in 0..runs {
            let mut belief = particles(&setup, Color::White, 120, seed);
            for line in &lines {
                belief.hear(line).ok();
            }
            mended += belief.care().mended;
            let map = belief.map();
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
    assert!(compared > 1_000 && mended > 1_000, "{compared} {mended}");
}

#[test]
fn however_a_game_goes_the_men_are_all_there_and_no_board_twice() {
    let (mut looked, mut rescues, mut doubts) = (0, 0, 0);
    for (seed, setup) in setups().enumerate() {
        for player in Color::ALL {
            let mut rng = hat(seed as u64);
            let mut game = Game::new(setup.clone());
            let mut ear = Ear::new(player);
            let mut belief = particles(&setup, player, 60, seed as u64);
            for _ in 0..120 {
                // Some of these are nonsense, which some umpires refuse as they refuse anything.
                let tried = draw_try(game.umpire().view(game.umpire().turn()), &mut rng);
                let Ok(said) = game.judge(tried) else { continue };
                if said.end.is_some() {
                    break;
                }
                let Some(line) = ear.hear(&Entry { tried, said, spent_ms: None }) else { continue };
                belief.hear(&line).ok();
                let men = game.umpire().position().men(!player).all().len();
                let boards: Vec<Hidden> = belief.boards().map(|(board, _)| board).collect();
                assert!(boards.iter().all(|board| board.all().len() == men), "{}", setup.ruleset);
                let distinct: HashSet<&Hidden> = boards.iter().collect();
                assert_eq!(distinct.len(), boards.len());
                assert!(boards.len() <= 60);
                let weights: f64 = belief.boards().map(|(_, weight)| weight).sum();
                assert!(boards.is_empty() || (weights - 1.0).abs() < 1e-6, "{weights}");
                looked += boards.len();
            }
            rescues += belief.care().rescues;
            doubts += belief.care().doubts;
        }
    }
    assert!(looked > 100_000, "{looked}");
    assert!(rescues > 20 && doubts > 100, "{rescues} {doubts}");
}

/// An opponent who shows what he is like changes how likely his moves of long ago were, and with few boards many are mended.
#[test]
fn no_board_weighs_less_than_nothing_however_the_opponent_changes() {
    let mut mended = 0;
    for (seed, setup) in (0..).zip(setups()) {
        let lines = heard(&setup, Color::White, seed, 160);
        let (model, densities) = (Opponents::default(), Densities::default());
        let mut belief = Particles::new(&setup, Color::White, 60, model, densities, seed);
        for line in &lines {
            let _ = belief.hear(line);
            let weights: Vec<f64> = belief.boards().map(|(_, weight)| weight).collect();
            assert!(weights.iter().all(|weight| *weight >= 0.0), "{weights:?} after {line:?}");
        }
        mended += belief.care().mended;
    }
    assert!(mended > 100, "{mended} boards were mended");
}

fn chance(map: &krieg_belief::EnemyMap, at: usize) -> f64 {
    map.chance(krieg_core::Piece::ALL[at / 64], krieg_core::Square::index(at % 64))
}

#[test]
fn the_move_model_is_believed() {
    /// An opponent who moves only his king, if he can.
    struct Restless;
    impl MoveModel for Restless {
        fn weigh(
            &mut self,
            board: &Position,
            _situation: &Situation,
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
        Particles::new(&setup, Color::White, 5_000, Box::new(Restless), densities(), 1);
    let mut game = Game::new(setup);
    let mut ear = Ear::new(Color::White);
    for mv in ["e2e4", "e7e6", "d2d4", "e8e7"] {
        let tried: Try = mv.parse().unwrap();
        let said = game.judge(tried).unwrap();
        if let Some(line) = ear.hear(&Entry { tried, said, spent_ms: None }) {
            belief.hear(&line).unwrap();
        }
    }
    let at_home = belief.map().chance(krieg_core::Piece::King, krieg_core::Square::E8);
    assert!(at_home < 0.9, "{at_home}: once a pawn has made way, he walks");
}

#[test]
fn the_impossible_is_survived_and_named() {
    let mut belief = particles(&Setup::default(), Color::Black, 50, 1);
    // After White's first move nobody is in check.
    let mut said = Announcement::plain(Color::White, Verdict::Moved, Audience::Both);
    said.checks = krieg_core::Checks::new([krieg_core::Direction::Knight]);
    said.pawns = krieg_core::PawnNews::Count(2);
    let line = Line { tried: None, said, spent_ms: None };
    let contradiction = belief.hear(&line).unwrap_err();
    assert!(contradiction.to_string().contains("Knight check"), "{contradiction}");
    let boards = belief.sample(5, &mut hat(1));
    assert!(!boards.is_empty() && boards.iter().all(|board| !board.checks().is_empty()));
}

#[test]
fn the_same_seed_is_the_same_belief() {
    let setup = Setup::default();
    let lines = heard(&setup, Color::White, 5, 60);
    let follow = |seed| {
        let mut belief = particles(&setup, Color::White, 100, seed);
        for line in &lines {
            belief.hear(line).ok();
        }
        belief.boards().collect::<Vec<_>>()
    };
    assert_eq!(follow(1), follow(1));
    assert_ne!(follow(1), follow(2));
}
