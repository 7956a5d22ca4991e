//! The line protocol for Kriegspiel engines, from both ends: [`serve`] makes a player available to
//! other programs, and [`Engine`] is a player that asks an external program. `docs/protocol.md`
//! describes the protocol, with an example.

mod client;
mod messages;
mod server;

pub use client::{Engine, EngineOptions, EngineSettings, Timeout};
pub use messages::{
    MessageError, read_go, read_heard, read_newgame, write_go, write_heard, write_newgame,
};
pub use server::serve;
