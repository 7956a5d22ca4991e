//! Tests that every registered player must pass, under every ruleset.

mod common;

use std::collections::BTreeMap;

use common::{all_players, play, random_network, text};

use krieg_core::{
    Checks, Color, Game, Move, Observer, Piece, Position, Ruleset, Setup, Try, Verdict,
};
use krieg_players::{Choice, GameRunner, GameSettings, Player, PlayerSpec, Seat};
use krieg_testing::{TEST_POSITIONS, play_indistinguishable_games};
use krieg_time::{Clock, TimeControl};

/// All players, with little thinking or a small network for the strong ones, because there are
/// thousands of games.
fn fast_players() -> Vec<PlayerSpec> {
    let fast = |spec: PlayerSpec| match spec.to_string().as_str() {
        "pimc(tablebases=no)" => {
            "pimc(worlds=4,particles=60,nodes=1,tablebases=no)".parse().unwrap()
        }
        "ismcts(tablebases=no)" => {
            "ismcts(iterations=8,particles=60,tablebases=no)".parse().unwrap()
        }
        "mo-ismcts(tablebases=no)" => {
            "mo-ismcts(iterations=8,particles=60,tablebases=no)".parse().unwrap()
        }
        "marshal(tablebases=no)" => {
            "marshal(simulations=8,particles=60,tablebases=no)".parse().unwrap()
        }
        "learned(tablebases=no)" => {
            let network = random_network();
            // A high temperature, because random weights prefer a few tries too much.
            let parameters = format!("temperature=5,network={}", text(&network));
            format!("learned({parameters},tablebases=no)").parse().unwrap()
        }
        "darkboard2a" => "darkboard2a(iterations=3,max_plies=10)".parse().unwrap(),
        _ => spec,
    };
    all_players().into_iter().map(fast).collect()
}

/// Start positions in double check, which may not occur in other games.
const IN_DOUBLE_CHECK: [&str; 2] = [
    "4r1k1/pp3ppp/8/8/8/5n2/PP3P1P/R2QK2R w KQ - 0 1",
    "r2qk2r/pp3p1p/5N2/8/8/8/PP3PPP/4R1K1 b kq - 0 1",
];

fn setups(ruleset: Ruleset) -> impl Iterator<Item = Setup> {
    TEST_POSITIONS.into_iter().chain(IN_DOUBLE_CHECK).map(move |fen| {
        let start = Position::from_fen(fen).unwrap();
        Setup { ruleset, start, ..Setup::default() }
    })
}

fn settings(setup: Setup) -> GameSettings {
    GameSettings { setup, draw_after: Some(150), ..GameSettings::default() }
}

/// Counts the events of a game that a player has to handle.
fn count_events(game: &Game, color: Color, events: &mut BTreeMap<&'static str, u32>) {
    let mut replayed = Game::new(game.record().setup().clone());
    let begins = game.record().setup().start.turn() == color;
    let is_double_check = begins && game.record().opening().checks.iter().count() == 2;
    *events.entry("in double check").or_default() += u32::from(is_double_check);
    for entry in game.record().entries() {
        let view = replayed.umpire().view(entry.announcement.by).clone();
        let board = replayed.umpire().position().clone();
        let announcement = replayed.judge(entry.tried).unwrap();
        let mut count = |what, happened| *events.entry(what).or_default() += u32::from(happened);
        let is_own = announcement.by == color;
        count("the opponent is in double check", is_own && announcement.checks.iter().count() == 2);
        count("in double check", !is_own && announcement.checks.iter().count() == 2);
        count("in check", !is_own && announcement.checks != Checks::NONE);
        count("asked", is_own && entry.tried == Try::Any);
        count("owed a pawn capture", is_own && view.must_capture_with_pawn());
        count("was refused", is_own && announcement.verdict == Verdict::Refused);
        let (Try::Move(mv), true, Verdict::Moved) = (entry.tried, is_own, announcement.verdict)
        else {
            continue;
        };
        count("promoted", mv.promotion.is_some());
        count("castled", view.pieces().piece_on(mv.from) == Some(Piece::King) && is_castling(mv));
        let is_en_passant =
            view.pieces().is_pawn_capture(mv) && !board.pieces(!color).all().has(mv.to);
        count("captured en passant", is_en_passant);
    }
}

fn is_castling(mv: Move) -> bool {
    (mv.from.file() as i32 - mv.to.file() as i32).abs() == 2
}

#[test]
fn players_make_only_sensible_tries() {
    for spec in fast_players() {
        let mut player = spec.make().unwrap();
        let mut events = BTreeMap::new();
        for ruleset in Ruleset::ALL {
            for (seed, setup) in setups(ruleset).enumerate() {
                for color in Color::ALL {
                    for round in 0..3 {
                        let seed = 10 * seed as u64 + round;
                        let game = play(&mut *player, color, settings(setup.clone()), seed);
                        // A senseless try, or a refused try repeated, would have been a forfeit.
                        let forfeit = game.record().tags().get(GameRunner::FORFEIT);
                        assert_eq!(forfeit, None, "{spec}, {ruleset}, {}", setup.start);
                        count_events(&game, color, &mut events);
                    }
                }
            }
        }
        let missing: Vec<_> = events.iter().filter(|(_, count)| **count == 0).collect();
        assert!(missing.is_empty() && events.len() >= 9, "{spec}: {missing:?} of {events:?}");
    }
}

#[test]
fn same_seed_gives_the_same_game_with_a_new_or_used_player() {
    for spec in fast_players() {
        let mut used = spec.make().unwrap();
        for ruleset in Ruleset::ALL {
            let settings = settings(Setup { ruleset, ..Setup::default() });
            for seed in 0..2 {
                let mut new = spec.make().unwrap();
                let once = play(&mut *new, Color::White, settings.clone(), seed);
                let again = play(&mut *used, Color::White, settings.clone(), seed);
                assert_eq!(once.record(), again.record(), "{spec}, {ruleset}");
            }
        }
    }
}

/// A player that observes a game of others and is asked what it would try.
struct Kibitzer {
    player: Box<dyn Player>,
    observer: Observer,
    observed: usize,
}

impl Kibitzer {
    fn new(spec: &PlayerSpec, seat: &Seat) -> Self {
        let mut player = spec.make().unwrap();
        player.begin(seat).unwrap();
        Kibitzer { player, observer: Observer::new(seat.color), observed: 0 }
    }

    fn choice(&mut self, game: &Game, color: Color) -> Option<Choice> {
        for entry in &game.record().entries()[self.observed..] {
            self.observed += 1;
            if let Some(observation) = self.observer.observe(entry) {
                self.player.observe(&observation).unwrap();
            }
        }
        let view = game.umpire().view(color);
        let clock = Clock::new(TimeControl::Unlimited);
        view.is_my_turn().then(|| self.player.choose(view, &clock).unwrap())
    }
}

#[test]
fn choices_do_not_depend_on_hidden_pieces() {
    let mut differed = 0;
    for spec in fast_players() {
        for ruleset in Ruleset::ALL {
            for (index, setup) in setups(ruleset).enumerate() {
                for color in Color::ALL {
                    let settings = settings(setup.clone());
                    let seat = Seat::new(color, &settings, 7);
                    let [mut one, mut other] = [0; 2].map(|_| Kibitzer::new(&spec, &seat));
                    // Two games with the same observations and different hidden pieces.
                    play_indistinguishable_games(
                        setup.clone(),
                        color,
                        index as u64,
                        |game, twin| {
                            differed +=
                                u32::from(game.umpire().position() != twin.umpire().position());
                            assert_eq!(
                                one.choice(game, color),
                                other.choice(twin, color),
                                "{spec}, {ruleset}"
                            );
                        },
                    );
                }
            }
        }
    }
    assert!(differed > 1_000, "the hidden pieces differed {differed} times");
}
