//! The database: one SQLite file.
//!
//! One thread does all writing. It takes all waiting jobs, runs them in one transaction, and
//! reports success only after the commit: so an event is durable before it is answered, and all
//! games share the cost of one flush. Reads run beside it on their own connections, as the
//! write-ahead log allows.

pub mod analyses;
pub mod events;
pub mod games;
mod schema;
pub mod uptime;
pub mod users;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use thiserror::Error;

use crate::lock;
use writer::Writer;

/// The disk or the database failed.
#[derive(Debug, Clone, Error)]
#[error("the database failed: {0}")]
pub struct StoreError(Arc<str>);

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        StoreError(error.to_string().into())
    }
}

/// The database of one server. Clones share it.
#[derive(Debug, Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    writer: Writer,
    /// Idle connections for reading.
    readers: Mutex<Vec<Connection>>,
    /// The connection for checkpoints of the write-ahead log.
    checkpointer: Mutex<Connection>,
    path: PathBuf,
}

/// Maximum number of idle connections for reading.
const MAX_READERS: usize = 4;
/// How long a connection waits for another one's lock.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

impl Store {
    /// Opens the database in this file. Creates or migrates it if necessary.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut connection = Connection::open(path)?;
        configure(&connection)?;
        // Without this, a power failure could lose an event that was answered.
        connection.pragma_update(None, "synchronous", "FULL")?;
        // `checkpoint` runs every second beside the writer. A log of 64 MB makes the writer wait.
        connection.pragma_update(None, "wal_autocheckpoint", 16_384)?;
        schema::migrate(&mut connection)?;
        let writer = Writer::start(connection);
        let checkpointer = Connection::open(path)?;
        configure(&checkpointer)?;
        let inner = Inner {
            writer,
            readers: Mutex::default(),
            checkpointer: Mutex::new(checkpointer),
            path: path.to_path_buf(),
        };
        Ok(Store { inner: Arc::new(inner) })
    }

    /// Runs `work` on the writing thread. When this returns `Ok`, everything is on disk.
    pub async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.inner.writer.write(work).await
    }

    /// Runs `work` on a connection for reading, on a thread for blocking tasks.
    pub async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let inner = self.inner.clone();
        let task = tokio::task::spawn_blocking(move || {
            let idle = lock(&inner.readers).pop();
            let reader = idle.map_or_else(|| inner.open_reader(), Ok)?;
            let result = work(&reader);
            let mut readers = lock(&inner.readers);
            if readers.len() < MAX_READERS {
                readers.push(reader);
            }
            result
        });
        match task.await {
            Ok(result) => Ok(result?),
            Err(_) => Err(StoreError("a read was aborted".into())),
        }
    }

    /// Copies the write-ahead log into the database file as far as possible without making the
    /// writer wait, because this can take long on slow disks.
    pub async fn checkpoint(&self) {
        let inner = self.inner.clone();
        let task = tokio::task::spawn_blocking(move || {
            let checkpointer = lock(&inner.checkpointer);
            checkpointer.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
        });
        if let Ok(Err(error)) = task.await {
            tracing::warn!(%error, "the checkpoint of the write-ahead log failed");
        }
    }
}

impl Inner {
    fn open_reader(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let reader = Connection::open_with_flags(&self.path, flags)?;
        reader.busy_timeout(BUSY_TIMEOUT)?;
        Ok(reader)
    }
}

fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(())
}
