//! Time controls, game clocks and time management.
//!
//! Three concepts have three types. A [`TimeControl`] is what the players agree on before the
//! game. A [`Clock`] keeps both players' remaining time during the game. A [`TimeBudget`] is one
//! player's decision how long to think about the next move.
//!
//! ```
//! use std::time::Duration;
//! use krieg_core::Color;
//! use krieg_time::{Clock, TimeBudget, TimeControl};
//!
//! let control: TimeControl = "60+1".parse()?;
//! let mut clock = Clock::new(control);
//! let reading = clock.reading(Color::White).expect("a clock runs");
//! let budget = TimeBudget::from(reading);
//! assert!(budget.soft <= budget.hard);
//!
//! clock.record_move(Color::White, budget.soft)?;
//! assert!(clock.remaining(Color::White) < Some(Duration::from_secs(61)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod budget;
mod clock;
mod control;
mod thinking_timer;

pub use budget::{ClockReading, TimeBudget};
pub use clock::{Clock, FlagFall};
pub use control::{TimeControl, TimeControlError};
pub use thinking_timer::{ThinkingTime, ThinkingTimer};
