//! The state of one search thread: its statistics, its search stack, its node count and limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cozy_chess::{Board, Move as BoardMove, Piece};
use krieg_core::is_insufficient_material;

use super::root_moves::RootMoves;
use super::{Method, SearchControl, SearchOptions};
use crate::correction_history::CorrectionHistory;
use crate::eval::Evaluate;
use crate::history::{History, PieceTo};
use crate::move_picker::MoveListEntry;
use crate::score::{MATE, MAX_EVAL, MAX_PLY};
use crate::tt::TranspositionTable;

/// Number of nodes between two checks of the limits.
const CHECK_INTERVAL: u64 = 256;

/// What the search stack holds for each ply of the line being searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct StackEntry {
    /// The move being searched.
    pub piece_to: PieceTo,
    /// The static evaluation; [`Entry::NO_EVAL`](crate::tt::Entry::NO_EVAL) in check.
    pub raw_eval: i32,
    /// The static evaluation with the correction history applied.
    pub static_eval: i32,
    /// The move excluded by a singular extension search at this ply.
    pub excluded_move: Option<BoardMove>,
    /// Number of double extensions on the way to this ply.
    pub double_extensions: i32,
}

impl Default for StackEntry {
    fn default() -> Self {
        StackEntry {
            piece_to: PieceTo::NONE,
            raw_eval: 0,
            static_eval: 0,
            excluded_move: None,
            double_extensions: 0,
        }
    }
}

/// The limits that a running search checks by itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HardLimits {
    /// Start of the search.
    pub start: Instant,
    /// Maximum number of nodes of all threads together.
    pub nodes: u64,
    /// Maximum time since `start`.
    pub time: Option<Duration>,
}

/// One search thread.
pub(crate) struct SearchWorker<E: Evaluate> {
    pub(super) table: Arc<TranspositionTable>,
    pub(super) eval: E,
    pub(super) options: SearchOptions,
    pub(super) history: History,
    pub(super) correction_history: CorrectionHistory,
    /// The moves of all move pickers on the current line, as a stack.
    pub(super) move_list: Vec<MoveListEntry>,
    /// The search stack, by ply.
    pub(super) stack: Box<[StackEntry]>,
    /// The principal variation from each ply on (triangular PV table).
    pub(super) pv_table: Vec<Vec<BoardMove>>,
    /// Zobrist keys of the positions of the game and of the line being searched, for the detection
    /// of repetitions.
    pub(super) position_keys: Vec<u64>,
    /// Index of the root in `position_keys`.
    pub(super) root_index: usize,
    pub(super) root_depth: i32,
    /// Moves excluded at the root: those of earlier principal variations in MultiPV mode, and those
    /// not in `searchmoves`.
    pub(super) root_excluded: Vec<BoardMove>,
    pub(super) root_moves: RootMoves,
    /// Root moves within this margin of the best get exact values; 0 except for batches.
    pub(super) exact_margin: i32,
    /// Null moves are disabled before this ply, while a null move is verified.
    pub(super) null_move_min_ply: usize,
    pub(super) nodes: u64,
    /// Greatest ply reached ("selective depth").
    pub(super) seldepth: usize,
    pub(super) limits: HardLimits,
    /// Node count at which the limits are checked next.
    next_check: u64,
    /// Whether a limit was reached. The search then unwinds, and its values are meaningless.
    pub(super) stopped: bool,
    /// Number of nodes that are included in `shared_nodes`.
    flushed_nodes: u64,
    pub(super) control: Arc<SearchControl>,
    /// Nodes of all threads.
    pub(super) shared_nodes: Arc<AtomicU64>,
}

impl<E: Evaluate> SearchWorker<E> {
    pub fn new(table: Arc<TranspositionTable>, eval: E, options: SearchOptions) -> Self {
        SearchWorker {
            table,
            eval,
            options,
            history: History::new(),
            correction_history: CorrectionHistory::new(),
            move_list: Vec::with_capacity(4_096),
            stack: vec![StackEntry::default(); MAX_PLY + 4].into_boxed_slice(),
            pv_table: vec![Vec::new(); MAX_PLY + 4],
            position_keys: Vec::with_capacity(1_024),
            root_index: 0,
            root_depth: 0,
            root_excluded: Vec::new(),
            root_moves: RootMoves::default(),
            exact_margin: 0,
            null_move_min_ply: 0,
            nodes: 0,
            seldepth: 0,
            limits: HardLimits { start: Instant::now(), nodes: u64::MAX, time: None },
            next_check: 0,
            stopped: false,
            flushed_nodes: 0,
            control: Arc::default(),
            shared_nodes: Arc::default(),
        }
    }

    /// Clears the history tables, but not the transposition table.
    pub fn clear_history(&mut self) {
        self.history.clear();
        self.correction_history.clear();
    }

    /// Clears the transposition table, which no other thread may be using.
    pub fn clear_table(&mut self) {
        match Arc::get_mut(&mut self.table) {
            Some(table) => table.clear(),
            None => debug_assert!(false, "a shared table cannot be cleared"),
        }
    }

    /// Prepares a search of `board`. `game_keys` are the keys of the earlier positions of the game.
    pub(super) fn prepare(
        &mut self,
        board: &Board,
        game_keys: &[u64],
        limits: HardLimits,
        control: Arc<SearchControl>,
        shared_nodes: Arc<AtomicU64>,
    ) {
        self.control = control;
        self.shared_nodes = shared_nodes;
        self.move_list.clear();
        self.stack.fill(StackEntry::default());
        self.pv_table.iter_mut().for_each(Vec::clear);
        self.position_keys.clear();
        self.position_keys.extend_from_slice(game_keys);
        self.root_depth = 0;
        self.root_index = self.position_keys.len();
        self.position_keys.push(board.hash_without_ep());
        self.root_excluded.clear();
        self.root_moves.clear();
        self.exact_margin = 0;
        self.null_move_min_ply = 0;
        self.nodes = 0;
        self.seldepth = 0;
        self.limits = limits;
        self.next_check = 0;
        self.stopped = false;
        self.flushed_nodes = 0;
    }

    /// Counts a node, and checks the limits every [`CHECK_INTERVAL`] nodes.
    #[inline(always)]
    pub(super) fn count_node(&mut self) {
        if self.nodes >= self.next_check {
            self.check_limits();
        }
        self.nodes += u64::from(!self.stopped);
    }

    /// Stops the search if a limit is reached.
    #[cold]
    pub(super) fn check_limits(&mut self) {
        self.flush_nodes();
        if self.root_depth <= 1 {
            // The first ply is always completed, so that the search has a move to return.
            self.next_check = self.nodes + 1;
            return;
        }
        let nodes_left =
            self.limits.nodes.saturating_sub(self.shared_nodes.load(Ordering::Relaxed));
        self.stopped |= nodes_left == 0 || self.control.is_stopped();
        if let Some(time) = self.limits.time
            && !self.control.is_pondering()
        {
            self.stopped |= self.limits.start.elapsed() >= time + self.control.ponder_hit_time();
        }
        self.next_check = self.nodes + nodes_left.min(CHECK_INTERVAL);
    }

    /// Adds the new nodes of this thread to the shared count.
    pub(super) fn flush_nodes(&mut self) {
        self.shared_nodes.fetch_add(self.nodes - self.flushed_nodes, Ordering::Relaxed);
        self.flushed_nodes = self.nodes;
    }

    /// Makes a move on a copy of the board (copy-make).
    #[inline(always)]
    pub(super) fn make_move(&mut self, board: &Board, mv: BoardMove, ply: usize) -> Board {
        self.stack[ply].piece_to = PieceTo::of(board, mv);
        let mut after = board.clone();
        after.play_unchecked(mv);
        self.table.prefetch(after.hash());
        self.position_keys.push(after.hash_without_ep());
        after
    }

    pub(super) fn undo_move(&mut self) {
        self.position_keys.pop();
    }

    /// The two moves before this ply: the opponent's last move and the player's own.
    pub(super) fn previous_moves(&self, ply: usize) -> [PieceTo; 2] {
        let move_before = |plies: usize| {
            if ply >= plies { self.stack[ply - plies].piece_to } else { PieceTo::NONE }
        };
        [move_before(1), move_before(2)]
    }

    /// Whether the position is a draw by insufficient material, the fifty-move rule, or repetition.
    /// One earlier occurrence suffices if it is in the search tree, two if they are in the game.
    pub(super) fn is_draw(&self, board: &Board) -> bool {
        if is_insufficient_material(board) {
            return true;
        }
        let clock = usize::from(board.halfmove_clock());
        if clock >= 100 && board.checkers().is_empty() {
            return true;
        }
        let last = self.position_keys.len() - 1;
        let key = self.position_keys[last];
        let mut occurrences = 0;
        let mut distance = 4;
        while distance <= clock && distance <= last {
            if self.position_keys[last - distance] == key {
                occurrences += 1;
                if last - distance >= self.root_index || occurrences == 2 {
                    return true;
                }
            }
            distance += 2;
        }
        // Checkmate takes precedence over the fifty-move rule.
        clock >= 100 && board.generate_moves(|_| true)
    }

    /// Sets the principal variation of this ply to `mv`, followed by that of the next ply.
    pub(super) fn update_pv(&mut self, ply: usize, mv: BoardMove) {
        let (head, tail) = self.pv_table.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(mv);
        head[ply].extend_from_slice(&tail[0]);
    }

    /// Applies the correction history to a static evaluation.
    pub(super) fn corrected_eval(&self, board: &Board, raw_eval: i32) -> i32 {
        if !self.options.selective {
            return raw_eval;
        }
        let correction = self.correction_history.correction(board);
        (raw_eval + correction).clamp(-MAX_EVAL, MAX_EVAL)
    }

    pub(super) fn uses(&self, method: Method) -> bool {
        self.options.method == method
    }
}

/// Whether the side to move has a piece other than king and pawns. Without one, zugzwang is likely
/// and null-move pruning unsound.
pub(super) fn has_non_pawn_material(board: &Board) -> bool {
    let own = board.colors(board.side_to_move());
    !(own & !board.pieces(Piece::Pawn) & !board.pieces(Piece::King)).is_empty()
}

/// The value of being mated at this ply.
pub(super) fn mated_in_ply(ply: usize) -> i32 {
    -MATE + ply as i32
}
