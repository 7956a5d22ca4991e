//! What every player does who imagines boards: it hears, keeps a belief up to date when there is time for that, draws boards, and plays
//! by simple rules where it can imagine nothing.

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

/// The part of a player that imagines.
pub(crate) struct TimedBelief<B: Belief = Box<dyn Belief + Send>> {
    belief: B,
    /// What was heard and not thought about yet: that takes time, and there may be none.
    unheard: Vec<Observation>,
    rng: Xoshiro256PlusPlus,
    /// A player who cannot imagine anything plays like this.
    fallback: Greedy,
    contradiction: Option<String>,
    /// Whether somebody could have asked for it.
    is_told: bool,
    /// How long it took to take in one thing heard, at the worst of late.
    slowest: Duration,
}

/// With less time than this for a try, what is known already must do.
const TOO_LATE: Duration = Duration::from_millis(4);

/// After the first part of the time for a try, boards must do as they are; after the second, though there be none.
const TO_IMAGINE: [f64; 2] = [0.5, 0.8];

/// A machine that was busy once is not busy for ever.
const FORGETTING: f64 = 0.9;

/// With fewer boards than this one knows nothing.
const FEWEST: usize = 50;

impl TimedBelief {
    /// Waits for its first game.
    pub fn new() -> Self {
        TimedBelief::with(Box::new(BoardSet::new(&Setup::default(), Color::White, 1, 0)))
    }

    pub fn begin(&mut self, settings: &BeliefSettings, seat: &Seat) -> Result<(), PlayerError> {
        let BeliefSettings { belief, opponent_model, particles } = *settings;
        let particles = particles.min(particles_in_time(seat, opponent_model.particles_per_ms));
        let opponent_model = (opponent_model.make)(&OpponentMixture::default());
        let config = BeliefConfig { seat, particles, rejuvenation: None, opponent_model };
        self.begin_with(belief.make(config), seat)
    }
}

/// How many boards a player can keep in mind in the time that it has for a try: whoever thinks fast keeps fewer.
pub(crate) fn particles_in_time(seat: &Seat, boards_a_ms: f64) -> usize {
    match SearchLimit::of(&Clock::new(seat.control), seat.color) {
        SearchLimit::Time(time) => ((time.as_secs_f64() * 1e3 * boards_a_ms) as usize).max(FEWEST),
        _ => usize::MAX,
    }
}

/// How long the first of these lines may be thought about, of the time for a try that began then. Whoever was away and has a whole game to hear gives each move of the
/// opponent's its share; other things take hardly any time.
fn haste(begun: Instant, time: Duration, unheard: &[Observation]) -> Deadline {
    let is_long =
        |line: &&Observation| line.tried.is_none() && line.announcement.verdict == Verdict::Moved;
    let share = unheard.iter().filter(is_long).count().max(1) as u32;
    let now = Instant::now();
    let [soft, hard] = TO_IMAGINE.map(|part| {
        let left = (begun + time.mul_f64(part)).saturating_duration_since(now);
        now + left / share
    });
    Deadline { soft, hard }
}

impl<B: Belief> TimedBelief<B> {
    /// With a belief about a game that has not begun.
    pub fn with(belief: B) -> Self {
        TimedBelief {
            belief,
            unheard: Vec::new(),
            rng: Xoshiro256PlusPlus::seed_from_u64(0),
            fallback: Greedy::new(),
            contradiction: None,
            is_told: false,
            slowest: Duration::ZERO,
        }
    }

    /// Begins a game, with the belief of whoever sits there.
    pub fn begin_with(&mut self, belief: B, seat: &Seat) -> Result<(), PlayerError> {
        self.belief = belief;
        self.unheard.clear();
        self.rng = Xoshiro256PlusPlus::seed_from_u64(seat.seed ^ 0x9e37_79b9);
        self.contradiction = None;
        self.slowest = Duration::ZERO;
        self.fallback.begin(seat)
    }

    /// What is imagined, as far as what was heard has been taken in.
    pub fn belief(&self) -> &B {
        &self.belief
    }

    pub fn observe(&mut self, line: &Observation) -> Result<(), PlayerError> {
        // What came out on the opponent's time is still to be told.
        if std::mem::take(&mut self.is_told) {
            self.contradiction = None;
        }
        self.unheard.push(*line);
        self.fallback.observe(line)
    }

    /// Takes in what was heard, and says how much may be thought about the next try after that. If there is hardly any time, not all of it is
    /// taken in, and nothing said.
    pub fn update(&mut self, clock: &Clock, view: &View) -> Option<SearchLimit> {
        let (begun, who) = (Instant::now(), view.player());
        let thinking = SearchLimit::of(clock, who);
        let time = match thinking {
            SearchLimit::Time(time) => Some(time),
            SearchLimit::Nodes(_) | SearchLimit::Unlimited => None,
        };
        let minds_time = self.belief.set_deadline(None);
        // Whoever is refused again and again has less and less time, and a surprise takes long to take in.
        let slowest =
            if view.refusals() > 0 && !minds_time { self.slowest } else { Duration::ZERO };
        if time.is_some_and(|time| time < TOO_LATE.max(slowest)) {
            return None;
        }
        self.is_told = true;
        self.slowest = self.slowest.mul_f64(FORGETTING);
        for (number, line) in (0..).zip(&self.unheard) {
            let at = Instant::now();
            self.belief.set_deadline(time.map(|time| haste(begun, time, &self.unheard[number..])));
            // A contradiction is survived: the belief goes on with what it can save, and the player with that.
            if let Err(contradiction) = self.belief.observe(line) {
                self.contradiction = Some(contradiction.to_string());
            }
            self.slowest = self.slowest.max(at.elapsed());
            let is_late = time.is_some_and(|time| begun.elapsed() > time);
            if is_late && number + 1 < self.unheard.len() {
                self.unheard.drain(..=number);
                self.belief.shrink();
                return None;
            }
        }
        self.unheard.clear();
        // On a slow machine, or with little time, one has to know less.
        if time.is_some_and(|time| begun.elapsed() > time / 2) {
            self.belief.shrink();
        }
        let mut clock = clock.clone();
        // Whoever has thought too long already will be told so by the clock on the table.
        let _ = clock.charge(who, Duration::ZERO, begun.elapsed());
        Some(SearchLimit::of(&clock, who))
    }

    /// Takes in what was heard on the opponent's time, for about as long as it would take on one's own, or until `stop` is set.
    pub fn update_while_pondering(&mut self, time_for_a_try: Duration, stop: &AtomicBool) {
        let begun = Instant::now();
        let mut heard = 0;
        for line in &self.unheard {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            self.belief.set_deadline(Some(haste(begun, time_for_a_try, &self.unheard[heard..])));
            heard += 1;
            if let Err(contradiction) = self.belief.observe(line) {
                self.contradiction = Some(contradiction.to_string());
            }
        }
        self.unheard.drain(..heard);
    }

    /// Up to so many boards.
    pub fn draw(&mut self, count: usize) -> Vec<Position> {
        self.belief.sample(count, &mut self.rng)
    }

    /// What to try where nothing could be imagined.
    pub fn fallback_choice(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError> {
        self.fallback.choose(view, clock)
    }

    /// What was heard last that no board fitted.
    pub fn contradiction(&self) -> Option<&str> {
        self.contradiction.as_deref()
    }
}
