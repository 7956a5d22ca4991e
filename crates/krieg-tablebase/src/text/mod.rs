//! Tables as text, a line an entry (Favini 2010, section 7.3.2), for people and for programs of others.

mod export;
mod import;

pub use export::{ExportError, Exported};
pub use import::{ImportError, Imported};
