//! # The referee
//!
//! A program in any language can have games of Kriegspiel umpired: it writes requests as JSON lines
//! and reads replies as JSON lines. This crate is the protocol. [`Referee`] answers one line, and
//! [`serve`] answers every line of a stream. `docs/referee.md` describes the requests and replies.
//!
//! The calling program is trusted with the umpire's knowledge: it may ask for the position. Each
//! announcement has a field `heard_by`, and the program must pass the announcement on to these
//! players only.
//!
//! ```
//! use krieg_referee::{Referee, serve};
//! let requests = "{\"cmd\":\"new\",\"game\":\"g\"}\n{\"cmd\":\"quit\"}\n";
//! let mut replies = Vec::new();
//! serve(&mut Referee::new(10), requests.as_bytes(), &mut replies)?;
//! assert_eq!(replies.split(|&byte| byte == b'\n').count(), 3);
//! # Ok::<(), std::io::Error>(())
//! ```

mod referee;
mod request;
mod serve;

pub use referee::{Referee, Reply};
pub use serve::{MAX_LINE_BYTES, serve};
