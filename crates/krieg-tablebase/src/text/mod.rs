//! Tables as text, one entry per line (Favini 2010, section 7.3.2), for people and for other
//! programs.

mod export;
mod import;

pub use export::{ExportError, ExportProgress};
pub use import::{ImportError, ImportSummary};
