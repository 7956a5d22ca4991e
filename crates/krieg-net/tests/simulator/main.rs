//! Compares the simulator (`learning/simulator`) with the umpire and the encoder, try by try.
//!
//! `KRIEG_SIMULATOR` names the program `dialogue`, which `tools/simulator` builds:
//!
//! ```text
//! KRIEG_SIMULATOR=$(tools/simulator) cargo test -p krieg-net --test simulator -- --ignored
//! ```
//!
//! The umpire plays a game of random tries and writes down, for each try, the sensible tries, the
//! observation and the answer. Then the simulator gets the same tries and has to reply the same.
//! `KRIEG_SIMULATOR_TRIES` is the number of tries to compare.

mod coverage;
mod dialogue;
mod expected;
mod observation;
mod players;
mod positions;

use std::env;

use krieg_core::{Game, Position, Ruleset, Setup};
use krieg_testing::{Xoshiro256PlusPlus, seeded_rng};
use rand::RngExt;

use coverage::Coverage;
use dialogue::Dialogue;
use expected::Script;

/// Number of tries that are compared unless `KRIEG_SIMULATOR_TRIES` says otherwise.
const TRIES: usize = 50_000;

/// Maximum number of tries of a random game, one of these: some games are played to their end.
const MAX_TRIES: [usize; 3] = [40, 150, 3000];

/// Maximum number of tries of a game from a special position. The rare events are near its start.
const TRIES_FROM_POSITION: usize = 25;

fn dialogue() -> Dialogue {
    let program = env::var("KRIEG_SIMULATOR")
        .expect("set KRIEG_SIMULATOR to the program that tools/simulator prints");
    Dialogue::start(&program)
}

fn number_of_tries() -> usize {
    match env::var("KRIEG_SIMULATOR_TRIES") {
        Ok(number) => number.parse().expect("KRIEG_SIMULATOR_TRIES is a number"),
        Err(_) => TRIES,
    }
}

#[test]
#[ignore = "needs the simulator: set KRIEG_SIMULATOR"]
fn simulator_agrees_with_umpire_and_encoder() {
    let mut dialogue = dialogue();
    let mut coverage = Coverage::default();
    let tries = number_of_tries();
    let mut compare = |ruleset, start: Position, max_tries, rng: &mut Xoshiro256PlusPlus| {
        let mut game = Game::new(Setup { ruleset, start, ..Setup::default() });
        let script = Script::play(&mut game, max_tries, rng);
        coverage.add(&game);
        script.compare(&mut dialogue).unwrap_or_else(|difference| panic!("{difference}"));
        coverage.tries
    };
    let mut rng = seeded_rng(1);
    for start in positions::special_positions() {
        for ruleset in Ruleset::ALL {
            compare(ruleset, start.clone(), TRIES_FROM_POSITION, &mut rng);
        }
    }
    for number in 0.. {
        let mut rng = seeded_rng(number);
        let ruleset = Ruleset::ALL[number as usize % Ruleset::ALL.len()];
        let max_tries = MAX_TRIES[rng.random_range(0..MAX_TRIES.len())];
        let start = positions::random_start(&mut rng);
        if compare(ruleset, start, max_tries, &mut rng) >= tries {
            break;
        }
    }
    println!("{coverage}");
    let missing = coverage.missing();
    assert!(missing.is_empty(), "the games never had: {}", missing.join(", "));
}

/// Compares a game of these tries with a simulator that plays another ruleset.
fn difference_to(told: Ruleset, ruleset: Ruleset, tries: &[&str]) -> String {
    let mut game = Game::new(Setup { ruleset, start: Position::start(), ..Setup::default() });
    let tries = tries.iter().map(|tried| tried.parse().expect("a try"));
    let mut script = Script::of(&mut game, tries);
    assert_eq!(script.compare(&mut dialogue()), Ok(()), "without the wrong ruleset they agree");
    script.begin_with(told);
    script.compare(&mut dialogue()).expect_err("the ruleset was wrong")
}

#[test]
#[ignore = "needs the simulator: set KRIEG_SIMULATOR"]
fn wrong_answer_is_found() {
    let text = difference_to(Ruleset::CINCINNATI, Ruleset::ICC, &["e2e4", "d7d5"]);
    assert!(text.contains("count:0") && text.contains("whether:0"), "{text}");
}

#[test]
#[ignore = "needs the simulator: set KRIEG_SIMULATOR"]
fn wrong_sensible_tries_are_found() {
    let text = difference_to(Ruleset::BERKELEY_ANY, Ruleset::BERKELEY, &["e2e4", "d7d5"]);
    assert!(text.contains("\"any?"), "{text}");
}

#[test]
#[ignore = "needs the simulator: set KRIEG_SIMULATOR"]
fn wrong_observation_is_found_and_its_byte_named() {
    // Without a capture, the two rulesets differ only in a scalar.
    let text = difference_to(Ruleset::DUTCH, Ruleset::ENGLISH, &["e2e4", "d7d5"]);
    assert!(text.contains("scalar 47: the simulator has 255, the encoder 0"), "{text}");
}
