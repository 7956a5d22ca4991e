//! The coach: the player Marshal, which knows exactly what the asking player knows.

use std::fmt;
use std::sync::Arc;

use krieg_core::{Observation, View};
use krieg_players::marshal::{Explanation, Marshal, MarshalSettings};
use krieg_players::{Player, Seat};
use krieg_time::{Clock, TimeControl};

use super::job_queue::JobCancelled;
use super::{BotPool, JobQueue, Priority};

/// A request for advice, with everything that the asking player knows.
#[derive(Debug, Clone)]
pub struct AdviceRequest {
    /// The id of the game.
    pub game: String,
    /// The player's colour and the setup.
    pub seat: Seat,
    /// All observations of the player.
    pub observations: Vec<Observation>,
    /// The player's view.
    pub view: View,
}

/// Answers requests for advice. Clones share it.
#[derive(Debug, Clone)]
pub struct Coach {
    queue: JobQueue,
    pool: Arc<BotPool<Adviser>>,
}

/// Marshal with the memory of one player's game.
pub(super) struct Adviser {
    marshal: Marshal,
    /// The number of observations that Marshal has received.
    observed: usize,
}

impl fmt::Debug for Adviser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Adviser({} observations)", self.observed)
    }
}

/// Maximum number of advisers that keep the memory of their game.
const MAX_LIVE: usize = 8;
/// Particles and simulations per request. Advice should take about a second on a machine that also
/// does other work.
const PARTICLES: usize = 4_000;
const SIMULATIONS: u64 = 1_500;

impl Coach {
    /// A coach that runs on the threads of this queue.
    pub fn new(queue: JobQueue) -> Self {
        Coach { queue, pool: Arc::new(BotPool::new(MAX_LIVE)) }
    }

    /// Computes advice.
    pub async fn advise(&self, request: AdviceRequest) -> Result<Explanation, JobCancelled> {
        let pool = self.pool.clone();
        let job = move || {
            let side = (request.game.clone(), request.seat.color);
            let mut adviser = match pool.take(&side) {
                Some(adviser) if adviser.observed <= request.observations.len() => adviser,
                _ => Adviser::start(&request.seat),
            };
            let explanation = adviser.explain(&request.observations, &request.view);
            pool.put(side, adviser);
            explanation
        };
        self.queue.run(Priority::Advice, job).await
    }

    /// Drops the advisers of a finished game.
    pub fn remove_game(&self, game: &str) {
        self.pool.remove_game(game);
    }
}

impl Adviser {
    pub(super) fn start(seat: &Seat) -> Self {
        let settings = MarshalSettings {
            particles: PARTICLES,
            simulations: SIMULATIONS,
            ..Default::default()
        };
        let mut marshal = Marshal::new(settings);
        let seat = Seat { control: TimeControl::Unlimited, ..seat.clone() };
        marshal.begin(&seat).expect("Marshal begins any game");
        Adviser { marshal, observed: 0 }
    }

    /// Explains the situation after all of these observations.
    pub(super) fn explain(&mut self, observations: &[Observation], view: &View) -> Explanation {
        for observation in &observations[self.observed..] {
            self.marshal.observe(observation).expect("Marshal accepts any observation");
        }
        self.observed = observations.len();
        self.marshal.explain(view, &Clock::new(TimeControl::Unlimited))
    }
}
