//! Marshal, the player that is to beat the others.
//!
//! It keeps thousands of boards in mind that fit everything heard, each as likely as the opponent's moves that lead to it
//! ([`Particles`]), and thinks of the opponent as one of several kinds of players who were learned from games, more and more surely
//! which ([`Opponents`]). On these boards it grows a tree of *own tries* and *what the umpire says*, as POMCP does (Silver and Veness, 2010): a
//! simulation draws a board, chooses tries by what is known and expected of them (PUCT; for the larger part of the time the best ones race each other), lets the opponent answer as he is thought to, and
//! where the tree ends asks what the board is [`worth`] to somebody who does not see it. A refused try is a branch that costs no turn, so what
//! there is to learn from it needs no term of its own.
//!
//! What it does not do: it never guesses at the real board, which it is not given; and in the tree the opponent has no plan, only habits.

mod explain;
mod fields;
mod guard;
mod memory;
mod model;
mod outlook;
mod owed;
mod prior;
mod race;
mod reasons;
mod simulate;
#[cfg(test)]
mod tests;
mod thinker;
mod tree;
pub mod worth;

use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use krieg_belief::{Densities, Opponents, Particles};
use krieg_chess::clock::{Clock, TimeControl};
use krieg_core::{Color, Line, Move, Piece, Setup, Try, Verdict, View};

use crate::imagining::{Imagining, boards_in_time};
use crate::{Choice, Conditions, Fault, ModelKind, Player, Seat, Thinking};
pub use explain::{Explained, Explanation};
pub use fields::enemy_fields;
use guard::Guard;
pub use guard::NotDone;
pub use memory::Memory;
use model::Model;
pub use outlook::Outlook;
use prior::Call;
use simulate::{FIFTY_MOVES, call};
use thinker::{Budget, Moment, Thinker};
use tree::{Arm, rank};
use worth::Worth;

/// What the player can be told.
#[derive(Debug, Clone)]
pub struct MarshalSettings {
    /// Boards kept in mind.
    pub boards: usize,
    /// How many boards are looked at to freshen up the others, for each that there is room for.
    pub effort: f64,
    /// How the opponent is thought to choose.
    pub model: ModelKind,
    /// The kinds of players he may be, if that is how he is thought to choose.
    pub opponents: Opponents,
    /// What boards are worth.
    pub worth: Worth,
    /// Simulations for a turn, where no clock runs.
    pub simulations: u64,
    /// Own moves that a simulation looks ahead.
    pub depth: usize,
    /// How much is given to curiosity.
    pub c: f64,
    /// So much less is expected of a try that was never made.
    pub caution: f64,
    /// Trees that are grown at the same time, each on a core of its own.
    pub threads: usize,
    /// Whether games that are lost are given up.
    pub resigns: bool,
    /// Where it is kept what opponents are like, from one game to the next.
    pub memory: Option<Memory>,
}

/// The player.
pub struct Marshal {
    settings: MarshalSettings,
    imagining: Imagining<Particles<Model>>,
    /// One for each thread.
    thinkers: Vec<Thinker<Model>>,
    /// The name of the opponent, if he has one.
    opponent: Option<String>,
    /// The name of whoever sits down next.
    met: Option<String>,
    /// What it has seen and heard, whoever chose the tries.
    view: View,
    guard: Guard,
    /// What was heard as the turn began.
    call: Call,
    /// Plies since the last capture or pawn move of the player's own.
    quiet: u16,
    /// Turns for which there has been no hope.
    hopeless: u32,
    /// Turns for which less was expected than a draw is worth.
    gloomy: u32,
    /// What the clock would allow for a try as the game began; where there is none, nobody asks.
    time_for_a_try: Duration,
    remark: String,
}

/// Where no clock runs, so much less is thought about a second try.
const LESS_AFTER_REFUSAL: u64 = 4;
/// Of the time for a move so much goes into the first try, and so much of the rest into the next. With 0.8 hardly anything is left after
/// two refusals.
const FIRST_TRY: f64 = 0.6;
/// So much of it goes into a try that is sure to stand, where each move has its own time.
const LAST_TRY: f64 = 0.85;
/// With so much of the time for a move, or a quarter of it, nobody reckons: a machine that has other things to do pauses now and then.
const KEPT: Duration = Duration::from_millis(15);
/// A millisecond of the time for a try is enough to keep so many boards up to date, and have most of it left.
const BOARDS_A_MS: f64 = 100.0;
/// A try that stands with no more than this chance gets no more time than others: there may have to be another one.
const LIKELY: f64 = 0.9;
/// With less time than this to spare, it is not worth the while to begin again.
const WORTH_WHILE: Duration = Duration::from_millis(3);
/// Whoever expects more than this does not want a draw.
const AHEAD: f64 = 0.6;
/// What a draw is worth.
const EVEN: f64 = 0.5;

/// Whoever has expected less than this for so many turns may give up.
const HOPELESS: f64 = 0.04;
const PATIENCE: u32 = 6;
/// Whoever has expected less than this for so many turns takes a draw. In the dark things change, so a little less than half a point is no reason.
const GLOOMY: f64 = 0.4;
const GLOOM: u32 = 3;

fn thinkers(
    settings: &MarshalSettings,
    setup: &Setup,
    player: Color,
    seed: u64,
) -> Vec<Thinker<Model>> {
    let thinker = |number| {
        Thinker::new(settings, setup, player, Model::new(settings), seed.wrapping_add(number))
    };
    (0..settings.threads.max(1) as u64).map(thinker).collect()
}

impl Marshal {
    /// A player that waits for its first game.
    pub fn new(settings: MarshalSettings) -> Self {
        let (setup, color) = (Setup::default(), Color::White);
        let model = Model::new(&settings);
        let nothing = Particles::new(&setup, color, 1, model, Densities::default(), 0);
        Marshal {
            imagining: Imagining::with(nothing),
            thinkers: thinkers(&settings, &setup, color, 0),
            opponent: None,
            met: None,
            view: Seat::new(color, &Conditions::default(), 0).view(),
            guard: Guard::default(),
            call: Call::default(),
            quiet: 0,
            hopeless: 0,
            gloomy: 0,
            time_for_a_try: Duration::ZERO,
            remark: String::new(),
            settings,
        }
    }

    /// Thinks, for as long as there is time.
    fn think(&mut self, view: &View, clock: &Clock) {
        let begun = Instant::now();
        let share = if view.refusals() > 0 { LESS_AFTER_REFUSAL } else { 1 };
        let thinking = Thinking::with_share(clock, view.player(), FIRST_TRY);
        if self.imagining.catch_up(clock, view).is_none() {
            return;
        }
        self.learn();
        match thinking {
            Thinking::Time(time) => {
                self.look_ahead(view, Budget::Until(begun, time), false);
                if let Some(more) = self.time_to_spare(view, clock, time) {
                    self.look_ahead(view, Budget::Until(begun, time + more), true);
                }
            }
            Thinking::Nodes(nodes) => {
                self.look_ahead(view, Budget::Simulations((nodes / share).max(1)), false);
            }
            Thinking::Free => {
                let simulations = (self.settings.simulations / share).max(1);
                self.look_ahead(view, Budget::Simulations(simulations), false);
            }
        }
    }

    /// How the opponent chooses, as far as games before have shown.
    fn recalled(&self) -> Model {
        let model = Model::new(&self.settings);
        match (model, &self.settings.memory, &self.opponent) {
            (Model::Fitted(opponents), Some(memory), Some(name)) => {
                Model::Fitted(Box::new(memory.recall(name, *opponents)))
            }
            (model, ..) => model,
        }
    }

    /// Keeps what the opponent turned out to be like. Where that cannot be kept the game was played all the same.
    fn remember(&mut self) {
        let model = self.imagining.belief().model();
        let (Some(memory), Some(name), Model::Fitted(opponents)) =
            (&self.settings.memory, self.opponent.take(), model)
        else {
            return;
        };
        if let Err(why) = memory.note(&name, opponents) {
            self.remark = format!("{name} will not be remembered: {why}");
        }
    }

    /// Tells all trees what the opponent seems to be like.
    fn learn(&mut self) {
        let belief = self.imagining.belief();
        for thinker in &mut self.thinkers {
            thinker.simulator.model.learn_from(belief.model());
        }
    }

    /// How much longer may be thought, where time that is not used is lost: the likelier the try stands that would be made, the less has to be kept for
    /// another one.
    fn time_to_spare(&self, view: &View, clock: &Clock, first: Duration) -> Option<Duration> {
        let TimeControl::Move(whole) = clock.control() else { return None };
        let Thinking::Time(most) = Thinking::with_share(clock, view.player(), LAST_TRY) else {
            return None;
        };
        let left = clock.left(view.player())?.saturating_sub(KEPT.min(whole / 4));
        let stands = self.imagining.belief().chance_of_legal(self.best(view)?.mv)?;
        let is_sure = ((stands - LIKELY) / (1.0 - LIKELY)).max(0.0);
        let more = most.min(left).saturating_sub(first).mul_f64(is_sure);
        Some(more).filter(|more| *more > WORTH_WHILE)
    }

    /// Grows the trees.
    fn look_ahead(&mut self, view: &View, budget: Budget, goes_on: bool) {
        let (belief, call, quiet) = (self.imagining.belief(), self.call, self.quiet);
        let moment = Moment { view, belief, call, quiet };
        match &mut self.thinkers[..] {
            [alone] => alone.think(&moment, budget, goes_on),
            many => {
                let (moment, budget) = (&moment, budget.divided(many.len()));
                thread::scope(|scope| {
                    for thinker in many {
                        scope.spawn(move || thinker.think(moment, budget, goes_on));
                    }
                });
            }
        }
    }

    /// The tries that may be made now, and how they have fared, in all trees together.
    fn arms(&self) -> Vec<Arm> {
        let mut arms = self.thinkers[0].arms().to_vec();
        for other in self.thinkers[1..].iter().flat_map(|thinker| thinker.arms()) {
            match arms.iter_mut().find(|arm| arm.mv == other.mv) {
                Some(arm) => {
                    arm.visits += other.visits;
                    arm.sum += other.sum;
                }
                None => arms.push(*other),
            }
        }
        arms
    }

    /// The sensible tries, those first of which most is sure after many looks.
    fn ranked(&self, view: &View) -> Vec<Arm> {
        let mut arms = self.arms();
        arms.retain(|arm| view.is_sensible(arm.mv.into()));
        rank(&mut arms);
        arms
    }

    /// The sensible try of which most is sure, and that is not one of those not done. If all looks went to such, it is one that was never looked at.
    fn best(&self, view: &View) -> Option<Arm> {
        preferred(&self.ranked(view), |mv| self.not_done(view, mv).is_none())
    }

    /// Why whoever is ahead does not try this, if there is a reason.
    fn not_done(&self, view: &View, mv: Move) -> Option<NotDone> {
        let boards = || self.imagining.belief().boards().map(|(board, _)| board);
        if self.guard.repeats(view, mv, boards()) {
            return Some(NotDone::Repetition);
        }
        Guard::stalemates(view, mv, boards()).then_some(NotDone::Stalemate)
    }

    /// The turn begins, in all trees.
    fn arrive(&mut self) {
        self.thinkers.iter_mut().for_each(|thinker| thinker.arrive(None));
    }

    /// Keeps count of turns that began with little hope.
    fn take_heart(&mut self, expected: f64) {
        let counted = |turns: u32, is_below: bool| if is_below { turns + 1 } else { 0 };
        self.hopeless = counted(self.hopeless, expected < HOPELESS);
        self.gloomy = counted(self.gloomy, expected < GLOOMY);
    }

    /// Whether there has been no hope for so long that the game is given up.
    fn despairs(&self) -> bool {
        self.settings.resigns && self.hopeless >= PATIENCE
    }
}

/// Of tries in order, the first; or, for whoever is ahead, the first of those that are done, unless it promises no more than the draw that it avoids. Nothing, if none was looked at.
fn preferred(ranked: &[Arm], is_done: impl Fn(Move) -> bool) -> Option<Arm> {
    let first = *ranked.first().filter(|arm| arm.visits > 0)?;
    let is_ahead = first.mean() > AHEAD;
    if !is_ahead {
        return Some(first);
    }
    let done = ranked.iter().find(|arm| is_done(arm.mv)).copied();
    Some(done.filter(|arm| arm.visits == 0 || arm.mean() > EVEN).unwrap_or(first))
}

impl Player for Marshal {
    fn meet(&mut self, opponent: &str) {
        self.met = Some(opponent.to_string());
    }

    fn begin(&mut self, seat: &Seat) -> Result<(), Fault> {
        let Seat { color, setup, seed, .. } = seat;
        self.opponent = self.met.take();
        self.thinkers = thinkers(&self.settings, setup, *color, seed ^ 0x6d61_7273);
        self.view = seat.view();
        self.guard = Guard::new(setup.draws);
        if self.view.is_my_turn() {
            self.guard.note(self.view.men());
        }
        self.call = Call::default();
        self.quiet = 0;
        self.hopeless = 0;
        self.gloomy = 0;
        self.time_for_a_try = match Thinking::of(&Clock::new(seat.control), seat.color) {
            Thinking::Time(time) => time,
            Thinking::Nodes(_) | Thinking::Free => Duration::ZERO,
        };
        self.remark.clear();
        let boards = self.settings.boards.min(boards_in_time(seat, BOARDS_A_MS));
        let model = self.recalled();
        let belief = Particles::new(setup, *color, boards, model, Densities::default(), *seed)
            .with_effort(self.settings.effort);
        self.imagining.begin_with(belief, seat)
    }

    fn hear(&mut self, line: &Line) -> Result<(), Fault> {
        self.remark.clear();
        let said = &line.said;
        let is_own = said.by == self.view.player();
        let is_pawn = |mv: Move| self.view.men().on(mv.from) == Some(Piece::Pawn);
        let is_own_pawn = is_own && matches!(line.tried, Some(Try::Move(mv)) if is_pawn(mv));
        self.view.live(line);
        match said.verdict {
            Verdict::Moved => {
                let is_progress = said.capture.is_some() || is_own_pawn;
                // Who plays on after fifty moves has an opponent who moved a pawn, or the rule does not hold.
                let plays_on = self.quiet + 1 >= FIFTY_MOVES && said.end.is_none();
                self.quiet = if is_progress || plays_on { 0 } else { self.quiet + 1 };
                if is_progress {
                    self.guard.forget();
                }
                if !is_own {
                    self.guard.note(self.view.men());
                    self.call = call(said, None);
                }
            }
            Verdict::Any(yes) if is_own => self.call.has_pawn_try |= yes,
            _ => {}
        }
        self.thinkers.iter_mut().for_each(|thinker| thinker.follow(line));
        self.imagining.hear(line)?;
        if said.end.is_some() {
            self.remember();
        }
        Ok(())
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, Fault> {
        if view.may_ask() {
            return Ok(Try::Any.into());
        }
        self.arrive();
        self.think(view, clock);
        let Some(best) = self.best(view) else { return self.imagining.fall_back(view, clock) };
        let looks: u32 = self.arms().iter().map(|arm| arm.visits).sum();
        let Arm { mv, visits, .. } = best;
        let boards = self.imagining.belief().len();
        if visits == 0 {
            self.remark = format!("{mv}, since none of {looks} looks went to what is done");
            return Ok(Try::Move(mv).into());
        }
        let expected = best.mean();
        self.remark =
            format!("{mv} is worth {expected:.3}: {visits} of {looks} looks, {boards} boards");
        if view.refusals() == 0 {
            self.take_heart(expected);
        }
        if self.despairs() {
            return Ok(Choice::Resign);
        }
        Ok(Try::Move(mv).into())
    }

    /// Grows the trees below the move that stood, so that much is known already of what may be heard.
    fn ponder(&mut self, stop: &AtomicBool) {
        if self.view.is_my_turn() {
            return;
        }
        self.imagining.take_in(self.time_for_a_try, stop);
        self.learn();
        let (view, call, quiet) = (&self.view, self.call, self.quiet);
        let moment = &Moment { view, belief: self.imagining.belief(), call, quiet };
        thread::scope(|scope| {
            for thinker in &mut self.thinkers {
                scope.spawn(move || thinker.ponder(moment, stop));
            }
        });
    }

    fn would_draw(&self) -> bool {
        self.gloomy >= GLOOM
    }

    fn remark(&self) -> Option<String> {
        let parts = [Some(self.remark.as_str()), self.imagining.contradiction()];
        let said: Vec<&str> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        (!said.is_empty()).then(|| said.join("; "))
    }
}
