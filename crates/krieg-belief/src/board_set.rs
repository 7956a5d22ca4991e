//! A set of boards that fit all observations: all of them, or a uniform sample.

use krieg_core::{Color, Observation, Position, Setup, Square, Try, Verdict, View};
use rand::{Rng, RngExt, SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{
    Belief, Contradiction, ObservationModel, OpponentBoard, OpponentContext, OpponentMap,
    OpponentTurn, SuccessorGenerator, UniqueBoards, WeightedBelief,
};

/// Every board that fits all observations, as long as the capacity suffices; after that a uniform
/// sample of them. A sample may lose the true board, and may become empty later.
#[derive(Debug, Clone)]
pub struct BoardSet {
    rules: ObservationModel,
    /// The player's view, which determines the sensible tries.
    view: View,
    boards: Vec<OpponentBoard>,
    /// The opponent's present turn so far.
    turn: OpponentTurn,
    /// What the opponent knew before the player's present turn.
    context: OpponentContext,
    /// Where the player's last accepted move in this turn captured a piece.
    captured_on: Option<Square>,
    capacity: usize,
    is_complete: bool,
    last_update: UpdateStats,
    rng: Xoshiro256PlusPlus,
}

/// Statistics of the last update by a move of the opponent.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct UpdateStats {
    /// Boards that fit the announcement, counted with duplicates.
    pub successors: u64,
    /// The same without duplicates.
    pub unique: u64,
    /// Bytes of memory for the unique boards.
    pub bytes: usize,
    /// Maximum bytes per board during the update; see [`UniqueBoards::peak_bytes_per_board`].
    pub peak_bytes_per_board: f64,
}

/// When a set is sampled, the expected number of examined successors is the capacity times this, so
/// that enough remain when duplicates are merged.
const OVERSAMPLING: f64 = 2.0;
/// [`Belief::shrink`] does not reduce the capacity below this.
const MIN_CAPACITY: usize = 50;
/// Successors are inserted into the set in blocks of about this size.
const BLOCK: usize = 256;
/// Number of boards from which the number of successors is estimated.
const ESTIMATE_BOARDS: usize = 256;

impl BoardSet {
    /// The belief of a player at the start of a game, with room for this number of boards.
    #[must_use]
    pub fn new(setup: &Setup, player: Color, capacity: usize, seed: u64) -> Self {
        let opening = setup.start.opening(&setup.ruleset, setup.draws);
        BoardSet {
            rules: ObservationModel::new(setup),
            view: View::new(setup.ruleset, setup.start.pieces(player), &opening),
            boards: vec![OpponentBoard::of(&setup.start, !player)],
            turn: OpponentTurn::after(&opening),
            context: OpponentContext::default(),
            captured_on: None,
            capacity: capacity.max(1),
            is_complete: true,
            last_update: UpdateStats::default(),
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    /// Maximum number of boards.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Number of boards.
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// Whether the set is empty: the last observation contradicted all boards.
    pub fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    /// Whether no consistent board was ever left out. Then the true board is in the set.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The opponent's side of each board.
    pub fn boards(&self) -> &[OpponentBoard] {
        &self.boards
    }

    /// Adds boards that were found elsewhere. From now on they are treated as all others.
    pub fn insert_all(&mut self, boards: impl IntoIterator<Item = OpponentBoard>) {
        let mut all = UniqueBoards::new();
        for board in self.boards.drain(..).chain(boards) {
            all.insert(board);
        }
        self.boards = all.into_boards();
        self.is_complete = false;
    }

    /// Statistics of the update by the opponent's last move.
    pub fn last_update(&self) -> UpdateStats {
        self.last_update
    }

    /// The player's view.
    pub fn view(&self) -> &View {
        &self.view
    }

    fn observe_answer(&mut self, tried: Try, observation: &Observation) {
        let announcement = &observation.announcement;
        // The umpire refuses a senseless try without looking at the board.
        let is_informative = self.view.is_sensible(tried);
        let (own, to_move) = (*self.view.pieces(), self.view.turn());
        self.view.observe_answer(tried, announcement);
        self.turn = OpponentTurn::after(announcement);
        if !is_informative {
            return;
        }
        self.captured_on = match tried {
            Try::Move(mv) if announcement.capture.is_some() => Some(mv.to),
            _ => None,
        };
        if announcement.verdict != Verdict::Moved {
            self.boards.retain(|board| {
                let position = board.position(&own, to_move);
                position
                    .is_some_and(|p| self.rules.after_own_try(&p, tried, announcement).is_some())
            });
            return;
        }
        // Boards that differed only in the captured piece are equal now.
        let mut found = UniqueBoards::new();
        for board in &self.boards {
            let position = board.position(&own, to_move);
            let after = position.and_then(|p| self.rules.after_own_try(&p, tried, announcement));
            if let Some(after) = after {
                found.insert(OpponentBoard::of(&after, !own.color()));
            }
        }
        self.boards = found.into_boards();
    }

    /// What the opponent knows on their turn.
    fn context_to_move(&self) -> OpponentContext {
        let mut context = self.context;
        context.begin_turn(self.captured_on, self.turn.has_pawn_try());
        context
    }

    fn observe_opponent_move(&mut self, observation: &Observation) {
        let announcement = &observation.announcement;
        self.context = self.context_to_move();
        self.context.record_move(None, announcement.capture.map(|capture| capture.square));
        self.captured_on = None;
        let (rules, turn, before) = (self.rules, self.turn, *self.view.pieces());
        self.view.observe_announcement(announcement);
        let parents = std::mem::take(&mut self.boards);
        let own = [&before, self.view.pieces()];
        let Some(generator) = SuccessorGenerator::new(&rules, &turn, own, announcement) else {
            return;
        };
        let keep = keep_probability(&parents, &generator, self.capacity, &mut self.rng);
        let mut is_kept = || keep >= 1.0 || self.rng.random_bool(keep);
        let mut found = UniqueBoards::new();
        let mut block = Vec::with_capacity(2 * BLOCK);
        let mut successors = 0;
        for parent in &parents {
            generator.for_each(parent, &mut is_kept, |after| block.push(after));
            if block.len() >= BLOCK {
                successors += block.len() as u64;
                found.insert_all(&block);
                block.clear();
            }
        }
        successors += block.len() as u64;
        found.insert_all(&block);
        self.last_update = UpdateStats {
            successors,
            unique: found.len() as u64,
            bytes: found.bytes(),
            peak_bytes_per_board: found.peak_bytes_per_board(),
        };
        self.boards = found.into_boards();
        self.is_complete &= keep >= 1.0;
        if self.boards.len() > self.capacity {
            self.is_complete = false;
            let (kept, _) = self.boards.partial_shuffle(&mut self.rng, self.capacity);
            self.boards = kept.to_vec();
        }
    }
}

/// The probability with which each possible move is examined: 1 if there is room for all
/// successors, else so that about twice the capacity is found.
fn keep_probability(
    boards: &[OpponentBoard],
    generator: &SuccessorGenerator,
    capacity: usize,
    rng: &mut Xoshiro256PlusPlus,
) -> f64 {
    // Hardly any board has more than 64 successors, so there is room for all.
    if boards.len() * 64 <= capacity {
        return 1.0;
    }
    let estimated = boards.len().min(ESTIMATE_BOARDS);
    let mut successors = 0;
    for _ in 0..estimated {
        let parent = &boards[rng.random_range(0..boards.len())];
        generator.for_each(parent, || true, |_| successors += 1);
    }
    let expected = f64::from(successors) / estimated as f64 * boards.len() as f64;
    // With few successors the estimate is too inaccurate to leave any out.
    if successors < 64 { 1.0 } else { (OVERSAMPLING * capacity as f64 / expected).min(1.0) }
}

impl Belief for BoardSet {
    fn observe(&mut self, observation: &Observation) -> Result<(), Contradiction> {
        let announcement = &observation.announcement;
        let is_over = announcement.end.is_some();
        match (observation.tried, announcement.verdict) {
            _ if is_over || matches!(announcement.verdict, Verdict::Begun | Verdict::Ended) => {
                self.view.observe(observation);
                return Ok(());
            }
            (Some(tried), _) if announcement.by == self.view.player() => {
                self.observe_answer(tried, observation);
            }
            (_, Verdict::Moved) => self.observe_opponent_move(observation),
            _ => {
                self.turn.observe(announcement);
                self.view.observe_announcement(announcement);
            }
        }
        if self.boards.is_empty() { Err(Contradiction(*announcement)) } else { Ok(()) }
    }

    fn sample(&mut self, count: usize, rng: &mut dyn Rng) -> Vec<Position> {
        let (own, to_move) = (self.view.pieces(), self.view.turn());
        let draw = |_| {
            let board = self.boards.get(rng.random_range(0..self.boards.len().max(1)))?;
            board.position(own, to_move)
        };
        (0..count).filter_map(draw).collect()
    }

    fn shrink(&mut self) {
        self.capacity = self.capacity.min((self.capacity / 2).max(MIN_CAPACITY));
    }

    fn board_count(&self) -> Option<usize> {
        Some(self.len())
    }

    fn marginals(&self) -> OpponentMap {
        OpponentMap::of(self.boards.iter().map(|board| (*board, 1.0)))
    }
}

impl WeightedBelief for BoardSet {
    fn view(&self) -> &View {
        &self.view
    }

    fn weighted_boards(&self) -> Box<dyn Iterator<Item = (OpponentBoard, f64)> + '_> {
        let weight = 1.0 / self.boards.len().max(1) as f64;
        Box::new(self.boards.iter().map(move |board| (*board, weight)))
    }

    fn is_complete(&self) -> bool {
        self.is_complete
    }

    fn opponent_context(&self) -> OpponentContext {
        self.context
    }

    fn opponent_context_to_move(&self) -> Option<OpponentContext> {
        self.turn.is_silent().then(|| self.context_to_move())
    }
}
