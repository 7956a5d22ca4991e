//! Depth-first enumeration of the possible boards, with one line of play in memory (Russell and
//! Wolfe, 2005, section 2): where there are too many boards to store, a search through the possible
//! games in random order finds one of them quickly, and then another.

use cozy_chess::Move as BoardMove;
use krieg_core::{Announcement, Color, Observation, Position, Setup, Try, Verdict, View};
use rand::{SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{ObservationModel, OpponentTurn};

/// Where the search of [`DepthFirstStates`] goes on after it has found a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DepthFirstMode {
    /// At the start of the game, so that the boards are independent; use this for samples. A search
    /// that finds nothing for long was misled by an early move; it restarts too, with a longer
    /// limit each time. This mode cannot tell that all boards have been found.
    #[default]
    Restart,
    /// At the opponent's last move with an alternative. Consecutive boards are similar, but no line
    /// of play is visited twice, and in the end all boards have been found.
    Resume,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DepthFirstResult {
    /// A board that fits all observations. It may have been returned before, by another line of
    /// play.
    Board(Position),
    /// No board was found within the limit of steps. The next call goes on from here.
    CutOff,
    /// No line of play is left. With [`Resume`](DepthFirstMode::Resume) all boards have been found;
    /// with [`Restart`](DepthFirstMode::Restart) there is none.
    Exhausted,
}

/// A search through all games that fit a player's observations. It takes the same observations as a
/// [`Belief`](crate::Belief), and returns one board after the other.
///
/// Its memory is proportional to the length of the game, whatever the number of boards. It is not a
/// uniform sample: a board that many lines of play lead to is more frequent, and so is one whose
/// siblings were excluded early.
///
/// ```
/// use krieg_belief::{DepthFirstMode, DepthFirstResult, DepthFirstStates};
/// use krieg_core::{Color, Game, Observation, Setup};
///
/// let mut game = Game::new(Setup::default());
/// let mode = DepthFirstMode::Resume;
/// let mut states = DepthFirstStates::new(&Setup::default(), Color::White, mode, 1);
/// let tried = "e2e4".parse()?;
/// let announcement = game.judge(tried)?;
/// states.observe(&Observation { tried: Some(tried), announcement, spent_ms: None });
/// let announcement = game.judge("d7d5".parse()?)?;
/// states.observe(&Observation { tried: None, announcement, spent_ms: None });
/// // White has a pawn try, so Black played d5 or f5.
/// assert!(matches!(states.next_board(100), DepthFirstResult::Board(_)));
/// assert!(matches!(states.next_board(100), DepthFirstResult::Board(_)));
/// assert_eq!(states.next_board(100), DepthFirstResult::Exhausted);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct DepthFirstStates {
    rules: ObservationModel,
    start: Position,
    view: View,
    turn: OpponentTurn,
    events: Vec<Event>,
    mode: DepthFirstMode,
    rng: Xoshiro256PlusPlus,
    /// The opponent's moves in the present line of play, each with the alternatives not visited
    /// yet.
    path: Vec<Choice>,
    is_started: bool,
    /// Steps since the last restart, and the number of steps after which the search restarts.
    steps: u64,
    step_limit: u64,
}

/// An observation that every board has to fit.
#[derive(Debug, Clone, Copy)]
enum Event {
    OwnAnswer(Try, Announcement),
    OpponentMove(OpponentTurn, Announcement),
}

/// A board before a move of the opponent, and the moves not visited yet.
#[derive(Debug, Clone)]
struct Choice {
    /// The index of the event of the move.
    event: usize,
    board: Position,
    left: Vec<BoardMove>,
}

/// The search first restarts after this number of steps per event. The limit doubles each time.
const INITIAL_STEPS_PER_EVENT: u64 = 4;

impl DepthFirstStates {
    /// The search of a player at the start of a game.
    #[must_use]
    pub fn new(setup: &Setup, player: Color, mode: DepthFirstMode, seed: u64) -> Self {
        let opening = setup.start.opening(&setup.ruleset, setup.draws);
        DepthFirstStates {
            rules: ObservationModel::new(setup),
            start: setup.start.clone(),
            view: View::new(setup.ruleset, setup.start.pieces(player), &opening),
            turn: OpponentTurn::after(&opening),
            events: Vec::new(),
            mode,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            path: Vec::new(),
            is_started: false,
            steps: 0,
            step_limit: 0,
        }
    }

    /// Adds an observation of the player. The search restarts.
    pub fn observe(&mut self, observation: &Observation) {
        let announcement = observation.announcement;
        let is_event = announcement.end.is_none();
        match (observation.tried, announcement.verdict) {
            (_, Verdict::Begun | Verdict::Ended) => {}
            (Some(tried), _) if announcement.by == self.view.player() => {
                // The umpire refuses a senseless try without looking at the board.
                if is_event && self.view.is_sensible(tried) {
                    self.events.push(Event::OwnAnswer(tried, announcement));
                }
                self.turn = OpponentTurn::after(&announcement);
            }
            (_, Verdict::Moved) if is_event => {
                self.events.push(Event::OpponentMove(self.turn, announcement));
            }
            _ => self.turn.observe(&announcement),
        }
        self.view.observe(observation);
        self.step_limit = INITIAL_STEPS_PER_EVENT * self.events.len().max(1) as u64;
        self.restart();
    }

    /// The player's view.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Searches for the next board, for at most this number of steps. One step examines one own try
    /// or all moves of the opponent on one board.
    pub fn next_board(&mut self, steps: u64) -> DepthFirstResult {
        let mut allowed = steps;
        loop {
            if self.mode == DepthFirstMode::Restart && self.steps >= self.step_limit {
                self.step_limit *= 2;
                self.restart();
            }
            let Some((event, board)) = self.next_move() else { return DepthFirstResult::Exhausted };
            if let Some(board) = self.follow(event, board, &mut allowed) {
                if self.mode == DepthFirstMode::Restart {
                    self.step_limit = INITIAL_STEPS_PER_EVENT * self.events.len().max(1) as u64;
                    self.restart();
                }
                return DepthFirstResult::Board(board);
            }
            if allowed == 0 {
                return DepthFirstResult::CutOff;
            }
        }
    }

    fn restart(&mut self) {
        self.path.clear();
        self.is_started = false;
        self.steps = 0;
    }

    /// The board after the next move that was not visited yet, and the index of the next event.
    fn next_move(&mut self) -> Option<(usize, Position)> {
        if !self.is_started {
            self.is_started = true;
            return Some((0, self.start.clone()));
        }
        while let Some(choice) = self.path.last_mut() {
            if let Some(mv) = choice.left.pop() {
                let mut after = choice.board.clone();
                after.play_legal(mv);
                return Some((choice.event + 1, after));
            }
            self.path.pop();
        }
        None
    }

    /// Follows one line of play until all events are explained or one does not fit. At each move of
    /// the opponent it takes the first alternative and stores the others.
    fn follow(&mut self, event: usize, board: Position, allowed: &mut u64) -> Option<Position> {
        let mut board = board;
        for event in event..self.events.len() {
            *allowed = allowed.saturating_sub(1);
            self.steps += 1;
            board = match &self.events[event] {
                Event::OwnAnswer(tried, announcement) => {
                    self.rules.after_own_try(&board, *tried, announcement)?
                }
                Event::OpponentMove(turn, announcement) => {
                    let mut left = Vec::new();
                    self.rules.for_each_successor(
                        &board,
                        turn,
                        announcement,
                        || true,
                        |mv, _| left.push(mv),
                    );
                    left.shuffle(&mut self.rng);
                    let first = left.pop()?;
                    let mut after = board.clone();
                    after.play_legal(first);
                    self.path.push(Choice { event, board, left });
                    after
                }
            };
        }
        Some(board)
    }
}
