//! Clocks: the time controls people play with, a clock that keeps them, and how much of what is
//! left a move may use.
//!
//! Three things that are easily mixed up have three types. A [`TimeControl`] is an agreement before
//! the game. A [`Clock`] is what stands on the table during it. An [`Allotment`] is one player's own
//! decision how long to think now.

mod allotment;
mod control;
mod table_clock;

pub use allotment::{Allotment, OnTheClock};
pub use control::{ControlError, TimeControl};
pub use table_clock::{Clock, FlagFell};
