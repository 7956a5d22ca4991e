//! The header of a table file.

use krieg_core::Piece;

use crate::endgame::{Endgame, MAX_NON_KING_PIECES};

/// The first bytes of every table.
pub const MAGIC: &[u8; 8] = b"KRIEG-TB";
/// The version of the format. Tables of other versions are rejected.
pub const VERSION: u16 = 1;
/// Length of the header in bytes.
pub const HEADER_LEN: usize = 40;

/// The header of a table: its endgame and its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// The endgame.
    pub endgame: Endgame,
    /// The longest distance to mate, in moves; 0 if nothing is won.
    pub longest_mate: u16,
    /// Number of stored entries.
    pub entries: u64,
    /// Number of canonical placements.
    pub placements: u64,
    /// Number of entries as the literature counts them, with mirror images across the diagonal
    /// counted separately ([`Placement::multiplicity`](crate::Placement::multiplicity)).
    pub entries_with_mirrors: u64,
}

impl Header {
    /// The bytes of the header in a file.
    pub fn to_bytes(self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10] = self.endgame.non_king_count() as u8;
        for (i, piece) in self.endgame.non_king_pieces().enumerate() {
            bytes[11 + i] = char::from(piece) as u8;
        }
        bytes[14..16].copy_from_slice(&self.longest_mate.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.entries.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.placements.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.entries_with_mirrors.to_le_bytes());
        bytes
    }

    /// Reads the header of a file. The error says what is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Header, String> {
        let bytes: &[u8; HEADER_LEN] =
            bytes.get(..HEADER_LEN).and_then(|b| b.try_into().ok()).ok_or("it is too short")?;
        let number = |at: usize| {
            bytes[at..at + 8].iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte))
        };
        if &bytes[..8] != MAGIC {
            return Err("it is not a table file".to_string());
        }
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        if version != VERSION {
            return Err(format!("it has version {version} of the format, not {VERSION}"));
        }
        let len = usize::from(bytes[10]).min(MAX_NON_KING_PIECES);
        let pieces: Option<Vec<Piece>> = bytes[11..11 + len]
            .iter()
            .map(|&letter| Piece::try_from(char::from(letter)).ok())
            .collect();
        let endgame = pieces.and_then(Endgame::new).ok_or("its endgame is unknown")?;
        Ok(Header {
            endgame,
            longest_mate: u16::from_le_bytes([bytes[14], bytes[15]]),
            entries: number(16),
            placements: number(24),
            entries_with_mirrors: number(32),
        })
    }
}
