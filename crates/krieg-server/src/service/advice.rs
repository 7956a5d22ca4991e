//! Advice during a game, and analyses after it.

use krieg_core::Color;
use krieg_time::TimeControl;
use serde_json::{Value, json};

use super::commands::seat_of;
use super::{GameService, ServiceError, bot_turns};
use crate::bots::{AdviceRequest, can_be_analyzed};
use crate::domain::{GameInfo, GameSession, GameStatus};
use crate::store::analyses;

/// Maximum number of games that are being analyzed or wait.
const MAX_ANALYSES: usize = 100;

impl GameService {
    /// The coach's advice, computed from this player's observations only.
    pub async fn advice(&self, id: &str, user: i64) -> Result<Value, ServiceError> {
        let handle = self.session(id).await?;
        let request = {
            let session = handle.session();
            let player = seat_of(&session, user)?;
            if !session.info.coach {
                return Err(ServiceError::Forbidden("There is no coach in this game."));
            }
            if session.turn().is_none() {
                return Err(ServiceError::NotNow("The game is not running."));
            }
            advice_request(&session, player)
        };
        // The announcement at the start is an observation, too.
        let observations = request.observations.len() + 1;
        let advice = self.inner.coach.advise(request).await;
        let advice = advice.map_err(|_| ServiceError::RateLimited)?;
        let mut value = json!({ "observations": observations });
        if let Value::Object(fields) = &mut value {
            fields.extend(advice.to_json());
        }
        Ok(value)
    }

    /// The status of a game's analysis, with the result if there is one.
    pub async fn analysis(&self, id: &str) -> Result<Value, ServiceError> {
        let info = self.game_info(id).await?;
        if info.status != GameStatus::Over {
            return Err(ServiceError::Forbidden("The game is hidden until it is over."));
        }
        if let Some(progress) = self.inner.analyzer.progress(id) {
            let status = if progress.total == 0 { "waiting" } else { "running" };
            return Ok(json!({ "status": status, "done": progress.done, "total": progress.total }));
        }
        let Some(text) = self.stored_analysis(&info).await? else {
            return Ok(json!({ "status": "none" }));
        };
        let mut value: Value = serde_json::from_str(&text).map_err(|_| ServiceError::Internal)?;
        value["status"] = "done".into();
        Ok(value)
    }

    async fn stored_analysis(&self, info: &GameInfo) -> Result<Option<String>, ServiceError> {
        let number = info.number;
        Ok(self.inner.store.read(move |c| analyses::find(c, number)).await?)
    }

    /// Starts the analysis of a game, unless it is running or finished.
    pub async fn request_analysis(&self, id: &str) -> Result<(), ServiceError> {
        let info = self.game_info(id).await?;
        let record = self.record_of(&info).await?;
        if !can_be_analyzed(&record) {
            return Err(ServiceError::NotNow("A game without moves cannot be analysed."));
        }
        if self.stored_analysis(&info).await?.is_some() {
            return Ok(());
        }
        if self.inner.analyzer.len() >= MAX_ANALYSES {
            return Err(ServiceError::RateLimited);
        }
        if !self.inner.analyzer.register(id) {
            return Ok(());
        }
        let service = self.clone();
        tokio::spawn(async move {
            let inner = &service.inner;
            if let Some(analysis) = inner.analyzer.analyze(&info.id, record).await {
                let (number, text) = (info.number, analysis.to_string());
                let written = inner.store.write(move |c| analyses::insert(c, number, &text));
                if let Err(error) = written.await {
                    tracing::error!(game = info.id, %error, "an analysis was not stored");
                }
            }
            inner.analyzer.remove(&info.id);
        });
        Ok(())
    }
}

fn advice_request(session: &GameSession, player: Color) -> AdviceRequest {
    let mut seat = bot_turns::seat(&session.info, player, TimeControl::Unlimited);
    // The bots' choices depend on the game's seed. Nothing that reaches a bot's opponent may.
    seat.seed = 1;
    AdviceRequest {
        game: session.info.id.clone(),
        seat,
        observations: session.observations(player).to_vec(),
        view: session.game().umpire().view(player).clone(),
    }
}
