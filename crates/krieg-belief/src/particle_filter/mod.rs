//! Boards with weights, each with the game that led to it: sequential Monte Carlo (Gordon, Salmond, Smith, 1993; the moves that keep it
//! fresh, Gilks and Berzuini, 2001).

mod budget;
mod displacement;
mod move_exchange;
mod perturb;
mod predict;
mod rejuvenate;
mod repair;
mod resample;
mod trajectory;
mod turn;

use std::time::Instant;

use cozy_chess::Move as BoardMove;
use krieg_core::{Color, Observation, Position, Setup, Try, Verdict, View};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::opponent_board::BoardMap;
use crate::weighted::systematic_sample;
use crate::{
    Belief, Contradiction, Deadline, Densities, LastObservation, ObservationModel, OpponentBoard,
    OpponentContext, OpponentMap, OpponentMixture, OpponentPolicy, OpponentTurn, WeightedBelief,
};
use budget::{TimeBudget, UpdatePhase};
use trajectory::{TrajectoryNode, TrajectoryStore};
use turn::{ExpansionBuffer, OwnTurn, Turn, TurnPair};

/// A board that is held possible now.
#[derive(Debug, Clone, Copy)]
struct Particle {
    /// Its number among the boards of the last generation.
    step: u32,
    /// The board now: the own turn may have changed it.
    board: OpponentBoard,
    weight: f64,
}

/// What was living before the last thing was heard.
#[derive(Debug, Clone, Default)]
struct Before {
    /// Of which generation they are: of the last, or of the one before, if the opponent has moved since.
    generation: usize,
    living: Vec<Particle>,
}

/// Boards that fit everything heard, weighed by how likely the opponent played the moves that lead there.
///
/// As long as there is room, these are all the boards, with their exact weights. Then they are thinned by weight, and what is lost by that comes
/// back in three ways. Where something was heard that hardly any board explains, games that were possible before are repaired by one move; games are
/// lived through again from some moves ago, and single moves are exchanged for others: all this leads only to boards that fit everything heard, and
/// leaves them on the average about as likely as they are. If nothing is left all the same, a man is put elsewhere on boards that were possible before, so that
/// at least what was heard last is explained.
pub struct ParticleFilter<M: OpponentPolicy = Box<dyn OpponentPolicy + Send>> {
    rules: ObservationModel,
    view: View,
    model: M,
    history: TrajectoryStore,
    /// The own turn, as far as it went.
    own: OwnTurn,
    /// The opponent's turn, while it lasts.
    enemy: OpponentTurn,
    /// What the opponent knows, but for what he begin_turn of the own turn.
    memory: OpponentContext,
    living: Vec<Particle>,
    before: Before,
    sampler: LastObservation,
    most: usize,
    /// How many boards may be looked at to freshen the others up, for each that there is room for.
    effort: f64,
    /// The part of the weight that goes to bent boards where there are few others.
    doubt: f64,
    /// How much there is time for.
    pace: TimeBudget,
    is_complete: bool,
    rng: Xoshiro256PlusPlus,
    scratch: ExpansionBuffer,
    care: ParticleStats,
}

/// How often boards were found other than by going on from those there were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ParticleStats {
    /// Games repaired so that they explain what was heard.
    pub repaired: u64,
    /// Games lived through again from some moves ago, and taken.
    pub regenerated: u64,
    /// Games with a single move exchanged, and taken.
    pub exchanged: u64,
    /// How often few were left after a move of the opponent's, and boards were found beside them that do not explain everything.
    pub perturbations: u64,
    /// How often nothing was left, and boards were found that do not explain everything.
    pub recoveries: u64,
}

/// Of the boards that there is room for, so many times as many are looked at in a step, and more if too few of them fit. Eight times as many gave no
/// better picture (`benches/runs`).
const SPARE: usize = 3;
/// With fewer boards than one in so many, others are looked for that explain what was heard. One in two gave no better
/// picture.
const FEW: usize = 4;
/// So many times less is done when an own try was answered.
const IN_A_TURN: f64 = 4.0;
/// The part of the weight that goes to bent boards where there are few others. A half or twice of it gave much the same picture.
const DOUBT: f64 = 0.1;
/// Whoever may keep any number of boards makes room for so many, and for more when they come.
const MOST_FORESEEN: usize = 1 << 20;

impl<M: OpponentPolicy> ParticleFilter<M> {
    /// The belief of a player as a game begins, with room for so many boards, about an opponent who plays like this.
    pub fn new(
        setup: &Setup,
        player: Color,
        most: usize,
        model: M,
        densities: Densities,
        seed: u64,
    ) -> Self {
        let opening = setup.start.opening(&setup.ruleset, setup.draws);
        let men = setup.start.pieces(player);
        let board = OpponentBoard::of(&setup.start, !player);
        ParticleFilter {
            rules: ObservationModel::new(setup),
            view: View::new(setup.ruleset, men, &opening),
            model,
            history: TrajectoryStore::new(board),
            own: OwnTurn::new(men, setup.start.turn()),
            enemy: OpponentTurn::after(&opening),
            memory: OpponentContext::default(),
            living: vec![Particle { step: 0, board, weight: 1.0 }],
            before: Before::default(),
            sampler: LastObservation::new(setup, player, densities),
            most: most.max(1),
            effort: 4.0,
            doubt: DOUBT,
            pace: TimeBudget::default(),
            is_complete: true,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x9a57),
            scratch: ExpansionBuffer::default(),
            care: ParticleStats::default(),
        }
    }

    /// The same, with another effort to keep the boards fresh: how many are looked at for that in a turn, for each that there is room for.
    pub fn with_rejuvenation(mut self, effort: f64) -> Self {
        self.effort = effort;
        self
    }

    /// The same, with another doubt where few boards are left: the part of the weight, less than 1, that goes to boards that do not explain everything.
    pub fn with_defensive_share(mut self, doubt: f64) -> Self {
        self.doubt = doubt;
        self
    }

    /// How many different boards there are.
    pub fn len(&self) -> usize {
        self.living.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.living.is_empty()
    }

    /// Whether no board that fits was ever left out.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// How the opponent is thought to choose, as far as he has shown himself.
    pub fn model(&self) -> &M {
        &self.model
    }

    fn situation(&self) -> OpponentContext {
        self.own.heard_by_opponent(&self.enemy, self.memory)
    }

    /// What it took to keep them.
    pub fn stats(&self) -> ParticleStats {
        self.care
    }

    /// Takes in the answer to an own try, and says whether it told anything.
    fn own_answered(&mut self, tried: Try, line: &Observation) -> bool {
        // What was no sensible try was turned away without a look at the board.
        let is_telling = self.view.is_sensible(tried);
        let (men, turn) = (*self.view.pieces(), self.view.turn());
        self.view.observe_answer(tried, &line.announcement);
        self.enemy = OpponentTurn::after(&line.announcement);
        if !is_telling {
            return false;
        }
        let begun = self.begin(UpdatePhase::OwnAnswer);
        self.own.tries.push((tried, line.announcement));
        let mut after = Vec::with_capacity(self.living.len());
        for living in &self.living {
            let position = living.board.position(&men, turn);
            let position =
                position.and_then(|p| self.rules.after_own_try(&p, tried, &line.announcement));
            if let Some(position) = position {
                after.push(Particle {
                    board: OpponentBoard::of(&position, !men.color()),
                    ..*living
                });
            }
        }
        let living = std::mem::replace(&mut self.living, after);
        self.pace.took(UpdatePhase::OwnAnswer, living.len(), begun.elapsed());
        self.before = Before { generation: self.history.now(), living };
        // Two that differed in the man that was captured are one board now.
        self.merge();
        true
    }

    fn enemy_moved(&mut self, line: &Observation) {
        let (men, turn) = (*self.view.pieces(), self.view.turn());
        let begun = self.begin(UpdatePhase::EnemyMove);
        let own = std::mem::replace(&mut self.own, OwnTurn::new(men, turn));
        let exchange = TurnPair::new(own, self.enemy, line.announcement, self.memory);
        let parents = std::mem::take(&mut self.living);
        // First a few moves on each board; if too little comes of it, more, as long as there is time.
        let mut width = SPARE.saturating_mul(self.most).div_ceil(parents.len().max(1)).max(2);
        let (mut found, mut is_all) =
            self.successors(&parents, &exchange, width, false).unwrap_or_default();
        self.pace.took(UpdatePhase::EnemyMove, parents.len(), begun.elapsed());
        while !is_all && found.len() * 2 < self.most && !self.pace.is_late() {
            width = width.saturating_mul(4);
            let Some(more) = self.successors(&parents, &exchange, width, true) else { break };
            (found, is_all) = more;
        }
        self.is_complete &= is_all;
        let weights: Vec<f64> = found.iter().map(|(_, weight)| *weight).collect();
        let chosen = resample::choose(&weights, self.most, self.rng.random());
        self.is_complete &= chosen.len() == found.len();
        self.before = Before { generation: self.history.now(), living: parents };
        self.living = (0..)
            .zip(&chosen)
            .map(|(step, &(at, weight))| Particle { step, board: found[at].0.board, weight })
            .collect();
        self.memory = exchange.memory();
        self.model.update_posterior();
        self.history.add(exchange, chosen.iter().map(|(at, _)| found[*at].0).collect());
        self.view.observe_announcement(&line.announcement);
        self.own = OwnTurn::new(*self.view.pieces(), self.view.turn());
    }

    /// Boards after the opponent's move, each once, with their weights; and whether these are all. On each board at most `width` moves are looked at. Nothing, if that
    /// is broken off when it becomes late.
    fn successors(
        &mut self,
        parents: &[Particle],
        exchange: &TurnPair,
        width: usize,
        may_break_off: bool,
    ) -> Option<(Vec<(TrajectoryNode, f64)>, bool)> {
        let (men, turn) = (self.view.pieces(), self.view.turn());
        let mut found: Vec<(TrajectoryNode, f64)> = Vec::new();
        let mut numbers: BoardMap<usize> = BoardMap::default();
        let some = SPARE.saturating_mul(self.most).min(MOST_FORESEEN);
        numbers.reserve(parents.len().saturating_mul(width).min(some));
        let mut is_all = true;
        for parent in parents {
            if may_break_off && self.pace.is_late() {
                return None;
            }
            let Some(position) = parent.board.position(men, turn) else { continue };
            let ParticleFilter { scratch, rules, model, rng, .. } = self;
            let last = self.history.step((self.history.now(), parent.step)).last();
            let draw = || rng.random();
            let is_all_of_it =
                scratch.look(Turn { board: &position, last }, rules, exchange, model, width, draw);
            model.add_evidence(parent.weight, &scratch.fitting);
            is_all &= is_all_of_it;
            let seen = is_all_of_it.then(|| scratch.seen());
            let own = men.all();
            let was = model.board_penalty(&parent.board, own, position.turn());
            for next in &scratch.found {
                // What is board_penalty about the board before is in the parent's weight already.
                let board_penalty = model.board_penalty(&next.board, own, position.turn());
                let weight = parent.weight * next.share * (was - board_penalty).exp();
                let step =
                    TrajectoryNode { parent: parent.step, ..TrajectoryNode::of(*next, seen) };
                let number = *numbers.entry(next.board).or_insert(found.len());
                let Some((known, sum)) = found.get_mut(number) else {
                    found.push((step, weight));
                    continue;
                };
                // Of two games that lead to one board, one is remembered, as likely as it is.
                *sum += weight;
                if rng.random::<f64>() * *sum < weight {
                    *known = step;
                }
            }
        }
        Some((found, is_all))
    }

    /// Begins a step with all boards, or with as many of them as there is time for.
    fn begin(&mut self, work: UpdatePhase) -> Instant {
        let begun = Instant::now();
        let room = self.pace.room(work);
        if self.living.len() > room {
            self.thin(room);
            self.is_complete = false;
        }
        begun
    }

    /// Finds boards where few or none are left.
    fn fill_up(&mut self) {
        // Within a turn there may be many refusals, and each tells less than a move of the opponent's.
        let effort = if self.is_new() { self.effort } else { self.effort / IN_A_TURN };
        let budget = (effort * self.most as f64) as usize;
        if self.living.len() * FEW < self.most && !self.before.living.is_empty() {
            self.repair(budget);
            self.merge();
            self.normalise();
            // Of a king with one man or none there are only so many boards.
            let are_few_possible = self.living.first().is_none_or(|one| one.board.all().len() <= 2);
            if self.doubt > 0.0 && self.is_new() && !are_few_possible && !self.pace.is_late() {
                self.doubt();
            }
        }
        self.normalise();
        if self.living.is_empty() {
            self.care.recoveries += 1;
            self.bend(true);
            self.merge();
            self.normalise();
        }
        // In the opponent's turn there is nothing to choose, and he may tell more.
        if self.view.is_my_turn() && !self.living.is_empty() && self.living.len() * 2 < self.most {
            self.freshen(budget);
            self.merge();
        }
        self.thin(self.most);
    }

    /// Puts equal boards together. Of two games that lead to one board, one is remembered, as likely as it is.
    fn merge(&mut self) {
        let mut numbers: BoardMap<usize> = BoardMap::default();
        numbers.reserve(self.living.len());
        let mut merged: Vec<Particle> = Vec::with_capacity(self.living.len());
        for living in &self.living {
            let number = *numbers.entry(living.board).or_insert(merged.len());
            let Some(known) = merged.get_mut(number) else {
                merged.push(*living);
                continue;
            };
            known.weight += living.weight;
            if self.rng.random::<f64>() * known.weight < living.weight {
                known.step = living.step;
            }
        }
        self.living = merged;
    }

    fn normalise(&mut self) {
        let sum: f64 = self.living.iter().map(|living| living.weight).sum();
        self.living.iter_mut().for_each(|living| living.weight /= sum);
    }
}

/// Particle boards, to be drawn from by weight.
struct WeightedSampler {
    sums: Vec<f64>,
}

impl WeightedSampler {
    fn of(living: &[Particle]) -> Self {
        let mut sum = 0.0;
        let add = |living: &Particle| {
            sum += living.weight;
            sum
        };
        WeightedSampler { sums: living.iter().map(add).collect() }
    }

    /// The number of one of them. `at` is drawn from 0 to 1.
    fn draw(&self, at: f64) -> usize {
        let at = at * self.sums.last().copied().unwrap_or(0.0);
        self.sums.partition_point(|sum| *sum <= at).min(self.sums.len().saturating_sub(1))
    }
}

impl<M: OpponentPolicy> Belief for ParticleFilter<M> {
    fn observe(&mut self, line: &Observation) -> Result<(), Contradiction> {
        let said = &line.announcement;
        let is_over = said.end.is_some();
        let is_telling = match (line.tried, said.verdict) {
            _ if is_over || matches!(said.verdict, Verdict::Begun | Verdict::Ended) => {
                self.view.observe(line);
                return Ok(());
            }
            (Some(tried), _) if said.by == self.view.player() => self.own_answered(tried, line),
            (_, Verdict::Moved) => {
                self.enemy_moved(line);
                true
            }
            _ => {
                self.enemy.observe(said);
                self.view.observe_announcement(said);
                false
            }
        };
        self.sampler.observe(line)?;
        let was_empty = self.living.is_empty();
        // All boards were known, and none of them was it: the rules are not what they seem, but the game goes on.
        self.is_complete &= !was_empty;
        if is_telling && !self.is_complete {
            self.fill_up();
        }
        self.normalise();
        if was_empty { Err(Contradiction(*said)) } else { Ok(()) }
    }

    fn sample(&mut self, count: usize, rng: &mut dyn Rng) -> Vec<Position> {
        self.sample_with_last_moves(count, rng).into_iter().map(|(board, _)| board).collect()
    }

    fn set_deadline(&mut self, haste: Option<Deadline>) -> bool {
        self.pace.set_deadline(haste);
        true
    }

    fn board_count(&self) -> Option<usize> {
        Some(self.len())
    }

    fn marginals(&self) -> OpponentMap {
        OpponentMap::of(self.living.iter().map(|living| (living.board, living.weight)))
    }
}

impl<M: OpponentPolicy> WeightedBelief for ParticleFilter<M> {
    fn view(&self) -> &View {
        &self.view
    }

    fn weighted_boards(&self) -> Box<dyn Iterator<Item = (OpponentBoard, f64)> + '_> {
        Box::new(self.living.iter().map(|living| (living.board, living.weight)))
    }

    fn is_complete(&self) -> bool {
        self.is_complete
    }

    fn sample_with_last_moves(
        &self,
        count: usize,
        rng: &mut dyn Rng,
    ) -> Vec<(Position, Option<BoardMove>)> {
        let (men, turn) = (self.view.pieces(), self.view.turn());
        let now = self.history.now();
        let weighted = self.living.iter().map(|living| (living, living.weight));
        systematic_sample(weighted, count, rng, |living| {
            let position = living.board.position(men, turn)?;
            Some((position, self.history.step((now, living.step)).last()))
        })
    }

    fn opponent_context(&self) -> OpponentContext {
        self.memory
    }

    fn opponent_context_to_move(&self) -> Option<OpponentContext> {
        self.enemy.is_silent().then(|| self.situation())
    }

    fn opponent_mixture(&self) -> Option<&OpponentMixture> {
        self.model.mixture()
    }
}
