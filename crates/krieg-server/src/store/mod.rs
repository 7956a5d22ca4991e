//! What outlives the program: one SQLite file.
//!
//! All writing is done by one thread. It takes whatever waits for it, does it in one transaction, and only then tells those who wait that
//! it is done: so a try is on disk before it is answered, and five hundred games share the cost of one flush. Reading is done beside it,
//! on connections of its own, as the write-ahead log allows.

mod events;
mod games;
mod schema;
mod users;
mod writer;

use std::path::Path;
use std::sync::{Arc, Mutex};

use rusqlite::{Connection, OpenFlags};
use thiserror::Error;

pub use events::Event;
pub use games::{Filter, GameInfo, Source, Status, Summary};
pub use users::{Rated, User, UserKind};

use writer::Writer;

/// The disk, or what stands on it, is not as it should be.
#[derive(Debug, Clone, Error)]
#[error("the store: {0}")]
pub struct StoreError(pub(crate) Arc<str>);

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        StoreError(error.to_string().into())
    }
}

/// The store of one server. Copies are the same store.
#[derive(Debug, Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    writer: Writer,
    /// Connections that nobody is reading from.
    readers: Mutex<Vec<Connection>>,
    /// The connection that puts the write-ahead log away.
    keeper: Mutex<Connection>,
    path: std::path::PathBuf,
}

/// So many connections are kept for reading.
const READERS: usize = 4;

impl Store {
    /// Opens the store in this file, made or brought up to date if need be.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut connection = Connection::open(path)?;
        prepare(&connection)?;
        // Without this a try could be answered, and forgotten when the power fails.
        connection.pragma_update(None, "synchronous", "FULL")?;
        // The log is put away by `tidy_up`, while others write; only one of 64 MB makes them wait.
        connection.pragma_update(None, "wal_autocheckpoint", 16_384)?;
        schema::migrate(&mut connection)?;
        let writer = Writer::start(connection);
        let keeper = Connection::open(path)?;
        prepare(&keeper)?;
        let inner = Inner {
            writer,
            readers: Mutex::default(),
            keeper: Mutex::new(keeper),
            path: path.to_path_buf(),
        };
        Ok(Store { inner: Arc::new(inner) })
    }

    /// Does some writing. When this returns, it is on disk.
    pub async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.inner.writer.write(work).await
    }

    /// Reads something, off the threads that serve connections.
    pub async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let inner = self.inner.clone();
        let done = tokio::task::spawn_blocking(move || {
            let idle = inner.readers.lock().expect("nobody panics with it").pop();
            let reader = idle.map_or_else(|| inner.open_reader(), Ok)?;
            let read = work(&reader);
            let mut readers = inner.readers.lock().expect("nobody panics with it");
            if readers.len() < READERS {
                readers.push(reader);
            }
            read
        });
        match done.await {
            Ok(read) => Ok(read?),
            Err(_) => Err(StoreError("reading broke off".into())),
        }
    }

    /// Puts the write-ahead log away into the file itself, as far as that disturbs nobody: a disk may take long over it, and no try should
    /// wait for that.
    pub async fn checkpoint(&self) {
        let inner = self.inner.clone();
        let done = tokio::task::spawn_blocking(move || {
            let keeper = inner.keeper.lock().expect("nobody panics with it");
            keeper.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
        });
        if let Ok(Err(error)) = done.await {
            tracing::warn!(%error, "the log could not be put away");
        }
    }
}

impl Inner {
    fn open_reader(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let reader = Connection::open_with_flags(&self.path, flags)?;
        reader.busy_timeout(std::time::Duration::from_secs(5))?;
        Ok(reader)
    }
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(())
}
