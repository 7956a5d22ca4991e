//! Tables on disk. The format, byte by byte: `docs/tablebases.md`.

pub mod bits;
pub mod block;
pub mod table;
pub mod write;
