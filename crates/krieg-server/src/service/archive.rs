//! Lists, records and reviews of games, and uploaded games.

use krieg_core::{Announcement, Color, Ending, Observation, Outcome, Record, Verdict, placement};
use krieg_notation::json::{ColorJson, OutcomeJson};
use krieg_notation::{Narrator, SavedGame, pgn};
use krieg_time::TimeControl;
use serde_json::{Value, json};

use super::{GameService, ServiceError};
use crate::domain::{
    GameFilter, GameInfo, GameSource, GameStatus, GameSummary, User, announcement_json, move_number,
};
use crate::store::games;
use crate::{now_ms, tokens};

/// Maximum number of tries of an uploaded game. A game between people has some hundred tries, and
/// one between beginners perhaps a thousand.
const MAX_UPLOADED_TRIES: usize = 2_000;

impl GameService {
    /// The settings and the status of a game.
    pub async fn game_info(&self, id: &str) -> Result<GameInfo, ServiceError> {
        let id = id.to_string();
        let info = self.inner.store.read(move |connection| games::find(connection, &id)).await?;
        info.ok_or(ServiceError::NotFound("There is no such game."))
    }

    /// The games that match a filter, the newest first, and the cursor to the rest of the list.
    pub async fn list_games(
        &self,
        filter: GameFilter,
        viewer: Option<i64>,
    ) -> Result<(Vec<GameSummary>, Option<i64>), ServiceError> {
        let limit = filter.limit;
        let list = self.inner.store.read(move |c| games::list(c, &filter, viewer)).await?;
        let last = list.last().filter(|_| list.len() == limit).map(|info| info.number);
        Ok((list.iter().map(|info| info.summary(viewer)).collect(), last))
    }

    /// A finished or uploaded game.
    async fn saved_game(&self, info: &GameInfo) -> Result<SavedGame, ServiceError> {
        if info.source == GameSource::Uploaded {
            let number = info.number;
            let text = self.inner.store.read(move |c| games::uploaded_text(c, number)).await?;
            return read_pgn(&text.unwrap_or_default());
        }
        if info.status != GameStatus::Over {
            return Err(ServiceError::Forbidden("The game is hidden until it is over."));
        }
        let handle = self.session(&info.id).await?;
        let record = handle.session().game().record().clone();
        Ok(SavedGame::Record(Box::new(record)))
    }

    /// The full record of a finished game.
    pub(super) async fn record_of(&self, info: &GameInfo) -> Result<Record, ServiceError> {
        match self.saved_game(info).await? {
            SavedGame::Record(record) => Ok(*record),
            SavedGame::Transcript(_) => Err(ServiceError::NotNow(
                "Only one side of this game is known, so it cannot be analysed.",
            )),
        }
    }

    /// Extended PGN: the record of a finished game, or a player's transcript of a running one.
    pub async fn pgn(&self, id: &str, user: Option<i64>) -> Result<String, ServiceError> {
        let info = self.game_info(id).await?;
        let player = user.and_then(|user| info.color_of(user));
        if info.status == GameStatus::Playing
            && let Some(player) = player
        {
            let handle = self.session(id).await?;
            let transcript = handle.session().game().record().transcript(player);
            return Ok(pgn::write_transcript(&transcript));
        }
        Ok(match self.saved_game(&info).await? {
            SavedGame::Record(record) => pgn::write_record(&record),
            SavedGame::Transcript(transcript) => pgn::write_transcript(&transcript),
        })
    }

    /// A finished game, step by step.
    pub async fn review(&self, id: &str, user: Option<i64>) -> Result<Value, ServiceError> {
        let info = self.game_info(id).await?;
        let game = self.saved_game(&info).await?;
        let number = info.number;
        let guesses = self.inner.store.read(move |c| games::guesses(c, number)).await?;
        let steps = tokio::task::spawn_blocking(move || review_json(&game));
        let mut review = steps.await.map_err(|_| ServiceError::Internal)?;
        review["game"] = serde_json::to_value(info.summary(user)).unwrap_or_default();
        let [white, black] = guesses;
        review["guesses"] = json!({ "white": white, "black": black });
        Ok(review)
    }

    /// Stores an uploaded game.
    pub async fn upload(
        &self,
        user: Option<&User>,
        text: String,
    ) -> Result<GameInfo, ServiceError> {
        let game = read_pgn(&text)?;
        let mut info = uploaded_info(&game, user)?;
        let stored = info.clone();
        let write = move |c: &_| games::insert_uploaded(c, &stored, &text);
        info.number = self.inner.store.write(write).await?;
        Ok(info)
    }
}

/// Reads a text that contains one game.
fn read_pgn(text: &str) -> Result<SavedGame, ServiceError> {
    let bad = |message: String| Err(ServiceError::BadRequest(message));
    let mut games = pgn::read(text);
    let game = match games.next() {
        Some(Ok(game)) => game,
        Some(Err(error)) => return bad(format!("The game cannot be read: {error}.")),
        None => return bad("The text contains no game.".into()),
    };
    match games.next() {
        None => Ok(game),
        Some(_) => bad("The text contains more than one game.".into()),
    }
}

fn uploaded_info(game: &SavedGame, user: Option<&User>) -> Result<GameInfo, ServiceError> {
    let (setup, tags, outcome, moves, tries) = match game {
        SavedGame::Record(record) => {
            let tries = record.entries().len();
            (record.setup(), record.tags(), record.outcome(), record.moves(), tries)
        }
        SavedGame::Transcript(transcript) => {
            let observations = &transcript.observations;
            let moves = observations.iter().filter(|it| it.announcement.verdict == Verdict::Moved);
            let (setup, tags) = (&transcript.setup, &transcript.tags);
            (setup, tags, transcript.outcome, moves.count(), observations.len())
        }
    };
    if tries > MAX_UPLOADED_TRIES {
        let message = format!("The game has {tries} tries; the maximum is {MAX_UPLOADED_TRIES}.");
        return Err(ServiceError::BadRequest(message));
    }
    let player = |tag: &str| {
        let name = tags.get(tag).map_or("?", String::as_str);
        Some(User::external(&krieg_core::excerpt(name)))
    };
    let now = now_ms();
    Ok(GameInfo {
        number: 0,
        id: tokens::game_id(),
        setup: setup.clone(),
        control: TimeControl::Unlimited,
        seats: [player("White"), player("Black")],
        rated: false,
        coach: false,
        seed: 0,
        status: GameStatus::Over,
        creator: user.map(|user| user.id),
        invitation: None,
        created_ms: now,
        started_ms: None,
        ended_ms: Some(now),
        moves: moves as u32,
        result: Some(outcome.map_or("*", |outcome| outcome.result()).to_string()),
        ending: outcome.map(|outcome| outcome.ending.name().to_string()),
        rematch: None,
        source: GameSource::Uploaded,
        ratings: [None; 2],
    })
}

fn outcome_json(outcome: Option<Outcome>) -> Value {
    let Some(outcome) = outcome else { return Value::Null };
    let mut value = serde_json::to_value(OutcomeJson::from(outcome)).unwrap_or_default();
    value["text"] = outcome.to_string().into();
    value
}

/// The announcement of an end that a player's action caused. Records do not contain it.
fn closing_announcement(record: &Record) -> Option<Announcement> {
    let outcome = record.outcome().filter(|outcome| !outcome.ending.is_decided_by_position())?;
    let mut game = record.replay(usize::MAX);
    // A flag falls without a winner if the opponent has a lone king.
    let has_lone_king = |color: Color| game.umpire().view(color).pieces().all().len() == 1;
    let loser = match outcome.winner {
        Some(winner) => !winner,
        None if has_lone_king(Color::Black) => Color::White,
        None => Color::Black,
    };
    let announcement = match outcome.ending {
        Ending::Resignation => game.resign(loser),
        Ending::Flag => game.flag(loser),
        Ending::Abandonment => game.abandon(loser),
        _ => game.agree_to_draw(),
    };
    announcement.ok()
}

/// All steps of a game, as `docs/api.md` describes them.
fn review_json(game: &SavedGame) -> Value {
    let (setup, opening, outcome, narrating_player, closing) = match game {
        SavedGame::Record(record) => {
            let closing = closing_announcement(record);
            (record.setup(), record.opening(), record.outcome(), None, closing)
        }
        SavedGame::Transcript(transcript) => {
            let player = Some(transcript.player);
            (&transcript.setup, &transcript.opening, transcript.outcome, player, None)
        }
    };
    let closing =
        closing.map(|announcement| Observation { tried: None, announcement, spent_ms: None });
    let mut narrator = Narrator::new(game);
    let mut ply = 0;
    let mut steps = Vec::new();
    for observation in game.observations().iter().chain(&closing) {
        let announcement = &observation.announcement;
        let name = observation.tried.map(|_| narrator.try_text(observation));
        narrator.advance(observation);
        let mut step = json!({
            "by": ColorJson::from(announcement.by),
            "try": observation.tried.map(|tried| tried.to_string()),
            "name": name,
            "announcement": announcement_json(announcement),
            "text": announcement.to_string(),
            "move": move_number(&setup.start, ply),
            "ms": observation.spent_ms,
            "fen": narrator.position().map(|position| position.to_string()),
        });
        if narrating_player.is_some() {
            let own = narrator.piece_sets().first().copied();
            step["pieces"] = own.map(|own| placement::write(|square| own.letter(square))).into();
        }
        steps.push(step);
        ply += u32::from(announcement.verdict == Verdict::Moved);
    }
    json!({
        "start": setup.start.to_string(),
        "opening": { "announcement": announcement_json(opening), "text": opening.to_string() },
        "steps": steps,
        "end": outcome_json(outcome),
        "narrator": narrating_player.map(ColorJson::from),
    })
}
