//! Tables on disk. `docs/tablebases.md` describes the format byte by byte.

pub mod bit_stream;
pub mod block;
pub mod checksum;
pub mod header;
pub mod table;
pub mod table_writer;
