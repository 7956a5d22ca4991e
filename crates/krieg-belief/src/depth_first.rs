//! Boards one after the other, found depth-first, with nothing kept but one line of play.
//!
//! The other way to estimate the state in Russell and Wolfe, 2005, section 2: where there are too many boards to keep, a walk through the
//! possible games in random order comes to one of them after little work, and then to another.

use cozy_chess::Move as BoardMove;
use krieg_core::{Color, Observation, Position, Setup, Try, Verdict, View};
use rand::{SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{ObservationModel, OpponentTurn};

/// How a [`DepthFirstStates`] goes on after a board was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DepthFirstMode {
    /// From the beginning of the game. Two boards have nothing in common but what was heard, so this is for samples; but it never knows
    /// that it has seen all. A walk that finds nothing for long was led astray by an early move, and begins anew, too, with more patience the
    /// next time.
    #[default]
    Restart,
    /// From the opponent's last move that could have been another. Boards that follow each other differ in little, but no line of play is come to
    /// twice, and in the end all were seen.
    Resume,
}

/// What came of a walk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DepthFirstResult {
    /// A board that fits everything heard. It may have been there before, by another line of play.
    Board(Position),
    /// None within the steps allowed. The next call goes on from here.
    CutOff,
    /// No line of play is left. All boards that fit were seen, if the walk goes [`Resume`](DepthFirstMode::Resume); there is none, if it begins anew.
    Exhausted,
}

/// A walk through all games that would have sounded the same to a player. It begin_turn what a [`Belief`](crate::Belief) begin_turn, and yields boards.
///
/// It takes memory for the game's length, whatever the number of boards. It is no fair draw: a board that many lines of play lead to comes
/// more often, and so does one whose relatives died early.
///
/// ```
/// use krieg_belief::{DepthFirstResult, DepthFirstStates, DepthFirstMode};
/// use krieg_core::{Color, Game, Observation, Setup};
///
/// let mut game = Game::new(Setup::default());
/// let mut white = DepthFirstStates::new(&Setup::default(), Color::White, DepthFirstMode::Resume, 1);
/// let tried = "e2e4".parse()?;
/// white.observe(&Observation { tried: Some(tried), announcement: game.judge(tried)?, spent_ms: None });
/// let said = game.judge("d7d5".parse()?)?;
/// white.observe(&Observation { tried: None, announcement: said, spent_ms: None });
/// // White has a pawn try, so Black played d5 or f5.
/// let boards: Vec<DepthFirstResult> = (0..3).map(|_| white.next_board(100)).collect();
/// assert!(matches!(boards[..], [DepthFirstResult::Board(_), DepthFirstResult::Board(_), DepthFirstResult::Exhausted]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct DepthFirstStates {
    rules: ObservationModel,
    start: Position,
    view: View,
    turn: OpponentTurn,
    events: Vec<Event>,
    walk: DepthFirstMode,
    rng: Xoshiro256PlusPlus,
    /// The opponent's moves of the line of play that is followed, each with those that were not tried yet.
    path: Vec<Choice>,
    is_begun: bool,
    /// The steps of the walk so far, and those after which it begins anew.
    steps: u64,
    patience: u64,
}

/// Something that every board has to fit.
#[derive(Debug, Clone, Copy)]
enum Event {
    Answered(Try, krieg_core::Announcement),
    EnemyMoved(OpponentTurn, krieg_core::Announcement),
}

/// A board before a move of the opponent, and the moves that are left to try.
#[derive(Debug, Clone)]
struct Choice {
    /// The event that the move is.
    event: usize,
    board: Position,
    left: Vec<BoardMove>,
}

/// A walk is given up first after so many steps for each thing heard.
const FIRST_PATIENCE: u64 = 4;

impl DepthFirstStates {
    /// The stream of a player as a game begins.
    pub fn new(setup: &Setup, player: Color, walk: DepthFirstMode, seed: u64) -> Self {
        let opening = setup.start.opening(&setup.ruleset, setup.draws);
        DepthFirstStates {
            rules: ObservationModel::new(setup),
            start: setup.start.clone(),
            view: View::new(setup.ruleset, setup.start.pieces(player), &opening),
            turn: OpponentTurn::after(&opening),
            events: Vec::new(),
            walk,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            path: Vec::new(),
            is_begun: false,
            steps: 0,
            patience: 0,
        }
    }

    /// Hears what the player begin_turn. The walk begins anew.
    pub fn observe(&mut self, line: &Observation) {
        let said = line.announcement;
        let is_event = said.end.is_none();
        match (line.tried, said.verdict) {
            (_, Verdict::Begun | Verdict::Ended) => {}
            (Some(tried), _) if said.by == self.view.player() => {
                // What was no sensible try was turned away without a look at the board.
                if is_event && self.view.is_sensible(tried) {
                    self.events.push(Event::Answered(tried, said));
                }
                self.turn = OpponentTurn::after(&said);
            }
            (_, Verdict::Moved) if is_event => {
                self.events.push(Event::EnemyMoved(self.turn, said));
            }
            _ => self.turn.observe(&said),
        }
        self.view.observe(line);
        self.patience = FIRST_PATIENCE * self.events.len().max(1) as u64;
        self.begin_anew();
    }

    /// What the player sees.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The next board, if one is found in so many steps: a step looks at one try of the player's or at all moves of the opponent's on one board.
    pub fn next_board(&mut self, steps: u64) -> DepthFirstResult {
        let mut allowed = steps;
        loop {
            if self.walk == DepthFirstMode::Restart && self.steps >= self.patience {
                self.patience *= 2;
                self.begin_anew();
            }
            let Some((event, board)) = self.next_move() else { return DepthFirstResult::Exhausted };
            if let Some(board) = self.follow(event, board, &mut allowed) {
                if self.walk == DepthFirstMode::Restart {
                    self.patience = FIRST_PATIENCE * self.events.len().max(1) as u64;
                    self.begin_anew();
                }
                return DepthFirstResult::Board(board);
            }
            if allowed == 0 {
                return DepthFirstResult::CutOff;
            }
        }
    }

    fn begin_anew(&mut self) {
        self.path.clear();
        self.is_begun = false;
        self.steps = 0;
    }

    /// The board after the next move that was not tried yet, and what was heard then.
    fn next_move(&mut self) -> Option<(usize, Position)> {
        if !self.is_begun {
            self.is_begun = true;
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

    /// Follows one line of play from here to its end: to what was heard last, or to what does not fit. Of the opponent's moves it takes the
    /// first, and keeps the others.
    fn follow(&mut self, event: usize, board: Position, allowed: &mut u64) -> Option<Position> {
        let mut board = board;
        for event in event..self.events.len() {
            *allowed = allowed.saturating_sub(1);
            self.steps += 1;
            board = match &self.events[event] {
                Event::Answered(tried, said) => self.rules.after_own_try(&board, *tried, said)?,
                Event::EnemyMoved(turn, said) => {
                    let mut left = Vec::new();
                    self.rules.for_each_successor(
                        &board,
                        turn,
                        said,
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
