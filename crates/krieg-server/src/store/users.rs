//! People and bots, their sessions and their ratings, as rows.

use krieg_stats::glicko2::{Glicko2Rating, Glicko2System};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;
use utoipa::ToSchema;

/// What somebody is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum UserKind {
    /// Has a name, and a token to show for it.
    Guest,
    /// Has a password.
    Account,
    /// Is a program of the house.
    Bot,
    /// Stands in an uploaded game, and is nobody here.
    #[serde(rename = "external")]
    External,
}

impl UserKind {
    fn name(self) -> &'static str {
        match self {
            UserKind::Guest => "guest",
            UserKind::Account => "account",
            UserKind::Bot => "bot",
            UserKind::External => "stranger",
        }
    }

    fn named(name: &str) -> Self {
        let known = [UserKind::Guest, UserKind::Account, UserKind::Bot];
        known.into_iter().find(|kind| kind.name() == name).unwrap_or(UserKind::External)
    }
}

/// Somebody who can sit at a board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct User {
    /// The number by which he is known; 0 for strangers.
    pub id: i64,
    /// What he is called.
    pub name: String,
    /// What he is.
    pub kind: UserKind,
    /// Of a bot: how it is made, and how long it thinks about a move.
    #[serde(skip)]
    pub bot: Option<(String, u64)>,
}

/// Somebody's rating under a ruleset.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Rated {
    /// Whose.
    pub user: User,
    /// How strong.
    pub rating: f64,
    /// Give or take.
    pub deviation: f64,
    /// From so many games.
    pub games: i64,
}

const COLUMNS: &str = "people.id, people.name, people.kind, people.bot, people.bot_ms";

impl User {
    pub(super) fn of_row(row: &Row, from: usize) -> rusqlite::Result<Self> {
        let bot: Option<String> = row.get(from + 3)?;
        let ms: Option<u32> = row.get(from + 4)?;
        Ok(User {
            id: row.get(from)?,
            name: row.get(from + 1)?,
            kind: UserKind::named(&row.get::<_, String>(from + 2)?),
            bot: bot.zip(ms.map(u64::from)),
        })
    }

    /// Somebody of whom only a name is known.
    pub fn stranger(name: &str) -> Self {
        User { id: 0, name: name.to_string(), kind: UserKind::External, bot: None }
    }

    /// Whether it is a program.
    pub fn is_bot(&self) -> bool {
        self.kind == UserKind::Bot
    }

    /// Makes somebody new. `None` if the name is taken.
    pub fn add(
        connection: &Connection,
        name: &str,
        kind: UserKind,
        password: Option<&str>,
        now_ms: i64,
    ) -> rusqlite::Result<Option<User>> {
        let sql = "INSERT INTO people (name, folded, kind, password, created_ms)
                   VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING";
        let row = params![name, folded(name), kind.name(), password, now_ms];
        let added = connection.prepare_cached(sql)?.execute(row)?;
        let id = connection.last_insert_rowid();
        Ok((added > 0).then(|| User { id, name: name.to_string(), kind, bot: None }))
    }

    /// The bot that is made so and thinks so long, under its name; made, if it never sat here before.
    pub fn bot(
        connection: &Connection,
        name: &str,
        spec: &str,
        ms: u64,
        now_ms: i64,
    ) -> rusqlite::Result<User> {
        let sql = "INSERT INTO people (name, folded, kind, bot, bot_ms, created_ms)
                   VALUES (?1, ?2, 'bot', ?3, ?4, ?5) ON CONFLICT DO NOTHING";
        let row = params![name, folded(name), spec, ms as i64, now_ms];
        connection.prepare_cached(sql)?.execute(row)?;
        let sql = format!("SELECT {COLUMNS} FROM people WHERE name = ?1 AND kind = 'bot'");
        connection.query_row(&sql, [name], |row| User::of_row(row, 0))
    }

    /// Gives a guest a password and perhaps another name. `false` if that name is taken.
    pub fn settle(
        connection: &Connection,
        guest: i64,
        name: &str,
        password: &str,
    ) -> rusqlite::Result<bool> {
        let sql =
            "UPDATE OR IGNORE people SET name = ?2, folded = ?3, password = ?4, kind = 'account'
                   WHERE id = ?1 AND kind = 'guest'";
        let settled = connection.execute(sql, params![guest, name, folded(name), password])? > 0;
        if settled {
            // Whoever had the guest's token has not got the account.
            connection.execute("DELETE FROM sessions WHERE person = ?1", [guest])?;
        }
        Ok(settled)
    }

    /// An account and its password, by name.
    pub fn with_password(
        connection: &Connection,
        name: &str,
    ) -> rusqlite::Result<Option<(User, String)>> {
        let sql = format!(
            "SELECT {COLUMNS}, people.password FROM people WHERE folded = ?1 AND password IS NOT NULL"
        );
        let found = |row: &Row| Ok((User::of_row(row, 0)?, row.get(5)?));
        connection.query_row(&sql, [folded(name)], found).optional()
    }

    /// Begins a session.
    pub fn sign_in(
        connection: &Connection,
        person: i64,
        token: &[u8],
        now_ms: i64,
    ) -> rusqlite::Result<()> {
        let sql = "INSERT INTO sessions (token, person, created_ms) VALUES (?1, ?2, ?3)";
        connection.prepare_cached(sql)?.execute(params![token, person, now_ms])?;
        Ok(())
    }

    /// Ends a session.
    pub fn sign_out(connection: &Connection, token: &[u8]) -> rusqlite::Result<()> {
        connection.execute("DELETE FROM sessions WHERE token = ?1", [token])?;
        Ok(())
    }

    /// Who has this token. Sessions older than `since_ms` are over.
    pub fn by_token(
        connection: &Connection,
        token: &[u8],
        since_ms: i64,
    ) -> rusqlite::Result<Option<User>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM sessions JOIN people ON people.id = sessions.person
             WHERE token = ?1 AND (sessions.created_ms >= ?2 OR people.kind = 'guest')"
        );
        let mut found = connection.prepare_cached(&sql)?;
        found.query_row(params![token, since_ms], |row| User::of_row(row, 0)).optional()
    }
}

/// A name as it is compared with others: capitals do not make another of it.
fn folded(name: &str) -> String {
    name.to_lowercase()
}

/// Somebody's rating, and from how many games; a newcomer's, if there are none.
fn rating(
    connection: &Connection,
    person: i64,
    ruleset: &str,
) -> rusqlite::Result<(Glicko2Rating, i64)> {
    let sql = "SELECT rating, deviation, volatility, games FROM ratings
               WHERE person = ?1 AND ruleset = ?2";
    let read = |row: &Row| {
        let [rating, deviation, volatility] = [row.get(0)?, row.get(1)?, row.get(2)?];
        Ok((Glicko2Rating { rating, deviation, volatility }, row.get(3)?))
    };
    let found = connection.prepare_cached(sql)?.query_row(params![person, ruleset], read);
    Ok(found.optional()?.unwrap_or_default())
}

/// Counts a rated game: White scored so much against Black, from 0 to 1.
pub(super) fn rate(
    connection: &Connection,
    ruleset: &str,
    [white, black]: [i64; 2],
    score: f64,
) -> rusqlite::Result<()> {
    let before = [rating(connection, white, ruleset)?, rating(connection, black, ruleset)?];
    for (at, person, score) in [(0, white, score), (1, black, 1.0 - score)] {
        let (own, games) = before[at];
        let after = Glicko2System::default().update(own, &[(before[1 - at].0, score)]);
        let sql = "INSERT OR REPLACE INTO ratings VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        connection.execute(
            sql,
            params![person, ruleset, after.rating, after.deviation, after.volatility, games + 1],
        )?;
    }
    Ok(())
}

impl Rated {
    /// The best under a ruleset.
    pub fn list(
        connection: &Connection,
        ruleset: &str,
        most: usize,
    ) -> rusqlite::Result<Vec<Self>> {
        let sql = format!(
            "SELECT {COLUMNS}, rating, deviation, games FROM ratings JOIN people ON people.id = person
             WHERE ruleset = ?1 ORDER BY rating DESC LIMIT ?2"
        );
        let read = |row: &Row| {
            Ok(Rated {
                user: User::of_row(row, 0)?,
                rating: row.get(5)?,
                deviation: row.get(6)?,
                games: row.get(7)?,
            })
        };
        connection.prepare_cached(&sql)?.query_map(params![ruleset, most as i64], read)?.collect()
    }
}
