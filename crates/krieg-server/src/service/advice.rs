//! Advice during a game, and analysis after it.

use krieg_core::Color;
use krieg_time::TimeControl;
use rusqlite::OptionalExtension;
use serde_json::{Value, json};

use super::ServiceError;
use super::session_handle::seat_of;
use super::{GameService, bot_moves};
use crate::bots::{Advice, can_be_analysed};
use crate::store::{GameInfo, Status};

impl GameService {
    /// What the coach thinks, on nothing but what this player knows.
    pub async fn advise(&self, id: &str, person: i64) -> Result<Value, ServiceError> {
        let table = self.table(id).await?;
        let (asked, heard) = {
            let session = table.session();
            let you = seat_of(&session, person)?;
            if !session.info.coach {
                return Err(ServiceError::NotYours("There is no coach in this game."));
            }
            if session.turn().is_none() {
                return Err(ServiceError::NotNow("The game is not being played."));
            }
            (self.question(&session, you), session.heard_by(you))
        };
        let advice = self.inner.coach.advise(asked).await.map_err(|_| ServiceError::TooMany)?;
        let mut value = json!({ "observations": heard });
        if let Value::Object(fields) = &mut value {
            fields.extend(advice.to_json());
        }
        Ok(value)
    }

    fn question(&self, session: &crate::domain::GameSession, you: Color) -> Advice {
        let mut seat = bot_moves::seat(&session.info, you, TimeControl::Unlimited);
        // The game's seed decides what a bot does; nothing that reaches its opponent may depend on it.
        seat.seed = 1;
        Advice {
            game: session.info.id.clone(),
            seat,
            lines: session.game().record().transcript(you).observations,
            view: session.game().umpire().view(you).clone(),
        }
    }

    /// How far the analysis of a game is, and what was found.
    pub async fn analysis(&self, id: &str) -> Result<Value, ServiceError> {
        let info = self.info(id).await?;
        if info.status != Status::Over {
            return Err(ServiceError::NotYours("What happened is hidden until the game is over."));
        }
        if let Some(progress) = self.inner.analyst.progress(id) {
            let status = if progress.of == 0 { "waiting" } else { "running" };
            return Ok(json!({ "status": status, "done": progress.done, "of": progress.of }));
        }
        let Some(found) = self.found(&info).await? else {
            return Ok(json!({ "status": "none" }));
        };
        let mut value: Value = serde_json::from_str(&found).map_err(|_| ServiceError::Trouble)?;
        value["status"] = "done".into();
        Ok(value)
    }

    async fn found(&self, info: &GameInfo) -> Result<Option<String>, ServiceError> {
        let number = info.number;
        let found = self.inner.store.read(move |connection| {
            let sql = "SELECT found FROM analyses WHERE game = ?1";
            connection.query_row(sql, [number], |row| row.get(0)).optional()
        });
        Ok(found.await?.flatten())
    }

    /// Has a game analysed, if nobody has done that yet.
    pub async fn analyse(&self, id: &str) -> Result<(), ServiceError> {
        let info = self.info(id).await?;
        let record = self.record(&info).await?;
        if !can_be_analysed(&record) {
            return Err(ServiceError::NotNow(
                "There is nothing to be said about a game without moves.",
            ));
        }
        if self.found(&info).await?.is_some() {
            return Ok(());
        }
        if self.inner.analyst.waiting() >= MOST_WAITING {
            return Err(ServiceError::TooMany);
        }
        if !self.inner.analyst.take_on(id) {
            return Ok(());
        }
        let (hall, number) = (self.clone(), info.number);
        tokio::spawn(async move {
            if let Some(found) = hall.inner.analyst.analyse(&info.id, record).await {
                let kept = hall.inner.store.write(move |connection| {
                    let sql = "INSERT OR REPLACE INTO analyses VALUES (?1, ?2)";
                    connection.execute(sql, rusqlite::params![number, found.to_string()])
                });
                if let Err(error) = kept.await {
                    tracing::error!(%error, "an analysis was lost");
                }
            }
            hall.inner.analyst.done(&info.id);
        });
        Ok(())
    }
}

/// So many games may wait to be analysed.
const MOST_WAITING: usize = 100;
