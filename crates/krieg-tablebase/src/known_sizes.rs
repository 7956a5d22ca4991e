//! Sizes of tables that have been built, to estimate how long a build will take.

use crate::endgame::Endgame;

/// The size of a complete table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownSize {
    /// Number of stored entries.
    pub entries: u64,
    /// The longest distance to mate, in moves; 0 if nothing is won.
    pub longest_mate: u16,
}

/// Endgame, entries and longest mate, as measured; see `benches/runs`.
const SIZES: &[(&str, u64, u16)] = &[
    ("kqk", 1_837_384, 18),
    ("krk", 507_285, 37),
    ("kbk", 0, 0),
    ("knk", 0, 0),
    ("kpk", 127_196, 37),
    ("kqqk", 12_584_873, 11),
    ("kqrk", 27_726_593, 25),
    ("kqbk", 64_143_064, 15),
    ("kqnk", 83_282_931, 16),
    ("kqpk", 61_410_061, 22),
    ("krrk", 16_124_841, 26),
    ("krbk", 33_766_988, 29),
    ("krnk", 35_978_619, 30),
    ("krpk", 19_427_400, 31),
    ("kbbk", 6_122_999, 43),
    ("kbnk", 13_377_207, 89),
    ("kbpk", 8_540_988, 86),
    ("knnk", 78, 1),
    ("knpk", 8_964_717, 87),
    ("kppk", 1_911_886, 31),
    ("kbbnk", 622_557_870, 85),
];

/// The size of an endgame's table, if it is known.
#[must_use]
pub fn known_size(endgame: Endgame) -> Option<KnownSize> {
    let name = endgame.to_string();
    let &(_, entries, longest_mate) = SIZES.iter().find(|(known, _, _)| *known == name)?;
    Some(KnownSize { entries, longest_mate })
}
