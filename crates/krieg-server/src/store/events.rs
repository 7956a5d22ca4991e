//! The events of games, as rows.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql, params};

use crate::domain::{Event, StoredEvent};

impl ToSql for Event {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.to_string().into())
    }
}

impl FromSql for Event {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_str()?.parse().map_err(FromSqlError::other)
    }
}

/// Inserts the event with this number into a game.
pub fn insert(
    connection: &Connection,
    game: i64,
    number: u32,
    at_ms: i64,
    event: Event,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO events (game, number, at_ms, event) VALUES (?1, ?2, ?3, ?4)";
    connection.prepare_cached(sql)?.execute(params![game, number, at_ms, event])?;
    Ok(())
}

/// All events of a game, in order.
pub fn of_game(connection: &Connection, game: i64) -> rusqlite::Result<Vec<StoredEvent>> {
    let sql = "SELECT at_ms, event FROM events WHERE game = ?1 ORDER BY number";
    let mut rows = connection.prepare_cached(sql)?;
    let rows =
        rows.query_map([game], |row| Ok(StoredEvent { at_ms: row.get(0)?, event: row.get(1)? }))?;
    rows.collect()
}
