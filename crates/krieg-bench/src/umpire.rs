//! `krieg bench umpire`: the speed of the umpire, compared with plain chess and other referees.
//!
//! The machine may be busy with other work, so all programs are measured in every round, and the
//! ratio within a round is reported: its median, minimum and maximum.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::{Result, ensure};
use krieg_core::Ruleset;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};

use super::other_referees;
use super::random_games::{Work, plain_chess, umpired};
use crate::options::BenchUmpireOptions;

/// The other referees, by the names of their Python packages.
const REFEREES: [&str; 2] = ["open_spiel", "kriegspiel"];

/// The rounds of one program.
struct Rounds {
    name: &'static str,
    works: Vec<Work>,
}

/// The median, minimum and maximum of some numbers.
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

/// Measures the speed of the umpire and prints it.
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
        // A failure is reported before the first round, not after the last one.
        for referee in REFEREES {
            other_referees::measure(python, referee, 0.01, options.seed)?;
        }
    }
    Ok(())
}

/// The rounds of all programs.
struct Measured {
    plain: Rounds,
    ours: Rounds,
    referees: Vec<Rounds>,
}

fn measure(options: &BenchUmpireOptions) -> Result<Measured> {
    let limit = Duration::from_secs_f64(options.seconds);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    let mut plain = Rounds { name: "plain chess", works: Vec::new() };
    let mut ours = Rounds { name: "umpire", works: Vec::new() };
    let mut referees = REFEREES.map(|name| Rounds { name, works: Vec::new() });

    // A warm-up without measuring: the first games run with cold caches.
    umpired(options.ruleset, limit / 10, &mut rng);
    for round in 1..=options.rounds {
        eprint!("\rround {round} of {}", options.rounds);
        plain.works.push(plain_chess(limit, &mut rng));
        ours.works.push(umpired(options.ruleset, limit, &mut rng));
        if let Some(python) = &options.python {
            for referee in &mut referees {
                let seed = options.seed + round as u64;
                referee.works.push(other_referees::measure(
                    python,
                    referee.name,
                    options.seconds,
                    seed,
                )?);
            }
        }
    }
    eprint!("\r{:30}\r", "");

    let referees = referees.into_iter().filter(|referee| !referee.works.is_empty()).collect();
    Ok(Measured { plain, ours, referees })
}

impl Measured {
    fn all(&self) -> impl Iterator<Item = &Rounds> {
        [&self.plain, &self.ours].into_iter().chain(&self.referees)
    }

    fn plies_to_plain_chess(&self) -> Spread {
        ratio(&self.ours, &self.plain, Work::plies_per_second)
    }

    fn attempts_to_referees(&self) -> impl Iterator<Item = (&'static str, Spread)> {
        let ratio = |referee| ratio(&self.ours, referee, Work::attempts_per_second);
        self.referees.iter().map(move |referee| (referee.name, ratio(referee)))
    }

    fn json(&self, options: &BenchUmpireOptions) -> Value {
        let rates: Vec<Value> = self.all().map(rates_json).collect();
        let attempts: serde_json::Map<String, Value> = self
            .attempts_to_referees()
            .map(|(name, spread)| (name.to_string(), spread.json()))
            .collect();
        json!({
            "ruleset": options.ruleset.name, "rounds": options.rounds, "seconds": options.seconds,
            "seed": options.seed, "rates": rates,
            "plies_to_plain_chess": self.plies_to_plain_chess().json(),
            "attempts_to_referees": attempts,
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
        writeln!(out, "\nratio, median of rounds [minimum, maximum]")?;
        write_ratio(out, "plies/s, umpire to plain chess", &self.plies_to_plain_chess())?;
        for (name, spread) in self.attempts_to_referees() {
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
