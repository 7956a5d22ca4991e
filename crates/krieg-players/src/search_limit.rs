//! The limit of the search for one try.

use std::time::Duration;

use krieg_core::Color;
use krieg_time::{Clock, TimeBudget, TimeControl};

/// How much a player may search for one try.
///
/// ```
/// use krieg_core::Color;
/// use krieg_players::SearchLimit;
/// use krieg_time::{Clock, TimeControl};
/// let clock = Clock::new(TimeControl::Nodes(500));
/// assert_eq!(SearchLimit::of(&clock, Color::White), SearchLimit::Nodes(500));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchLimit {
    /// A time.
    Time(Duration),
    /// A number of nodes, or of whatever unit the player counts.
    Nodes(u64),
    /// No limit: the player's own settings apply.
    Unlimited,
}

/// Fraction of the time for a move that goes into the next try. The rest is kept for the case that
/// the try is refused.
const TRY_FRACTION: f64 = 0.5;
/// Part of a fixed time per move that is never used, so that delays of communication and of a busy
/// machine do not lose the game.
const OVERHEAD: Duration = Duration::from_millis(8);

impl SearchLimit {
    /// The limit of a player's next try by this clock.
    #[must_use]
    pub fn of(clock: &Clock, player: Color) -> Self {
        SearchLimit::with_fraction(clock, player, TRY_FRACTION)
    }

    /// The same with another fraction of the time that is left for the move.
    #[must_use]
    pub fn with_fraction(clock: &Clock, player: Color, fraction: f64) -> Self {
        if let TimeControl::Nodes(nodes) = clock.control() {
            return SearchLimit::Nodes(nodes);
        }
        let time = match (clock.reading(player), clock.remaining(player)) {
            (Some(reading), _) => TimeBudget::from(reading).soft,
            (None, Some(left)) => left.saturating_sub(OVERHEAD),
            (None, None) => return SearchLimit::Unlimited,
        };
        SearchLimit::Time(time.mul_f64(fraction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_of_many_tries_stays_within_its_time() {
        let mut clock = Clock::new(TimeControl::Move(Duration::from_millis(50)));
        let mut used = Duration::ZERO;
        for _ in 0..20 {
            let SearchLimit::Time(time) = SearchLimit::of(&clock, Color::White) else { panic!() };
            clock.charge(Color::White, used, time).unwrap();
            used += time;
        }
        assert!(used < Duration::from_millis(43));
        let limit = |control| SearchLimit::of(&Clock::new(control), Color::White);
        assert_eq!(limit(TimeControl::Nodes(9)), SearchLimit::Nodes(9));
        assert_eq!(limit(TimeControl::Unlimited), SearchLimit::Unlimited);
    }
}
