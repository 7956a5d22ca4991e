//! `krieg bench tablebase`: the time of a tablebase probe.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use krieg_core::{BitBoard, Color};
use krieg_tablebase::{AttackMap, Endgame, Metaposition, PlacementIndex, Tablebase};
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::options::BenchTablebaseOptions;

/// Probes each table the same number of times, and prints the distribution of the times.
pub fn tablebase(options: &BenchTablebaseOptions) -> Result<()> {
    let folder = options.dir.clone().unwrap_or_else(Tablebase::default_folder);
    let tables = Tablebase::new(folder);
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "microseconds per probe, with tries; \
         half of the king sets are random, half contain every legal square"
    )?;
    writeln!(
        out,
        "{:6} {:>9} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "", "probes", "won", "median", "mean", "90%", "99%", "max"
    )?;
    for &endgame in &options.endgames {
        let probes = random_probes(endgame, options.probes, options.seed);
        if probes.is_empty() {
            bail!("{endgame} has no square for the lone king");
        }
        tables.table(endgame)?;
        let mut won = 0;
        let mut times: Vec<Duration> = Vec::with_capacity(probes.len());
        for probe in &probes {
            let start = Instant::now();
            let answer = tables.probe(probe)?;
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
            probes.len(),
            won as f64 / probes.len() as f64 * 100.0,
            share(0.5),
            share(0.9),
            share(0.99),
            share(1.0),
        )?;
    }
    Ok(())
}

/// Random placements of the pieces, alternately with all legal squares of the lone king and with a
/// random subset of them.
fn random_probes(endgame: Endgame, count: usize, seed: u64) -> Vec<Metaposition> {
    let placements = PlacementIndex::new(endgame);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..count)
        .filter_map(|i| {
            let placement = placements.placement(rng.random_range(0..placements.len()))?;
            let legal = BitBoard(AttackMap::new(&placement).safe);
            if legal.is_empty() {
                return None;
            }
            let wanted = if i % 2 == 0 {
                legal.len() as usize
            } else {
                rng.random_range(1..=legal.len() as usize)
            };
            let kings: BitBoard = legal.into_iter().sample(&mut rng, wanted).into_iter().collect();
            let pieces: Vec<_> =
                placement.pieces().map(|(piece, square)| (square, piece)).collect();
            Metaposition::new(Color::White, &pieces, kings).ok()
        })
        .collect()
}
