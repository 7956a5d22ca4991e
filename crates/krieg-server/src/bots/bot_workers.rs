//! Bots: players of the house who sit at tables here.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use krieg_core::{Observation, View};
use krieg_players::{Choice, Player, PlayerError, PlayerSpec, Seat};
use krieg_time::{Clock, TimeControl};

use super::job_queue::JobCancelled;
use super::{BotPool, JobQueue, Priority};

/// A bot's turn: all that it knows, and how long it has.
#[derive(Debug, Clone)]
pub struct BotTurn {
    /// Which game.
    pub game: String,
    /// Who it is.
    pub spec: String,
    /// Where it sits.
    pub seat: Seat,
    /// All that it heard since the game began.
    pub lines: Vec<Observation>,
    /// What it sees.
    pub view: View,
    /// How much time it has for the whole turn.
    pub pace: Duration,
    /// When that is over.
    pub until: Instant,
}

/// What a bot has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// What it does.
    pub choice: Choice,
    /// Whether it would rather have a draw, if one is offered.
    pub would_draw: bool,
}

/// The bots that sit at tables here.
#[derive(Debug, Clone)]
pub struct BotWorkers {
    queue: JobQueue,
    pool: Arc<BotPool<LiveBot>>,
}

struct LiveBot {
    player: Box<dyn Player>,
    /// How many lines it has heard.
    heard: usize,
}

impl std::fmt::Debug for LiveBot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "somebody who has heard {} lines", self.heard)
    }
}

/// So many bots keep their games in mind.
const MAX_LIVE: usize = 16;

impl BotWorkers {
    /// Bots that think there.
    pub fn new(queue: JobQueue) -> Self {
        BotWorkers { queue, pool: Arc::new(BotPool::new(MAX_LIVE)) }
    }

    /// Lets a bot choose. If nobody can think about it now, that is not its fault.
    pub async fn choose(
        &self,
        turn: BotTurn,
    ) -> Result<Result<Decision, PlayerError>, JobCancelled> {
        let pool = self.pool.clone();
        let thought = self.queue.think(Priority::Move, move || {
            let decision = catch_unwind(AssertUnwindSafe(|| choose(&pool, &turn)));
            decision.unwrap_or_else(|_| Err(PlayerError("it failed while it thought".to_string())))
        });
        thought.await
    }

    /// A game is over.
    pub fn leave(&self, game: &str) {
        self.pool.leave(game);
    }
}

fn choose(pool: &BotPool<LiveBot>, turn: &BotTurn) -> Result<Decision, PlayerError> {
    let key = (turn.game.clone(), turn.seat.color);
    let mut seated = match pool.call(&key) {
        Some(seated) if seated.heard <= turn.lines.len() => seated,
        _ => sit_down(turn)?,
    };
    for line in &turn.lines[seated.heard..] {
        seated.player.observe(line)?;
        seated.heard += 1;
    }
    let left = turn.until.saturating_duration_since(Instant::now());
    let moves = turn.view.ply() / 2;
    let clock = Clock::resume(TimeControl::Move(turn.pace), [left; 2], [moves; 2]);
    let choice = seated.player.choose(&turn.view, &clock);
    let would_draw = seated.player.accepts_draw();
    pool.wait(key, seated);
    Ok(Decision { choice: choice?, would_draw })
}

fn sit_down(turn: &BotTurn) -> Result<LiveBot, PlayerError> {
    let spec = PlayerSpec::from_saved(&turn.spec).map_err(|why| PlayerError(why.to_string()))?;
    let mut player = spec.make().map_err(|why| PlayerError(why.to_string()))?;
    player.begin(&turn.seat)?;
    Ok(LiveBot { player, heard: 0 })
}
