//! Writing a table, one placement after the other.

use std::io::{self, Write};

use super::checksum::checksum;
use super::header::Header;

/// Length in bytes of a placement's record in the index: block length and block checksum.
pub const INDEX_RECORD_LEN: usize = 8;
/// Length in bytes of the checksum at the end of the file.
pub const TRAILER_LEN: usize = 8;

/// Writes the header, the blocks in order of their placements, the index and the checksum.
#[derive(Debug)]
pub struct TableWriter<W> {
    out: W,
    header: Header,
    index: Vec<u8>,
}

impl<W: Write> TableWriter<W> {
    /// Writes the header.
    pub fn new(mut out: W, header: Header) -> io::Result<Self> {
        out.write_all(&header.to_bytes())?;
        Ok(TableWriter { out, header, index: Vec::new() })
    }

    /// Writes the block of the next placement.
    pub fn write_block(&mut self, bytes: &[u8]) -> io::Result<()> {
        let len =
            u32::try_from(bytes.len()).map_err(|_| io::Error::other("a block is too long"))?;
        self.index.extend_from_slice(&len.to_le_bytes());
        self.index.extend_from_slice(&(checksum(bytes) as u32).to_le_bytes());
        self.out.write_all(bytes)
    }

    /// Writes the index and the checksum.
    pub fn finish(mut self) -> io::Result<W> {
        if self.index.len() as u64 != self.header.placements * INDEX_RECORD_LEN as u64 {
            return Err(io::Error::other("the table has the wrong number of placements"));
        }
        let header_and_index = [&self.header.to_bytes()[..], &self.index].concat();
        self.out.write_all(&self.index)?;
        self.out.write_all(&checksum(&header_and_index).to_le_bytes())?;
        Ok(self.out)
    }
}
