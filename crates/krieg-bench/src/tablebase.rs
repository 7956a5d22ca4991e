//! `krieg bench tablebase`: how long a question to the endgame tables takes.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use krieg_core::{BitBoard, Color};
use krieg_tablebase::{Catalogue, Endgame, Ground, Metaposition, Tablebase};
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::options::BenchTablebaseOptions;

/// Asks every table the same number of questions, and tells how long the answers took.
pub fn tablebase(options: &BenchTablebaseOptions) -> Result<()> {
    let folder = options.dir.clone().unwrap_or_else(Tablebase::usual_folder);
    let tables = Tablebase::new(folder);
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "microseconds a question, tries included; half of the sets are random, half are all that may be"
    )?;
    writeln!(
        out,
        "{:6} {:>9} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "", "questions", "won", "median", "mean", "90%", "99%", "most"
    )?;
    for &endgame in &options.endgames {
        let questions = questions(endgame, options.questions, options.seed);
        if questions.is_empty() {
            bail!("{endgame} leaves the lone king no square");
        }
        tables.table(endgame)?;
        let mut won = 0;
        let mut times: Vec<Duration> = Vec::with_capacity(questions.len());
        for question in &questions {
            let start = Instant::now();
            let answer = tables.probe(question)?;
            times.push(start.elapsed());
            won += usize::from(answer.is_some());
        }
        times.sort_unstable();
        let micros = |time: Duration| time.as_nanos() as f64 / 1000.0;
        let share = |part: f64| micros(times[((times.len() - 1) as f64 * part) as usize]);
        let mean = times.iter().copied().map(micros).sum::<f64>() / times.len() as f64;
        writeln!(
            out,
            "{:6} {:>9} {:>5.1}% {:>8.1} {mean:>8.1} {:>8.1} {:>8.1} {:>8.1}",
            endgame.to_string(),
            questions.len(),
            won as f64 / questions.len() as f64 * 100.0,
            share(0.5),
            share(0.9),
            share(0.99),
            share(1.0),
        )?;
    }
    Ok(())
}

/// Random dispositions; in turn all squares the king may be on, and some of them.
fn questions(endgame: Endgame, count: usize, seed: u64) -> Vec<Metaposition> {
    let catalogue = Catalogue::new(endgame);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..count)
        .filter_map(|i| {
            let disposition = catalogue.disposition(rng.random_range(0..catalogue.len()))?;
            let legal = BitBoard(Ground::new(&disposition).legal);
            if legal.is_empty() {
                return None;
            }
            let wanted = if i % 2 == 0 {
                legal.len() as usize
            } else {
                rng.random_range(1..=legal.len() as usize)
            };
            let kings: BitBoard = legal.into_iter().sample(&mut rng, wanted).into_iter().collect();
            let men: Vec<_> = disposition.men().map(|(piece, square)| (square, piece)).collect();
            Metaposition::new(Color::White, &men, kings).ok()
        })
        .collect()
}
