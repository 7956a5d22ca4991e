//! Finished analyses, as rows.

use rusqlite::{Connection, OptionalExtension, params};

/// The analysis of a game, as JSON text.
pub fn find(connection: &Connection, game: i64) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT analysis FROM analyses WHERE game = ?1";
    let analysis = connection.query_row(sql, [game], |row| row.get(0)).optional()?;
    Ok(analysis.flatten())
}

/// Stores the analysis of a game.
pub fn insert(connection: &Connection, game: i64, analysis: &str) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO analyses VALUES (?1, ?2)";
    connection.execute(sql, params![game, analysis])?;
    Ok(())
}
