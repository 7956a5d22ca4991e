//! Tests of the command line from outside: what it prints, which files it writes, and how it exits.

#[path = "../common/mod.rs"]
mod common;

mod bench;
mod games;
mod matches;
mod play;
mod services;
mod tune;
