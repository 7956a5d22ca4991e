//! What Marshal does where it is plain what should be done.

use krieg_core::{Announcement, Game, Position, Ruleset, Square};
use krieg_testing::LIVELY;

use super::*;
use crate::{Conditions, Greedy, PlayerSpec, Table};

fn marshal(parameters: &str) -> Box<dyn Player> {
    format!("marshal({parameters},tables=no)").parse::<PlayerSpec>().unwrap().make().unwrap()
}

fn conditions(start: &str, ruleset: Ruleset) -> Conditions {
    let start = Position::from_fen(start).unwrap();
    let setup = Setup { ruleset, start, ..Setup::default() };
    Conditions { setup, draw_after: Some(60), ..Conditions::default() }
}

fn no_clock() -> Clock {
    Clock::new(krieg_chess::clock::TimeControl::Unlimited)
}

/// What is tried first from a position that both players know, and what is said of it.
fn first_try(parameters: &str, fen: &str, seed: u64) -> (String, String) {
    let seat = Seat::new(Color::White, &conditions(fen, Ruleset::ICC), seed);
    let mut player = marshal(parameters);
    player.begin(&seat).unwrap();
    let Choice::Try(tried) = player.choose(&seat.view(), &no_clock()).unwrap() else {
        return ("resigns".to_string(), String::new());
    };
    (tried.to_string(), player.remark().unwrap_or_default())
}

const QUICK: &str = "simulations=600,boards=200";

#[test]
fn a_mate_that_is_certain_is_given() {
    for seed in 0..3 {
        let (tried, why) = first_try(QUICK, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", seed);
        assert_eq!(tried, "d1d8", "{why}");
    }
}

#[test]
fn a_queen_that_is_known_to_hang_is_taken() {
    for seed in 0..3 {
        let fen = "4k3/pp3ppp/8/3q4/4P3/8/PP3PPP/4K3 w - - 0 1";
        let (tried, why) = first_try(QUICK, fen, seed);
        assert_eq!(tried, "e4d5", "{why}");
    }
}

#[test]
fn a_mate_that_threatens_is_seen() {
    // The queen will take on f2, where the bishop guards her.
    let fen = "r1b1k2r/pppp1ppp/2n2q2/2b1p3/2B1P3/7P/PPPP1PP1/RNBQK1NR w KQkq - 0 1";
    for seed in 0..5 {
        let (tried, why) = first_try(QUICK, fen, seed);
        let mut board = Position::from_fen(fen).unwrap();
        board.play(tried.parse().unwrap()).unwrap();
        let mates = |mv: &Move| {
            let said = board.clone().answer(*mv, &Ruleset::ICC, krieg_core::DrawRules::NONE);
            said.end.is_some_and(|end| end.ending == krieg_core::Ending::Checkmate)
        };
        assert!(!board.legal_moves().iter().any(mates), "{tried}: {why}");
    }
}

#[test]
fn a_beaten_opponent_is_not_stalemated() {
    // The queen to c7 would be stalemate, to b7 mate.
    let mate = "k7/8/2K5/8/8/8/8/1Q6 w - - 0 1";
    for seed in 0..3 {
        assert_eq!(first_try(QUICK, mate, seed).0, "b1b7");
    }
    // Here nothing mates, and two moves of the queen leave the king without one.
    let none = "k7/8/8/1Q6/8/3K4/8/8 w - - 0 1";
    for seed in 0..5 {
        let (tried, why) = first_try(QUICK, none, seed);
        let mut board = Position::from_fen(none).unwrap();
        board.play(tried.parse().unwrap()).unwrap();
        assert!(board.can_move(), "{tried}: {why}");
    }
}

#[test]
fn whoever_was_met_before_is_known_by_his_name() {
    let folder = tempfile::tempdir().unwrap();
    let memory = Memory::in_file(folder.path().join("memory.txt")).unwrap();
    let settings = MarshalSettings {
        memory: Some(memory.clone()),
        boards: 50,
        simulations: 8,
        ..MarshalSettings::default()
    };
    let kinds = |marshal: &Marshal| marshal.imagining.belief().model().kinds();
    let conditions = Conditions { draw_after: Some(12), ..Conditions::default() };
    let mut marshal = Marshal::new(settings);
    // With somebody who has no name nothing is remembered.
    for (name, seed) in [(None, 1), (Some("Ann"), 2)] {
        if let Some(name) = name {
            marshal.meet(name);
        }
        Table::new(conditions.clone(), seed).play([&mut marshal, &mut Greedy::new()]);
    }
    let seat = Seat::new(Color::White, &conditions, 3);
    marshal.begin(&seat).unwrap();
    let stranger = kinds(&marshal);
    marshal.meet("Ann");
    marshal.begin(&seat).unwrap();
    assert_ne!(kinds(&marshal), stranger);
    let known = memory.recall("Ann", Opponents::default());
    assert_eq!(kinds(&marshal), Model::Fitted(Box::new(known)).kinds());
}

#[test]
fn the_same_seed_makes_the_same_game_on_any_number_of_threads_that_is_the_same() {
    for parameters in [QUICK, "simulations=600,boards=200,threads=2"] {
        let [one, other, different] = [5, 5, 6].map(|seed| {
            let (mut white, mut black) = (marshal(parameters), Greedy::new());
            let conditions = Conditions { draw_after: Some(8), ..Conditions::default() };
            let game = Table::new(conditions, seed).play([&mut *white, &mut black]);
            game.record().entries().iter().map(|entry| entry.tried.to_string()).collect::<Vec<_>>()
        });
        assert_eq!(one, other, "{parameters}");
        assert_ne!(one, different, "{parameters}");
    }
}

#[test]
fn it_plays_under_every_ruleset_and_never_tries_nonsense() {
    for ruleset in Ruleset::ALL {
        for (seed, fen) in (0..).zip(LIVELY) {
            let (mut white, mut black) = (marshal("simulations=20,boards=40"), Greedy::new());
            let conditions = conditions(fen, ruleset);
            let game = Table::new(conditions, seed).play([&mut *white, &mut black]);
            let forfeit = game.record().tags().get(Table::FORFEIT);
            assert_eq!(forfeit, None, "{ruleset}, {fen}");
        }
    }
}

#[test]
fn an_opponent_who_owes_a_capture_with_a_pawn_is_thought_to_pay() {
    // He has four diagonals to try, and one of them is a capture.
    let board = Position::from_fen("4k3/6p1/8/3p4/4P3/8/8/4K3 b - - 0 1").unwrap();
    let settings = MarshalSettings::default();
    let situation = krieg_belief::Situation { has_pawn_try: true, ..Default::default() };
    let replies = |ruleset| {
        let setup = Setup { ruleset, ..Setup::default() };
        let mut thinkers = thinkers(&settings, &setup, Color::White, 1);
        let (moves, weights) = thinkers[0].simulator.replies(&board, &situation);
        let takes = moves.iter().position(|mv| mv.to == Square::E4).unwrap();
        let all: f64 = weights.iter().sum();
        assert_eq!(weights.len(), moves.len());
        weights[takes] / all
    };
    let unasked = replies(Ruleset::ICC);
    assert!(unasked < 1.0);
    assert!((replies(Ruleset::BERKELEY_ANY) - 1.0).abs() < 1e-9);
    assert!((replies(Ruleset::ENGLISH) - (0.25 + 0.75 * unasked)).abs() < 1e-9);
}

#[test]
fn whoever_has_played_on_for_fifty_moves_does_not_think_that_all_is_drawn() {
    let draws = krieg_core::DrawRules::NONE;
    let setup =
        Setup { draws, ..conditions("6k1/p7/8/8/8/8/8/KQR5 w - - 0 1", Ruleset::ICC).setup };
    let settings = MarshalSettings { simulations: 100, boards: 50, ..MarshalSettings::default() };
    let mut player = Marshal::new(settings);
    let conditions = Conditions { setup: setup.clone(), ..Conditions::default() };
    player.begin(&Seat::new(Color::White, &conditions, 1)).unwrap();
    let mut game = Game::new(setup);
    for tried in ["a1a2", "g8g7", "a2a1", "g7g8"].into_iter().cycle().take(2 * 99) {
        let tried: Try = tried.parse().unwrap();
        let said = game.judge(tried).unwrap();
        let is_own = said.by == Color::White;
        player.hear(&Line { tried: is_own.then_some(tried), said, spent_ms: None }).unwrap();
    }
    let view = game.umpire().view(Color::White).clone();
    player.choose(&view, &no_clock()).unwrap();
    let expected = player.best(&view).unwrap().mean();
    assert!(expected > 0.7, "{expected} of a game is expected with queen and rook");
}

#[test]
fn an_umpire_who_is_wrong_is_noticed_and_the_game_goes_on() {
    let seat = Seat::new(Color::White, &Conditions::default(), 1);
    let mut player = marshal(QUICK);
    player.begin(&seat).unwrap();
    let mut game = Game::new(Setup::default());
    let mut hear =
        |player: &mut Box<dyn Player>, tried: &str, is_own: bool, twist: fn(&mut Announcement)| {
            let tried: Try = tried.parse().unwrap();
            let mut said = game.judge(tried).unwrap();
            twist(&mut said);
            let line = Line { tried: is_own.then_some(tried), said, spent_ms: None };
            player.hear(&line).unwrap();
            (line, game.umpire().view(Color::White).clone())
        };
    hear(&mut player, "e2e4", true, |_| {});
    // After one move nobody can have taken anything on a1.
    let lie = |said: &mut Announcement| {
        said.capture = Some(krieg_core::Capture {
            square: Square::A1,
            victim: None,
            capturer: None,
            en_passant: false,
        });
    };
    let (_, view) = hear(&mut player, "e7e6", false, lie);
    let choice = player.choose(&view, &no_clock()).unwrap();
    let Choice::Try(tried) = choice else { panic!("it does not give up") };
    assert!(view.is_sensible(tried), "{tried}");
    assert!(player.remark().unwrap().contains("fits"), "{:?}", player.remark());
}

#[test]
fn a_game_without_hope_is_given_up_if_that_is_wanted() {
    // With pawns of his own that can still move, he is not stalemated either.
    let fen = "kqqrrbb1/8/8/8/8/8/PPP5/6NK w - - 0 1";
    let given_up = |parameters: &str| {
        let is_given_up = |seed: &u64| {
            let (mut white, mut black) = (marshal(parameters), Greedy::new());
            let conditions = Conditions { draw_after: Some(15), ..conditions(fen, Ruleset::ICC) };
            let game = Table::new(conditions, *seed).play([&mut *white, &mut black]);
            game.record().outcome().unwrap().ending == krieg_core::Ending::Resignation
        };
        (0..8).filter(is_given_up).count()
    };
    // There is a little hope now and then; against whoever plays anything there would be more.
    assert!(given_up("simulations=100,boards=100,resign=yes") >= 2);
    assert_eq!(given_up("simulations=100,boards=100"), 0);
}

#[test]
fn whoever_goes_on_thinking_in_a_full_tree_keeps_what_he_knows() {
    let usual = MarshalSettings::default();
    let mut player = Marshal::new(MarshalSettings { boards: 200, ..usual });
    player.begin(&Seat::new(Color::White, &Conditions::default(), 1)).unwrap();
    player.thinkers[0].confine(200);
    let view = Game::new(Setup::default()).umpire().view(Color::White).clone();
    let looks = |player: &Marshal| player.arms().iter().map(|arm| arm.visits).sum::<u32>();
    player.look_ahead(&view, Budget::Simulations(300), false);
    assert_eq!(looks(&player), 300);
    player.look_ahead(&view, Budget::Simulations(100), true);
    assert_eq!(looks(&player), 400);
    assert!(player.best(&view).is_some());
}

#[test]
fn what_was_thought_on_the_opponents_time_is_known_when_he_has_moved() {
    let looks_after_reply = |ponders: bool| {
        let usual = MarshalSettings::default();
        let mut player = Marshal::new(MarshalSettings { simulations: 600, boards: 200, ..usual });
        player.begin(&Seat::new(Color::White, &Conditions::default(), 1)).unwrap();
        player.thinkers[0].confine(60_000);
        let mut game = Game::new(Setup::default());
        let view = game.umpire().view(Color::White).clone();
        let Choice::Try(tried) = player.choose(&view, &no_clock()).unwrap() else { panic!() };
        let said = game.judge(tried).unwrap();
        player.hear(&Line { tried: Some(tried), said, spent_ms: None }).unwrap();
        if ponders {
            // Nobody says stop: it ends when the tree is full enough.
            player.ponder(&AtomicBool::new(false));
        }
        let said = game.judge("a7a6".parse().unwrap()).unwrap();
        player.hear(&Line { tried: None, said, spent_ms: None }).unwrap();
        player.arrive();
        player.arms().iter().map(|arm| arm.visits).sum::<u32>()
    };
    let (rested, pondered) = (looks_after_reply(false), looks_after_reply(true));
    assert!(pondered > rested, "{pondered} looks, {rested} without thinking on his time");
}

#[test]
fn whoever_was_away_hears_the_whole_game_at_once_and_thinks_all_the_same() {
    let conditions = Conditions { draw_after: Some(40), ..Conditions::default() };
    let game = Table::new(conditions.clone(), 3).play([&mut Greedy::new(), &mut Greedy::new()]);
    // Time enough on a busy machine too, and for a careless player not enough.
    let control = krieg_chess::clock::TimeControl::Move(Duration::from_secs(3));
    let seat = Seat { control, ..Seat::new(Color::White, &conditions, 3) };
    let mut player = marshal("boards=12000");
    player.begin(&seat).unwrap();
    let (mut view, mut ear) = (seat.view(), krieg_core::Ear::new(Color::White));
    let mut his_moves = 0;
    for entry in game.record().entries() {
        his_moves +=
            usize::from(entry.said.by == Color::Black && entry.said.verdict == Verdict::Moved);
        if let Some(line) = ear.hear(entry) {
            view.live(&line);
            player.hear(&line).unwrap();
        }
        // With all boards some of these moves would take all the time there is for all of them.
        if his_moves == 35 {
            break;
        }
    }
    assert!(view.is_my_turn());
    player.choose(&view, &Clock::new(control)).unwrap();
    let remark = player.remark().unwrap_or_default();
    assert!(remark.contains("looks") && remark.contains("boards"), "{remark:?}");
}

#[test]
fn two_who_think_at_the_same_time_play_a_game_like_any_other() {
    // Enough that nobody is late even on a busy machine; the third of these asks "any?".
    let control = TimeControl::Move(Duration::from_millis(400));
    for (seed, ruleset) in (0..).zip([Ruleset::ICC, Ruleset::BERKELEY, Ruleset::ENGLISH]) {
        let setup = Setup { ruleset, ..Setup::default() };
        let conditions = Conditions { setup, control, draw_after: Some(2), ponder: true };
        let [mut white, mut black] = ["boards=200", "boards=200,threads=2"].map(marshal);
        let game = Table::new(conditions, seed).play([&mut *white, &mut *black]);
        assert_eq!(game.record().tags().get(Table::FORFEIT), None, "{ruleset}");
        assert_eq!(game.record().outcome().unwrap().ending, krieg_core::Ending::Agreement);
        assert_eq!(game.record().moves(), 4, "{ruleset}");
    }
}

#[test]
fn whoever_is_ahead_does_what_is_done_even_if_he_never_looked_at_it() {
    let arm = |text: &str, visits: u32, mean: f64| {
        let looked_at = Arm::new(text.parse().unwrap(), 0.3);
        Arm { visits, sum: mean * f64::from(visits), ..looked_at }
    };
    let stalemates = |mv: Move| mv != "b1c2".parse().unwrap();
    let picked = |ranked: &[Arm]| preferred(ranked, stalemates).map(|arm| arm.mv.to_string());
    let ahead = [arm("b1c2", 50, 0.9), arm("b1b2", 0, 0.0)];
    assert_eq!(picked(&ahead).unwrap(), "b1b2");
    assert_eq!(picked(&ahead[..1]).unwrap(), "b1c2", "there is nothing else");
    let behind = [arm("b1c2", 50, 0.2), arm("b1b2", 40, 0.1)];
    assert_eq!(picked(&behind).unwrap(), "b1c2", "a draw is welcome");
    assert_eq!(picked(&[arm("b1b2", 0, 0.0)]), None);
}
