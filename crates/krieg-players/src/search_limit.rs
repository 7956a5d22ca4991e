//! How much a player may think about one try.

use std::time::Duration;

use krieg_core::Color;
use krieg_time::{Clock, TimeBudget, TimeControl};

/// What one try may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchLimit {
    /// So long.
    Time(Duration),
    /// So many nodes.
    Nodes(u64),
    /// As much as the player likes.
    Unlimited,
}

/// Of the time for a move so much goes into the next try: whoever is refused has to think again.
const FIRST_TRY: f64 = 0.5;
/// Lost on the way to the clock, and by a machine that has other things to do.
const OVERHEAD: Duration = Duration::from_millis(8);

impl SearchLimit {
    /// What the clock allows this player for the next try.
    pub fn of(clock: &Clock, who: Color) -> Self {
        SearchLimit::with_share(clock, who, FIRST_TRY)
    }

    /// The same, with this share of the time that is left for the move.
    pub fn with_share(clock: &Clock, who: Color, share: f64) -> Self {
        if let TimeControl::Nodes(nodes) = clock.control() {
            return SearchLimit::Nodes(nodes);
        }
        let time = match (clock.reading(who), clock.remaining(who)) {
            (Some(seen), _) => TimeBudget::from(seen).soft,
            (None, Some(left)) => left.saturating_sub(OVERHEAD),
            (None, None) => return SearchLimit::Unlimited,
        };
        SearchLimit::Time(time.mul_f64(share))
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
        assert_eq!(
            SearchLimit::of(&Clock::new(TimeControl::Nodes(9)), Color::White),
            SearchLimit::Nodes(9)
        );
        assert_eq!(
            SearchLimit::of(&Clock::new(TimeControl::Unlimited), Color::White),
            SearchLimit::Unlimited
        );
    }
}
