//! A belief with time management: it is updated within the time for a try, samples boards, and
//! falls back on simple rules if no board is known.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use krieg_belief::{Belief, BoardSet, Deadline, OpponentMixture};
use krieg_core::{Color, Observation, Position, Setup, Verdict, View};
use krieg_time::Clock;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{
    BELIEFS, BeliefConfig, BeliefKind, Choice, Greedy, OPPONENT_MODELS, OpponentModelKind,
    Parameter, Player, PlayerError, SearchLimit, Seat,
};

/// The settings of a player's belief.
#[derive(Debug, Clone)]
pub struct BeliefSettings {
    /// The kind of belief.
    pub belief: BeliefKind,
    /// The opponent model of a belief that uses one.
    pub opponent_model: OpponentModelKind,
    /// Maximum number of boards.
    pub particles: usize,
}

impl BeliefSettings {
    /// The parameter that names a belief with weighted boards.
    pub(crate) const WEIGHTED_BELIEF: Parameter =
        Parameter::new("belief", "the belief from which boards are drawn", "smc").with_choices(
            || {
                let weighted = BELIEFS.iter().filter(|kind| kind.is_weighted());
                weighted.map(|kind| (kind.name, kind.about)).collect()
            },
        );

    /// The parameter that names the belief.
    pub(crate) const BELIEF: Parameter =
        Parameter::new("belief", "the belief from which boards are drawn", "smc")
            .with_choices(|| BELIEFS.iter().map(|kind| (kind.name, kind.about)).collect());

    /// The parameter that names the opponent model.
    pub(crate) const fn opponent_model(default: &'static str) -> Parameter {
        Parameter::new("opponent_model", "how a particle filter predicts the opponent", default)
            .with_choices(|| OPPONENT_MODELS.iter().map(|kind| (kind.name, kind.about)).collect())
    }

    /// The parameter for the number of particles.
    pub(crate) const fn particles(default: &'static str) -> Parameter {
        Parameter::new("particles", "largest number of boards; fewer if time is short", default)
    }
}

/// A player's belief, with the observations that it has not processed yet.
///
/// Observations are stored when they arrive and processed on the player's turn, because an update
/// takes time that a clock counts.
pub(crate) struct TimedBelief<B: Belief = Box<dyn Belief + Send>> {
    belief: B,
    /// Observations that the belief has not processed.
    pending: Vec<Observation>,
    rng: Xoshiro256PlusPlus,
    /// Chooses the try if no board is known.
    fallback: Greedy,
    /// The last observation that no board fitted, as a sentence.
    contradiction: Option<String>,
    /// Whether the player has had a turn, and so a remark, since that contradiction.
    is_contradiction_shown: bool,
    /// The longest recent time for one observation.
    slowest_update: Duration,
}

/// With less time than this for a try, the belief is not updated.
const MIN_UPDATE_TIME: Duration = Duration::from_millis(4);

/// Fractions of the time for a try after which an update should end and must end.
const UPDATE_DEADLINES: [f64; 2] = [0.5, 0.8];

/// Factor by which the longest update time decays with each update: a machine that was busy once
/// may not be busy now.
const SLOWEST_UPDATE_DECAY: f64 = 0.9;

/// Smallest number of particles: fewer say hardly anything.
const MIN_PARTICLES: usize = 50;

impl TimedBelief {
    /// A belief that waits for its first game.
    pub fn new() -> Self {
        TimedBelief::with(Box::new(BoardSet::new(&Setup::default(), Color::White, 1, 0)))
    }

    /// Begins a game with a new belief. With little time per try it has fewer particles.
    pub fn begin(&mut self, settings: &BeliefSettings, seat: &Seat) -> Result<(), PlayerError> {
        let BeliefSettings { belief, opponent_model, particles } = *settings;
        let particles = particles.min(particles_in_time(seat, opponent_model.particles_per_ms));
        let opponent_model = (opponent_model.make)(&OpponentMixture::default());
        let config = BeliefConfig { seat, particles, rejuvenation: None, opponent_model };
        self.begin_with(belief.make(config), seat)
    }
}

/// The number of particles that a player can update in the time for a try.
pub(crate) fn particles_in_time(seat: &Seat, particles_per_ms: f64) -> usize {
    match SearchLimit::of(&Clock::new(seat.control), seat.color) {
        SearchLimit::Time(time) => {
            ((time.as_secs_f64() * 1e3 * particles_per_ms) as usize).max(MIN_PARTICLES)
        }
        _ => usize::MAX,
    }
}

/// The deadline of the first pending observation, in a try that started at `start` with this much
/// time. If many observations are pending, after a reconnection for example, the opponent's moves
/// share the time; the other observations take hardly any.
fn deadline(start: Instant, time: Duration, pending: &[Observation]) -> Deadline {
    let is_opponent_move = |observation: &&Observation| {
        observation.tried.is_none() && observation.announcement.verdict == Verdict::Moved
    };
    let moves = pending.iter().filter(is_opponent_move).count().max(1) as u32;
    let now = Instant::now();
    let [soft, hard] = UPDATE_DEADLINES.map(|fraction| {
        let left = (start + time.mul_f64(fraction)).saturating_duration_since(now);
        now + left / moves
    });
    Deadline { soft, hard }
}

impl<B: Belief> TimedBelief<B> {
    /// The given belief, for a game that has not begun.
    pub fn with(belief: B) -> Self {
        TimedBelief {
            belief,
            pending: Vec::new(),
            rng: Xoshiro256PlusPlus::seed_from_u64(0),
            fallback: Greedy::new(),
            contradiction: None,
            is_contradiction_shown: false,
            slowest_update: Duration::ZERO,
        }
    }

    /// Begins a game with this belief.
    pub fn begin_with(&mut self, belief: B, seat: &Seat) -> Result<(), PlayerError> {
        self.belief = belief;
        self.pending.clear();
        self.rng = Xoshiro256PlusPlus::seed_from_u64(seat.seed ^ 0x9e37_79b9);
        self.contradiction = None;
        self.slowest_update = Duration::ZERO;
        self.fallback.begin(seat)
    }

    /// The belief after the observations that are processed.
    pub fn belief(&self) -> &B {
        &self.belief
    }

    /// Stores an observation.
    pub fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        // A contradiction found while pondering is kept for the remark of the next turn.
        if std::mem::take(&mut self.is_contradiction_shown) {
            self.contradiction = None;
        }
        self.pending.push(*observation);
        self.fallback.observe(observation)
    }

    /// Processes the pending observations, and returns the limit of the search for the next try
    /// after that. `None` if there is hardly any time left; then some observations are still
    /// pending.
    pub fn update(&mut self, clock: &Clock, view: &View) -> Option<SearchLimit> {
        let (start, player) = (Instant::now(), view.player());
        let time = match SearchLimit::of(clock, player) {
            SearchLimit::Time(time) => Some(time),
            SearchLimit::Nodes(_) | SearchLimit::Unlimited => None,
        };
        let keeps_deadlines = self.belief.set_deadline(None);
        // After many refusals there is little time left, and an update may take longer than that.
        let slowest_update = match view.refusals() > 0 && !keeps_deadlines {
            true => self.slowest_update,
            false => Duration::ZERO,
        };
        if time.is_some_and(|time| time < MIN_UPDATE_TIME.max(slowest_update)) {
            return None;
        }
        self.is_contradiction_shown = true;
        self.slowest_update = self.slowest_update.mul_f64(SLOWEST_UPDATE_DECAY);
        for (index, observation) in (0..).zip(&self.pending) {
            let update_start = Instant::now();
            let pending = &self.pending[index..];
            self.belief.set_deadline(time.map(|time| deadline(start, time, pending)));
            // After a contradiction the belief goes on with the boards that explain the most.
            if let Err(contradiction) = self.belief.observe(observation) {
                self.contradiction = Some(contradiction.to_string());
            }
            self.slowest_update = self.slowest_update.max(update_start.elapsed());
            let is_late = time.is_some_and(|time| start.elapsed() > time);
            if is_late && index + 1 < self.pending.len() {
                self.pending.drain(..=index);
                self.belief.shrink();
                return None;
            }
        }
        self.pending.clear();
        // On a slow machine, or with little time, the belief has to be smaller.
        if time.is_some_and(|time| start.elapsed() > time / 2) {
            self.belief.shrink();
        }
        let mut clock = clock.clone();
        // If the flag falls here, the game's own clock will say so.
        let _ = clock.charge(player, Duration::ZERO, start.elapsed());
        Some(SearchLimit::of(&clock, player))
    }

    /// Processes the pending observations on the opponent's time, in about the time that they
    /// would take on the player's own turn, or until `stop` is set.
    pub fn update_while_pondering(&mut self, time_per_try: Duration, stop: &AtomicBool) {
        let start = Instant::now();
        let mut processed = 0;
        for observation in &self.pending {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let pending = &self.pending[processed..];
            self.belief.set_deadline(Some(deadline(start, time_per_try, pending)));
            processed += 1;
            if let Err(contradiction) = self.belief.observe(observation) {
                self.contradiction = Some(contradiction.to_string());
            }
        }
        self.pending.drain(..processed);
    }

    /// Samples up to `count` boards.
    pub fn sample(&mut self, count: usize) -> Vec<Position> {
        self.belief.sample(count, &mut self.rng)
    }

    /// The try of the fallback player, for a turn on which no board is known.
    pub fn fallback_choice(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError> {
        self.fallback.choose(view, clock)
    }

    /// The last contradiction: an observation that no board fitted.
    pub fn contradiction(&self) -> Option<&str> {
        self.contradiction.as_deref()
    }
}
