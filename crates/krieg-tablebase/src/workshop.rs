//! Building tables into a folder: depth after depth, so that an interrupted run goes on where it was.
//!
//! While an endgame is solved, each depth is kept in a file of its own in `NAME.parts`. A depth in a file is never looked at again until the end, so memory holds
//! only the largest sets. When the last depth is done, the files are read side by side and the table is written in the order of dispositions.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use krieg_io::write_atomically;
use rayon::prelude::*;
use thiserror::Error;

use crate::build::{Builder, Depth, Found};
use crate::disposition::Catalogue;
use crate::endgame::Endgame;
use crate::file::block::{self, Entry};
use crate::file::write::{Heading, TableWriter, mix};
use crate::tablebase::{ProbeError, Tablebase};

/// How far the building of one table is.
#[derive(Debug, Clone)]
pub struct Progress {
    /// Which endgame.
    pub endgame: Endgame,
    /// The depth that is done.
    pub depth: u16,
    /// How many entries it brought.
    pub new: u64,
    /// How many entries there are.
    pub entries: u64,
    /// Bytes of sets held in memory.
    pub held: u64,
    /// How long this run has been at this table.
    pub elapsed: Duration,
    /// Whether the depth was read from an earlier run.
    pub resumed: bool,
}

/// A table was not built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// It was asked to stop. What is done is kept.
    #[error("building {0} was interrupted; `krieg tablebase build {0}` goes on from there")]
    Interrupted(Endgame),
    /// A table it needs cannot be read.
    #[error(transparent)]
    Table(#[from] ProbeError),
    /// Something cannot be written or read.
    #[error("{path}: {error}")]
    File {
        /// Which file.
        path: String,
        /// Why not.
        error: io::Error,
    },
}

fn at(path: &Path) -> impl Fn(io::Error) -> BuildError + '_ {
    move |error| BuildError::File { path: path.display().to_string(), error }
}

impl Tablebase {
    /// Builds the table of an endgame, and those it needs, unless they are there. If somebody else is at it, waits for him.
    ///
    /// `report` hears of every depth. When `stop` is raised, building ends soon; what is done is kept for another time.
    pub fn build(
        &self,
        endgame: Endgame,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Progress),
    ) -> Result<(), BuildError> {
        for needed in Endgame::with_all_needed(&[endgame]) {
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
        report: &mut dyn FnMut(&Progress),
    ) -> Result<(), BuildError> {
        fs::create_dir_all(self.folder()).map_err(at(self.folder()))?;
        let _lock = self.lock(endgame, stop)?;
        if self.has(endgame) {
            // Somebody else was at it.
            return Ok(());
        }
        self.close(endgame);
        let parts = Parts::new(self.parts(endgame))?;
        let start = Instant::now();
        let mut builder = Builder::new(endgame, self)?;
        let mut heading = Heading {
            endgame,
            longest: 0,
            entries: 0,
            dispositions: builder.dispositions().len() as u64,
            counted: 0,
        };
        while builder.goes_on() {
            let depth = builder.depth() + 1;
            let kept = parts.read(depth);
            let resumed = kept.is_some();
            let found = match kept {
                Some(found) => found,
                None => {
                    let found = builder.search(stop).ok_or(BuildError::Interrupted(endgame))?;
                    parts.write(depth, &found)?;
                    found
                }
            };
            let new = found.iter().map(|(_, found)| found.len() as u64).sum();
            if new > 0 {
                heading.longest = depth;
            }
            heading.entries += new;
            heading.counted += found
                .iter()
                .map(|(number, found)| {
                    builder.dispositions()[*number as usize].twins() * found.len() as u64
                })
                .sum::<u64>();
            builder.deepen(&found, self)?;
            report(&Progress {
                endgame,
                depth,
                new,
                entries: heading.entries,
                held: builder.held() as u64 * 8,
                elapsed: start.elapsed(),
                resumed,
            });
        }
        let depths = builder.depth();
        drop(builder);
        let path = self.path(endgame);
        write_atomically(&path, |out| parts.assemble(depths, heading, out)).map_err(at(&path))?;
        parts.remove();
        Ok(())
    }

    /// Removes the table of an endgame and what an interrupted run left of it. If somebody is at it, waits for him.
    pub fn remove(&self, endgame: Endgame) -> Result<(), BuildError> {
        if !self.folder().is_dir() {
            return Ok(());
        }
        let _lock = self.lock(endgame, &AtomicBool::new(false))?;
        self.close(endgame);
        let (path, parts) = (self.path(endgame), self.parts(endgame));
        unless_missing(fs::remove_file(&path)).map_err(at(&path))?;
        unless_missing(fs::remove_dir_all(&parts)).map_err(at(&parts))
    }

    fn parts(&self, endgame: Endgame) -> PathBuf {
        self.folder().join(format!("{endgame}.parts"))
    }

    /// Waits until nobody else is at this table, or `stop` is raised. The lock ends with the file that is returned.
    fn lock(&self, endgame: Endgame, stop: &AtomicBool) -> Result<File, BuildError> {
        let path = self.folder().join(format!("{endgame}.lock"));
        let lock = File::options().create(true).append(true).open(&path).map_err(at(&path))?;
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(lock),
                Err(TryLockError::Error(error)) => return Err(at(&path)(error)),
                Err(TryLockError::WouldBlock) if stop.load(Ordering::Relaxed) => {
                    return Err(BuildError::Interrupted(endgame));
                }
                Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(50)),
            }
        }
    }

    /// Writes a table from entries by number of the disposition, in place of one that is there. That they are true is for the caller to know;
    /// entries that no table can hold are refused.
    pub fn write(&self, endgame: Endgame, mut blocks: Vec<Vec<Entry>>) -> Result<(), BuildError> {
        fs::create_dir_all(self.folder()).map_err(at(self.folder()))?;
        let _lock = self.lock(endgame, &AtomicBool::new(false))?;
        let catalogue = Catalogue::new(endgame);
        let fits = blocks.iter().flatten().all(block::fits) && blocks.len() == catalogue.len();
        if !fits {
            let error = io::Error::other("these entries are no table");
            return Err(at(&self.path(endgame))(error));
        }
        let twins = |number| catalogue.disposition(number).map_or(0, |d| d.twins());
        let counted =
            blocks.iter().enumerate().map(|(n, block)| block.len() as u64 * twins(n)).sum();
        let heading = Heading {
            endgame,
            longest: blocks.iter().flatten().map(|entry| entry.distance).max().unwrap_or(0),
            entries: blocks.iter().map(|block| block.len() as u64).sum(),
            dispositions: blocks.len() as u64,
            counted,
        };
        let path = self.path(endgame);
        write_atomically(&path, |out| {
            let mut writer = TableWriter::new(out, heading)?;
            for block in &mut blocks {
                block::sort(block);
                writer.block(&block::encode(block))?;
            }
            writer.finish().map(|_| ())
        })
        .map_err(at(&path))?;
        self.close(endgame);
        Ok(())
    }
}

/// What was to be removed and is not there is removed.
fn unless_missing(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// The depths of an unfinished table, each in a file of its own.
struct Parts {
    folder: PathBuf,
}

/// The first bytes of a depth's file; the format is for ourselves, and may change with the version.
const PART: &[u8; 8] = b"KRIEGPT2";

impl Parts {
    fn new(folder: PathBuf) -> Result<Self, BuildError> {
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        Ok(Parts { folder })
    }

    fn path(&self, depth: u16) -> PathBuf {
        self.folder.join(format!("depth-{depth:03}"))
    }

    fn write(&self, depth: u16, found: &Depth) -> Result<(), BuildError> {
        let path = self.path(depth);
        let write = |out: &mut dyn Write| -> io::Result<()> {
            let mut out = BufWriter::with_capacity(1 << 16, out);
            let mut all = 0;
            out.write_all(PART)?;
            out.write_all(&(found.len() as u32).to_le_bytes())?;
            for (number, found) in found {
                out.write_all(&number.to_le_bytes())?;
                out.write_all(&(found.len() as u32).to_le_bytes())?;
                all = mix(all, u64::from(*number));
                for one in found {
                    out.write_all(&one.kings.to_le_bytes())?;
                    out.write_all(&[one.first])?;
                    all = mix(all, one.kings ^ u64::from(one.first));
                }
            }
            out.write_all(&all.to_le_bytes())?;
            out.flush()
        };
        write_atomically(&path, write).map_err(at(&path))
    }

    /// A depth of an earlier run, if it is there and whole; otherwise it is found again.
    fn read(&self, depth: u16) -> Option<Depth> {
        let mut part = Part::open(&self.path(depth)).ok()?;
        let mut found = Vec::new();
        let mut all = 0;
        while let Some(number) = part.next {
            let mut here = Vec::new();
            all = mix(all, u64::from(number));
            part.take(|one| {
                all = mix(all, one.kings ^ u64::from(one.first));
                here.push(one);
            })
            .ok()?;
            found.push((number, here));
        }
        let mut noted = Vec::new();
        part.input.read_to_end(&mut noted).ok()?;
        (noted == all.to_le_bytes()).then_some(found)
    }

    /// Writes the table from all depths.
    fn assemble(&self, depths: u16, heading: Heading, out: &mut dyn Write) -> io::Result<()> {
        /// So many dispositions are written at a time, on all cores.
        const BATCH: usize = 512;
        let mut parts: Vec<(u16, Part)> = (1..=depths)
            .map(|depth| Ok((depth, Part::open(&self.path(depth))?)))
            .collect::<io::Result<_>>()?;
        let mut writer = TableWriter::new(BufWriter::with_capacity(1 << 16, out), heading)?;
        let all: Vec<u32> = (0..heading.dispositions as u32).collect();
        for batch in all.chunks(BATCH) {
            let Some(last) = batch.last() else { break };
            let mut blocks: Vec<Vec<Entry>> = vec![Vec::new(); batch.len()];
            for (distance, part) in &mut parts {
                while let Some(number) = part.next.filter(|number| number <= last) {
                    let block = &mut blocks[(number - batch[0]) as usize];
                    part.take(|Found { kings, first }| {
                        block.push(Entry { kings, distance: *distance, first });
                    })?;
                }
            }
            let written: Vec<Vec<u8>> = blocks
                .into_par_iter()
                .map(|mut block| {
                    block::sort(&mut block);
                    block::encode(&block)
                })
                .collect();
            for block in written {
                writer.block(&block)?;
            }
        }
        writer.finish()?.flush()
    }

    fn remove(&self) {
        // What is left behind is only in the way; the table is there.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The file of one depth, read disposition by disposition.
struct Part {
    input: BufReader<File>,
    left: u32,
    /// The number of the next disposition, if there is one.
    next: Option<u32>,
}

impl Part {
    fn open(path: &Path) -> io::Result<Part> {
        let mut input = BufReader::with_capacity(1 << 15, File::open(path)?);
        let mut start = [0; 8];
        input.read_exact(&mut start)?;
        if &start != PART {
            return Err(io::Error::other("it is not from this version"));
        }
        let left = read_u32(&mut input)?;
        let mut part = Part { input, left, next: None };
        part.advance()?;
        Ok(part)
    }

    fn advance(&mut self) -> io::Result<()> {
        self.next = if self.left > 0 { Some(read_u32(&mut self.input)?) } else { None };
        self.left = self.left.saturating_sub(1);
        Ok(())
    }

    fn take(&mut self, mut visit: impl FnMut(Found)) -> io::Result<()> {
        for _ in 0..read_u32(&mut self.input)? {
            let mut bytes = [0; 9];
            self.input.read_exact(&mut bytes)?;
            let kings = bytes[..8].iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte));
            visit(Found { kings, first: bytes[8] });
        }
        self.advance()
    }
}

fn read_u32(input: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}
