//! Former names of public items, kept while other crates move to the new ones.

use std::time::Duration;

use krieg_core::Color;

use crate::{Clock, ClockReading, FlagFall};

#[doc(hidden)]
#[deprecated(note = "renamed to `TimeBudget`")]
pub type Allotment = crate::TimeBudget;
#[doc(hidden)]
#[deprecated(note = "renamed to `ClockReading`")]
pub type OnTheClock = ClockReading;
#[doc(hidden)]
#[deprecated(note = "renamed to `FlagFall`")]
pub type FlagFell = FlagFall;
#[doc(hidden)]
#[deprecated(note = "renamed to `TimeControlError`")]
pub type ControlError = crate::TimeControlError;

#[doc(hidden)]
impl Clock {
    #[deprecated(note = "renamed to `remaining`")]
    pub fn left(&self, player: Color) -> Option<Duration> {
        self.remaining(player)
    }

    #[deprecated(note = "renamed to `max_turn_time`")]
    pub fn longest(&self, player: Color) -> Option<Duration> {
        self.max_turn_time(player)
    }

    #[deprecated(note = "renamed to `charge`")]
    pub fn used(&mut self, who: Color, before: Duration, time: Duration) -> Result<(), FlagFall> {
        self.charge(who, before, time)
    }

    #[deprecated(note = "renamed to `record_move`")]
    pub fn moved(&mut self, player: Color, time: Duration) -> Result<(), FlagFall> {
        self.record_move(player, time)
    }

    #[deprecated(note = "renamed to `press`")]
    pub fn pressed(&mut self, player: Color) {
        self.press(player);
    }

    #[deprecated(note = "renamed to `reading`")]
    pub fn seen_by(&self, player: Color) -> Option<ClockReading> {
        self.reading(player)
    }
}
