//! Games, their settings and their status, as rows.

use krieg_core::{Color, Outcome, Position, Ruleset, Setup};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};

use super::users;
use crate::domain::{GameFilter, GameInfo, GameSource, GameStatus, Guesses, User};

/// The name of a colour in the database, and of the column with the player of that colour.
fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// Inserts a new game, and returns its number.
pub fn insert(connection: &Connection, game: &GameInfo) -> rusqlite::Result<i64> {
    // External users are not in the database.
    let player = |color| game.player(color).map(|user| user.id).filter(|id| *id > 0);
    let sql = "INSERT INTO games (id, ruleset, control, start, white, black, rated, coach, seed,
                 status, creator, invitation, created_ms, started_ms, source)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";
    connection.prepare_cached(sql)?.execute(params![
        game.id,
        game.setup.ruleset.name,
        game.control.to_string(),
        game.setup.start.to_string(),
        player(Color::White),
        player(Color::Black),
        game.rated,
        game.coach,
        game.seed as i64,
        game.status.name(),
        game.creator,
        game.invitation,
        game.created_ms,
        game.started_ms,
        game.source.name(),
    ])?;
    Ok(connection.last_insert_rowid())
}

/// Inserts an uploaded game with its text, and returns its number.
pub fn insert_uploaded(
    connection: &Connection,
    game: &GameInfo,
    text: &str,
) -> rusqlite::Result<i64> {
    let number = insert(connection, game)?;
    let name = |color| game.player(color).map_or("?", |user| user.name.as_str());
    let names = Color::ALL.map(name).join("\n");
    let sql = "UPDATE games SET uploaded_text = ?2, player_names = ?3, moves = ?4, result = ?5,
                 ending = ?6, ended_ms = created_ms WHERE number = ?1";
    connection.execute(sql, params![number, text, names, game.moves, game.result, game.ending])?;
    Ok(number)
}

/// The text of an uploaded game.
pub fn uploaded_text(connection: &Connection, number: i64) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT uploaded_text FROM games WHERE number = ?1";
    connection.query_row(sql, [number], |row| row.get(0))
}

/// Gives a user the free seat of an open game, which starts the game. `false` if the seat is taken.
pub fn join(
    connection: &Connection,
    number: i64,
    color: Color,
    user: i64,
    now_ms: i64,
) -> rusqlite::Result<bool> {
    let seat = color_name(color);
    let sql = format!(
        "UPDATE games SET {seat} = ?2, status = 'playing', started_ms = ?3
         WHERE number = ?1 AND status = 'open' AND {seat} IS NULL"
    );
    Ok(connection.execute(&sql, params![number, user, now_ms])? > 0)
}

/// Cancels an open game. `false` if it is not open.
pub fn cancel(connection: &Connection, number: i64) -> rusqlite::Result<bool> {
    let sql = "UPDATE games SET status = 'cancelled' WHERE number = ?1 AND status = 'open'";
    Ok(connection.execute(sql, [number])? > 0)
}

/// Stores the number of moves.
pub fn set_moves(connection: &Connection, number: i64, moves: u32) -> rusqlite::Result<()> {
    let sql = "UPDATE games SET moves = ?2 WHERE number = ?1";
    connection.prepare_cached(sql)?.execute(params![number, moves])?;
    Ok(())
}

/// Stores the outcome, and updates the ratings if the game is rated.
pub fn finish(
    connection: &Connection,
    game: &GameInfo,
    outcome: Outcome,
    now_ms: i64,
) -> rusqlite::Result<()> {
    let sql = "UPDATE games SET status = 'over', ended_ms = ?2, result = ?3, ending = ?4
               WHERE number = ?1 AND status = 'playing'";
    let finished = connection
        .execute(sql, params![game.number, now_ms, outcome.result(), outcome.ending.name()])?;
    let players = Color::ALL.map(|color| game.player(color).map(|user| user.id));
    if let ([Some(white), Some(black)], true, 1) = (players, game.rated, finished) {
        let score = match outcome.winner {
            Some(Color::White) => 1.0,
            Some(Color::Black) => 0.0,
            None => 0.5,
        };
        users::rate(connection, game.setup.ruleset.name, [white, black], score)?;
    }
    Ok(())
}

/// Stores the id of the rematch.
pub fn set_rematch(connection: &Connection, number: i64, rematch: &str) -> rusqlite::Result<()> {
    let sql = "UPDATE games SET rematch = ?2 WHERE number = ?1";
    connection.execute(sql, params![number, rematch])?;
    Ok(())
}

/// The game with this id.
pub fn find(connection: &Connection, id: &str) -> rusqlite::Result<Option<GameInfo>> {
    let sql = format!("{SELECT} WHERE games.id = ?1");
    connection.prepare_cached(&sql)?.query_row([id], from_row).optional()
}

/// The ids of all running games.
pub fn running(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut rows = connection.prepare("SELECT id FROM games WHERE status = 'playing'")?;
    rows.query_map([], |row| row.get(0))?.collect()
}

/// The number of a user's running games against bots.
pub fn running_against_bots(connection: &Connection, user: i64) -> rusqlite::Result<usize> {
    let sql = "SELECT count(*) FROM games
                 JOIN users ON users.id IN (white, black) AND users.kind = 'bot'
               WHERE status = 'playing' AND (white = ?1 OR black = ?1)";
    let count: i64 = connection.prepare_cached(sql)?.query_row([user], |row| row.get(0))?;
    Ok(count as usize)
}

/// Stores a player's guesses.
pub fn set_guesses(
    connection: &Connection,
    number: i64,
    player: Color,
    guesses: &Guesses,
) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO guesses VALUES (?1, ?2, ?3)";
    let row = params![number, color_name(player), guesses.text()];
    connection.prepare_cached(sql)?.execute(row)?;
    Ok(())
}

/// The guesses of both players.
pub fn guesses(connection: &Connection, number: i64) -> rusqlite::Result<[Guesses; 2]> {
    let mut statement =
        connection.prepare_cached("SELECT guesses FROM guesses WHERE game = ?1 AND color = ?2")?;
    let mut of = |player| -> rusqlite::Result<Guesses> {
        let row = params![number, color_name(player)];
        let text: Option<String> = statement.query_row(row, |row| row.get(0)).optional()?;
        Ok(text.map(|text| Guesses::from_text(&text)).unwrap_or_default())
    };
    Ok([of(Color::White)?, of(Color::Black)?])
}

/// The games that match a filter, the newest first. An open game with an invitation is listed for
/// its creator only.
pub fn list(
    connection: &Connection,
    filter: &GameFilter,
    viewer: Option<i64>,
) -> rusqlite::Result<Vec<GameInfo>> {
    let mut sql = format!("{SELECT} WHERE games.status <> 'cancelled'");
    let mut values: Vec<Value> = Vec::new();
    let mut add = |condition: &str, value: Value| {
        values.push(value);
        sql += " AND ";
        sql += &condition.replace('?', &format!("?{}", values.len()));
    };
    add(
        "(games.invitation IS NULL OR games.status <> 'open' OR games.creator = ?)",
        viewer.unwrap_or(-1).into(),
    );
    if let Some(status) = filter.status {
        add("games.status = ?", status.name().to_string().into());
    }
    if let Some(ruleset) = filter.ruleset {
        add("games.ruleset = ?", ruleset.to_string().into());
    }
    if let Some(player) = &filter.player {
        add(
            "(w.name = ? COLLATE NOCASE OR b.name = ? COLLATE NOCASE
              OR instr(char(10) || lower(games.player_names) || char(10),
                       char(10) || lower(?) || char(10)) > 0)",
            player.clone().into(),
        );
    }
    if let Some(user) = filter.user {
        add("(games.white = ? OR games.black = ?)", user.into());
    }
    if let Some(before) = filter.before {
        add("games.number < ?", before.into());
    }
    add("TRUE ORDER BY games.number DESC LIMIT ?", (filter.limit as i64).into());
    let values: Vec<&dyn ToSql> = values.iter().map(|value| value as &dyn ToSql).collect();
    connection.prepare_cached(&sql)?.query_map(&values[..], from_row)?.collect()
}

const SELECT: &str = "SELECT games.number, games.id, games.ruleset, games.control, games.start,
    games.rated, games.coach, games.seed, games.status, games.creator, games.invitation,
    games.created_ms, games.started_ms, games.ended_ms, games.moves, games.result, games.ending,
    games.rematch, games.source, games.player_names,
    w.id, w.name, w.kind, w.bot, w.bot_ms, b.id, b.name, b.kind, b.bot, b.bot_ms,
    rw.rating, rb.rating
  FROM games LEFT JOIN users w ON w.id = games.white LEFT JOIN users b ON b.id = games.black
    LEFT JOIN ratings rw ON rw.user = games.white AND rw.ruleset = games.ruleset
    LEFT JOIN ratings rb ON rb.user = games.black AND rb.ruleset = games.ruleset";

fn from_row(row: &Row) -> rusqlite::Result<GameInfo> {
    let text = |at: usize| row.get::<_, String>(at);
    let ruleset = parse(row, 2, |text| text.parse::<Ruleset>())?;
    let names: Option<String> = row.get(19)?;
    let mut seats = [20, 25].map(|at| match row.get::<_, Option<i64>>(at) {
        Ok(Some(_)) => users::from_row(row, at).map(Some),
        Ok(None) => Ok(None),
        Err(error) => Err(error),
    });
    if let Some(names) = &names {
        for (seat, name) in seats.iter_mut().zip(names.split('\n')) {
            *seat = Ok(Some(User::external(name)));
        }
    }
    let [white, black] = seats;
    let (status, source) = (text(8)?, text(18)?);
    let is_uploaded = source == GameSource::Uploaded.name();
    Ok(GameInfo {
        number: row.get(0)?,
        id: text(1)?,
        setup: Setup { ruleset, start: parse(row, 4, Position::from_fen)?, ..Setup::default() },
        control: parse(row, 3, |text| text.parse())?,
        rated: row.get(5)?,
        coach: row.get(6)?,
        seed: row.get::<_, i64>(7)? as u64,
        status: GameStatus::ALL
            .into_iter()
            .find(|known| known.name() == status)
            .unwrap_or(GameStatus::Cancelled),
        creator: row.get(9)?,
        invitation: row.get(10)?,
        created_ms: row.get(11)?,
        started_ms: row.get(12)?,
        ended_ms: row.get(13)?,
        moves: row.get(14)?,
        result: row.get(15)?,
        ending: row.get(16)?,
        rematch: row.get(17)?,
        source: if is_uploaded { GameSource::Uploaded } else { GameSource::Played },
        seats: [white?, black?],
        ratings: [row.get(30)?, row.get(31)?],
    })
}

/// The value of a text column.
fn parse<T, E: std::error::Error + Send + Sync + 'static>(
    row: &Row,
    at: usize,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> rusqlite::Result<T> {
    let text: String = row.get(at)?;
    parse(&text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(at, rusqlite::types::Type::Text, Box::new(error))
    })
}
