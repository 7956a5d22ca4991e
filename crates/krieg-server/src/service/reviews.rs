//! Looking at games: their records once they are over, and what a player knows before.

use krieg_core::{Announcement, Color, Ending, Observation, Record, Verdict, placement};
use krieg_notation::json::{ColorJson, OutcomeJson};
use krieg_notation::{Narrator, SavedGame, pgn};
use serde_json::{Value, json};

use super::GameService;
use super::ServiceError;
use crate::domain::{announcement_json, move_number};
use crate::now_ms;
use crate::store::{Filter, GameInfo, Source, Status, Summary, User};
use crate::tokens;

impl GameService {
    /// What is settled about a game.
    pub async fn info(&self, id: &str) -> Result<GameInfo, ServiceError> {
        let id = id.to_string();
        let found =
            self.inner.store.read(move |connection| GameInfo::find(connection, &id)).await?;
        found.ok_or(ServiceError::Unknown("There is no such game."))
    }

    /// Games, the newest first, and where the list goes on.
    pub async fn list(
        &self,
        filter: Filter,
        viewer: Option<i64>,
    ) -> Result<(Vec<Summary>, Option<i64>), ServiceError> {
        let limit = filter.limit;
        let found =
            self.inner.store.read(move |connection| filter.find(connection, viewer)).await?;
        let next = if found.len() == limit { found.last().map(|info| info.number) } else { None };
        Ok((found.iter().map(|info| info.summary(viewer)).collect(), next))
    }

    /// A game that is over, as it was played or as it was brought.
    async fn told(&self, info: &GameInfo) -> Result<SavedGame, ServiceError> {
        if info.source == Source::Uploaded {
            let number = info.number;
            let text = self.inner.store.read(move |c| GameInfo::uploaded_text(c, number)).await?;
            return read_pgn(&text.unwrap_or_default());
        }
        if info.status != Status::Over {
            return Err(ServiceError::NotYours("What happened is hidden until the game is over."));
        }
        let table = self.table(&info.id).await?;
        let session = table.session();
        Ok(SavedGame::Record(Box::new(session.game().record().clone())))
    }

    /// The record of a game that is over and known in full.
    pub(super) async fn record(&self, info: &GameInfo) -> Result<Record, ServiceError> {
        match self.told(info).await? {
            SavedGame::Record(record) => Ok(*record),
            SavedGame::Transcript(_) => Err(ServiceError::NotNow(
                "Only one side of this game is known, so it cannot be analysed.",
            )),
        }
    }

    /// Extended PGN: everything once a game is over, and what a player knows before.
    pub async fn pgn(&self, id: &str, person: Option<i64>) -> Result<String, ServiceError> {
        let info = self.info(id).await?;
        let you = person.and_then(|person| info.color_of(person));
        if info.status == Status::Playing
            && let Some(you) = you
        {
            let table = self.table(id).await?;
            let session = table.session();
            return Ok(pgn::write_transcript(&session.game().record().transcript(you)));
        }
        Ok(match self.told(&info).await? {
            SavedGame::Record(record) => pgn::write_record(&record),
            SavedGame::Transcript(transcript) => pgn::write_transcript(&transcript),
        })
    }

    /// A game that is over, step by step.
    pub async fn review(&self, id: &str, person: Option<i64>) -> Result<Value, ServiceError> {
        let info = self.info(id).await?;
        let told = self.told(&info).await?;
        let number = info.number;
        let guesses = self.inner.store.read(move |connection| {
            let of = |color| GameInfo::guesses(connection, number, color);
            Ok([of(Color::White)?, of(Color::Black)?])
        });
        let [white, black] =
            guesses.await?.map(|text| crate::domain::Guesses::of_text(&text).value());
        let steps = tokio::task::spawn_blocking(move || steps(&told));
        let mut review = steps.await.map_err(|_| ServiceError::Trouble)?;
        review["game"] = serde_json::to_value(info.summary(person)).unwrap_or_default();
        review["guesses"] = json!({ "white": white, "black": black });
        Ok(review)
    }

    /// Keeps a game that somebody brings.
    pub async fn upload(
        &self,
        person: Option<&User>,
        text: String,
    ) -> Result<GameInfo, ServiceError> {
        let told = read_pgn(&text)?;
        let (setup, tags, outcome, moves, tries) = match &told {
            SavedGame::Record(told) => {
                let tries = told.entries().len();
                (told.setup(), told.tags(), told.outcome(), told.moves(), tries)
            }
            SavedGame::Transcript(told) => {
                let moves = told
                    .observations
                    .iter()
                    .filter(|line| line.announcement.verdict == Verdict::Moved);
                (&told.setup, &told.tags, told.outcome, moves.count(), told.observations.len())
            }
        };
        let name = |tag: &str| {
            Some(User::stranger(&krieg_core::excerpt(tags.get(tag).map_or("?", String::as_str))))
        };
        if tries > MOST_TRIES {
            let why =
                format!("The game has {tries} tries; {MOST_TRIES} is the most that is kept here.");
            return Err(ServiceError::BadRequest(why));
        }
        let now = now_ms();
        let mut info = GameInfo {
            number: 0,
            id: tokens::game_id(),
            setup: setup.clone(),
            control: krieg_time::TimeControl::Unlimited,
            seats: [name("White"), name("Black")],
            rated: false,
            coach: false,
            seed: 0,
            status: Status::Over,
            creator: person.map(|person| person.id),
            invitation: None,
            created_ms: now,
            started_ms: None,
            ended_ms: Some(now),
            moves: moves as u32,
            result: Some(outcome.map_or("*", |outcome| outcome.result()).to_string()),
            ending: outcome.map(|outcome| outcome.ending.name().to_string()),
            next: None,
            source: Source::Uploaded,
            ratings: [None; 2],
        };
        let added = info.clone();
        let written =
            self.inner.store.write(move |connection| added.add_uploaded(connection, &text));
        info.number = written.await?;
        Ok(info)
    }
}

/// A game of people has some hundred tries, and one of beginners perhaps a thousand.
const MOST_TRIES: usize = 2_000;

/// Reads a text with one game in it.
fn read_pgn(text: &str) -> Result<SavedGame, ServiceError> {
    let mut games = pgn::read(text);
    let first =
        games.next().ok_or_else(|| ServiceError::BadRequest("There is no game in it.".into()))?;
    let told =
        first.map_err(|error| ServiceError::BadRequest(format!("This is no game: {error}.")))?;
    match games.next() {
        None => Ok(told),
        Some(_) => Err(ServiceError::BadRequest("There is more than one game in it.".into())),
    }
}

fn end_value(outcome: Option<krieg_core::Outcome>) -> Value {
    let Some(outcome) = outcome else { return Value::Null };
    let mut end = serde_json::to_value(OutcomeJson::from(outcome)).unwrap_or_default();
    end["text"] = outcome.to_string().into();
    end
}

/// What was said at an end away from the board.
fn closing(record: &Record) -> Option<Announcement> {
    let outcome = record.outcome().filter(|outcome| !outcome.ending.is_decided_by_position())?;
    let mut game = record.replay(usize::MAX);
    // A flag that loses nothing falls while the other has his king alone.
    let is_bare = |color: Color| game.umpire().view(color).pieces().all().len() == 1;
    let loser = match outcome.winner {
        Some(winner) => !winner,
        None if is_bare(Color::Black) => Color::White,
        None => Color::Black,
    };
    let said = match outcome.ending {
        Ending::Resignation => game.resign(loser),
        Ending::Flag => game.flag(loser),
        Ending::Abandonment => game.abandon(loser),
        _ => game.agree_to_draw(),
    };
    said.ok()
}

/// All steps of a game, as far as it is told.
fn steps(told: &SavedGame) -> Value {
    let (setup, opening, outcome, narrator, closing) = match told {
        SavedGame::Record(told) => {
            (told.setup(), told.opening(), told.outcome(), None, closing(told))
        }
        SavedGame::Transcript(told) => {
            (&told.setup, &told.opening, told.outcome, Some(told.player), None)
        }
    };
    let closing =
        closing.map(|said| Observation { tried: None, announcement: said, spent_ms: None });
    let mut teller = Narrator::new(told);
    let mut ply = 0;
    let mut steps = Vec::new();
    for line in told.observations().iter().chain(&closing) {
        let name = line.tried.map(|_| teller.try_text(line));
        teller.advance(line);
        let mut step = json!({
            "by": ColorJson::from(line.announcement.by),
            "try": line.tried.map(|tried| tried.to_string()),
            "name": name,
            "announcement": announcement_json(&line.announcement),
            "text": line.announcement.to_string(),
            "move": move_number(&setup.start, ply),
            "ms": line.spent_ms,
            "fen": teller.position().map(|position| position.to_string()),
        });
        if narrator.is_some() {
            let own = teller.piece_sets().first().copied();
            step["pieces"] = own.map(|men| placement::write(|square| men.letter(square))).into();
        }
        steps.push(step);
        ply += u32::from(line.announcement.verdict == Verdict::Moved);
    }
    json!({
        "start": setup.start.to_string(),
        "opening": { "announcement": announcement_json(opening), "text": opening.to_string() },
        "steps": steps,
        "end": end_value(outcome),
        "narrator": narrator.map(ColorJson::from),
    })
}
