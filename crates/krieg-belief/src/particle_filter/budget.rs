//! How many boards there is time for.

use std::time::{Duration, Instant};

use crate::Deadline;

/// What is done with every board that is held possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpdatePhase {
    /// It is asked whether an own try would have been answered so.
    OwnAnswer,
    /// It is looked through for moves of the opponent's that fit.
    EnemyMove,
}

/// Knows how long boards have taken of late, and how long they may take.
#[derive(Debug, Clone, Copy, Default)]
pub struct TimeBudget {
    haste: Option<Deadline>,
    /// Seconds a board, for each kind of work; nothing is known before the first.
    of_one: [f64; 2],
}

/// Of what a board took before, so much counts beside what one takes now.
const BEFORE: f64 = 0.7;
/// With fewer boards than this nothing is learned of how long one takes, and fewer are never kept for want of time.
const FEWEST: usize = 50;

impl TimeBudget {
    pub fn set_deadline(&mut self, haste: Option<Deadline>) {
        self.haste = haste;
    }

    /// Whether there is no time for anything that can be left undone.
    pub fn is_late(&self) -> bool {
        self.haste.is_some_and(|haste| Instant::now() >= haste.soft)
    }

    /// Whether there is no time for anything at all.
    pub fn is_over(&self) -> bool {
        self.haste.is_some_and(|haste| Instant::now() >= haste.hard)
    }

    /// How many boards can be worked through before it is late; any number, where nothing is known or nobody waits.
    pub fn room(&self, work: UpdatePhase) -> usize {
        let of_one = self.of_one[work as usize];
        match self.haste {
            Some(haste) if of_one > 0.0 => {
                let left = haste.soft.saturating_duration_since(Instant::now());
                ((left.as_secs_f64() / of_one) as usize).max(FEWEST)
            }
            _ => usize::MAX,
        }
    }

    /// Notes how long so many boards took.
    pub fn took(&mut self, work: UpdatePhase, boards: usize, time: Duration) {
        if boards < FEWEST {
            return;
        }
        let now = time.as_secs_f64() / boards as f64;
        let known = &mut self.of_one[work as usize];
        *known = if *known > 0.0 { BEFORE * *known + (1.0 - BEFORE) * now } else { now };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_needs_a_second_a_board_keeps_as_few_as_he_may() {
        let mut pace = TimeBudget::default();
        assert_eq!(pace.room(UpdatePhase::EnemyMove), usize::MAX);
        pace.took(UpdatePhase::EnemyMove, 100, Duration::from_secs(100));
        assert_eq!(pace.room(UpdatePhase::EnemyMove), usize::MAX, "nobody waits");
        assert!(!pace.is_late() && !pace.is_over());
        let now = Instant::now();
        let hour = Duration::from_secs(3_600);
        pace.set_deadline(Some(Deadline { soft: now + hour, hard: now + hour }));
        assert_eq!(pace.room(UpdatePhase::OwnAnswer), usize::MAX, "of that nothing is known");
        assert!((3_000..=3_600).contains(&pace.room(UpdatePhase::EnemyMove)));
        pace.set_deadline(Some(Deadline { soft: now, hard: now + hour }));
        assert_eq!(pace.room(UpdatePhase::EnemyMove), FEWEST);
        assert!(pace.is_late() && !pace.is_over());
    }

    #[test]
    fn one_slow_turn_is_not_for_ever() {
        let mut pace = TimeBudget::default();
        let mut take =
            |seconds| pace.took(UpdatePhase::OwnAnswer, 100, Duration::from_secs(seconds));
        take(10_000);
        (0..20).for_each(|_| take(100));
        assert!((1.0..1.2).contains(&pace.of_one[UpdatePhase::OwnAnswer as usize]));
    }
}
