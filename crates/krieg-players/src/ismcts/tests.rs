//! The choices of the three players in positions with an obvious best try.

use krieg_core::{Position, Ruleset, Umpire};

use super::*;
use crate::{GameSettings, PlayerSpec};

fn seat(start: Position, ruleset: Ruleset, color: Color, seed: u64) -> Seat {
    let setup = Setup { ruleset, start, ..Setup::default() };
    Seat::new(color, &GameSettings { setup, ..GameSettings::default() }, seed)
}

fn player(spec: &str) -> Box<dyn Player> {
    spec.parse::<PlayerSpec>().unwrap().make().unwrap()
}

/// The first try from a position that both players know.
fn first_try(spec: &str, fen: &str, seed: u64) -> String {
    let seat = seat(Position::from_fen(fen).unwrap(), Ruleset::ICC, Color::White, seed);
    let mut player = player(spec);
    player.begin(&seat).unwrap();
    let clock = Clock::new(krieg_time::TimeControl::Unlimited);
    match player.choose(&seat.view(), &clock).unwrap() {
        Choice::Try(tried) => tried.to_string(),
        Choice::Resign => "resigns".to_string(),
    }
}

#[test]
fn a_certain_mate_is_played() {
    let fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    for spec in [
        "ismcts(iterations=800)",
        "ismcts(iterations=800,leaf=rollout,max_plies=60)",
        "mo-ismcts(iterations=800)",
        "mo-ismcts(iterations=800,leaf=rollout,max_plies=60)",
    ] {
        for seed in 0..3 {
            assert_eq!(first_try(spec, fen, seed), "d1d8", "{spec}");
        }
    }
}

#[test]
fn darkboard2a_mates_a_king_whose_square_was_just_announced() {
    // It uses only the last announcement: a capture on h8, which no pawn can have made.
    let start = Position::from_fen("7N/p4K1k/8/8/8/8/8/R7 b - - 0 1").unwrap();
    let clock = Clock::new(krieg_time::TimeControl::Unlimited);
    for seed in 0..3 {
        let seat = seat(start.clone(), Ruleset::ICC, Color::White, seed);
        let mut player = player("darkboard2a(iterations=1500)");
        player.begin(&seat).unwrap();
        let mut umpire = Umpire::new(Ruleset::ICC, start.clone());
        let announcement = umpire.judge("h7h8".parse().unwrap()).unwrap();
        player.observe(&Observation { tried: None, announcement, spent_ms: None }).unwrap();
        let choice = player.choose(umpire.view(Color::White), &clock).unwrap();
        assert_eq!(choice, Choice::Try("a1h1".parse().unwrap()), "{:?}", player.remark());
    }
}

#[test]
fn a_hanging_queen_is_captured() {
    let fen = "4k3/pp3ppp/8/3q4/4P3/8/PP3PPP/4K3 w - - 0 1";
    for spec in
        ["ismcts(leaf=evaluation,iterations=600)", "mo-ismcts(leaf=evaluation,iterations=600)"]
    {
        for seed in 0..3 {
            assert_eq!(first_try(spec, fen, seed), "e4d5", "{spec}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_tree() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1";
    for spec in
        ["ismcts(iterations=150)", "mo-ismcts(iterations=150)", "darkboard2a(iterations=60)"]
    {
        let remarks = [5, 5, 6].map(|seed| {
            let seat = seat(Position::from_fen(fen).unwrap(), Ruleset::ICC, Color::White, seed);
            let mut player = player(spec);
            player.begin(&seat).unwrap();
            let clock = Clock::new(krieg_time::TimeControl::Unlimited);
            player.choose(&seat.view(), &clock).unwrap();
            player.remark().unwrap()
        });
        assert_eq!(remarks[0], remarks[1], "{spec}");
        assert_ne!(remarks[0], remarks[2], "{spec}: another seed gives another tree");
    }
}

/// Trees after iterations on one board.
fn search(fen: &str, with_opponent: bool, capacity: usize, iterations: usize) -> ObserverTrees {
    let start = Position::from_fen(fen).unwrap();
    let color = start.turn();
    let setup = Setup { start: start.clone(), ..Setup::default() };
    let view = Umpire::new(Ruleset::ICC, start.clone()).view(color).clone();
    let mut trees = ObserverTrees::new(
        color,
        with_opponent,
        capacity,
        SelectionParams { exploration: 0.1, expansion: Expansion::AllFirst },
    );
    let mut leaf = LeafEvaluator::new(LeafEvaluation::Evaluation, 1);
    let mut sampler = TrySampler::new(2);
    for _ in 0..iterations {
        trees.iterate(start.clone(), &view, &setup, &mut leaf, &mut sampler);
    }
    trees
}

#[test]
fn a_full_tree_keeps_its_size_and_counts_visits() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1";
    let trees = search(fen, true, 500, 3_000);
    for color in Color::ALL {
        let tree = trees.of(color).unwrap();
        assert!(tree.len() <= 500, "{}", tree.len());
        assert_eq!(tree.visits(ROOT), 3_000);
    }
    assert!(trees.of(Color::White).unwrap().len() > 400, "White's tree was full");
}

#[test]
fn the_opponent_tree_finds_what_is_good_for_the_opponent() {
    // White is in check and has to leave the queen to a pawn. Black hears that there is a pawn try
    // and learns to use it.
    let trees = search("8/1p5k/2Q5/8/8/8/6P1/4r2K w - - 0 1", true, TREE_CAPACITY, 2_000);
    let tree = trees.of(Color::Black).unwrap();
    let after_move = tree.children(ROOT).next().unwrap();
    let best = tree.tries(after_move).iter().max_by_key(|stats| stats.visits).unwrap();
    assert_eq!(best.mv.to_string(), "b7c6");
    let mut others =
        tree.tries(after_move).iter().filter(|stats| stats.visits > 0 && stats.mv != best.mv);
    assert!(others.all(|stats| stats.mean() < best.mean()), "{best:?}");
    // What is good for one side is bad for the other.
    let own = trees.of(Color::White).unwrap().tries(ROOT).iter().find(|stats| stats.visits > 0);
    assert!(own.unwrap().mean() < 0.5 && best.mean() > 0.5);
}

#[test]
fn the_tree_is_kept_after_a_refusal() {
    // The pawn is blocked, but on many sampled boards it is not.
    let fen = "4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1";
    let seat = seat(Position::from_fen(fen).unwrap(), Ruleset::ICC, Color::White, 1);
    let clock = Clock::new(krieg_time::TimeControl::Unlimited);
    let settings = IsmctsSettings {
        exploration: 0.05,
        iterations: 400,
        belief: BeliefSettings {
            belief: BeliefKind::named("los"),
            opponent_model: OpponentModelKind::named("uniform"),
            particles: 100,
        },
        leaf: LeafEvaluation::Evaluation,
        max_plies: 10,
        expansion: Expansion::AllFirst,
        final_choice: FinalChoice::VisitRate,
        with_opponent: false,
    };
    let mut player = Ismcts::new(settings);
    player.begin(&seat).unwrap();
    let mut umpire = Umpire::new(Ruleset::ICC, seat.setup.start.clone());
    player.choose(umpire.view(Color::White), &clock).unwrap();
    let before = player.trees.of(Color::White).unwrap().visits(ROOT);
    let tried: Try = "e2e4".parse().unwrap();
    let announcement = umpire.judge(tried).unwrap();
    assert_eq!(announcement.verdict, Verdict::Refused);
    player.observe(&Observation { tried: Some(tried), announcement, spent_ms: None }).unwrap();
    let choice = player.choose(umpire.view(Color::White), &clock).unwrap();
    assert_ne!(choice, Choice::Try(tried));
    let after = player.trees.of(Color::White).unwrap().visits(ROOT);
    assert!(before > 300 && after > before, "{before} {after}");
}

#[test]
fn visit_rate_prefers_a_good_try_that_is_seldom_legal() {
    // Visited on all 20 boards that allowed it, against 70 of 100; once of once says little.
    let mv = |text: &str| match text.parse::<Try>() {
        Ok(Try::Move(mv)) => mv,
        _ => panic!("{text} is no move"),
    };
    let seldom = TryStats::new(mv("e4d5"), 20, 20, 20.0);
    let usual = TryStats::new(mv("e4e5"), 100, 70, 35.0);
    let once = TryStats::new(mv("e4f5"), 1, 1, 1.0);
    let best = |rule: FinalChoice| {
        let tries = [seldom, usual, once];
        tries.into_iter().max_by(|a, b| rule.compare(a, b)).unwrap().mv.to_string()
    };
    assert_eq!(
        (best(FinalChoice::Visits).as_str(), best(FinalChoice::VisitRate).as_str()),
        ("e4e5", "e4d5")
    );
}

#[test]
fn invalid_numbers_are_rejected() {
    let error = |spec: &str| spec.parse::<PlayerSpec>().unwrap().make().err().unwrap().to_string();
    assert_eq!(
        error("ismcts(exploration=-1)"),
        r#"ismcts: exploration cannot be "-1": it must be a number of at least 0"#
    );
    assert!(error("mo-ismcts(exploration=NaN)").contains("at least 0"));
    assert!(error("ismcts(exploration=inf)").contains("at least 0"));
    assert!(error("darkboard2a(iterations=0)").contains("greater than 0"));
    assert!(error("ismcts(max_plies=0)").contains("greater than 0"));
    assert!(error("ismcts(leaf=tree)").contains("choose one of evaluation, rollout, adjudicated"));
}
