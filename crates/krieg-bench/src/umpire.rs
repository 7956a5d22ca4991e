//! `krieg bench umpire`: random umpired games beside bare chess and other referees.
//!
//! The machine may be busy with other things, so everybody plays in every round, and what
//! is reported is the ratio within a round: its median, and the lowest and highest seen.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::{Result, ensure};
use krieg_core::Ruleset;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};

use super::outside;
use super::playouts::{Work, bare_chess, umpired};
use crate::options::BenchUmpireOptions;

const JUDGES: [&str; 2] = ["open_spiel", "kriegspiel"];

/// One player's rounds.
struct Rounds {
    name: &'static str,
    works: Vec<Work>,
}

/// The middle of some numbers, with the lowest and the highest.
struct Spread {
    low: f64,
    median: f64,
    high: f64,
}

impl Spread {
    fn of(mut numbers: Vec<f64>) -> Self {
        numbers.sort_by(f64::total_cmp);
        let median = (numbers[(numbers.len() - 1) / 2] + numbers[numbers.len() / 2]) / 2.0;
        Spread { low: numbers[0], median, high: numbers[numbers.len() - 1] }
    }

    fn json(&self) -> Value {
        json!({"low": self.low, "median": self.median, "high": self.high})
    }
}

pub fn umpire(options: &BenchUmpireOptions) -> Result<()> {
    check(options)?;
    let measured = measure(options)?;
    let mut out = io::stdout().lock();
    if options.json {
        return Ok(writeln!(out, "{}", measured.json(options))?);
    }
    measured.write_table(options, &mut out)
}

fn check(options: &BenchUmpireOptions) -> Result<()> {
    ensure!(options.rounds > 0, "--rounds must be 1 or more");
    ensure!((0.01..=3600.0).contains(&options.seconds), "--seconds must be from 0.01 to 3600");
    if let Some(python) = &options.python {
        ensure!(options.ruleset == Ruleset::ICC, "the other referees are measured under icc rules");
        // Better to hear now than after our own rounds that it cannot be done.
        for judge in JUDGES {
            outside::measure(python, judge, 0.01, options.seed)?;
        }
    }
    Ok(())
}

/// Everybody's rounds.
struct Measured {
    bare: Rounds,
    ours: Rounds,
    judges: Vec<Rounds>,
}

fn measure(options: &BenchUmpireOptions) -> Result<Measured> {
    let limit = Duration::from_secs_f64(options.seconds);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    let mut bare = Rounds { name: "bare chess", works: Vec::new() };
    let mut ours = Rounds { name: "umpire", works: Vec::new() };
    let mut judges = JUDGES.map(|name| Rounds { name, works: Vec::new() });

    // Once without measuring: the first games touch memory that the later ones find warm.
    umpired(options.ruleset, limit / 10, &mut rng);
    for round in 1..=options.rounds {
        eprint!("\rround {round} of {}", options.rounds);
        bare.works.push(bare_chess(limit, &mut rng));
        ours.works.push(umpired(options.ruleset, limit, &mut rng));
        if let Some(python) = &options.python {
            for judge in &mut judges {
                let seed = options.seed + round as u64;
                judge.works.push(outside::measure(python, judge.name, options.seconds, seed)?);
            }
        }
    }
    eprint!("\r{:30}\r", "");

    let judges = judges.into_iter().filter(|judge| !judge.works.is_empty()).collect();
    Ok(Measured { bare, ours, judges })
}

impl Measured {
    fn all(&self) -> impl Iterator<Item = &Rounds> {
        [&self.bare, &self.ours].into_iter().chain(&self.judges)
    }

    fn plies_to_bare_chess(&self) -> Spread {
        ratio(&self.ours, &self.bare, Work::plies_per_second)
    }

    fn attempts_to_judges(&self) -> impl Iterator<Item = (&'static str, Spread)> {
        let ratio = |judge| ratio(&self.ours, judge, Work::attempts_per_second);
        self.judges.iter().map(move |judge| (judge.name, ratio(judge)))
    }

    fn json(&self, options: &BenchUmpireOptions) -> Value {
        let rates: Vec<Value> = self.all().map(rates_json).collect();
        let attempts: serde_json::Map<String, Value> = self
            .attempts_to_judges()
            .map(|(name, spread)| (name.to_string(), spread.json()))
            .collect();
        json!({
            "ruleset": options.ruleset.name, "rounds": options.rounds, "seconds": options.seconds,
            "seed": options.seed, "rates": rates,
            "plies_to_bare_chess": self.plies_to_bare_chess().json(), "attempts_to": attempts,
        })
    }

    fn write_table(&self, options: &BenchUmpireOptions, out: &mut impl Write) -> Result<()> {
        let (rounds, seconds) = (options.rounds, options.seconds);
        writeln!(out, "ruleset {}, {rounds} rounds of {seconds} s", options.ruleset)?;
        writeln!(out, "{:<12} {:>14} {:>14} {:>12}", "", "plies/s", "attempts/s", "plies/game")?;
        for rounds in self.all() {
            writeln!(
                out,
                "{:<12} {:>14.0} {:>14.0} {:>12.0}",
                rounds.name,
                spread(rounds, Work::plies_per_second).median,
                spread(rounds, Work::attempts_per_second).median,
                spread(rounds, |work| work.plies as f64 / work.games as f64).median,
            )?;
        }
        writeln!(out, "\nratio, median of rounds [lowest, highest]")?;
        write_ratio(out, "plies/s, umpire to bare chess", &self.plies_to_bare_chess())?;
        for (name, spread) in self.attempts_to_judges() {
            write_ratio(out, &format!("attempts/s, umpire to {name}"), &spread)?;
        }
        Ok(())
    }
}

fn write_ratio(out: &mut impl Write, name: &str, spread: &Spread) -> Result<()> {
    let Spread { low, median, high } = spread;
    Ok(writeln!(out, "{name:<34} {median:>9.3} [{low:.3}, {high:.3}]")?)
}

fn ratio(ours: &Rounds, theirs: &Rounds, rate: fn(&Work) -> f64) -> Spread {
    Spread::of(ours.works.iter().zip(&theirs.works).map(|(a, b)| rate(a) / rate(b)).collect())
}

fn spread(rounds: &Rounds, rate: fn(&Work) -> f64) -> Spread {
    Spread::of(rounds.works.iter().map(rate).collect())
}

fn rates_json(rounds: &Rounds) -> Value {
    json!({
        "name": rounds.name,
        "plies_per_second": spread(rounds, Work::plies_per_second).json(),
        "attempts_per_second": spread(rounds, Work::attempts_per_second).json(),
    })
}
