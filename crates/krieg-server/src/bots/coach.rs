//! The coach: Marshal, who looks over a player's shoulder and knows what that player knows.

use std::sync::Arc;

use krieg_core::{Observation, View};
use krieg_players::marshal::{Explanation, Marshal, MarshalSettings};
use krieg_players::{Player, Seat};
use krieg_time::{Clock, TimeControl};

use super::job_queue::JobCancelled;
use super::{BotPool, JobQueue, Priority};

/// Somebody asks for advice: all that he knows.
#[derive(Debug, Clone)]
pub struct Advice {
    /// Which game.
    pub game: String,
    /// Where he sits.
    pub seat: Seat,
    /// All that he heard since the game began.
    pub lines: Vec<Observation>,
    /// What he sees.
    pub view: View,
}

/// The coach of everybody who asks.
#[derive(Debug, Clone)]
pub struct Coach {
    queue: JobQueue,
    pool: Arc<BotPool<Adviser>>,
}

/// Marshal at one player's shoulder.
pub(super) struct Adviser {
    marshal: Marshal,
    heard: usize,
}

impl std::fmt::Debug for Adviser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "an adviser who has heard {} lines", self.heard)
    }
}

/// So many games are kept in mind.
const MAX_LIVE: usize = 8;
/// Advice is wanted within a second or so, on a machine that has other things to do.
const BOARDS: usize = 4_000;
const SIMULATIONS: u64 = 1_500;

impl Coach {
    /// A coach who thinks there.
    pub fn new(queue: JobQueue) -> Self {
        Coach { queue, pool: Arc::new(BotPool::new(MAX_LIVE)) }
    }

    /// What he thinks.
    pub async fn advise(&self, asked: Advice) -> Result<Explanation, JobCancelled> {
        let pool = self.pool.clone();
        let thought = self.queue.think(Priority::Advice, move || {
            let key = (asked.game.clone(), asked.seat.color);
            let mut adviser = match pool.call(&key) {
                Some(adviser) if adviser.heard <= asked.lines.len() => adviser,
                _ => Adviser::sit_down(&asked.seat),
            };
            let explanation = adviser.explain(&asked.lines, &asked.view);
            pool.wait(key, adviser);
            explanation
        });
        thought.await
    }

    /// A game is over.
    pub fn leave(&self, game: &str) {
        self.pool.leave(game);
    }
}

impl Adviser {
    pub(super) fn sit_down(seat: &Seat) -> Self {
        let settings =
            MarshalSettings { particles: BOARDS, simulations: SIMULATIONS, ..Default::default() };
        let mut marshal = Marshal::new(settings);
        let seat = Seat { control: TimeControl::Unlimited, ..seat.clone() };
        marshal.begin(&seat).expect("marshal needs nothing to begin");
        Adviser { marshal, heard: 0 }
    }

    /// Hears what is new, and thinks.
    pub(super) fn explain(&mut self, lines: &[Observation], view: &View) -> Explanation {
        for line in &lines[self.heard..] {
            self.marshal.observe(line).expect("marshal can hear everything");
        }
        self.heard = lines.len();
        self.marshal.explain(view, &Clock::new(TimeControl::Unlimited))
    }
}
