//! The Universal Chess Interface, from both ends: [`serve`] is an engine that others drive,
//! [`Client`] drives the engines of others.

mod bench;
mod client;
mod command;
mod server;
mod settings;

pub use bench::{BENCH_DEPTH, BenchResult, bench};
pub use client::{Client, EngineCommand, EngineError, Go, SearchResult, Timeouts};
pub use server::{MAX_LINE_BYTES, serve};
