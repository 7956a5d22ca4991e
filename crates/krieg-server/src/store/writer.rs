//! The thread that writes to the database.

use std::fmt;
use std::sync::Mutex;
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::StoreError;

/// Maximum number of jobs in one transaction.
const MAX_BATCH: usize = 1_000;

pub struct Writer {
    jobs: Option<mpsc::UnboundedSender<Box<dyn Job>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// A write with a task that waits for it.
trait Job: Send {
    /// Writes, and keeps the result.
    fn run(&mut self, connection: &Connection);
    /// Reports the result after the transaction has been committed, or has failed.
    fn complete(self: Box<Self>, committed: Result<(), StoreError>);
}

struct WriteJob<T, F> {
    work: Option<F>,
    result: Option<rusqlite::Result<T>>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Job for WriteJob<T, F>
where
    T: Send,
    F: FnOnce(&Connection) -> rusqlite::Result<T> + Send,
{
    fn run(&mut self, connection: &Connection) {
        if let Some(work) = self.work.take() {
            self.result = Some(within_savepoint(connection, work));
        }
    }

    fn complete(self: Box<Self>, committed: Result<(), StoreError>) {
        let result = self.result.ok_or_else(|| StoreError("the write did not run".into()));
        let reply = committed.and(result).and_then(|result| Ok(result?));
        // The waiting task may have been cancelled.
        let _ = self.reply.send(reply);
    }
}

/// Runs a job so that it leaves no trace if it fails, and does not affect the other jobs of the
/// transaction.
fn within_savepoint<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    connection.prepare_cached("SAVEPOINT job")?.execute([])?;
    let result = work(connection);
    if result.is_err() {
        connection.prepare_cached("ROLLBACK TO job")?.execute([])?;
    }
    connection.prepare_cached("RELEASE job")?.execute([])?;
    result
}

impl Writer {
    pub fn start(connection: Connection) -> Self {
        let (jobs, queue) = mpsc::unbounded_channel();
        let thread = std::thread::Builder::new()
            .name("writer".into())
            .spawn(move || run_jobs(&connection, queue))
            .expect("the system can start a thread");
        Writer { jobs: Some(jobs), thread: Mutex::new(Some(thread)) }
    }

    pub async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let closed = || StoreError("the writer has stopped".into());
        let (reply, result) = oneshot::channel();
        let job = Box::new(WriteJob { work: Some(work), result: None, reply });
        let jobs = self.jobs.as_ref().ok_or_else(closed)?;
        jobs.send(job).map_err(|_| closed())?;
        result.await.map_err(|_| closed())?
    }
}

fn run_jobs(connection: &Connection, mut queue: mpsc::UnboundedReceiver<Box<dyn Job>>) {
    while let Some(first) = queue.blocking_recv() {
        let mut batch = vec![first];
        while batch.len() < MAX_BATCH
            && let Ok(next) = queue.try_recv()
        {
            batch.push(next);
        }
        let committed = commit(connection, &mut batch).map_err(StoreError::from);
        if let Err(error) = &committed {
            tracing::error!(%error, "a transaction failed");
        }
        for job in batch {
            job.complete(committed.clone());
        }
    }
}

fn commit(connection: &Connection, batch: &mut [Box<dyn Job>]) -> rusqlite::Result<()> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    for job in batch {
        job.run(connection);
    }
    let committed = connection.prepare_cached("COMMIT").and_then(|mut commit| commit.execute([]));
    if committed.is_err() {
        // This fails only if there is no transaction to roll back.
        let _ = connection.execute_batch("ROLLBACK");
    }
    committed.map(|_| ())
}

impl Drop for Writer {
    /// Waits until all jobs have been written.
    fn drop(&mut self) {
        self.jobs = None;
        let thread = self.thread.lock().ok().and_then(|mut thread| thread.take());
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Writer")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notebook() -> Writer {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE notes (text TEXT UNIQUE)").unwrap();
        Writer::start(connection)
    }

    #[tokio::test]
    async fn failed_job_leaves_no_trace_and_does_not_affect_others() {
        let writer = notebook();
        let note = |text: &'static str| {
            writer.write(move |c| c.execute("INSERT INTO notes VALUES (?1)", [text]))
        };
        let (first, duplicate, other) = tokio::join!(note("e4"), note("e4"), note("d4"));
        assert!(first.is_ok() && duplicate.is_err() && other.is_ok());
        let half_done = writer.write(|c| {
            c.execute("INSERT INTO notes VALUES ('c4')", [])?;
            c.execute("INSERT INTO notes VALUES ('e4')", [])
        });
        assert!(half_done.await.is_err());
        let count = writer
            .write(|c| c.query_row("SELECT count(*) FROM notes", [], |row| row.get::<_, i64>(0)));
        assert_eq!(count.await.unwrap(), 2);
    }
}
