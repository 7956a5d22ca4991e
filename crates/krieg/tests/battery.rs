//! The battery: what every player of the house must do, under every ruleset.

mod common;

use std::collections::BTreeMap;

use common::{everybody, play};

use krieg_core::{
    Checks, Color, Game, Move, Observer, Piece, Position, Ruleset, Setup, Try, Verdict,
};
use krieg_players::{Choice, GameRunner, GameSettings, Player, PlayerSpec, Seat};
use krieg_testing::{TEST_POSITIONS, play_indistinguishable_games};
use krieg_time::{Clock, TimeControl};

/// Everybody, and whoever thinks hard thinks less: there are thousands of games to play.
fn everybody_in_haste() -> Vec<PlayerSpec> {
    let hasty = |spec: PlayerSpec| match spec.to_string().as_str() {
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
        "darkboard2a" => "darkboard2a(iterations=3,max_plies=10)".parse().unwrap(),
        _ => spec,
    };
    everybody().into_iter().map(hasty).collect()
}

/// Games that begin with a double check, which may come in none of the others.
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

fn conditions(setup: Setup) -> GameSettings {
    GameSettings { setup, draw_after: Some(150), ..GameSettings::default() }
}

/// What happened in a game that a player has to cope with.
fn note_events(game: &Game, color: Color, events: &mut BTreeMap<&'static str, u32>) {
    let mut replayed = Game::new(game.record().setup().clone());
    let begins = game.record().setup().start.turn() == color;
    let is_double_check = begins && game.record().opening().checks.iter().count() == 2;
    *events.entry("in double check").or_default() += u32::from(is_double_check);
    for entry in game.record().entries() {
        let view = replayed.umpire().view(entry.announcement.by).clone();
        let board = replayed.umpire().position().clone();
        let said = replayed.judge(entry.tried).unwrap();
        let mut note = |what, happened| *events.entry(what).or_default() += u32::from(happened);
        let is_own = said.by == color;
        note("the opponent is in double check", is_own && said.checks.iter().count() == 2);
        note("in double check", !is_own && said.checks.iter().count() == 2);
        note("in check", !is_own && said.checks != Checks::NONE);
        note("asked", is_own && entry.tried == Try::Any);
        note("owed a pawn capture", is_own && view.must_capture_with_pawn());
        note("was refused", is_own && said.verdict == Verdict::Refused);
        let (Try::Move(mv), true, Verdict::Moved) = (entry.tried, is_own, said.verdict) else {
            continue;
        };
        note("promoted", mv.promotion.is_some());
        note("castled", view.pieces().piece_on(mv.from) == Some(Piece::King) && is_castling(mv));
        let is_capture_in_passing =
            view.pieces().is_pawn_capture(mv) && !board.pieces(!color).all().has(mv.to);
        note("captured in passing", is_capture_in_passing);
    }
}

fn is_castling(mv: Move) -> bool {
    (mv.from.file() as i32 - mv.to.file() as i32).abs() == 2
}

#[test]
fn nobody_tries_what_makes_no_sense_whatever_happens_on_the_board() {
    for spec in everybody_in_haste() {
        let mut player = spec.make().unwrap();
        let mut events = BTreeMap::new();
        for ruleset in Ruleset::ALL {
            for (seed, setup) in setups(ruleset).enumerate() {
                for color in Color::ALL {
                    for round in 0..3 {
                        let seed = 10 * seed as u64 + round;
                        let game = play(&mut *player, color, conditions(setup.clone()), seed);
                        // Nonsense, and a refused try repeated, would have been a forfeit.
                        let forfeit = game.record().tags().get(GameRunner::FORFEIT);
                        assert_eq!(forfeit, None, "{spec}, {ruleset}, {}", setup.start);
                        note_events(&game, color, &mut events);
                    }
                }
            }
        }
        let missing: Vec<_> = events.iter().filter(|(_, count)| **count == 0).collect();
        assert!(missing.is_empty() && events.len() >= 9, "{spec}: {missing:?} of {events:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_game_to_a_player_fresh_or_used() {
    for spec in everybody_in_haste() {
        let mut used = spec.make().unwrap();
        for ruleset in Ruleset::ALL {
            let conditions = conditions(Setup { ruleset, ..Setup::default() });
            for seed in 0..2 {
                let mut fresh = spec.make().unwrap();
                let once = play(&mut *fresh, Color::White, conditions.clone(), seed);
                let again = play(&mut *used, Color::White, conditions.clone(), seed);
                assert_eq!(once.record(), again.record(), "{spec}, {ruleset}");
            }
        }
    }
}

/// A player who hears a game that others play, and says what he would try.
struct Kibitzer {
    player: Box<dyn Player>,
    ear: Observer,
    heard: usize,
}

impl Kibitzer {
    fn new(spec: &PlayerSpec, seat: &Seat) -> Self {
        let mut player = spec.make().unwrap();
        player.begin(seat).unwrap();
        Kibitzer { player, ear: Observer::new(seat.color), heard: 0 }
    }

    fn choice(&mut self, game: &Game, color: Color) -> Option<Choice> {
        for entry in &game.record().entries()[self.heard..] {
            self.heard += 1;
            if let Some(line) = self.ear.observe(entry) {
                self.player.observe(&line).unwrap();
            }
        }
        let view = game.umpire().view(color);
        let clock = Clock::new(TimeControl::Unlimited);
        view.is_my_turn().then(|| self.player.choose(view, &clock).unwrap())
    }
}

#[test]
fn nobody_looks_behind_the_screen() {
    let mut differed = 0;
    for spec in everybody_in_haste() {
        for ruleset in Ruleset::ALL {
            for (at, setup) in setups(ruleset).enumerate() {
                for color in Color::ALL {
                    let conditions = conditions(setup.clone());
                    let seat = Seat::new(color, &conditions, 7);
                    let [mut one, mut other] = [0; 2].map(|_| Kibitzer::new(&spec, &seat));
                    // Two games that sound the same to him, with the hidden men elsewhere.
                    play_indistinguishable_games(setup.clone(), color, at as u64, |game, twin| {
                        differed += u32::from(game.umpire().position() != twin.umpire().position());
                        assert_eq!(
                            one.choice(game, color),
                            other.choice(twin, color),
                            "{spec}, {ruleset}"
                        );
                    });
                }
            }
        }
    }
    assert!(differed > 1_000, "the hidden men stood elsewhere {differed} times");
}
