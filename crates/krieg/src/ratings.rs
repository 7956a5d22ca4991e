//! `krieg ratings`: ratings of players from the result folders of their games.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use krieg_arena::report::align_columns;
use krieg_arena::{GAME_LOG_FILE, GameLog, RatingPool};
use krieg_stats::Z_95;
use serde_json::json;

use crate::interrupt::note;

struct RatedPlayer {
    name: String,
    rating: f64,
    margin: f64,
    games: usize,
}

/// Rates all players of these folders.
pub fn rate(folders: &[PathBuf], glicko: bool, as_json: bool) -> Result<()> {
    let pool = read_pool(folders)?;
    let ratings: Vec<(f64, f64)> = match glicko {
        true => pool.glicko().iter().map(|g| (g.rating, Z_95 * g.deviation)).collect(),
        false => pool.bradley_terry().players.iter().map(|r| (r.elo, r.margin)).collect(),
    };
    let each = pool.players().iter().zip(pool.games()).zip(ratings);
    let mut players: Vec<RatedPlayer> = each
        .map(|((name, games), (rating, margin))| {
            let name = name.clone();
            RatedPlayer { name, rating, margin, games }
        })
        .collect();
    players.sort_by(|a, b| b.rating.total_cmp(&a.rating));
    let text = if as_json { json_line(&players, glicko) } else { table(&players, glicko) };
    write!(io::stdout(), "{text}")?;
    Ok(())
}

fn json_line(players: &[RatedPlayer], glicko: bool) -> String {
    let players: Vec<_> = players
        .iter()
        .map(|RatedPlayer { name, rating, margin, games }| {
            let [rating, margin] = [rating, margin].map(|number| number.round());
            json!({ "name": name, "games": games, "rating": rating, "margin": margin })
        })
        .collect();
    let system = if glicko { "glicko-2" } else { "bradley-terry" };
    format!("{}\n", json!({ "system": system, "players": players }))
}

fn table(players: &[RatedPlayer], glicko: bool) -> String {
    let mut lines = vec![["#", "player", "rating", "±", "games"].map(str::to_string).to_vec()];
    for (place, RatedPlayer { name, rating, margin, games }) in (1..).zip(players) {
        let rating = rating.round() + 0.0;
        let rating = if glicko { rating.to_string() } else { format!("{rating:+}") };
        let margin = margin.round().to_string();
        lines.push(vec![place.to_string(), name.clone(), rating, margin, games.to_string()]);
    }
    align_columns(&lines)
}

/// Reads the logs of all folders. Notes when they have different rulesets or time controls.
fn read_pool(folders: &[PathBuf]) -> Result<RatingPool> {
    let mut pool = RatingPool::default();
    let (mut seen, mut settings) = (HashSet::new(), HashSet::new());
    for folder in folders {
        let place = || folder.display().to_string();
        let log = GameLog::open(&folder.join(GAME_LOG_FILE))?;
        let log =
            log.with_context(|| format!("{}: no match or tournament in this folder", place()))?;
        if !seen.insert(fs::canonicalize(folder).with_context(place)?) {
            bail!("{} is named twice", place());
        }
        log.check().map_err(|reason| anyhow!("{}: {reason}", place()))?;
        settings.insert(format!("{}, {}", log.tournament.ruleset, log.tournament.control));
        pool.add(&log);
    }
    if settings.len() > 1 {
        let mut settings: Vec<String> = settings.into_iter().collect();
        settings.sort();
        note(format!("the games have different settings: {}", settings.join("; ")));
    }
    Ok(pool)
}
