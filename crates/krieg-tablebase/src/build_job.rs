//! Building tables into a folder, with a checkpoint after every pass.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use krieg_io::write_atomically;
use thiserror::Error;

use crate::checkpoints::Checkpoints;
use crate::endgame::Endgame;
use crate::file::block::{self, Entry};
use crate::file::header::Header;
use crate::file::table_writer::TableWriter;
use crate::placement_index::PlacementIndex;
use crate::retrograde::RetrogradeAnalysis;
use crate::tablebase::{ProbeError, Tablebase};

/// The progress of building one table, after a pass.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct BuildProgress {
    /// The endgame.
    pub endgame: Endgame,
    /// Number of completed passes.
    pub depth: u16,
    /// Number of entries that this pass found.
    pub new_entries: u64,
    /// Number of entries found so far.
    pub entries: u64,
    /// Memory that the sets take, in bytes.
    pub memory_bytes: u64,
    /// Time since this run started to build the table.
    pub elapsed: Duration,
    /// Whether the pass was read from the checkpoint of an earlier run.
    pub from_checkpoint: bool,
}

/// A table was not built.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The build was asked to stop. Completed passes are kept.
    #[error("building {0} was interrupted; `krieg tablebase build {0}` continues from there")]
    Interrupted(Endgame),
    /// A table that the build depends on cannot be read.
    #[error(transparent)]
    Table(#[from] ProbeError),
    /// A file cannot be written or read.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: String,
        /// The cause.
        error: io::Error,
    },
}

/// Adds the path to an I/O error.
pub(crate) fn file_error(path: &Path) -> impl Fn(io::Error) -> BuildError + '_ {
    move |error| BuildError::File { path: path.display().to_string(), error }
}

/// How often a build that waits for another one asks whether it has finished.
const LOCK_POLL_INTERVAL: Duration = Duration::from_millis(50);

impl Tablebase {
    /// Builds the table of an endgame and those that it depends on, unless they exist. If another
    /// process or thread is building one of them, waits for it.
    ///
    /// Calls `report` after every pass. If `stop` is set, the build ends soon with
    /// [`BuildError::Interrupted`]; a later call continues after the last completed pass.
    pub fn build(
        &self,
        endgame: Endgame,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&BuildProgress),
    ) -> Result<(), BuildError> {
        for needed in Endgame::with_dependencies(&[endgame]) {
            if !self.has(needed) {
                self.build_one(needed, stop, report)?;
            }
        }
        Ok(())
    }

    fn build_one(
        &self,
        endgame: Endgame,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&BuildProgress),
    ) -> Result<(), BuildError> {
        fs::create_dir_all(self.folder()).map_err(file_error(self.folder()))?;
        let _lock = self.lock(endgame, stop)?;
        if self.has(endgame) {
            // Another build finished while this one waited for the lock.
            return Ok(());
        }
        self.close(endgame);
        let checkpoints = Checkpoints::new(self.checkpoint_folder(endgame))?;
        let start = Instant::now();
        let mut analysis = RetrogradeAnalysis::new(endgame, self)?;
        let mut header = Header {
            endgame,
            longest_mate: 0,
            entries: 0,
            placements: analysis.placements().len() as u64,
            entries_with_mirrors: 0,
        };
        while analysis.needs_another_pass() {
            let depth = analysis.depth() + 1;
            let saved = checkpoints.read(depth);
            let from_checkpoint = saved.is_some();
            let result = match saved {
                Some(result) => result,
                None => {
                    let result = analysis.run_pass(stop);
                    let result = result.ok_or(BuildError::Interrupted(endgame))?;
                    checkpoints.write(depth, &result)?;
                    result
                }
            };
            let new_entries = result.iter().map(|(_, found)| found.len() as u64).sum();
            if new_entries > 0 {
                header.longest_mate = depth;
            }
            header.entries += new_entries;
            header.entries_with_mirrors += result
                .iter()
                .map(|(number, found)| {
                    analysis.placements()[*number as usize].multiplicity() * found.len() as u64
                })
                .sum::<u64>();
            analysis.apply_pass(&result, self)?;
            report(&BuildProgress {
                endgame,
                depth,
                new_entries,
                entries: header.entries,
                memory_bytes: analysis.set_count() as u64 * 8,
                elapsed: start.elapsed(),
                from_checkpoint,
            });
        }
        let depths = analysis.depth();
        drop(analysis);
        let path = self.path(endgame);
        write_atomically(&path, |out| checkpoints.write_table(depths, header, out))
            .map_err(file_error(&path))?;
        checkpoints.remove();
        Ok(())
    }

    /// Removes the table of an endgame and the checkpoints of an interrupted build. If a build is
    /// in progress, waits for it.
    pub fn remove(&self, endgame: Endgame) -> Result<(), BuildError> {
        if !self.folder().is_dir() {
            return Ok(());
        }
        let _lock = self.lock(endgame, &AtomicBool::new(false))?;
        self.close(endgame);
        let (path, checkpoints) = (self.path(endgame), self.checkpoint_folder(endgame));
        ignore_missing(fs::remove_file(&path)).map_err(file_error(&path))?;
        ignore_missing(fs::remove_dir_all(&checkpoints)).map_err(file_error(&checkpoints))
    }

    fn checkpoint_folder(&self, endgame: Endgame) -> PathBuf {
        self.folder().join(format!("{endgame}.parts"))
    }

    /// Waits for the lock of an endgame, or until `stop` is set. Dropping the file releases the
    /// lock.
    fn lock(&self, endgame: Endgame, stop: &AtomicBool) -> Result<File, BuildError> {
        let path = self.folder().join(format!("{endgame}.lock"));
        let lock =
            File::options().create(true).append(true).open(&path).map_err(file_error(&path))?;
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(lock),
                Err(TryLockError::Error(error)) => return Err(file_error(&path)(error)),
                Err(TryLockError::WouldBlock) if stop.load(Ordering::Relaxed) => {
                    return Err(BuildError::Interrupted(endgame));
                }
                Err(TryLockError::WouldBlock) => thread::sleep(LOCK_POLL_INTERVAL),
            }
        }
    }

    /// Writes a table from the entries of each placement, in the order of the placements, and
    /// replaces an existing table. Entries that the format cannot represent are rejected; whether
    /// they are correct is not checked.
    pub fn write(&self, endgame: Endgame, mut blocks: Vec<Vec<Entry>>) -> Result<(), BuildError> {
        fs::create_dir_all(self.folder()).map_err(file_error(self.folder()))?;
        let _lock = self.lock(endgame, &AtomicBool::new(false))?;
        let placements = PlacementIndex::new(endgame);
        let is_valid =
            blocks.iter().flatten().all(block::is_encodable) && blocks.len() == placements.len();
        if !is_valid {
            let error = io::Error::other("these entries are not a valid table");
            return Err(file_error(&self.path(endgame))(error));
        }
        let multiplicity = |number| placements.placement(number).map_or(0, |p| p.multiplicity());
        let entries_with_mirrors =
            blocks.iter().enumerate().map(|(n, block)| block.len() as u64 * multiplicity(n)).sum();
        let header = Header {
            endgame,
            longest_mate: blocks.iter().flatten().map(|entry| entry.distance).max().unwrap_or(0),
            entries: blocks.iter().map(|block| block.len() as u64).sum(),
            placements: blocks.len() as u64,
            entries_with_mirrors,
        };
        let path = self.path(endgame);
        write_atomically(&path, |out| {
            let mut writer = TableWriter::new(out, header)?;
            for block in &mut blocks {
                block::sort(block);
                writer.write_block(&block::encode(block))?;
            }
            writer.finish().map(|_| ())
        })
        .map_err(file_error(&path))?;
        self.close(endgame);
        Ok(())
    }
}

/// Treats the removal of a missing file as a success.
fn ignore_missing(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
