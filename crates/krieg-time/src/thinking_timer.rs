//! Measures how long a player thinks, apart from the time its thread waits for a processor.
//!
//! A player on a busy machine is often ready to think while the operating system runs another
//! program. That delay is not the player's, so a game runner does not charge it to the clock.

use std::time::{Duration, Instant};

/// How long something took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ThinkingTime {
    /// The time to charge: elapsed time less `processor_wait`.
    pub thinking: Duration,
    /// How long the thread was ready to run but had no processor. Zero where the operating system
    /// does not report it.
    pub processor_wait: Duration,
}

/// A running measurement, for one thread.
///
/// ```
/// use krieg_time::ThinkingTimer;
/// let timer = ThinkingTimer::start();
/// let time = timer.stop();
/// assert!(time.thinking.as_secs() < 60);
/// ```
#[derive(Debug)]
#[must_use = "a timer that is never stopped measures nothing"]
pub struct ThinkingTimer {
    started: Instant,
    wait_at_start: Option<Duration>,
}

impl ThinkingTimer {
    /// Starts a measurement. The same thread has to stop it.
    pub fn start() -> Self {
        ThinkingTimer { started: Instant::now(), wait_at_start: processor_wait() }
    }

    /// Ends the measurement.
    pub fn stop(self) -> ThinkingTime {
        let wait = match (self.wait_at_start, processor_wait()) {
            (Some(start), Some(end)) => end.saturating_sub(start),
            _ => Duration::ZERO,
        };
        let elapsed = self.started.elapsed();
        let processor_wait = wait.min(elapsed);
        ThinkingTime { thinking: elapsed - processor_wait, processor_wait }
    }
}

/// How long this thread has waited for a processor since it began: the second field of its
/// `schedstat`, in nanoseconds.
#[cfg(target_os = "linux")]
fn processor_wait() -> Option<Duration> {
    let stats = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = stats.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Other systems do not report this time for a thread.
#[cfg(not(target_os = "linux"))]
fn processor_wait() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_and_waiting_add_up_to_no_more_than_the_elapsed_time() {
        let before = Instant::now();
        let timer = ThinkingTimer::start();
        std::hint::black_box((0..100_000u64).map(std::hint::black_box).sum::<u64>());
        let time = timer.stop();
        assert!(time.thinking + time.processor_wait <= before.elapsed());
        assert!(time.thinking > Duration::ZERO);
    }

    /// Runs more busy threads than there are processors, until one of them has waited. The deadline
    /// is generous: a thread usually waits within some milliseconds.
    #[cfg(target_os = "linux")]
    #[test]
    fn waiting_for_a_processor_is_not_charged() {
        use std::sync::atomic::{AtomicBool, Ordering};
        let deadline = Instant::now() + Duration::from_secs(60);
        let has_waited = AtomicBool::new(false);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..3 * cores {
                scope.spawn(|| {
                    while !has_waited.load(Ordering::Relaxed) && Instant::now() < deadline {
                        let timer = ThinkingTimer::start();
                        std::hint::black_box(
                            (0..5_000_000u64).map(std::hint::black_box).sum::<u64>(),
                        );
                        if timer.stop().processor_wait > Duration::ZERO {
                            has_waited.store(true, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        assert!(has_waited.load(Ordering::Relaxed));
    }
}
