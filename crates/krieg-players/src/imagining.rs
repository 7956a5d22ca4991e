//! What every player does who imagines boards: it hears, keeps a belief up to date when there is time for that, draws boards, and plays
//! by simple rules where it can imagine nothing.

use std::time::{Duration, Instant};

use krieg_belief::{Belief, Densities, Hybrid, LastObservation, Pool};
use krieg_chess::clock::Clock;
use krieg_core::{Color, Line, Position, Setup, View};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{Choice, Fault, Greedy, Player, Seat, Thinking};

/// How a player imagines boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BeliefKind {
    /// Hybrid sampling.
    Hybrid,
    /// A pool, filled up from nothing when it is empty.
    Pool,
    /// Last observation only.
    LastObservation,
}

impl std::str::FromStr for BeliefKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "hs" => Ok(BeliefKind::Hybrid),
            "aosp" => Ok(BeliefKind::Pool),
            "los" => Ok(BeliefKind::LastObservation),
            _ => Err("there are hs, aosp and los".to_string()),
        }
    }
}

impl BeliefKind {
    /// The belief of a player as it sits down, with room for so many boards where it keeps any.
    pub fn begin(self, seat: &Seat, pool: usize) -> Box<dyn Belief + Send> {
        let (setup, color, densities) = (&seat.setup, seat.color, Densities::default());
        match self {
            BeliefKind::LastObservation => Box::new(LastObservation::new(setup, color, densities)),
            BeliefKind::Hybrid => Box::new(Hybrid::new(setup, color, pool, densities, seat.seed)),
            BeliefKind::Pool => {
                Box::new(Hybrid::new(setup, color, pool, densities, seat.seed).only_when_empty())
            }
        }
    }
}

/// The part of a player that imagines.
pub(crate) struct Imagining {
    belief: Box<dyn Belief + Send>,
    /// What was heard and not thought about yet: that takes time, and there may be none.
    unheard: Vec<Line>,
    rng: Xoshiro256PlusPlus,
    /// A player who cannot imagine anything plays like this.
    fallback: Greedy,
    contradiction: Option<String>,
}

/// With less time than this for a try, what is known already must do.
const TOO_LATE: Duration = Duration::from_millis(2);

impl Imagining {
    /// Waits for its first game.
    pub fn new() -> Self {
        Imagining {
            belief: Box::new(Pool::new(&Setup::default(), Color::White, 1, 0)),
            unheard: Vec::new(),
            rng: Xoshiro256PlusPlus::seed_from_u64(0),
            fallback: Greedy::new(),
            contradiction: None,
        }
    }

    pub fn begin(&mut self, kind: BeliefKind, pool: usize, seat: &Seat) -> Result<(), Fault> {
        self.belief = kind.begin(seat, pool);
        self.unheard.clear();
        self.rng = Xoshiro256PlusPlus::seed_from_u64(seat.seed ^ 0x9e37_79b9);
        self.contradiction = None;
        self.fallback.begin(seat)
    }

    pub fn hear(&mut self, line: &Line) -> Result<(), Fault> {
        self.contradiction = None;
        self.unheard.push(*line);
        self.fallback.hear(line)
    }

    /// Takes in what was heard, and says how much may be thought about the next try after that. If there is hardly any time nothing is
    /// taken in, and nothing said.
    pub fn catch_up(&mut self, clock: &Clock, who: Color) -> Option<Thinking> {
        let begun = Instant::now();
        let thinking = Thinking::of(clock, who);
        if matches!(thinking, Thinking::Time(time) if time < TOO_LATE) {
            return None;
        }
        for line in std::mem::take(&mut self.unheard) {
            // A contradiction is survived: the belief goes on with what it can save, and the player with that.
            if let Err(contradiction) = self.belief.hear(&line) {
                self.contradiction = Some(contradiction.to_string());
            }
        }
        // On a slow machine, or with little time, one has to know less.
        if matches!(thinking, Thinking::Time(time) if begun.elapsed() > time / 2) {
            self.belief.shrink();
        }
        let mut clock = clock.clone();
        // Whoever has thought too long already will be told so by the clock on the table.
        let _ = clock.used(who, Duration::ZERO, begun.elapsed());
        Some(Thinking::of(&clock, who))
    }

    /// Up to so many boards.
    pub fn draw(&mut self, count: usize) -> Vec<Position> {
        self.belief.sample(count, &mut self.rng)
    }

    /// What to try where nothing could be imagined.
    pub fn fall_back(&mut self, view: &View, clock: &Clock) -> Result<Choice, Fault> {
        self.fallback.choose(view, clock)
    }

    /// What was heard last that no board fitted.
    pub fn contradiction(&self) -> Option<&str> {
        self.contradiction.as_deref()
    }
}
