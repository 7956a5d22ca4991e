//! Users, their sessions and their ratings, as rows.

use krieg_stats::glicko2::{Glicko2Rating, Glicko2System};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::domain::{BotSettings, RatedUser, User, UserKind};

/// The columns of a user, in the order that [`from_row`] reads.
const COLUMNS: &str = "users.id, users.name, users.kind, users.bot, users.bot_ms";

/// The user whose columns start at `from`.
pub(super) fn from_row(row: &Row, from: usize) -> rusqlite::Result<User> {
    let kind: String = row.get(from + 2)?;
    let spec: Option<String> = row.get(from + 3)?;
    let move_ms: Option<u32> = row.get(from + 4)?;
    Ok(User {
        id: row.get(from)?,
        name: row.get(from + 1)?,
        kind: match kind.as_str() {
            "account" => UserKind::Account,
            "bot" => UserKind::Bot,
            _ => UserKind::Guest,
        },
        bot: spec.zip(move_ms).map(|(spec, ms)| BotSettings { spec, move_ms: ms.into() }),
    })
}

/// Inserts a guest, or an account if there is a password. `None` if the name is taken.
pub fn insert(
    connection: &Connection,
    name: &str,
    password_hash: Option<&str>,
    now_ms: i64,
) -> rusqlite::Result<Option<User>> {
    let (kind, kind_name) = match password_hash {
        Some(_) => (UserKind::Account, "account"),
        None => (UserKind::Guest, "guest"),
    };
    let sql = "INSERT INTO users (name, folded_name, kind, password_hash, created_ms)
               VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING";
    let row = params![name, folded(name), kind_name, password_hash, now_ms];
    let inserted = connection.prepare_cached(sql)?.execute(row)?;
    let id = connection.last_insert_rowid();
    Ok((inserted > 0).then(|| User { id, name: name.to_string(), kind, bot: None }))
}

/// The bot of this name; inserted with these settings if there is none.
pub fn find_or_insert_bot(
    connection: &Connection,
    name: &str,
    bot: &BotSettings,
    now_ms: i64,
) -> rusqlite::Result<User> {
    let sql = "INSERT INTO users (name, folded_name, kind, bot, bot_ms, created_ms)
               VALUES (?1, ?2, 'bot', ?3, ?4, ?5) ON CONFLICT DO NOTHING";
    let row = params![name, folded(name), bot.spec, bot.move_ms as i64, now_ms];
    connection.prepare_cached(sql)?.execute(row)?;
    let sql = format!("SELECT {COLUMNS} FROM users WHERE name = ?1 AND kind = 'bot'");
    connection.query_row(&sql, [name], |row| from_row(row, 0))
}

/// Turns a guest into an account. `false` if another user has the name.
pub fn turn_guest_into_account(
    connection: &Connection,
    guest: i64,
    name: &str,
    password_hash: &str,
) -> rusqlite::Result<bool> {
    let sql = "UPDATE OR IGNORE users
               SET name = ?2, folded_name = ?3, password_hash = ?4, kind = 'account'
               WHERE id = ?1 AND kind = 'guest'";
    let row = params![guest, name, folded(name), password_hash];
    let is_account = connection.execute(sql, row)? > 0;
    if is_account {
        // The guest's token does not give access to the account.
        connection.execute("DELETE FROM sessions WHERE user = ?1", [guest])?;
    }
    Ok(is_account)
}

/// The account of this name, with its password hash.
pub fn find_account(
    connection: &Connection,
    name: &str,
) -> rusqlite::Result<Option<(User, String)>> {
    let sql = format!(
        "SELECT {COLUMNS}, users.password_hash FROM users
         WHERE folded_name = ?1 AND password_hash IS NOT NULL"
    );
    let read = |row: &Row| Ok((from_row(row, 0)?, row.get(5)?));
    connection.query_row(&sql, [folded(name)], read).optional()
}

/// Starts a session with this token digest.
pub fn start_session(
    connection: &Connection,
    user: i64,
    token_digest: &[u8],
    now_ms: i64,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO sessions (token_digest, user, created_ms) VALUES (?1, ?2, ?3)";
    connection.prepare_cached(sql)?.execute(params![token_digest, user, now_ms])?;
    Ok(())
}

/// Ends the session with this token digest.
pub fn end_session(connection: &Connection, token_digest: &[u8]) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM sessions WHERE token_digest = ?1", [token_digest])?;
    Ok(())
}

/// The user of a session. An account's session from before `since_ms` has expired. A guest's
/// session never expires, because the token is the guest's only credential.
pub fn find_by_session(
    connection: &Connection,
    token_digest: &[u8],
    since_ms: i64,
) -> rusqlite::Result<Option<User>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM sessions JOIN users ON users.id = sessions.user
         WHERE token_digest = ?1 AND (sessions.created_ms >= ?2 OR users.kind = 'guest')"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    statement.query_row(params![token_digest, since_ms], |row| from_row(row, 0)).optional()
}

/// A name as it is compared with others, without regard to case.
fn folded(name: &str) -> String {
    name.to_lowercase()
}

/// A user's rating and number of rated games; the initial rating if there are none.
fn rating(
    connection: &Connection,
    user: i64,
    ruleset: &str,
) -> rusqlite::Result<(Glicko2Rating, i64)> {
    let sql = "SELECT rating, deviation, volatility, games FROM ratings
               WHERE user = ?1 AND ruleset = ?2";
    let read = |row: &Row| {
        let [rating, deviation, volatility] = [row.get(0)?, row.get(1)?, row.get(2)?];
        Ok((Glicko2Rating { rating, deviation, volatility }, row.get(3)?))
    };
    let rating = connection.prepare_cached(sql)?.query_row(params![user, ruleset], read);
    Ok(rating.optional()?.unwrap_or_default())
}

/// Updates both ratings after a rated game, in which White scored `score` between 0 and 1.
pub(super) fn rate(
    connection: &Connection,
    ruleset: &str,
    [white, black]: [i64; 2],
    score: f64,
) -> rusqlite::Result<()> {
    let before = [rating(connection, white, ruleset)?, rating(connection, black, ruleset)?];
    for (at, user, score) in [(0, white, score), (1, black, 1.0 - score)] {
        let (own, games) = before[at];
        let after = Glicko2System::default().update(own, &[(before[1 - at].0, score)]);
        let sql = "INSERT OR REPLACE INTO ratings VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        connection.execute(
            sql,
            params![user, ruleset, after.rating, after.deviation, after.volatility, games + 1],
        )?;
    }
    Ok(())
}

/// The users with the highest ratings under a ruleset.
pub fn ratings(
    connection: &Connection,
    ruleset: &str,
    limit: usize,
) -> rusqlite::Result<Vec<RatedUser>> {
    let sql = format!(
        "SELECT {COLUMNS}, rating, deviation, games FROM ratings JOIN users ON users.id = user
         WHERE ruleset = ?1 ORDER BY rating DESC LIMIT ?2"
    );
    let read = |row: &Row| {
        Ok(RatedUser {
            user: from_row(row, 0)?,
            rating: row.get(5)?,
            deviation: row.get(6)?,
            games: row.get(7)?,
        })
    };
    connection.prepare_cached(&sql)?.query_map(params![ruleset, limit as i64], read)?.collect()
}
