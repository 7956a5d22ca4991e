//! The time budget of an update: how many particles there is time for.

use std::time::{Duration, Instant};

use crate::Deadline;

/// A phase of an update in which every particle is processed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpdatePhase {
    /// The answer to an own try is compared with the answer on the board.
    OwnAnswer,
    /// The opponent's consistent moves are found.
    OpponentMove,
}

/// The deadline of the update, and how long particles took in recent updates.
#[derive(Debug, Clone, Copy, Default)]
pub struct TimeBudget {
    deadline: Option<Deadline>,
    /// Average seconds per particle in each phase; 0 before the first measurement.
    seconds_per_particle: [f64; 2],
}

/// Weight of the earlier average when a new measurement is added.
const SMOOTHING: f64 = 0.7;
/// Updates of fewer particles are not measured, and a deadline never reduces the number of
/// particles below this.
const MIN_PARTICLES: usize = 50;

impl TimeBudget {
    pub fn set_deadline(&mut self, deadline: Option<Deadline>) {
        self.deadline = deadline;
    }

    /// Whether the soft deadline has passed: optional work is skipped.
    pub fn is_past_soft(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline.soft)
    }

    /// Whether the hard deadline has passed: all work stops.
    pub fn is_past_hard(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline.hard)
    }

    /// Number of particles that can be processed before the soft deadline; unlimited without a
    /// deadline or a measurement.
    pub fn max_particles(&self, phase: UpdatePhase) -> usize {
        let seconds = self.seconds_per_particle[phase as usize];
        match self.deadline {
            Some(deadline) if seconds > 0.0 => {
                let left = deadline.soft.saturating_duration_since(Instant::now());
                ((left.as_secs_f64() / seconds) as usize).max(MIN_PARTICLES)
            }
            _ => usize::MAX,
        }
    }

    /// Records how long a phase took for this number of particles.
    pub fn record(&mut self, phase: UpdatePhase, particles: usize, time: Duration) {
        if particles < MIN_PARTICLES {
            return;
        }
        let new = time.as_secs_f64() / particles as f64;
        let average = &mut self.seconds_per_particle[phase as usize];
        *average =
            if *average > 0.0 { SMOOTHING * *average + (1.0 - SMOOTHING) * new } else { new };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_updates_reduce_the_number_of_particles_to_the_minimum() {
        let mut budget = TimeBudget::default();
        assert_eq!(budget.max_particles(UpdatePhase::OpponentMove), usize::MAX);
        budget.record(UpdatePhase::OpponentMove, 100, Duration::from_secs(100));
        assert_eq!(budget.max_particles(UpdatePhase::OpponentMove), usize::MAX, "no deadline");
        assert!(!budget.is_past_soft() && !budget.is_past_hard());
        let now = Instant::now();
        let hour = Duration::from_secs(3_600);
        budget.set_deadline(Some(Deadline { soft: now + hour, hard: now + hour }));
        assert_eq!(budget.max_particles(UpdatePhase::OwnAnswer), usize::MAX, "not measured");
        assert!((3_000..=3_600).contains(&budget.max_particles(UpdatePhase::OpponentMove)));
        budget.set_deadline(Some(Deadline { soft: now, hard: now + hour }));
        assert_eq!(budget.max_particles(UpdatePhase::OpponentMove), MIN_PARTICLES);
        assert!(budget.is_past_soft() && !budget.is_past_hard());
    }

    #[test]
    fn one_slow_update_is_averaged_out() {
        let mut budget = TimeBudget::default();
        let mut record =
            |seconds| budget.record(UpdatePhase::OwnAnswer, 100, Duration::from_secs(seconds));
        record(10_000);
        (0..20).for_each(|_| record(100));
        let average = budget.seconds_per_particle[UpdatePhase::OwnAnswer as usize];
        assert!((1.0..1.2).contains(&average));
    }
}
