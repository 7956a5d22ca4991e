//! Boards that fit everything heard: all of them, or a fair share.

use krieg_core::{Color, Observation, Position, Setup, Square, Try, Verdict, View};
use rand::{Rng, RngExt, SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{
    Belief, Contradiction, ObservationModel, OpponentBoard, OpponentContext, OpponentMap,
    OpponentTurn, SuccessorGenerator, UniqueBoards, WeightedBelief,
};

/// Every board that fits everything heard, as long as there is room for them; then a fair share of them, each as likely to be kept as any
/// other. A share may turn out not to hold the true board, and then it comes to nothing one day.
#[derive(Debug, Clone)]
pub struct BoardSet {
    rules: ObservationModel,
    /// What the player sees, which says what he may sensibly try.
    view: View,
    boards: Vec<OpponentBoard>,
    /// The opponent's turn, while it lasts.
    turn: OpponentTurn,
    /// What the opponent knew before the player's present turn.
    context: OpponentContext,
    /// Where the player's last accepted move in this turn captured a piece.
    captured_on: Option<Square>,
    most: usize,
    is_complete: bool,
    last_update: UpdateStats,
    rng: Xoshiro256PlusPlus,
}

/// What became of a pool's boards when the opponent had moved.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct UpdateStats {
    /// Boards that fit what was heard, each as often as it was come to.
    pub successors: u64,
    /// Each of them once.
    pub unique: u64,
    /// The memory they took when the last one was found.
    pub bytes: usize,
    /// The bytes for each board when it was most; see [`UniqueBoards::peak_bytes_per_board`].
    pub peak_bytes_per_board: f64,
}

/// When a pool is thinned, so many times the boards that there is room for are looked at, so that what is equal can be told.
const SPARE: f64 = 2.0;
/// With fewer boards than this one knows nothing.
const FEWEST: usize = 50;
/// Successors are taken in by so many at a time.
const BLOCK: usize = 256;
/// The boards from which it is guessed how many successors there will be.
const ASKED: usize = 256;

impl BoardSet {
    /// The belief of a player as a game begins, with room for so many boards.
    pub fn new(setup: &Setup, player: Color, most: usize, seed: u64) -> Self {
        let opening = setup.start.opening(&setup.ruleset, setup.draws);
        BoardSet {
            rules: ObservationModel::new(setup),
            view: View::new(setup.ruleset, setup.start.pieces(player), &opening),
            boards: vec![OpponentBoard::of(&setup.start, !player)],
            turn: OpponentTurn::after(&opening),
            context: OpponentContext::default(),
            captured_on: None,
            most: most.max(1),
            is_complete: true,
            last_update: UpdateStats::default(),
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    /// For how many boards there is room.
    pub fn capacity(&self) -> usize {
        self.most
    }

    /// How many boards there are.
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// Whether there are none: what was heard contradicts all that was thought possible.
    pub fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    /// Whether no board that fits was ever left out. Then the true one is among them.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The other side of each board.
    pub fn boards(&self) -> &[OpponentBoard] {
        &self.boards
    }

    /// Takes in boards that were found elsewhere. From then on they have to fit what is heard, as all others.
    pub fn insert_all(&mut self, boards: impl IntoIterator<Item = OpponentBoard>) {
        let mut all = UniqueBoards::new();
        for board in self.boards.drain(..).chain(boards) {
            all.insert(board);
        }
        self.boards = all.into_boards();
        self.is_complete = false;
    }

    /// What became of the boards in the opponent's last turn.
    pub fn last_update(&self) -> UpdateStats {
        self.last_update
    }

    /// What the player sees.
    pub fn view(&self) -> &View {
        &self.view
    }

    fn own_answered(&mut self, tried: Try, line: &Observation) {
        // What was no sensible try was turned away without a look at the board.
        let is_telling = self.view.is_sensible(tried);
        let (men, turn) = (*self.view.pieces(), self.view.turn());
        self.view.observe_answer(tried, &line.announcement);
        self.turn = OpponentTurn::after(&line.announcement);
        if !is_telling {
            return;
        }
        self.captured_on = match tried {
            Try::Move(mv) if line.announcement.capture.is_some() => Some(mv.to),
            _ => None,
        };
        if line.announcement.verdict != Verdict::Moved {
            self.boards.retain(|board| {
                let position = board.position(&men, turn);
                position.is_some_and(|p| {
                    self.rules.after_own_try(&p, tried, &line.announcement).is_some()
                })
            });
            return;
        }
        // Boards that differed in the man that was captured are the same now.
        let mut found = UniqueBoards::new();
        for board in &self.boards {
            let position = board.position(&men, turn);
            let after =
                position.and_then(|p| self.rules.after_own_try(&p, tried, &line.announcement));
            if let Some(after) = after {
                found.insert(OpponentBoard::of(&after, !men.color()));
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

    fn enemy_moved(&mut self, line: &Observation) {
        self.context = self.context_to_move();
        let capture = line.announcement.capture;
        self.context.record_move(None, capture.map(|capture| capture.square));
        self.captured_on = None;
        let (rules, turn, before) = (self.rules, self.turn, *self.view.pieces());
        self.view.observe_announcement(&line.announcement);
        let parents = std::mem::take(&mut self.boards);
        let men = [&before, self.view.pieces()];
        let Some(replies) = SuccessorGenerator::new(&rules, &turn, men, &line.announcement) else {
            return;
        };
        let chance = chance_to_keep(&parents, &replies, self.most, &mut self.rng);
        let mut may_try = || chance >= 1.0 || self.rng.random_bool(chance);
        let mut found = UniqueBoards::new();
        let mut block = Vec::with_capacity(2 * BLOCK);
        let mut successors = 0;
        for parent in &parents {
            replies.for_each(parent, &mut may_try, |after| block.push(after));
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
        self.is_complete &= chance >= 1.0;
        if self.boards.len() > self.most {
            self.is_complete = false;
            let (kept, _) = self.boards.partial_shuffle(&mut self.rng, self.most);
            self.boards = kept.to_vec();
        }
    }
}

/// Of each possible move, how likely it should be looked at: all of them if there is room, else about as many as there is room for twice over.
fn chance_to_keep(
    boards: &[OpponentBoard],
    replies: &SuccessorGenerator,
    most: usize,
    rng: &mut Xoshiro256PlusPlus,
) -> f64 {
    // Hardly any board has more successors than this, so they will fit whatever is heard.
    if boards.len() * 64 <= most {
        return 1.0;
    }
    let asked = boards.len().min(ASKED);
    let mut successors = 0;
    for _ in 0..asked {
        let parent = &boards[rng.random_range(0..boards.len())];
        replies.for_each(parent, || true, |_| successors += 1);
    }
    let expected = f64::from(successors) / asked as f64 * boards.len() as f64;
    // With few boards left, none is turned away: the guess may be far off.
    if successors < 64 { 1.0 } else { (SPARE * most as f64 / expected).min(1.0) }
}

impl Belief for BoardSet {
    fn observe(&mut self, line: &Observation) -> Result<(), Contradiction> {
        let said = &line.announcement;
        let is_over = said.end.is_some();
        match (line.tried, said.verdict) {
            _ if is_over || matches!(said.verdict, Verdict::Begun | Verdict::Ended) => {
                self.view.observe(line);
                return Ok(());
            }
            (Some(tried), _) if said.by == self.view.player() => self.own_answered(tried, line),
            (_, Verdict::Moved) => self.enemy_moved(line),
            _ => {
                self.turn.observe(said);
                self.view.observe_announcement(said);
            }
        }
        if self.boards.is_empty() { Err(Contradiction(*said)) } else { Ok(()) }
    }

    fn sample(&mut self, count: usize, rng: &mut dyn Rng) -> Vec<Position> {
        let (men, turn) = (self.view.pieces(), self.view.turn());
        let draw = |_| {
            let board = self.boards.get(rng.random_range(0..self.boards.len().max(1)))?;
            board.position(men, turn)
        };
        (0..count).filter_map(draw).collect()
    }

    fn shrink(&mut self) {
        self.most = self.most.min((self.most / 2).max(FEWEST));
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
