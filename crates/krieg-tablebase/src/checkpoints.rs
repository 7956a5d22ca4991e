//! The checkpoints of an unfinished build: one file per pass, in the folder `NAME.parts`.
//!
//! The result of a pass is written to disk and not needed again until the end, so memory holds only
//! the maximal sets. After the last pass, all files are read side by side and the table is written
//! in the order of the placements.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use krieg_io::write_atomically;
use rayon::prelude::*;

use crate::build_job::{BuildError, file_error};
use crate::file::block::{self, Entry};
use crate::file::checksum::add_word;
use crate::file::header::Header;
use crate::file::table_writer::TableWriter;
use crate::retrograde::{PassResult, WonSet};

/// The first bytes of a checkpoint file. The last one is the version of the format. A file of
/// another version is ignored and its pass is repeated.
const MAGIC: &[u8; 8] = b"KRIEGPT2";

/// Number of placements that are compressed in parallel before they are written.
const BATCH: usize = 512;

/// The checkpoints of one table.
pub struct Checkpoints {
    folder: PathBuf,
}

impl Checkpoints {
    /// The checkpoints in a folder, which is created if necessary.
    pub fn new(folder: PathBuf) -> Result<Self, BuildError> {
        fs::create_dir_all(&folder).map_err(file_error(&folder))?;
        Ok(Checkpoints { folder })
    }

    fn path(&self, depth: u16) -> PathBuf {
        self.folder.join(format!("depth-{depth:03}"))
    }

    /// Writes the result of a pass.
    pub fn write(&self, depth: u16, result: &PassResult) -> Result<(), BuildError> {
        let path = self.path(depth);
        let write = |out: &mut dyn Write| -> io::Result<()> {
            let mut out = BufWriter::with_capacity(1 << 16, out);
            let mut checksum = 0;
            out.write_all(MAGIC)?;
            out.write_all(&(result.len() as u32).to_le_bytes())?;
            for (number, sets) in result {
                out.write_all(&number.to_le_bytes())?;
                out.write_all(&(sets.len() as u32).to_le_bytes())?;
                checksum = add_word(checksum, u64::from(*number));
                for set in sets {
                    out.write_all(&set.kings.to_le_bytes())?;
                    out.write_all(&[set.first_try])?;
                    checksum = add_word(checksum, set.kings ^ u64::from(set.first_try));
                }
            }
            out.write_all(&checksum.to_le_bytes())?;
            out.flush()
        };
        write_atomically(&path, write).map_err(file_error(&path))
    }

    /// The result of a pass of an earlier run; `None` if the file is missing or damaged.
    pub fn read(&self, depth: u16) -> Option<PassResult> {
        let mut reader = CheckpointReader::open(&self.path(depth)).ok()?;
        let mut result = Vec::new();
        let mut checksum = 0;
        while let Some(number) = reader.next {
            let mut sets = Vec::new();
            checksum = add_word(checksum, u64::from(number));
            reader
                .take(|set| {
                    checksum = add_word(checksum, set.kings ^ u64::from(set.first_try));
                    sets.push(set);
                })
                .ok()?;
            result.push((number, sets));
        }
        let mut stored = Vec::new();
        reader.input.read_to_end(&mut stored).ok()?;
        (stored == checksum.to_le_bytes()).then_some(result)
    }

    /// Merges the checkpoints of all passes into a table.
    pub fn write_table(&self, depths: u16, header: Header, out: &mut dyn Write) -> io::Result<()> {
        let mut readers: Vec<(u16, CheckpointReader)> = (1..=depths)
            .map(|depth| Ok((depth, CheckpointReader::open(&self.path(depth))?)))
            .collect::<io::Result<_>>()?;
        let mut writer = TableWriter::new(BufWriter::with_capacity(1 << 16, out), header)?;
        let all: Vec<u32> = (0..header.placements as u32).collect();
        for batch in all.chunks(BATCH) {
            let Some(last) = batch.last() else { break };
            let mut blocks: Vec<Vec<Entry>> = vec![Vec::new(); batch.len()];
            for (distance, reader) in &mut readers {
                while let Some(number) = reader.next.filter(|number| number <= last) {
                    let block = &mut blocks[(number - batch[0]) as usize];
                    reader.take(|WonSet { kings, first_try }| {
                        block.push(Entry { kings, distance: *distance, first_try });
                    })?;
                }
            }
            let encoded: Vec<Vec<u8>> = blocks
                .into_par_iter()
                .map(|mut block| {
                    block::sort(&mut block);
                    block::encode(&block)
                })
                .collect();
            for block in encoded {
                writer.write_block(&block)?;
            }
        }
        writer.finish()?.flush()
    }

    /// Removes the folder.
    pub fn remove(&self) {
        // A failure only leaves unused files behind; the table is complete.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Reads the checkpoint of one pass, one placement at a time.
struct CheckpointReader {
    input: BufReader<File>,
    /// Number of placements after the next one.
    left: u32,
    /// The number of the next placement.
    next: Option<u32>,
}

impl CheckpointReader {
    fn open(path: &Path) -> io::Result<CheckpointReader> {
        let mut input = BufReader::with_capacity(1 << 15, File::open(path)?);
        let mut magic = [0; 8];
        input.read_exact(&mut magic)?;
        if &magic != MAGIC {
            return Err(io::Error::other("the checkpoint has another version of the format"));
        }
        let left = read_u32(&mut input)?;
        let mut reader = CheckpointReader { input, left, next: None };
        reader.advance()?;
        Ok(reader)
    }

    fn advance(&mut self) -> io::Result<()> {
        self.next = if self.left > 0 { Some(read_u32(&mut self.input)?) } else { None };
        self.left = self.left.saturating_sub(1);
        Ok(())
    }

    /// Reads the sets of the next placement.
    fn take(&mut self, mut visit: impl FnMut(WonSet)) -> io::Result<()> {
        for _ in 0..read_u32(&mut self.input)? {
            let mut bytes = [0; 9];
            self.input.read_exact(&mut bytes)?;
            let kings = bytes[..8].iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte));
            visit(WonSet { kings, first_try: bytes[8] });
        }
        self.advance()
    }
}

fn read_u32(input: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}
