//! Bots: players that run in this server.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use krieg_core::{Observation, View};
use krieg_players::{Choice, Player, PlayerError, PlayerSpec, Seat};
use krieg_time::{Clock, TimeControl};

use super::bot_pool::Side;
use super::job_queue::JobCancelled;
use super::{BotPool, JobQueue, Priority};

/// A bot's observations from an index on; `None` if the game no longer waits for this bot.
pub type ObservationSource = Box<dyn Fn(usize) -> Option<Vec<Observation>> + Send>;

/// A turn of a bot.
pub struct BotTurn {
    /// The id of the game.
    pub game: String,
    /// The specification of the player.
    pub spec: String,
    /// The bot's colour and the setup.
    pub seat: Seat,
    /// The bot's view.
    pub view: View,
    /// The bot's observations. The worker asks for those that the bot does not have yet when the
    /// job runs, so that waiting jobs hold no copies of the game.
    pub observations_since: ObservationSource,
    /// The time for the whole turn.
    pub turn_time: Duration,
    /// The end of that time.
    pub deadline: Instant,
}

impl fmt::Debug for BotTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BotTurn({} in game {})", self.spec, self.game)
    }
}

/// What a bot decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The try, or the resignation.
    pub choice: Choice,
    /// Whether the bot accepts a draw if one is offered.
    pub accepts_draw: bool,
}

/// Runs the turns of all bots. Clones share it.
#[derive(Debug, Clone)]
pub struct BotWorkers {
    queue: JobQueue,
    pool: Arc<BotPool<LiveBot>>,
}

/// A player with the memory of its game.
struct LiveBot {
    player: Box<dyn Player>,
    /// The number of observations that the player has received.
    observed: usize,
}

impl fmt::Debug for LiveBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LiveBot({} observations)", self.observed)
    }
}

/// Maximum number of bots that wait for their turn with the memory of their game.
const MAX_LIVE: usize = 16;

impl BotWorkers {
    /// Workers that run the jobs of this queue.
    pub fn new(queue: JobQueue) -> Self {
        BotWorkers { queue, pool: Arc::new(BotPool::new(MAX_LIVE)) }
    }

    /// Runs a bot's turn. A cancelled job is not the bot's fault.
    pub async fn choose(
        &self,
        turn: BotTurn,
    ) -> Result<Result<Decision, PlayerError>, JobCancelled> {
        let pool = self.pool.clone();
        let job = move || {
            let decision = catch_unwind(AssertUnwindSafe(|| choose(&pool, &turn)));
            decision.unwrap_or_else(|_| Turn::Decided(Err(PlayerError("a panic".to_string()))))
        };
        match self.queue.run(Priority::Move, job).await? {
            Turn::Decided(decision) => Ok(decision),
            Turn::Obsolete => Err(JobCancelled),
        }
    }

    /// Drops the bots of a finished game.
    pub fn remove_game(&self, game: &str) {
        self.pool.remove_game(game);
    }
}

/// The result of a job.
enum Turn {
    Decided(Result<Decision, PlayerError>),
    /// The game no longer waits for the bot.
    Obsolete,
}

fn choose(pool: &BotPool<LiveBot>, turn: &BotTurn) -> Turn {
    let started = Instant::now();
    let live = pool.take(&turn.side());
    let observed = live.as_ref().map_or(0, |bot| bot.observed);
    match (turn.observations_since)(observed) {
        Some(observations) => Turn::Decided(decide(pool, turn, live, &observations, started)),
        None => Turn::Obsolete,
    }
}

/// Lets a bot, or a new one if there is none, receive its new observations and decide.
fn decide(
    pool: &BotPool<LiveBot>,
    turn: &BotTurn,
    live: Option<LiveBot>,
    observations: &[Observation],
    started: Instant,
) -> Result<Decision, PlayerError> {
    let mut bot = match live {
        Some(live) => live,
        None => LiveBot::start(turn)?,
    };
    for observation in observations {
        bot.player.observe(observation)?;
        bot.observed += 1;
    }
    let clock = turn.clock(started, Instant::now());
    let choice = bot.player.choose(&turn.view, &clock);
    let accepts_draw = bot.player.accepts_draw();
    pool.put(turn.side(), bot);
    Ok(Decision { choice: choice?, accepts_draw })
}

impl BotTurn {
    fn side(&self) -> Side {
        (self.game.clone(), self.seat.color)
    }

    /// The bot's clock at `now`, in a job that started at `started`. A bot that replays many
    /// observations, because it was evicted from the pool or the server was restarted, keeps at
    /// least half of its time for the move.
    fn clock(&self, started: Instant, now: Instant) -> Clock {
        let remaining = |at| self.deadline.saturating_duration_since(at);
        let remaining = remaining(now).max(remaining(started) / 2);
        let moves = self.view.ply() / 2;
        Clock::resume(TimeControl::Move(self.turn_time), [remaining; 2], [moves; 2])
    }
}

impl LiveBot {
    fn start(turn: &BotTurn) -> Result<Self, PlayerError> {
        let spec =
            PlayerSpec::from_saved(&turn.spec).map_err(|error| PlayerError(error.to_string()))?;
        let mut player = spec.make().map_err(|error| PlayerError(error.to_string()))?;
        player.begin(&turn.seat)?;
        Ok(LiveBot { player, observed: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Color, Game, Setup};
    use std::sync::Mutex;

    /// Bot turns in a game, and the index from which each asked for observations.
    struct Harness {
        workers: BotWorkers,
        game: Game,
        asked: Arc<Mutex<Vec<usize>>>,
    }

    impl Harness {
        fn new() -> Self {
            let workers = BotWorkers::new(JobQueue::start(1, 10));
            Harness { workers, game: Game::new(Setup::default()), asked: Arc::default() }
        }

        fn turn(&self) -> BotTurn {
            let observations = self.game.record().transcript(Color::White).observations;
            let asked = self.asked.clone();
            let control = TimeControl::Unlimited;
            let seat = Seat { color: Color::White, setup: Setup::default(), control, seed: 1 };
            BotTurn {
                game: "game".into(),
                spec: "random".into(),
                seat,
                view: self.game.umpire().view(Color::White).clone(),
                observations_since: Box::new(move |from| {
                    asked.lock().unwrap().push(from);
                    Some(observations.get(from..)?.to_vec())
                }),
                turn_time: Duration::from_millis(10),
                deadline: Instant::now() + Duration::from_millis(10),
            }
        }

        fn play(&mut self, tries: [&str; 2]) {
            for tried in tries {
                self.game.judge(tried.parse().unwrap()).unwrap();
            }
        }
    }

    #[tokio::test]
    async fn bot_receives_only_new_observations_unless_it_was_evicted() {
        let mut harness = Harness::new();
        harness.play(["e2e4", "e7e5"]);
        harness.workers.choose(harness.turn()).await.unwrap().unwrap();
        harness.play(["d2d4", "d7d5"]);
        harness.workers.choose(harness.turn()).await.unwrap().unwrap();
        harness.workers.remove_game("game");
        harness.workers.choose(harness.turn()).await.unwrap().unwrap();
        assert_eq!(*harness.asked.lock().unwrap(), [0, 2, 0]);
    }

    #[tokio::test]
    async fn obsolete_turn_is_cancelled_without_a_decision() {
        let harness = Harness::new();
        let turn = BotTurn { observations_since: Box::new(|_| None), ..harness.turn() };
        assert_eq!(harness.workers.choose(turn).await, Err(JobCancelled));
    }

    #[test]
    fn replaying_observations_leaves_half_of_the_time() {
        let turn = Harness::new().turn();
        let started = turn.deadline - Duration::from_millis(8);
        let left = |now| turn.clock(started, now).remaining(Color::White).unwrap();
        let quick = started + Duration::from_millis(1);
        assert_eq!(left(quick), Duration::from_millis(7));
        assert_eq!(left(turn.deadline), Duration::from_millis(4));
    }
}
