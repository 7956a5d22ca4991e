//! Perfect-information Monte Carlo: imagine boards, ask a chess engine about each, and try what is best on the average.
//!
//! The idea is Parker, Nau and Subrahmanian's (2005), as Foret (2021, sections 4.3 and 5.7) has it; but where they counted the boards on
//! which a move was best, here every move has a value on every board, and a try is judged by all of them.

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

/// How values on many boards become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    /// The average over the boards on which the try is legal.
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

/// What the player can be told.
#[derive(Debug, Clone)]
pub struct PimcSettings {
    /// Boards imagined for a move.
    pub worlds: usize,
    /// How boards are imagined.
    pub belief: BeliefSettings,
    /// Nodes for each board, where no clock runs.
    pub nodes: u64,
    /// How values become one.
    pub combine: Combine,
    /// Another chess engine to ask, over UCI. It names only its best move, so boards vote.
    pub engine: Option<EngineCommand>,
    /// How long it is asked about each board.
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

/// A player who imagines boards and asks a chess engine about each.
pub struct Pimc {
    settings: PimcSettings,
    belief: TimedBelief,
    batch: BatchEvaluator<Network>,
    engine: Option<Client>,
    worlds: Worlds,
    remark: String,
}

/// Boards that are valued at a time.
const CHUNK: usize = 8;

/// Less than this is no look at a board.
const LEAST_TIME: Duration = Duration::from_micros(400);

/// With fewer boards left after a refusal than this part of those wanted, others are imagined.
const FEWEST: usize = 4;

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
                "mean: the mean value over the boards; votes: the share of boards on which it is best",
                "mean",
            ),
            Parameter::new(
                "engine",
                "another chess engine to ask over UCI, as engine=stockfish",
                "",
            )
            .as_command(),
            Parameter::new("engine_movetime", "milliseconds per board for that engine", "20"),
            Parameter::MOVETIME,
            Parameter::TABLEBASES,
        ],
        make: |settings| {
            let pimc = Pimc::new(PimcSettings::from_parameters(settings)?);
            let pimc = pimc.map_err(SpecError::StartFailed)?;
            settings.with_movetime(settings.with_tablebases(pimc)?)
        },
    };

    /// A player that waits for its first game. If it is to ask another engine, that is started.
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

    /// Takes in what was heard, imagines boards and values every move on each: as many as there is time for. If there is hardly any, nothing
    /// is done at all.
    fn imagine(&mut self, view: &View, clock: &Clock) {
        let Some(thinking) = self.belief.update(clock, view) else { return };
        let PimcSettings { worlds, nodes, .. } = self.settings;
        let (worlds, budget) = match thinking {
            SearchLimit::Time(time) => {
                let boards = (time.as_micros() / LEAST_TIME.as_micros()) as usize;
                (worlds.min(boards), Budget::Time(time))
            }
            SearchLimit::Nodes(nodes) => {
                (worlds, Budget::NodesPerBoard((nodes / worlds.max(1) as u64).max(1)))
            }
            SearchLimit::Unlimited => (worlds, Budget::NodesPerBoard(nodes)),
        };
        let boards = self.belief.sample(worlds);
        self.worlds = match &mut self.engine {
            Some(engine) => ask(engine, boards, self.settings.engine_time, budget),
            None => value(&self.batch, boards, budget),
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

/// Values every move on each board. Where time is short the boards come a few at a time, and when it is over the rest is left out: a first look at a
/// board with many men takes what it takes.
fn value(batch: &BatchEvaluator<Network>, mut boards: Vec<Position>, budget: Budget) -> Worlds {
    let Budget::Time(time) = budget else {
        let values = batch.evaluate(&boards, budget);
        return Worlds::new(boards, values);
    };
    let begun = Instant::now();
    let mut values = Vec::with_capacity(boards.len());
    while values.len() < boards.len() {
        let left = time.saturating_sub(begun.elapsed());
        if !values.is_empty() && left < LEAST_TIME {
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
fn ask(engine: &mut Client, boards: Vec<Position>, each: Duration, budget: Budget) -> Worlds {
    let begun = Instant::now();
    let mut worlds = Worlds::default();
    for board in boards {
        if let Budget::Time(time) = budget
            && begun.elapsed() + each > time
        {
            break;
        }
        // An engine that fails on a board is started anew, and says nothing of that one.
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

    fn observe(&mut self, line: &Observation) -> Result<(), PlayerError> {
        self.remark.clear();
        match (line.announcement.verdict, line.tried) {
            (Verdict::Moved, _) => self.worlds = Worlds::default(),
            (_, Some(tried)) => self.worlds.heard(tried, &line.announcement),
            _ => {}
        }
        self.belief.observe(line)
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError> {
        if view.can_ask_any() {
            return Ok(Try::Any.into());
        }
        if self.worlds.len() * FEWEST < self.settings.worlds {
            self.imagine(view, clock);
        }
        if let Some((mv, value)) = self.best(view) {
            self.remark = format!("{mv} is worth {value:.3} on {} boards", self.worlds.len());
            return Ok(Try::Move(mv).into());
        }
        self.belief.fallback_choice(view, clock)
    }

    fn remark(&self) -> Option<String> {
        let chosen = (!self.remark.is_empty()).then_some(self.remark.as_str());
        chosen.or(self.belief.contradiction()).map(str::to_string)
    }
}
