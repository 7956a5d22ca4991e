//! The Universal Chess Interface (UCI): [`serve`] is the engine's side, [`Client`] runs other
//! engines.
//!
//! ```
//! use krieg_chess::uci::serve;
//! serve("position startpos\ngo depth 3\n".as_bytes(), std::io::stdout())?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod bench;
mod client;
mod command;
mod engine_error;
mod go;
mod server;
mod settings;

pub use bench::{BENCH_DEPTH, BenchResult, bench};
pub use client::{Client, EngineCommand, Go, SearchResult, Timeouts};
pub use engine_error::EngineError;
pub use server::{MAX_LINE_BYTES, serve};
