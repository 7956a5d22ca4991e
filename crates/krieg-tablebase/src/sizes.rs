//! How large tables have turned out to be, so that whoever builds one can say how long it will take.

use crate::endgame::Endgame;

/// The size of a table that was built before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Entries stored.
    pub entries: u64,
    /// The longest mate.
    pub longest: u16,
}

/// Measured; see `benches/runs`.
const SIZES: &[(&str, u64, u16)] = &[("krk", 507_285, 37), ("kqk", 1_837_384, 18)];

/// How large the table of an endgame is known to be.
pub fn known_size(endgame: Endgame) -> Option<Size> {
    let name = endgame.to_string();
    let &(_, entries, longest) = SIZES.iter().find(|(known, _, _)| *known == name)?;
    Some(Size { entries, longest })
}
