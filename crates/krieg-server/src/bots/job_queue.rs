//! The job queue and the threads that run its jobs.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex};

use tokio::sync::oneshot;

use crate::lock;

/// The priority of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Priority {
    /// A bot's move. These jobs run first, because a clock may be running.
    Move,
    /// A request for advice.
    Advice,
}

type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Queue {
    moves: VecDeque<Job>,
    advice: VecDeque<Job>,
    is_closed: bool,
}

impl Queue {
    fn len(&self) -> usize {
        self.moves.len() + self.advice.len()
    }
}

/// A queue of jobs with a fixed number of worker threads. Clones share it.
#[derive(Clone)]
pub struct JobQueue {
    shared: Arc<Shared>,
}

struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
    capacity: usize,
}

/// The job did not complete: the queue is full or closed, or the job panicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobCancelled;

impl JobQueue {
    /// Starts the worker threads. At most `capacity` jobs can wait.
    pub fn start(threads: usize, capacity: usize) -> Self {
        let shared = Arc::new(Shared { queue: Mutex::default(), wake: Condvar::new(), capacity });
        for number in 0..threads.max(1) {
            let shared = shared.clone();
            std::thread::Builder::new()
                .name(format!("bot-worker-{number}"))
                .spawn(move || shared.work())
                .expect("the system can start a thread");
        }
        JobQueue { shared }
    }

    /// Runs a job when a worker is free, and returns its result.
    pub async fn run<T: Send + 'static>(
        &self,
        priority: Priority,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JobCancelled> {
        let (reply, result) = oneshot::channel();
        let job = Box::new(move || {
            // The waiting task may have been cancelled, for example because the page was closed.
            if !reply.is_closed() {
                let _ = reply.send(job());
            }
        });
        {
            let mut queue = lock(&self.shared.queue);
            if queue.is_closed || queue.len() >= self.shared.capacity {
                return Err(JobCancelled);
            }
            match priority {
                Priority::Move => queue.moves.push_back(job),
                Priority::Advice => queue.advice.push_back(job),
            }
        }
        self.shared.wake.notify_one();
        result.await.map_err(|_| JobCancelled)
    }

    /// The number of waiting jobs.
    pub fn len(&self) -> usize {
        lock(&self.shared.queue).len()
    }

    /// Whether the queue is closed.
    pub fn is_closed(&self) -> bool {
        lock(&self.shared.queue).is_closed
    }

    /// Cancels all waiting jobs and accepts no more.
    pub fn close(&self) {
        *lock(&self.shared.queue) = Queue { is_closed: true, ..Queue::default() };
        self.shared.wake.notify_all();
    }
}

impl Shared {
    fn work(&self) {
        while let Some(job) = self.next() {
            // After a panic the reply channel is dropped, which cancels the waiting task's job.
            let _ = catch_unwind(AssertUnwindSafe(job));
        }
    }

    fn next(&self) -> Option<Job> {
        let mut queue = lock(&self.queue);
        loop {
            if queue.is_closed {
                return None;
            }
            if let Some(job) = queue.moves.pop_front().or_else(|| queue.advice.pop_front()) {
                return Some(job);
            }
            queue = self.wake.wait(queue).expect("no holder of this lock panics");
        }
    }
}

impl fmt::Debug for JobQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JobQueue")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn panicking_job_does_not_stop_the_worker() {
        let queue = JobQueue::start(1, 10);
        let failed = queue.run(Priority::Move, || -> u8 { panic!("a panic for the test") });
        assert_eq!(failed.await, Err(JobCancelled));
        assert_eq!(queue.run(Priority::Advice, || 7).await, Ok(7));
        queue.close();
        assert_eq!(queue.run(Priority::Move, || 7).await, Err(JobCancelled));
    }
}
