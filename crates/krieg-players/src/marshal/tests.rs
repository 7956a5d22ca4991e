//! The decisions of `marshal` in positions with an obvious best try, and its behaviour as a player.

use std::sync::atomic::AtomicBool;

use krieg_belief::OpponentMixture;
use krieg_core::{Announcement, Game, Move, Observation, Position, Ruleset, Square, Try, Verdict};
use krieg_testing::TEST_POSITIONS;
use krieg_time::{Clock, TimeControl};

use super::decision::best_allowed;
use super::search::{Edge, SearchBudget};
use super::search_control::tree_searches;
use super::*;
use crate::opponent_model::ranked_posterior;
use crate::{BELIEFS, Choice, GameRunner, Greedy, Player, PlayerSpec};

fn marshal(parameters: &str) -> Box<dyn Player> {
    format!("marshal({parameters},tablebases=no)").parse::<PlayerSpec>().unwrap().make().unwrap()
}

fn game_settings(start: &str, ruleset: Ruleset) -> GameSettings {
    let start = Position::from_fen(start).unwrap();
    let setup = Setup { ruleset, start, ..Setup::default() };
    GameSettings { setup, draw_after: Some(60), ..GameSettings::default() }
}

fn no_clock() -> Clock {
    Clock::new(TimeControl::Unlimited)
}

/// The first try from a position that both players know, and the remark on it.
fn first_try(parameters: &str, fen: &str, seed: u64) -> (String, String) {
    let seat = Seat::new(Color::White, &game_settings(fen, Ruleset::ICC), seed);
    let mut player = marshal(parameters);
    player.begin(&seat).unwrap();
    let Choice::Try(tried) = player.choose(&seat.view(), &no_clock()).unwrap() else {
        return ("resigns".to_string(), String::new());
    };
    (tried.to_string(), player.remark().unwrap_or_default())
}

const QUICK: &str = "simulations=600,particles=200";

#[test]
fn a_certain_mate_is_played() {
    for seed in 0..3 {
        let (tried, why) = first_try(QUICK, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", seed);
        assert_eq!(tried, "d1d8", "{why}");
    }
}

#[test]
fn a_hanging_queen_is_captured() {
    for seed in 0..3 {
        let fen = "4k3/pp3ppp/8/3q4/4P3/8/PP3PPP/4K3 w - - 0 1";
        let (tried, why) = first_try(QUICK, fen, seed);
        assert_eq!(tried, "e4d5", "{why}");
    }
}

#[test]
fn a_mate_threat_is_parried() {
    // The queen threatens to capture on f2, where the bishop defends it.
    let fen = "r1b1k2r/pppp1ppp/2n2q2/2b1p3/2B1P3/7P/PPPP1PP1/RNBQK1NR w KQkq - 0 1";
    for seed in 0..5 {
        let (tried, why) = first_try(QUICK, fen, seed);
        let mut board = Position::from_fen(fen).unwrap();
        board.play(tried.parse().unwrap()).unwrap();
        let mates = |mv: &Move| {
            let announcement =
                board.clone().answer(*mv, &Ruleset::ICC, krieg_core::DrawRules::NONE);
            announcement.end.is_some_and(|end| end.ending == krieg_core::Ending::Checkmate)
        };
        assert!(!board.legal_moves().iter().any(mates), "{tried}: {why}");
    }
}

#[test]
fn stalemate_is_avoided_when_ahead() {
    // Qc7 would be stalemate, Qb7 is mate.
    let mate = "k7/8/2K5/8/8/8/8/1Q6 w - - 0 1";
    for seed in 0..3 {
        assert_eq!(first_try(QUICK, mate, seed).0, "b1b7");
    }
    // Nothing mates here, and two queen moves are stalemate.
    let none = "k7/8/8/1Q6/8/3K4/8/8 w - - 0 1";
    for seed in 0..5 {
        let (tried, why) = first_try(QUICK, none, seed);
        let mut board = Position::from_fen(none).unwrap();
        board.play(tried.parse().unwrap()).unwrap();
        assert!(board.can_move(), "{tried}: {why}");
    }
}

#[test]
fn a_known_opponent_is_recalled_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let memory = OpponentMemory::open(folder.path().join("memory.txt")).unwrap();
    let marshal_settings = MarshalSettings {
        opponent_memory: Some(memory.clone()),
        particles: 50,
        simulations: 8,
        ..MarshalSettings::default()
    };
    let posterior =
        |marshal: &Marshal| ranked_posterior(marshal.belief.belief().opponent_mixture().unwrap());
    let settings = GameSettings { draw_after: Some(12), ..GameSettings::default() };
    let mut marshal = Marshal::new(marshal_settings);
    // Nothing is stored about an opponent without a name.
    for (name, seed) in [(None, 1), (Some("Ann"), 2)] {
        if let Some(name) = name {
            marshal.set_opponent(name);
        }
        GameRunner::new(settings.clone(), seed).play([&mut marshal, &mut Greedy::new()]);
    }
    let seat = Seat::new(Color::White, &settings, 3);
    marshal.begin(&seat).unwrap();
    let unknown = posterior(&marshal);
    marshal.set_opponent("Ann");
    marshal.begin(&seat).unwrap();
    assert_ne!(posterior(&marshal), unknown);
    let known = memory.recall("Ann", OpponentMixture::default());
    assert_eq!(posterior(&marshal), ranked_posterior(&known));
}

#[test]
fn any_weighted_belief_can_be_searched() {
    let seat = Seat::new(Color::White, &GameSettings::default(), 1);
    let weighted: Vec<_> = BELIEFS.iter().filter(|kind| kind.is_weighted()).collect();
    assert_eq!(weighted.len(), 4);
    for &belief in weighted {
        let settings =
            MarshalSettings { belief, simulations: 200, particles: 100, ..Default::default() };
        let mut marshal = Marshal::new(settings);
        marshal.begin(&seat).unwrap();
        let mut game = Game::new(seat.setup.clone());
        let Choice::Try(tried) = marshal.choose(&seat.view(), &no_clock()).unwrap() else {
            panic!("the game has just begun")
        };
        assert_eq!(marshal.edges().iter().map(|edge| edge.visits).sum::<u32>(), 200);
        let announcement = game.judge(tried).unwrap();
        let own = Observation { tried: Some(tried), announcement, spent_ms: None };
        marshal.observe(&own).unwrap();
        let announcement = game.judge("b8c6".parse().unwrap()).unwrap();
        marshal.observe(&Observation { tried: None, announcement, spent_ms: None }).unwrap();
        marshal.choose(game.umpire().view(Color::White), &no_clock()).unwrap();
        assert!(marshal.belief.belief().board_count() > Some(10));
        assert!(marshal.edges().iter().map(|edge| edge.visits).sum::<u32>() > 0);
    }
}

#[test]
fn a_belief_without_weighted_boards_is_rejected() {
    let spec: PlayerSpec = "marshal(belief=los)".parse().unwrap();
    let Err(error) = spec.make() else { panic!("los only samples boards") };
    let expected = r#"marshal: belief cannot be "los": it does not give weighted boards"#;
    assert_eq!(error.to_string(), expected);
    assert!("marshal(belief=hs)".parse::<PlayerSpec>().unwrap().make().is_ok());
}

#[test]
fn games_are_reproducible_for_a_seed_and_number_of_threads() {
    for parameters in [QUICK, "simulations=600,particles=200,threads=2"] {
        let [one, other, different] = [5, 5, 6].map(|seed| {
            let (mut white, mut black) = (marshal(parameters), Greedy::new());
            let settings = GameSettings { draw_after: Some(8), ..GameSettings::default() };
            let game = GameRunner::new(settings, seed).play([&mut *white, &mut black]);
            game.record().entries().iter().map(|entry| entry.tried.to_string()).collect::<Vec<_>>()
        });
        assert_eq!(one, other, "{parameters}");
        assert_ne!(one, different, "{parameters}");
    }
}

#[test]
fn all_tries_are_sensible_under_every_ruleset() {
    for ruleset in Ruleset::ALL {
        for (seed, fen) in (0..).zip(TEST_POSITIONS) {
            let (mut white, mut black) = (marshal("simulations=20,particles=40"), Greedy::new());
            let settings = game_settings(fen, ruleset);
            let game = GameRunner::new(settings, seed).play([&mut *white, &mut black]);
            let forfeit = game.record().tags().get(GameRunner::FORFEIT);
            assert_eq!(forfeit, None, "{ruleset}, {fen}");
        }
    }
}

#[test]
fn the_obligation_after_any_reweights_replies() {
    // Black has four sensible pawn captures, one of which is legal.
    let board = Position::from_fen("4k3/6p1/8/3p4/4P3/8/8/4K3 b - - 0 1").unwrap();
    let settings = MarshalSettings::default();
    let context = krieg_belief::OpponentContext { has_pawn_try: true, ..Default::default() };
    let replies = |ruleset| {
        let setup = Setup { ruleset, ..Setup::default() };
        let mut searches = tree_searches(&settings, &setup, Color::White, 1);
        let (moves, weights) = searches[0].simulator.replies(&board, &context);
        let capture = moves.iter().position(|mv| mv.to == Square::E4).unwrap();
        let all: f64 = weights.iter().sum();
        assert_eq!(weights.len(), moves.len());
        weights[capture] / all
    };
    let without_any = replies(Ruleset::ICC);
    assert!(without_any < 1.0);
    assert!((replies(Ruleset::BERKELEY_ANY) - 1.0).abs() < 1e-9);
    assert!((replies(Ruleset::ENGLISH) - (0.25 + 0.75 * without_any)).abs() < 1e-9);
}

#[test]
fn play_beyond_fifty_moves_is_not_valued_as_a_draw() {
    let draws = krieg_core::DrawRules::NONE;
    let setup =
        Setup { draws, ..game_settings("6k1/p7/8/8/8/8/8/KQR5 w - - 0 1", Ruleset::ICC).setup };
    let settings = MarshalSettings { simulations: 100, particles: 50, ..Default::default() };
    let mut player = Marshal::new(settings);
    let settings = GameSettings { setup: setup.clone(), ..GameSettings::default() };
    player.begin(&Seat::new(Color::White, &settings, 1)).unwrap();
    let mut game = Game::new(setup);
    for tried in ["a1a2", "g8g7", "a2a1", "g7g8"].into_iter().cycle().take(2 * 99) {
        let tried: Try = tried.parse().unwrap();
        let announcement = game.judge(tried).unwrap();
        let is_own = announcement.by == Color::White;
        player
            .observe(&Observation { tried: is_own.then_some(tried), announcement, spent_ms: None })
            .unwrap();
    }
    let view = game.umpire().view(Color::White).clone();
    player.choose(&view, &no_clock()).unwrap();
    let expected = player.best(&view).unwrap().mean();
    assert!(expected > 0.7, "{expected} of a game is expected with queen and rook");
}

#[test]
fn a_contradictory_announcement_is_reported_and_survived() {
    let seat = Seat::new(Color::White, &GameSettings::default(), 1);
    let mut player = marshal(QUICK);
    player.begin(&seat).unwrap();
    let mut game = Game::new(Setup::default());
    let mut announce =
        |player: &mut Box<dyn Player>, tried: &str, is_own: bool, edit: fn(&mut Announcement)| {
            let tried: Try = tried.parse().unwrap();
            let mut announcement = game.judge(tried).unwrap();
            edit(&mut announcement);
            let tried = is_own.then_some(tried);
            player.observe(&Observation { tried, announcement, spent_ms: None }).unwrap();
            game.umpire().view(Color::White).clone()
        };
    announce(&mut player, "e2e4", true, |_| {});
    // After one move a capture on a1 is impossible.
    let impossible = |announcement: &mut Announcement| {
        announcement.capture = Some(krieg_core::Capture {
            square: Square::A1,
            victim: None,
            capturer: None,
            en_passant: false,
        });
    };
    let view = announce(&mut player, "e7e6", false, impossible);
    let choice = player.choose(&view, &no_clock()).unwrap();
    let Choice::Try(tried) = choice else { panic!("it must not resign") };
    assert!(view.is_sensible(tried), "{tried}");
    assert!(player.remark().unwrap().contains("fits"), "{:?}", player.remark());
}

#[test]
fn hopeless_games_are_resigned_if_enabled() {
    // White's pawns can still move, so there is no stalemate.
    let fen = "kqqrrbb1/8/8/8/8/8/PPP5/6NK w - - 0 1";
    let resigned = |parameters: &str| {
        let is_resigned = |seed: &u64| {
            let (mut white, mut black) = (marshal(parameters), Greedy::new());
            let settings =
                GameSettings { draw_after: Some(15), ..game_settings(fen, Ruleset::ICC) };
            let game = GameRunner::new(settings, *seed).play([&mut *white, &mut black]);
            game.record().outcome().unwrap().ending == krieg_core::Ending::Resignation
        };
        (0..8).filter(is_resigned).count()
    };
    // A few turns look less than hopeless; against a random player there would be more of them.
    assert!(resigned("simulations=100,particles=100,resign=yes") >= 2);
    assert_eq!(resigned("simulations=100,particles=100"), 0);
}

#[test]
fn a_continued_search_keeps_a_full_tree() {
    let settings = MarshalSettings { particles: 200, ..MarshalSettings::default() };
    let mut player = Marshal::new(settings);
    player.begin(&Seat::new(Color::White, &GameSettings::default(), 1)).unwrap();
    player.searches[0].set_capacity(200);
    let view = Game::new(Setup::default()).umpire().view(Color::White).clone();
    let visits = |player: &Marshal| player.edges().iter().map(|edge| edge.visits).sum::<u32>();
    player.run_searches(&view, SearchBudget::Simulations(300), false);
    assert_eq!(visits(&player), 300);
    player.run_searches(&view, SearchBudget::Simulations(100), true);
    assert_eq!(visits(&player), 400);
    assert!(player.best(&view).is_some());
}

#[test]
fn visits_from_pondering_are_kept_after_the_reply() {
    let visits_after_reply = |ponders: bool| {
        let settings =
            MarshalSettings { simulations: 600, particles: 200, ..MarshalSettings::default() };
        let mut player = Marshal::new(settings);
        player.begin(&Seat::new(Color::White, &GameSettings::default(), 1)).unwrap();
        player.searches[0].set_capacity(60_000);
        let mut game = Game::new(Setup::default());
        let view = game.umpire().view(Color::White).clone();
        let Choice::Try(tried) = player.choose(&view, &no_clock()).unwrap() else { panic!() };
        let announcement = game.judge(tried).unwrap();
        player.observe(&Observation { tried: Some(tried), announcement, spent_ms: None }).unwrap();
        if ponders {
            // It is never stopped and ends when the tree is three quarters full.
            player.ponder(&AtomicBool::new(false));
        }
        let announcement = game.judge("a7a6".parse().unwrap()).unwrap();
        player.observe(&Observation { tried: None, announcement, spent_ms: None }).unwrap();
        player.start_turn();
        player.edges().iter().map(|edge| edge.visits).sum::<u32>()
    };
    let (without, with) = (visits_after_reply(false), visits_after_reply(true));
    assert!(with > without, "{with} visits, {without} without pondering");
}

#[test]
fn a_whole_game_observed_at_once_leaves_time_to_search() {
    let settings = GameSettings { draw_after: Some(40), ..GameSettings::default() };
    let game = GameRunner::new(settings.clone(), 3).play([&mut Greedy::new(), &mut Greedy::new()]);
    // Enough time even on a busy machine, but not without a limit on the belief updates.
    let control = TimeControl::Move(Duration::from_secs(3));
    let seat = Seat { control, ..Seat::new(Color::White, &settings, 3) };
    let mut player = marshal("particles=12000");
    player.begin(&seat).unwrap();
    let (mut view, mut observer) = (seat.view(), krieg_core::Observer::new(Color::White));
    let mut opponent_moves = 0;
    for entry in game.record().entries() {
        opponent_moves += usize::from(
            entry.announcement.by == Color::Black && entry.announcement.verdict == Verdict::Moved,
        );
        if let Some(observation) = observer.observe(entry) {
            view.observe(&observation);
            player.observe(&observation).unwrap();
        }
        // With all boards, some of these updates alone would take the whole time.
        if opponent_moves == 35 {
            break;
        }
    }
    assert!(view.is_my_turn());
    player.choose(&view, &Clock::new(control)).unwrap();
    let remark = player.remark().unwrap_or_default();
    assert!(remark.contains("visits") && remark.contains("boards"), "{remark:?}");
}

#[test]
fn two_pondering_players_finish_a_game() {
    // Enough time even on a busy machine. The third ruleset has "any?".
    let control = TimeControl::Move(Duration::from_millis(400));
    for (seed, ruleset) in (0..).zip([Ruleset::ICC, Ruleset::BERKELEY, Ruleset::ENGLISH]) {
        let setup = Setup { ruleset, ..Setup::default() };
        let settings = GameSettings {
            setup,
            control,
            draw_after: Some(2),
            ponder: true,
            ..GameSettings::default()
        };
        let [mut white, mut black] = ["particles=200", "particles=200,threads=2"].map(marshal);
        let game = GameRunner::new(settings, seed).play([&mut *white, &mut *black]);
        assert_eq!(game.record().tags().get(GameRunner::FORFEIT), None, "{ruleset}");
        assert_eq!(game.record().outcome().unwrap().ending, krieg_core::Ending::Agreement);
        assert_eq!(game.record().moves(), 4, "{ruleset}");
    }
}

#[test]
fn an_allowed_try_is_preferred_when_ahead_even_if_unvisited() {
    let edge = |text: &str, visits: u32, mean: f64| {
        let unvisited = Edge::new(text.parse().unwrap(), 0.3);
        Edge { visits, value_sum: mean * f64::from(visits), ..unvisited }
    };
    let is_allowed = |mv: Move| mv != "b1c2".parse().unwrap();
    let best = |ranked: &[Edge]| best_allowed(ranked, is_allowed).map(|edge| edge.mv.to_string());
    let ahead = [edge("b1c2", 50, 0.9), edge("b1b2", 0, 0.0)];
    assert_eq!(best(&ahead).unwrap(), "b1b2");
    assert_eq!(best(&ahead[..1]).unwrap(), "b1c2", "there is nothing else");
    let behind = [edge("b1c2", 50, 0.2), edge("b1b2", 40, 0.1)];
    assert_eq!(best(&behind).unwrap(), "b1c2", "a draw is welcome");
    assert_eq!(best(&[edge("b1b2", 0, 0.0)]), None);
}
