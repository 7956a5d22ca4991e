//! Perfect-information Monte Carlo: sample boards, let a chess engine evaluate each, and combine
//! the results.
//!
//! The method is that of Parker, Nau and Subrahmanian (2005) and of Foret (2021, sections 4.3 and
//! 5.7). They counted the boards on which a move was best; here every move has a value on every
//! board, and a try is judged by its mean over the boards on which it is legal. A sampled board is
//! called a world, as in the literature.

mod worlds;

use std::time::{Duration, Instant};

use krieg_chess::uci::{Client, EngineCommand, Go, Timeouts};
use krieg_chess::{BatchEvaluator, Budget, Network};
use krieg_core::{Move, Observation, Position, Try, Verdict, View};
use krieg_time::Clock;

use crate::timed_belief::{BeliefSettings, TimedBelief};
use crate::{
    Choice, Parameter, Player, PlayerError, PlayerKind, SearchLimit, Seat, Settings, SpecError,
};
use worlds::Worlds;

/// How the values of a try on many boards are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Combine {
    /// The mean over the boards on which the try is legal.
    Mean,
    /// The share of boards on which it is best.
    Votes,
}

impl std::str::FromStr for Combine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "mean" => Ok(Combine::Mean),
            "votes" => Ok(Combine::Votes),
            _ => Err("choose one of mean, votes".to_string()),
        }
    }
}

/// The settings of [`Pimc`].
#[derive(Debug, Clone)]
pub struct PimcSettings {
    /// Number of boards sampled for a move.
    pub worlds: usize,
    /// The belief from which boards are sampled.
    pub belief: BeliefSettings,
    /// Nodes per board, without a clock.
    pub nodes: u64,
    /// How the values of a try are combined.
    pub combine: Combine,
    /// Another chess engine, which is asked over UCI. It reports only its best move, so boards
    /// vote.
    pub engine: Option<EngineCommand>,
    /// Time per board for that engine.
    pub engine_time: Duration,
}

impl PimcSettings {
    /// The values of [`Pimc::KIND`]'s parameters.
    pub fn from_parameters(settings: &Settings) -> Result<Self, SpecError> {
        let has_engine = settings.path("engine")?.is_some();
        Ok(PimcSettings {
            worlds: settings.positive("worlds")?,
            belief: settings.belief()?,
            nodes: settings.positive("nodes")?,
            combine: settings.get("combine")?,
            engine: has_engine.then(|| settings.get("engine")).transpose()?,
            engine_time: Duration::from_millis(settings.positive("engine_movetime")?),
        })
    }
}

/// A player that lets a chess engine evaluate sampled boards.
///
/// ```
/// use krieg_players::{GameRunner, GameSettings, PlayerSpec, Random};
/// let spec: PlayerSpec = "pimc(worlds=4,nodes=1,particles=50,tablebases=no)".parse()?;
/// let settings = GameSettings { draw_after: Some(3), ..GameSettings::default() };
/// GameRunner::new(settings, 1).play([&mut *spec.make()?, &mut Random::new()]);
/// # Ok::<(), krieg_players::SpecError>(())
/// ```
pub struct Pimc {
    settings: PimcSettings,
    belief: TimedBelief,
    batch: BatchEvaluator<Network>,
    engine: Option<Client>,
    worlds: Worlds,
    remark: String,
}

/// Number of boards that are evaluated at a time if a clock runs.
const CHUNK: usize = 8;

/// Smallest useful time for a board.
const MIN_BOARD_TIME: Duration = Duration::from_micros(400);

/// New boards are sampled if less than one in this many of the wanted boards is left after
/// refusals.
const RESAMPLE_DIVISOR: usize = 4;

impl Pimc {
    /// The entry of `pimc` in the registry of players.
    pub const KIND: PlayerKind = PlayerKind {
        name: "pimc",
        about: "samples boards, asks a chess engine about each, and combines the answers",
        parameters: &[
            Parameter::new("worlds", "boards sampled for a move", "64"),
            BeliefSettings::particles("8000"),
            Parameter::new("nodes", "nodes per board, without a clock", "1000"),
            BeliefSettings::BELIEF,
            BeliefSettings::opponent_model("recapture"),
            Parameter::new(
                "combine",
                "mean: the mean value over boards; votes: the share of boards on which it is best",
                "mean",
            ),
            Parameter::new(
                "engine",
                "another chess engine to ask over UCI, as engine=stockfish",
                "",
            )
            .as_command(),
            Parameter::new("engine_movetime", "milliseconds per board for that engine", "20"),
            Parameter::ALWAYS_RECAPTURE,
            Parameter::MOVETIME,
            Parameter::TABLEBASES,
        ],
        make: |settings| {
            let pimc = Pimc::new(PimcSettings::from_parameters(settings)?);
            let pimc = pimc.map_err(SpecError::StartFailed)?;
            let pimc = settings.with_always_recapture(settings.with_tablebases(pimc)?)?;
            settings.with_movetime(pimc)
        },
    };

    /// A player that waits for its first game. Starts the other chess engine, if there is one.
    pub fn new(settings: PimcSettings) -> Result<Self, PlayerError> {
        let engine = settings.engine.clone();
        let engine = engine.map(|command| Client::start(command, Timeouts::default())).transpose();
        Ok(Pimc {
            engine: engine.map_err(|failure| PlayerError(failure.to_string()))?,
            belief: TimedBelief::new(),
            batch: BatchEvaluator::new(Network::default(), 1),
            worlds: Worlds::default(),
            remark: String::new(),
            settings,
        })
    }

    /// Updates the belief, samples boards, and evaluates every move on each, as far as there is
    /// time.
    fn sample_worlds(&mut self, view: &View, clock: &Clock) {
        let Some(limit) = self.belief.update(clock, view) else { return };
        let PimcSettings { worlds, nodes, .. } = self.settings;
        let (worlds, budget) = match limit {
            SearchLimit::Time(time) => {
                let boards = (time.as_micros() / MIN_BOARD_TIME.as_micros()) as usize;
                (worlds.min(boards), Budget::Time(time))
            }
            SearchLimit::Nodes(nodes) => {
                (worlds, Budget::NodesPerBoard((nodes / worlds.max(1) as u64).max(1)))
            }
            SearchLimit::Unlimited => (worlds, Budget::NodesPerBoard(nodes)),
        };
        let boards = self.belief.sample(worlds);
        self.worlds = match &mut self.engine {
            Some(engine) => ask_engine(engine, boards, self.settings.engine_time, budget),
            None => evaluate(&self.batch, boards, budget),
        };
    }

    fn best(&self, view: &View) -> Option<(Move, f64)> {
        match self.settings.combine {
            _ if self.engine.is_some() => self.worlds.best_by_votes(view),
            Combine::Mean => self.worlds.best_by_mean(view),
            Combine::Votes => self.worlds.best_by_votes(view),
        }
    }
}

/// Evaluates every move on each board. With a time budget the boards are evaluated a few at a time,
/// and when the time is over the rest is left out: the first evaluation of a board cannot be cut
/// short.
fn evaluate(batch: &BatchEvaluator<Network>, mut boards: Vec<Position>, budget: Budget) -> Worlds {
    let Budget::Time(time) = budget else {
        let values = batch.evaluate(&boards, budget);
        return Worlds::new(boards, values);
    };
    let start = Instant::now();
    let mut values = Vec::with_capacity(boards.len());
    while values.len() < boards.len() {
        let left = time.saturating_sub(start.elapsed());
        if !values.is_empty() && left < MIN_BOARD_TIME {
            break;
        }
        let rest = &boards[values.len()..];
        let chunk = &rest[..rest.len().min(CHUNK)];
        let share = left.mul_f64(chunk.len() as f64 / rest.len() as f64);
        values.extend(batch.evaluate(chunk, Budget::Time(share)));
    }
    boards.truncate(values.len());
    Worlds::new(boards, values)
}

/// Asks another engine about one board after the other, until the time is over.
fn ask_engine(
    engine: &mut Client,
    boards: Vec<Position>,
    each: Duration,
    budget: Budget,
) -> Worlds {
    let start = Instant::now();
    let mut worlds = Worlds::default();
    for board in boards {
        if let Budget::Time(time) = budget
            && start.elapsed() + each > time
        {
            break;
        }
        // An engine that fails on a board is restarted, and that board has no vote.
        if let Ok(answer) = engine.go(&board, &[], &Go::Time(each))
            && let Some(best) = answer.best_move
        {
            worlds.add_best(board, best);
        }
    }
    worlds
}

impl Player for Pimc {
    fn begin(&mut self, seat: &Seat) -> Result<(), PlayerError> {
        self.worlds = Worlds::default();
        self.belief.begin(&self.settings.belief, seat)
    }

    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        self.remark.clear();
        match (observation.announcement.verdict, observation.tried) {
            (Verdict::Moved, _) => self.worlds = Worlds::default(),
            (_, Some(tried)) => self.worlds.observe_answer(tried, &observation.announcement),
            _ => {}
        }
        self.belief.observe(observation)
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError> {
        if view.can_ask_any() {
            return Ok(Try::Any.into());
        }
        if self.worlds.len() * RESAMPLE_DIVISOR < self.settings.worlds {
            self.sample_worlds(view, clock);
        }
        if let Some((mv, value)) = self.best(view) {
            self.remark = format!("{mv}: value {value:.3} on {} boards", self.worlds.len());
            return Ok(Try::Move(mv).into());
        }
        self.belief.fallback_choice(view, clock)
    }

    fn remark(&self) -> Option<String> {
        let chosen = (!self.remark.is_empty()).then_some(self.remark.as_str());
        chosen.or(self.belief.contradiction()).map(str::to_string)
    }
}
