//! The Universal Chess Interface, from both ends: [`serve`] is an engine that others drive,
//! [`Client`] drives the engines of others.

mod bench;
mod client;
mod command;
mod server;
mod settings;

pub use bench::{BENCH_DEPTH, Bench, bench};
pub use client::{Answer, Client, Deadlines, EngineCommand, Failure, Go};
pub use server::{LONGEST_LINE, serve};
