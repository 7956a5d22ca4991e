//! The line protocol for Kriegspiel engines, from both ends: [`serve`] lends any player of this house to others,
//! [`Engine`] is a player that asks a program of others. In words, with an example: `docs/protocol.md`.

mod client;
mod messages;
mod server;

pub use client::{Engine, EngineOptions, EngineSettings, Timeout};
pub use messages::{
    MessageError, read_go, read_heard, read_newgame, write_go, write_heard, write_newgame,
};
pub use server::serve;
