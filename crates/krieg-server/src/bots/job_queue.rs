//! The threads on which everybody thinks.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex};

use tokio::sync::oneshot;

/// Who is served first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Priority {
    /// Somebody's clock is running.
    Move,
    /// Somebody waits for advice.
    Advice,
}

type Thought = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Queue {
    moves: VecDeque<Thought>,
    advice: VecDeque<Thought>,
    closed: bool,
}

/// A bounded number of threads that think. Copies are the same threads.
#[derive(Clone)]
pub struct JobQueue {
    shared: Arc<Shared>,
}

struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
    most: usize,
}

/// Nobody thought about it: too many are waiting already, the server stops, or the thought itself failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobCancelled;

impl JobQueue {
    /// So many threads, and so many thoughts that may wait for one.
    pub fn start(threads: usize, most: usize) -> Self {
        let shared = Arc::new(Shared { queue: Mutex::default(), wake: Condvar::new(), most });
        for number in 0..threads.max(1) {
            let shared = shared.clone();
            std::thread::Builder::new()
                .name(format!("thinker-{number}"))
                .spawn(move || shared.work())
                .expect("a thread can be started");
        }
        JobQueue { shared }
    }

    /// Thinks, when a thread is free.
    pub async fn think<T: Send + 'static>(
        &self,
        urgency: Priority,
        thought: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JobCancelled> {
        let (tell, answer) = oneshot::channel();
        let job = Box::new(move || {
            // Nobody hears of it any more: somebody has closed the page, say.
            if !tell.is_closed() {
                let _ = tell.send(thought());
            }
        });
        {
            let mut queue = self.shared.queue.lock().expect("nobody panics with it");
            if queue.closed || queue.moves.len() + queue.advice.len() >= self.shared.most {
                return Err(JobCancelled);
            }
            match urgency {
                Priority::Move => queue.moves.push_back(job),
                Priority::Advice => queue.advice.push_back(job),
            }
        }
        self.shared.wake.notify_one();
        answer.await.map_err(|_| JobCancelled)
    }

    /// How many thoughts wait.
    pub fn waiting(&self) -> usize {
        let queue = self.shared.queue.lock().expect("nobody panics with it");
        queue.moves.len() + queue.advice.len()
    }

    /// Whether nothing more is thought about.
    pub fn is_closed(&self) -> bool {
        self.shared.queue.lock().expect("nobody panics with it").closed
    }

    /// Nothing more is thought about.
    pub fn close(&self) {
        let mut queue = self.shared.queue.lock().expect("nobody panics with it");
        *queue = Queue { closed: true, ..Queue::default() };
        drop(queue);
        self.shared.wake.notify_all();
    }
}

impl Shared {
    fn work(&self) {
        while let Some(thought) = self.next() {
            // Whoever waits for it is told by its silence.
            let _ = catch_unwind(AssertUnwindSafe(thought));
        }
    }

    fn next(&self) -> Option<Thought> {
        let mut queue = self.queue.lock().expect("nobody panics with it");
        loop {
            if queue.closed {
                return None;
            }
            if let Some(thought) = queue.moves.pop_front().or_else(|| queue.advice.pop_front()) {
                return Some(thought);
            }
            queue = self.wake.wait(queue).expect("nobody panics with it");
        }
    }
}

impl std::fmt::Debug for JobQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JobQueue")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_thought_that_fails_harms_nobody() {
        let queue = JobQueue::start(1, 10);
        let failed = queue.think(Priority::Move, || -> u8 { panic!("a test's own panic") });
        assert_eq!(failed.await, Err(JobCancelled));
        assert_eq!(queue.think(Priority::Advice, || 7).await, Ok(7));
        queue.close();
        assert_eq!(queue.think(Priority::Move, || 7).await, Err(JobCancelled));
    }
}
