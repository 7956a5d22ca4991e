//! Advice during a game, and analysis after it.

use krieg_core::Color;
use krieg_time::TimeControl;
use rusqlite::OptionalExtension;
use serde_json::{Value, json};

use super::table::seat_of;
use super::{Hall, bots};
use crate::refusal::Refusal;
use crate::store::{Facts, Status};
use crate::thinking::{Advice, can_be_analysed};

impl Hall {
    /// What the coach thinks, on nothing but what this player knows.
    pub async fn advise(&self, id: &str, person: i64) -> Result<Value, Refusal> {
        let table = self.table(id).await?;
        let (asked, heard) = {
            let sitting = table.sitting();
            let you = seat_of(&sitting, person)?;
            if !sitting.facts.coach {
                return Err(Refusal::NotYours("There is no coach in this game."));
            }
            if sitting.turn().is_none() {
                return Err(Refusal::NotNow("The game is not being played."));
            }
            (self.question(&sitting, you), sitting.heard_by(you))
        };
        let advice = self.inner.coach.advise(asked).await.map_err(|_| Refusal::TooMany)?;
        let mut value = json!({ "observations": heard });
        if let Value::Object(fields) = &mut value {
            fields.extend(advice.to_json());
        }
        Ok(value)
    }

    fn question(&self, sitting: &crate::sitting::Sitting, you: Color) -> Advice {
        let mut seat = bots::seat(&sitting.facts, you, TimeControl::Unlimited);
        // The game's seed decides what a bot does; nothing that reaches its opponent may depend on it.
        seat.seed = 1;
        Advice {
            game: sitting.facts.id.clone(),
            seat,
            lines: sitting.game().record().transcript(you).observations,
            view: sitting.game().umpire().view(you).clone(),
        }
    }

    /// How far the analysis of a game is, and what was found.
    pub async fn analysis(&self, id: &str) -> Result<Value, Refusal> {
        let facts = self.facts(id).await?;
        if facts.status != Status::Over {
            return Err(Refusal::NotYours("What happened is hidden until the game is over."));
        }
        if let Some(progress) = self.inner.analyst.progress(id) {
            let status = if progress.of == 0 { "waiting" } else { "running" };
            return Ok(json!({ "status": status, "done": progress.done, "of": progress.of }));
        }
        let Some(found) = self.found(&facts).await? else {
            return Ok(json!({ "status": "none" }));
        };
        let mut value: Value = serde_json::from_str(&found).map_err(|_| Refusal::Trouble)?;
        value["status"] = "done".into();
        Ok(value)
    }

    async fn found(&self, facts: &Facts) -> Result<Option<String>, Refusal> {
        let number = facts.number;
        let found = self.inner.store.read(move |connection| {
            let sql = "SELECT found FROM analyses WHERE game = ?1";
            connection.query_row(sql, [number], |row| row.get(0)).optional()
        });
        Ok(found.await?.flatten())
    }

    /// Has a game analysed, if nobody has done that yet.
    pub async fn analyse(&self, id: &str) -> Result<(), Refusal> {
        let facts = self.facts(id).await?;
        let record = self.record(&facts).await?;
        if !can_be_analysed(&record) {
            return Err(Refusal::NotNow("There is nothing to be said about a game without moves."));
        }
        if self.found(&facts).await?.is_some() {
            return Ok(());
        }
        if self.inner.analyst.waiting() >= MOST_WAITING {
            return Err(Refusal::TooMany);
        }
        if !self.inner.analyst.take_on(id) {
            return Ok(());
        }
        let (hall, number) = (self.clone(), facts.number);
        tokio::spawn(async move {
            if let Some(found) = hall.inner.analyst.analyse(&facts.id, record).await {
                let kept = hall.inner.store.write(move |connection| {
                    let sql = "INSERT OR REPLACE INTO analyses VALUES (?1, ?2)";
                    connection.execute(sql, rusqlite::params![number, found.to_string()])
                });
                if let Err(error) = kept.await {
                    tracing::error!(%error, "an analysis was lost");
                }
            }
            hall.inner.analyst.done(&facts.id);
        });
        Ok(())
    }
}

/// So many games may wait to be analysed.
const MOST_WAITING: usize = 100;
