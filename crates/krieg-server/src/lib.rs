//! # krieg-server
//!
//! The web application: Kriegspiel between people and bots, with an umpire for each game.
//!
//! ```text
//!  browser / program ── HTTP, WebSocket ──► http ──► GameService ── one GameSession per game
//!                                                      │   │              │
//!                              store (SQLite) ◄── events   └─ bots        └─ krieg_core::Game
//! ```
//!
//! Three rules make up the design:
//!
//! - **Events are the state.** A game consists of its settings and a list of events: tries, draw
//!   offers, the end. A session in memory changes only by events, through the same code when they
//!   occur and when they are read from the database after a restart.
//! - **An event is durable before it is answered.** The service judges a command, commits the event
//!   to the database, applies it in memory, and only then replies and notifies the players. The
//!   process may be killed at any moment: no player has seen anything that the database lacks.
//! - **Nothing hidden leaves the server.** Messages are computed from a player's `View` and
//!   `Observation`s, which contain only what this player may know. A player who does not hear a
//!   try receives no message about it, not even an empty one. Timing follows the same rule: reading
//!   a game does not wait for commands of the opponent, and bots announce moves at times that
//!   follow from public facts.
//!
//! The modules, from the inside out: `domain` (sessions, events, clocks, and what a player may be
//! told), `store` (SQLite), `bots` (threads, bots, the coach, analyses), `service` (commands and
//! queries) and `http` (requests, responses and sockets). Nothing outside `http` uses HTTP types.
//!
//! ```no_run
//! use krieg_server::{Server, ServerConfig};
//!
//! # async fn run() -> anyhow::Result<()> {
//! let server = Server::open(ServerConfig::default()).await?;
//! println!("listening on {}", server.address()?);
//! server.serve(async { drop(tokio::signal::ctrl_c().await) }).await
//! # }
//! ```

mod bots;
mod config;
mod domain;
mod http;
mod metrics;
mod server;
mod service;
mod store;
mod tokens;

pub use config::ServerConfig;
pub use server::Server;

use std::sync::{Mutex, MutexGuard};
use std::time::{SystemTime, UNIX_EPOCH};

/// The current time, in milliseconds since 1970.
fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

/// Locks a mutex whose holders never panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no holder of this lock panics")
}
