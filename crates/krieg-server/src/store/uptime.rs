//! When the server ran, as rows.

use rusqlite::Connection;

/// Records that the server runs at `now_ms`.
pub fn write_heartbeat(connection: &Connection, now_ms: i64) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO heartbeat VALUES (1, ?1)";
    connection.prepare_cached(sql)?.execute([now_ms])?;
    Ok(())
}

/// Records the period from the last heartbeat to `now_ms` as downtime, and returns all downtimes.
pub fn record_downtime(connection: &Connection, now_ms: i64) -> rusqlite::Result<Vec<(i64, i64)>> {
    let sql = "INSERT OR IGNORE INTO downtimes SELECT at_ms, ?1 FROM heartbeat WHERE at_ms < ?1";
    connection.execute(sql, [now_ms])?;
    let mut rows = connection.prepare("SELECT from_ms, to_ms FROM downtimes")?;
    rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}
