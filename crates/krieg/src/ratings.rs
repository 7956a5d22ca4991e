//! `krieg ratings`: how strong players are, from everything they have played.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use krieg_arena::report::aligned;
use krieg_arena::statistics::NINETY_FIVE;
use krieg_arena::{LOG, Log, Pool};
use serde_json::json;

/// A player with his rating, its margin, and his games.
struct Row {
    name: String,
    rating: f64,
    margin: f64,
    games: usize,
}

/// Rates all players of these folders.
pub fn rate(folders: &[PathBuf], glicko: bool, as_json: bool) -> Result<()> {
    let pool = read(folders)?;
    let rated: Vec<(f64, f64)> = match glicko {
        true => pool.glicko().iter().map(|g| (g.rating, NINETY_FIVE * g.deviation)).collect(),
        false => pool.bradley_terry().players.iter().map(|r| (r.elo, r.margin)).collect(),
    };
    let each = pool.players().iter().zip(pool.games()).zip(rated);
    let mut rows: Vec<Row> = each
        .map(|((name, games), (rating, margin))| Row { name: name.clone(), rating, margin, games })
        .collect();
    rows.sort_by(|a, b| b.rating.total_cmp(&a.rating));
    let mut out = io::stdout().lock();
    if as_json {
        let players: Vec<_> = rows
            .iter()
            .map(|Row { name, rating, margin, games }| {
                let [rating, margin] = [rating, margin].map(|number| number.round());
                json!({ "name": name, "games": games, "rating": rating, "margin": margin })
            })
            .collect();
        let system = if glicko { "glicko-2" } else { "bradley-terry" };
        writeln!(out, "{}", json!({ "system": system, "players": players }))?;
        return Ok(());
    }
    let mut lines = vec![["#", "player", "rating", "±", "games"].map(str::to_string).to_vec()];
    for (place, Row { name, rating, margin, games }) in (1..).zip(&rows) {
        let rating = rating.round() + 0.0;
        let rating = if glicko { rating.to_string() } else { format!("{rating:+}") };
        let margin = margin.round();
        lines.push(vec![
            place.to_string(),
            name.clone(),
            rating,
            margin.to_string(),
            games.to_string(),
        ]);
    }
    write!(out, "{}", aligned(&lines))?;
    Ok(())
}

/// The contests of all folders. Each counts once; what was played under several rules is told.
fn read(folders: &[PathBuf]) -> Result<Pool> {
    let mut pool = Pool::default();
    let (mut seen, mut conditions) = (HashSet::new(), HashSet::new());
    for folder in folders {
        let place = || folder.display().to_string();
        let log = Log::open(&folder.join(LOG))?;
        let log = log.with_context(|| format!("{}: there is no contest in it", place()))?;
        if !seen.insert(fs::canonicalize(folder).with_context(place)?) {
            bail!("{} is named twice", place());
        }
        log.check().map_err(|what| anyhow::anyhow!("{}: {what}", place()))?;
        conditions.insert(format!("{}, {}", log.plan.ruleset, log.plan.control));
        pool.add(&log);
    }
    if conditions.len() > 1 {
        let mut conditions: Vec<String> = conditions.into_iter().collect();
        conditions.sort();
        let _ =
            writeln!(io::stderr(), "played under several conditions: {}", conditions.join("; "));
    }
    Ok(pool)
}
