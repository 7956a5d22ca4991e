//! The one thread that writes.

use std::fmt;
use std::sync::Mutex;
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::StoreError;

/// So much is written in one transaction at most.
const MOST: usize = 1_000;

pub struct Writer {
    jobs: Option<mpsc::UnboundedSender<Box<dyn Job>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// Something to be written, and somebody who waits for it.
trait Job: Send {
    /// Writes. Whether that went well is kept for the one who waits.
    fn run(&mut self, connection: &Connection);
    /// Tells him, once it is on disk.
    fn settle(self: Box<Self>, committed: Result<(), StoreError>);
}

struct Waiting<T, F> {
    work: Option<F>,
    written: Option<rusqlite::Result<T>>,
    waits: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Job for Waiting<T, F>
where
    T: Send,
    F: FnOnce(&Connection) -> rusqlite::Result<T> + Send,
{
    fn run(&mut self, connection: &Connection) {
        if let Some(work) = self.work.take() {
            self.written = Some(within_savepoint(connection, work));
        }
    }

    fn settle(self: Box<Self>, committed: Result<(), StoreError>) {
        let written = self.written.ok_or_else(|| StoreError("it was never written".into()));
        let answer = committed.and(written).and_then(|written| Ok(written?));
        // Whoever has gone away does not need to know.
        let _ = self.waits.send(answer);
    }
}

/// What fails half-way leaves nothing behind, and does not harm what is written with it.
fn within_savepoint<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    connection.prepare_cached("SAVEPOINT job")?.execute([])?;
    let done = work(connection);
    if done.is_err() {
        connection.prepare_cached("ROLLBACK TO job")?.execute([])?;
    }
    connection.prepare_cached("RELEASE job")?.execute([])?;
    done
}

impl Writer {
    pub fn start(connection: Connection) -> Self {
        let (jobs, queue) = mpsc::unbounded_channel();
        let thread = std::thread::Builder::new()
            .name("writer".into())
            .spawn(move || write_all(&connection, queue))
            .expect("a thread can be started");
        Writer { jobs: Some(jobs), thread: Mutex::new(Some(thread)) }
    }

    pub async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let closed = || StoreError("it is closed".into());
        let (waits, answer) = oneshot::channel();
        let job = Box::new(Waiting { work: Some(work), written: None, waits });
        let jobs = self.jobs.as_ref().ok_or_else(closed)?;
        jobs.send(job).map_err(|_| closed())?;
        answer.await.map_err(|_| closed())?
    }
}

fn write_all(connection: &Connection, mut queue: mpsc::UnboundedReceiver<Box<dyn Job>>) {
    while let Some(first) = queue.blocking_recv() {
        let mut batch = vec![first];
        while batch.len() < MOST
            && let Ok(next) = queue.try_recv()
        {
            batch.push(next);
        }
        let committed = commit(connection, &mut batch).map_err(StoreError::from);
        if let Err(error) = &committed {
            tracing::error!(%error, "nothing could be written");
        }
        for job in batch {
            job.settle(committed.clone());
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
        // If even this fails there is no transaction to end.
        let _ = connection.execute_batch("ROLLBACK");
    }
    committed.map(|_| ())
}

impl Drop for Writer {
    /// What waits to be written is written before the store is closed.
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
    async fn what_fails_does_not_take_others_with_it() {
        let writer = notebook();
        let note = |text: &'static str| {
            writer.write(move |c| c.execute("INSERT INTO notes VALUES (?1)", [text]))
        };
        let (one, again, other) = tokio::join!(note("e4"), note("e4"), note("d4"));
        assert!(one.is_ok() && again.is_err() && other.is_ok());
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
