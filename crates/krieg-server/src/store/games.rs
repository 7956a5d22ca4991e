//! Games as rows: what was settled about each, and how it stands.

use krieg_core::{Color, Outcome, Position, Ruleset, Setup};
use krieg_notation::json::ColorJson;
use krieg_time::TimeControl;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::events::side_name;
use super::users::{User, rate};

/// Where a game stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Somebody waits for an opponent.
    Open,
    /// It is being played.
    Playing,
    /// It is over.
    Over,
    /// It was taken back before it began.
    #[serde(rename = "cancelled")]
    Gone,
}

impl Status {
    const ALL: [Status; 4] = [Status::Open, Status::Playing, Status::Over, Status::Gone];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Status::Open => "open",
            Status::Playing => "playing",
            Status::Over => "over",
            Status::Gone => "gone",
        }
    }
}

/// Where a game is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// It was played here.
    Played,
    /// Somebody brought it.
    Uploaded,
}

/// All that is settled about a game, and how it stands.
#[derive(Debug, Clone)]
pub struct GameInfo {
    /// Its number in the store; 0 until it is there.
    pub number: i64,
    /// What it is called in addresses.
    pub id: String,
    /// The ruleset, and where it begins.
    pub setup: Setup,
    /// The time control.
    pub control: TimeControl,
    /// Who sits where.
    pub seats: [Option<User>; 2],
    /// Whether it counts.
    pub rated: bool,
    /// Whether the coach may be asked.
    pub coach: bool,
    /// Where bots take their random numbers from. Nobody is told before the end.
    pub seed: u64,
    /// How it stands.
    pub status: Status,
    /// Who offered it.
    pub creator: Option<i64>,
    /// The secret of the invitation; none, if everybody is invited.
    pub invitation: Option<String>,
    /// When it was offered.
    pub created_ms: i64,
    /// When both sat down.
    pub started_ms: Option<i64>,
    /// When it ended.
    pub ended_ms: Option<i64>,
    /// How many moves were made.
    pub moves: u32,
    /// `1-0` and the like.
    pub result: Option<String>,
    /// How it ended.
    pub ending: Option<String>,
    /// The rematch.
    pub next: Option<String>,
    /// Where it is from.
    pub source: Source,
    /// The ratings of those who sit there, under this ruleset.
    pub ratings: [Option<f64>; 2],
}

/// A game in a few words, for lists.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Summary {
    id: String,
    ruleset: &'static str,
    control: String,
    rated: bool,
    coach: bool,
    status: Status,
    white: Option<Sitter>,
    black: Option<Sitter>,
    #[schema(value_type = Option<String>)]
    you: Option<ColorJson>,
    moves: u32,
    result: Option<String>,
    ending: Option<String>,
    created_ms: i64,
    ended_ms: Option<i64>,
    source: Source,
}

/// Somebody at a board, with a rating.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct Sitter {
    #[serde(flatten)]
    person: User,
    rating: Option<i64>,
}

impl GameInfo {
    /// Where this person sits.
    pub fn color_of(&self, person: i64) -> Option<Color> {
        let sits = |color: &Color| {
            self.seats[*color as usize].as_ref().is_some_and(|seat| seat.id == person)
        };
        Color::ALL.into_iter().find(sits)
    }

    /// Whether both who sit there are people.
    pub fn is_between_people(&self) -> bool {
        !self.seats.iter().flatten().any(User::is_bot)
    }

    /// The game in a few words, as this person sees it.
    pub fn summary(&self, person: Option<i64>) -> Summary {
        let [white, black] = Color::ALL.map(|color| {
            let rating = self.ratings[color as usize].map(|rating| rating.round() as i64);
            self.seats[color as usize].clone().map(|person| Sitter { person, rating })
        });
        Summary {
            id: self.id.clone(),
            ruleset: self.setup.ruleset.name,
            control: self.control.to_string(),
            rated: self.rated,
            coach: self.coach,
            status: self.status,
            white,
            black,
            you: person.and_then(|person| self.color_of(person)).map(ColorJson::from),
            moves: self.moves,
            result: self.result.clone(),
            ending: self.ending.clone(),
            created_ms: self.created_ms,
            ended_ms: self.ended_ms,
            source: self.source,
        }
    }

    /// Adds a new game.
    pub fn add(&self, connection: &Connection) -> rusqlite::Result<i64> {
        // Strangers stand in no list of ours.
        let seat = |color: Color| {
            self.seats[color as usize].as_ref().map(|seat| seat.id).filter(|id| *id > 0)
        };
        let sql = "INSERT INTO games (id, ruleset, control, start, white, black, rated, coach, seed, status,
                     creator, invitation, created_ms, started_ms, source)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, 'played')";
        connection.prepare_cached(sql)?.execute(params![
            self.id,
            self.setup.ruleset.name,
            self.control.to_string(),
            self.setup.start.to_string(),
            seat(Color::White),
            seat(Color::Black),
            self.rated,
            self.coach,
            self.seed as i64,
            self.status.name(),
            self.creator,
            self.invitation,
            self.created_ms,
            self.started_ms,
        ])?;
        Ok(connection.last_insert_rowid())
    }

    /// Adds a game that somebody brought, with its text.
    pub fn add_uploaded(&self, connection: &Connection, text: &str) -> rusqlite::Result<i64> {
        let number = self.add(connection)?;
        let name =
            |color: Color| self.seats[color as usize].as_ref().map(|seat| seat.name.as_str());
        let names = Color::ALL.map(|color| name(color).unwrap_or("?")).join("\n");
        let sql = "UPDATE games SET source = 'uploaded', uploaded = ?2, names = ?3,
                     moves = ?4, result = ?5, ending = ?6, ended_ms = created_ms WHERE number = ?1";
        connection
            .execute(sql, params![number, text, names, self.moves, self.result, self.ending])?;
        Ok(number)
    }

    /// The text of a game that somebody brought.
    pub fn uploaded_text(connection: &Connection, number: i64) -> rusqlite::Result<Option<String>> {
        connection
            .query_row("SELECT uploaded FROM games WHERE number = ?1", [number], |row| row.get(0))
    }

    /// Somebody takes the free seat. `false` if there is none any more.
    pub fn join(
        connection: &Connection,
        number: i64,
        color: Color,
        person: i64,
        now_ms: i64,
    ) -> rusqlite::Result<bool> {
        let seat = side_name(color);
        let sql = format!(
            "UPDATE games SET {seat} = ?2, status = 'playing', started_ms = ?3
             WHERE number = ?1 AND status = 'open' AND {seat} IS NULL"
        );
        Ok(connection.execute(&sql, params![number, person, now_ms])? > 0)
    }

    /// Takes back a game that nobody has joined. `false` if somebody has.
    pub fn cancel(connection: &Connection, number: i64) -> rusqlite::Result<bool> {
        let sql = "UPDATE games SET status = 'gone' WHERE number = ?1 AND status = 'open'";
        Ok(connection.execute(sql, [number])? > 0)
    }

    /// Counts a move.
    pub fn moved(connection: &Connection, number: i64, moves: u32) -> rusqlite::Result<()> {
        let sql = "UPDATE games SET moves = ?2 WHERE number = ?1";
        connection.prepare_cached(sql)?.execute(params![number, moves])?;
        Ok(())
    }

    /// Notes the end of a game, and counts it if it is rated.
    pub fn end(
        &self,
        connection: &Connection,
        outcome: Outcome,
        now_ms: i64,
    ) -> rusqlite::Result<()> {
        let sql = "UPDATE games SET status = 'over', ended_ms = ?2, result = ?3, ending = ?4
                   WHERE number = ?1 AND status = 'playing'";
        let ended = connection
            .execute(sql, params![self.number, now_ms, outcome.result(), outcome.ending.name()])?;
        let seats = self.seats.each_ref().map(|seat| seat.as_ref().map(|seat| seat.id));
        if let ([Some(white), Some(black)], true, 1) = (seats, self.rated, ended) {
            let score = match outcome.winner {
                Some(Color::White) => 1.0,
                Some(Color::Black) => 0.0,
                None => 0.5,
            };
            rate(connection, self.setup.ruleset.name, [white, black], score)?;
        }
        Ok(())
    }

    /// Notes the rematch.
    pub fn followed_by(connection: &Connection, number: i64, next: &str) -> rusqlite::Result<()> {
        connection
            .execute("UPDATE games SET next = ?2 WHERE number = ?1", params![number, next])?;
        Ok(())
    }

    /// The game of this id.
    pub fn find(connection: &Connection, id: &str) -> rusqlite::Result<Option<GameInfo>> {
        let sql = format!("{SELECT} WHERE games.id = ?1");
        connection.prepare_cached(&sql)?.query_row([id], info).optional()
    }

    /// The ids of all games that are being played.
    pub fn playing(connection: &Connection) -> rusqlite::Result<Vec<String>> {
        let mut found = connection.prepare("SELECT id FROM games WHERE status = 'playing'")?;
        found.query_map([], |row| row.get(0))?.collect()
    }

    /// How many games against bots somebody has going on.
    pub fn playing_against_bots(connection: &Connection, person: i64) -> rusqlite::Result<usize> {
        let sql = "SELECT count(*) FROM games JOIN people ON people.id IN (white, black) AND people.kind = 'bot'
                   WHERE status = 'playing' AND (white = ?1 OR black = ?1)";
        let count: i64 = connection.prepare_cached(sql)?.query_row([person], |row| row.get(0))?;
        Ok(count as usize)
    }

    /// Keeps a player's ghosts.
    pub fn keep_ghosts(
        connection: &Connection,
        number: i64,
        player: Color,
        men: &str,
    ) -> rusqlite::Result<()> {
        let sql = "INSERT OR REPLACE INTO ghosts VALUES (?1, ?2, ?3)";
        connection.prepare_cached(sql)?.execute(params![number, side_name(player), men])?;
        Ok(())
    }

    /// A player's ghosts.
    pub fn guesses(
        connection: &Connection,
        number: i64,
        player: Color,
    ) -> rusqlite::Result<String> {
        let sql = "SELECT men FROM ghosts WHERE game = ?1 AND side = ?2";
        let found = connection
            .prepare_cached(sql)?
            .query_row(params![number, side_name(player)], |row| row.get(0));
        Ok(found.optional()?.unwrap_or_default())
    }
}

/// Which games are asked for.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// How they stand.
    pub status: Option<Status>,
    /// Under this ruleset.
    pub ruleset: Option<&'static str>,
    /// With somebody of this name.
    pub player: Option<String>,
    /// With this person.
    pub person: Option<i64>,
    /// Older than this one.
    pub before: Option<i64>,
    /// So many at most.
    pub limit: usize,
}

impl Filter {
    /// The games, the newest first. Those that wait for somebody in particular are only shown to whoever sits there.
    pub fn find(
        &self,
        connection: &Connection,
        viewer: Option<i64>,
    ) -> rusqlite::Result<Vec<GameInfo>> {
        let mut sql = format!("{SELECT} WHERE games.status <> 'gone'");
        let mut values: Vec<Value> = Vec::new();
        let mut also = |condition: &str, value: Value| {
            values.push(value);
            sql += " AND ";
            sql += &condition.replace('?', &format!("?{}", values.len()));
        };
        also(
            "(games.invitation IS NULL OR games.status <> 'open' OR games.creator = ?)",
            viewer.unwrap_or(-1).into(),
        );
        if let Some(status) = self.status {
            also("games.status = ?", status.name().to_string().into());
        }
        if let Some(ruleset) = self.ruleset {
            also("games.ruleset = ?", ruleset.to_string().into());
        }
        if let Some(player) = &self.player {
            let one_of_them = "(w.name = ? COLLATE NOCASE OR b.name = ? COLLATE NOCASE
                OR instr(char(10) || lower(games.names) || char(10), char(10) || lower(?) || char(10)) > 0)";
            also(one_of_them, player.clone().into());
        }
        if let Some(person) = self.person {
            also("(games.white = ? OR games.black = ?)", person.into());
        }
        if let Some(before) = self.before {
            also("games.number < ?", before.into());
        }
        also("TRUE ORDER BY games.number DESC LIMIT ?", (self.limit as i64).into());
        let values: Vec<&dyn ToSql> = values.iter().map(|value| value as &dyn ToSql).collect();
        connection.prepare_cached(&sql)?.query_map(&values[..], info)?.collect()
    }
}

const SELECT: &str = "SELECT games.number, games.id, games.ruleset, games.control, games.start,
    games.rated, games.coach, games.seed, games.status, games.creator, games.invitation, games.created_ms,
    games.started_ms, games.ended_ms, games.moves, games.result, games.ending, games.next, games.source, games.names,
    w.id, w.name, w.kind, w.bot, w.bot_ms, b.id, b.name, b.kind, b.bot, b.bot_ms, rw.rating, rb.rating
    FROM games LEFT JOIN people w ON w.id = games.white LEFT JOIN people b ON b.id = games.black
    LEFT JOIN ratings rw ON rw.person = games.white AND rw.ruleset = games.ruleset
    LEFT JOIN ratings rb ON rb.person = games.black AND rb.ruleset = games.ruleset";

fn info(row: &Row) -> rusqlite::Result<GameInfo> {
    let text = |at: usize| row.get::<_, String>(at);
    let ruleset = read(row, 2, |text| text.parse::<Ruleset>())?;
    let names: Option<String> = row.get(19)?;
    let mut seats = [20, 25].map(|at| match row.get::<_, Option<i64>>(at) {
        Ok(Some(_)) => User::of_row(row, at).map(Some),
        Ok(None) => Ok(None),
        Err(error) => Err(error),
    });
    if let Some(names) = &names {
        for (seat, name) in seats.iter_mut().zip(names.split('\n')) {
            *seat = Ok(Some(User::stranger(name)));
        }
    }
    let [white, black] = seats;
    let status = text(8)?;
    Ok(GameInfo {
        number: row.get(0)?,
        id: text(1)?,
        setup: Setup { ruleset, start: read(row, 4, Position::from_fen)?, ..Setup::default() },
        control: read(row, 3, |text| text.parse())?,
        rated: row.get(5)?,
        coach: row.get(6)?,
        seed: row.get::<_, i64>(7)? as u64,
        status: Status::ALL
            .into_iter()
            .find(|known| known.name() == status)
            .unwrap_or(Status::Gone),
        creator: row.get(9)?,
        invitation: row.get(10)?,
        created_ms: row.get(11)?,
        started_ms: row.get(12)?,
        ended_ms: row.get(13)?,
        moves: row.get(14)?,
        result: row.get(15)?,
        ending: row.get(16)?,
        next: row.get(17)?,
        source: if text(18)? == "uploaded" { Source::Uploaded } else { Source::Played },
        seats: [white?, black?],
        ratings: [row.get(30)?, row.get(31)?],
    })
}

/// A column that is more than a text.
fn read<T, E: std::error::Error + Send + Sync + 'static>(
    row: &Row,
    at: usize,
    read: impl FnOnce(&str) -> Result<T, E>,
) -> rusqlite::Result<T> {
    let text: String = row.get(at)?;
    read(&text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(at, rusqlite::types::Type::Text, Box::new(error))
    })
}
