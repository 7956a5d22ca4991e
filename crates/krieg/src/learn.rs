//! `krieg learn`: what players imagine with, learned from games.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use krieg_arena::{LOG, Log};
use krieg_belief::Densities;
use krieg_core::Record;
use krieg_notation::Told;

use crate::files::{GameFile, write_whole};

/// Learns where men stand.
pub fn densities(games: &[PathBuf], out: &Path) -> Result<()> {
    let records = read_all(games)?;
    let moves: usize = records.iter().map(Record::moves).sum();
    if moves == 0 {
        bail!("no move in {} games", records.len());
    }
    let learned = Densities::learn(&records);
    write_whole(out, |file| Ok(file.write_all(&learned.write())?))?;
    println!("{} games, {moves} positions", records.len());
    Ok(())
}

/// The games of all these folders and files.
pub fn read_all(games: &[PathBuf]) -> Result<Vec<Record>> {
    let mut records = Vec::new();
    for path in games {
        records.extend(read(path)?);
    }
    Ok(records)
}

/// The games of a contest's folder, or of a file.
fn read(path: &Path) -> Result<Vec<Record>> {
    if path.is_dir() {
        let log = Log::open(&path.join(LOG))?;
        let log = log.with_context(|| format!("{}: there is no contest in it", path.display()))?;
        let records = log.games.iter().map(|game| game.record(&log.plan));
        return records.map(|record| record.map_err(|what| anyhow::anyhow!("{what}"))).collect();
    }
    let file = GameFile::read(path)?;
    file.games()
        .map(|told| match told? {
            Told::Record(record) => Ok(*record),
            Told::Transcript(_) => {
                bail!("{}: one player's side of a game does not do", path.display())
            }
        })
        .collect()
}
