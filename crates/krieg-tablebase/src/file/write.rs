//! Writing a table, disposition after disposition.

use std::io::{self, Write};

use krieg_core::Piece;

use crate::endgame::{Endgame, MOST_HELPERS};

/// The first bytes of every table.
pub const MAGIC: &[u8; 8] = b"KRIEG-TB";
/// The version of the format; another one is not read.
pub const VERSION: u16 = 1;
/// How long the heading is.
pub const HEADING: usize = 40;
/// How much of the index each disposition takes.
pub const INDEXED: usize = 8;
/// How long the last sum is.
pub const TRAILER: usize = 8;

/// What a table says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heading {
    /// Which endgame it is.
    pub endgame: Endgame,
    /// The longest mate; 0 if nothing is won.
    pub longest: u16,
    /// How many entries it holds.
    pub entries: u64,
    /// How many dispositions are filed.
    pub dispositions: u64,
    /// How many entries there would be with a king on each of the ten squares of the triangle, as the literature counts.
    pub counted: u64,
}

impl Heading {
    /// The heading as it stands in the file.
    pub fn bytes(&self) -> [u8; HEADING] {
        let mut bytes = [0; HEADING];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10] = self.endgame.len() as u8;
        for (i, piece) in self.endgame.helpers().enumerate() {
            bytes[11 + i] = char::from(piece) as u8;
        }
        bytes[14..16].copy_from_slice(&self.longest.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.entries.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.dispositions.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.counted.to_le_bytes());
        bytes
    }

    /// Reads a heading; the words say what is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Heading, &'static str> {
        let bytes: &[u8; HEADING] =
            bytes.get(..HEADING).and_then(|b| b.try_into().ok()).ok_or("it is too short")?;
        let number = |at: usize| {
            bytes[at..at + 8].iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte))
        };
        if &bytes[..8] != MAGIC {
            return Err("it does not begin like a table");
        }
        if u16::from_le_bytes([bytes[8], bytes[9]]) != VERSION {
            return Err("it is of another version");
        }
        let len = usize::from(bytes[10]).min(MOST_HELPERS);
        let helpers: Option<Vec<Piece>> = bytes[11..11 + len]
            .iter()
            .map(|&letter| Piece::try_from(char::from(letter)).ok())
            .collect();
        let endgame = helpers.and_then(Endgame::new).ok_or("its endgame is not known")?;
        Ok(Heading {
            endgame,
            longest: u16::from_le_bytes([bytes[14], bytes[15]]),
            entries: number(16),
            dispositions: number(24),
            counted: number(32),
        })
    }
}

/// One more word in a sum.
pub fn mix(sum: u64, word: u64) -> u64 {
    let mixed = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 32
}

/// A sum by which damage is noticed: eight bytes at a time, since a probe makes one.
pub fn sum(bytes: &[u8]) -> u64 {
    let mut words = bytes.chunks_exact(8);
    let mut all = bytes.len() as u64;
    for word in &mut words {
        all = mix(all, u64::from_le_bytes(word.try_into().unwrap_or_default()));
    }
    let rest = words.remainder().iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    mix(all, rest)
}

/// Writes a table, one disposition after the other.
#[derive(Debug)]
pub struct TableWriter<W> {
    out: W,
    heading: Heading,
    index: Vec<u8>,
}

impl<W: Write> TableWriter<W> {
    /// Begins a table.
    pub fn new(mut out: W, heading: Heading) -> io::Result<Self> {
        out.write_all(&heading.bytes())?;
        Ok(TableWriter { out, heading, index: Vec::new() })
    }

    /// Adds the block of the next disposition.
    pub fn block(&mut self, bytes: &[u8]) -> io::Result<()> {
        let len =
            u32::try_from(bytes.len()).map_err(|_| io::Error::other("a block is too long"))?;
        self.index.extend_from_slice(&len.to_le_bytes());
        self.index.extend_from_slice(&(sum(bytes) as u32).to_le_bytes());
        self.out.write_all(bytes)
    }

    /// Ends the table.
    pub fn finish(mut self) -> io::Result<W> {
        if self.index.len() as u64 != self.heading.dispositions * INDEXED as u64 {
            return Err(io::Error::other("the table has too few or too many dispositions"));
        }
        let both = [&self.heading.bytes()[..], &self.index].concat();
        self.out.write_all(&self.index)?;
        self.out.write_all(&sum(&both).to_le_bytes())?;
        Ok(self.out)
    }
}
