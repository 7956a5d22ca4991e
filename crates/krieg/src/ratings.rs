//! `krieg ratings`: how strong players are, from everything they have played.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use krieg_arena::statistics::bradley_terry::Ratings;
use krieg_arena::{LOG, Log, Pool};
use serde_json::json;

/// Rates all players of these folders.
pub fn rate(folders: &[PathBuf], glicko: bool, as_json: bool) -> Result<()> {
    let mut pool = Pool::default();
    for folder in folders {
        let place = folder.join(LOG);
        let log = Log::open(&place)?
            .ok_or_else(|| anyhow::anyhow!("{}: there is no contest in it", folder.display()))?;
        pool.add(&log);
    }
    let mut out = io::stdout().lock();
    let games = pool.games();
    let mut rows: Vec<(String, usize, f64, f64)> = if glicko {
        let rated = pool.glicko();
        let each = pool.players().iter().zip(&games).zip(rated);
        each.map(|((name, games), glicko)| {
            (name.clone(), *games, glicko.rating, 1.96 * glicko.deviation)
        })
        .collect()
    } else {
        let Ratings { players, .. } = pool.bradley_terry();
        let each = pool.players().iter().zip(&games).zip(players);
        each.map(|((name, games), rating)| (name.clone(), *games, rating.elo, rating.margin))
            .collect()
    };
    rows.sort_by(|a, b| b.2.total_cmp(&a.2));
    if as_json {
        let players: Vec<_> = rows
            .iter()
            .map(|(name, games, rating, margin)| {
                json!({ "name": name, "games": games, "rating": rating.round(), "margin": margin.round() })
            })
            .collect();
        writeln!(
            out,
            "{}",
            json!({ "system": if glicko { "glicko-2" } else { "bradley-terry" }, "players": players })
        )?;
        return Ok(());
    }
    let width = rows.iter().map(|row| row.0.chars().count()).max().unwrap_or(0).max(6);
    writeln!(out, "  # {:width$} {:>8} {:>8} {:>8}", "player", "rating", "±", "games")?;
    for (place, (name, games, rating, margin)) in rows.iter().enumerate() {
        let rating = if glicko { format!("{rating:.0}") } else { format!("{:+.0}", rating + 0.0) };
        writeln!(out, "{:>3} {name:width$} {rating:>8} {margin:>8.0} {games:>8}", place + 1)?;
    }
    Ok(())
}
