//! One thread of a search: its memory, its path through the tree, and the moves up and down it.

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

/// How many nodes pass between two looks at the clock.
const CHECK_INTERVAL: u64 = 256;

/// What is kept about each ply of the line under search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ply {
    pub piece_to: PieceTo,
    /// What the evaluation says, and what with corrections.
    pub raw: i32,
    pub static_eval: i32,
    /// The move left out while the search asks whether it is the only good one.
    pub excluded: Option<BoardMove>,
    pub double_extensions: i32,
}

impl Default for Ply {
    fn default() -> Self {
        Ply {
            piece_to: PieceTo::NONE,
            raw: 0,
            static_eval: 0,
            excluded: None,
            double_extensions: 0,
        }
    }
}

/// What ends a search from inside.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HardLimits {
    pub start: Instant,
    pub nodes: u64,
    /// Since `start`.
    pub hard: Option<Duration>,
}

/// One thread's search.
pub(crate) struct SearchWorker<E: Evaluate> {
    pub(super) table: Arc<TranspositionTable>,
    pub(super) eval: E,
    pub(super) options: SearchOptions,
    pub(super) history: History,
    pub(super) correction_history: CorrectionHistory,
    pub(super) move_list: Vec<MoveListEntry>,
    pub(super) stack: Box<[Ply]>,
    /// The best line found from each ply on.
    pub(super) pv_table: Vec<Vec<BoardMove>>,
    /// Keys of the positions played and searched through, the root's at `root_index`.
    pub(super) position_keys: Vec<u64>,
    pub(super) root_index: usize,
    pub(super) root_depth: i32,
    /// Moves that are not considered at the root: found already, or not asked for.
    pub(super) root_excluded: Vec<BoardMove>,
    /// What was found about the root's moves.
    pub(super) root_moves: RootMoves,
    /// Root moves this close to the best are given exact values; 0 except in batches.
    pub(super) exact_margin: i32,
    /// No null move is tried before this ply: a null move is being verified.
    pub(super) null_move_min_ply: usize,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    pub(super) limits: HardLimits,
    next_check: u64,
    pub(super) stopped: bool,
    /// Nodes told to the threads' common count.
    flushed_nodes: u64,
    /// How others end this search.
    pub(super) control: Arc<SearchControl>,
    /// The nodes of all threads.
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
            stack: vec![Ply::default(); MAX_PLY + 4].into_boxed_slice(),
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
            limits: HardLimits { start: Instant::now(), nodes: u64::MAX, hard: None },
            next_check: 0,
            stopped: false,
            flushed_nodes: 0,
            control: Arc::default(),
            shared_nodes: Arc::default(),
        }
    }

    /// Forgets everything but the table.
    pub fn forget(&mut self) {
        self.history.clear();
        self.correction_history.clear();
    }

    /// Empties the table, which nobody else may be using.
    pub fn clear_table(&mut self) {
        match Arc::get_mut(&mut self.table) {
            Some(table) => table.clear(),
            None => debug_assert!(false, "a shared table cannot be cleared"),
        }
    }

    /// Ready to search below `board`, which came about through positions with these keys.
    pub(super) fn prepare(
        &mut self,
        board: &Board,
        played: &[u64],
        limits: HardLimits,
        control: Arc<SearchControl>,
        shared_nodes: Arc<AtomicU64>,
    ) {
        self.control = control;
        self.shared_nodes = shared_nodes;
        self.move_list.clear();
        self.stack.fill(Ply::default());
        self.pv_table.iter_mut().for_each(Vec::clear);
        self.position_keys.clear();
        self.position_keys.extend_from_slice(played);
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

    /// Counts a node, and looks now and then whether it is time to end.
    #[inline(always)]
    pub(super) fn count_node(&mut self) {
        if self.nodes >= self.next_check {
            self.check_limits();
        }
        self.nodes += u64::from(!self.stopped);
    }

    /// Looks whether a bound is reached.
    #[cold]
    pub(super) fn check_limits(&mut self) {
        self.flush_nodes();
        if self.root_depth <= 1 {
            // One ply is looked at whatever it costs: a move chosen without a look is worse than late.
            self.next_check = self.nodes + 1;
            return;
        }
        let left = self.limits.nodes.saturating_sub(self.shared_nodes.load(Ordering::Relaxed));
        self.stopped |= left == 0 || self.control.is_stopped();
        if let Some(hard) = self.limits.hard
            && !self.control.is_pondering()
        {
            self.stopped |= self.limits.start.elapsed() >= hard + self.control.ponder_hit_time();
        }
        self.next_check = self.nodes + left.min(CHECK_INTERVAL);
    }

    pub(super) fn flush_nodes(&mut self) {
        self.shared_nodes.fetch_add(self.nodes - self.flushed_nodes, Ordering::Relaxed);
        self.flushed_nodes = self.nodes;
    }

    /// Plays a move on a copy of the board.
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

    /// The two moves before the one to be chosen at this ply: the opponent's and our own.
    pub(super) fn previous_moves(&self, ply: usize) -> [PieceTo; 2] {
        let at = |back: usize| {
            if ply >= back { self.stack[ply - back].piece_to } else { PieceTo::NONE }
        };
        [at(1), at(2)]
    }

    /// Whether the position is drawn: by the fifty moves, by material, or because it was here
    /// before (once since the root, or twice in the game).
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
        let mut seen = 0;
        let mut back = 4;
        while back <= clock && back <= last {
            if self.position_keys[last - back] == key {
                seen += 1;
                if last - back >= self.root_index || seen == 2 {
                    return true;
                }
            }
            back += 2;
        }
        // With the hundredth ply a mate still counts, so the position must be looked at.
        clock >= 100 && board.generate_moves(|_| true)
    }

    /// The best line of the next ply, with this move before it.
    pub(super) fn update_pv(&mut self, ply: usize, mv: BoardMove) {
        let (head, tail) = self.pv_table.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(mv);
        head[ply].extend_from_slice(&tail[0]);
    }

    /// A value without search, and with what searches found to be amiss with such values.
    pub(super) fn corrected_eval(&self, board: &Board, value: i32) -> i32 {
        if !self.options.selective {
            return value;
        }
        (value + self.correction_history.of(board)).clamp(-MAX_EVAL, MAX_EVAL)
    }

    pub(super) fn is(&self, method: Method) -> bool {
        self.options.method == method
    }
}

/// A side with nothing but pawns may be glad to pass.
pub(super) fn has_non_pawn_material(board: &Board) -> bool {
    let own = board.colors(board.side_to_move());
    !(own & !board.pieces(Piece::Pawn) & !board.pieces(Piece::King)).is_empty()
}

/// The value of being mated at this ply.
pub(super) fn mated_in_ply(ply: usize) -> i32 {
    -MATE + ply as i32
}
