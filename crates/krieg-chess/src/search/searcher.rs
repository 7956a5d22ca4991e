//! One thread of a search: its memory, its path through the tree, and the moves up and down it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cozy_chess::{Board, Move as BoardMove, Piece};
use krieg_core::is_insufficient_material;

use super::root::RootMoves;
use super::{Method, Options, Signal};
use crate::correction::Corrections;
use crate::eval::Evaluate;
use crate::history::{Footprint, History};
use crate::order::Scored;
use crate::score::{DEEPEST, LIMIT, MATE};
use crate::table::Table;

/// How many nodes pass between two looks at the clock.
const LOOK_EVERY: u64 = 256;

/// What is kept about each ply of the line under search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ply {
    pub footprint: Footprint,
    /// What the evaluation says, and what with corrections.
    pub raw: i32,
    pub static_value: i32,
    /// The move left out while the search asks whether it is the only good one.
    pub excluded: Option<BoardMove>,
    pub double_extensions: i32,
}

impl Default for Ply {
    fn default() -> Self {
        Ply {
            footprint: Footprint::NONE,
            raw: 0,
            static_value: 0,
            excluded: None,
            double_extensions: 0,
        }
    }
}

/// What ends a search from inside.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub begun: Instant,
    pub nodes: u64,
    /// Since `begun`.
    pub hard: Option<Duration>,
}

/// One thread's search.
pub(crate) struct Searcher<E: Evaluate> {
    pub(super) table: Arc<Table>,
    pub(super) eval: E,
    pub(super) options: Options,
    pub(super) history: History,
    pub(super) corrections: Corrections,
    pub(super) moves: Vec<Scored>,
    pub(super) plies: Box<[Ply]>,
    /// The best line found from each ply on.
    pub(super) lines: Vec<Vec<BoardMove>>,
    /// Keys of the positions played and searched through, the root's at `root_key`.
    pub(super) keys: Vec<u64>,
    pub(super) root_key: usize,
    pub(super) root_depth: i32,
    /// Moves that are not considered at the root: found already, or not asked for.
    pub(super) root_excluded: Vec<BoardMove>,
    /// What was found about the root's moves.
    pub(super) root_moves: RootMoves,
    /// Root moves this close to the best are given exact values; 0 except in batches.
    pub(super) root_spread: i32,
    /// No null move is tried before this ply: a null move is being verified.
    pub(super) null_from: usize,
    pub(super) nodes: u64,
    pub(super) deepest: usize,
    pub(super) bounds: Bounds,
    next_look: u64,
    pub(super) is_over: bool,
    /// Nodes told to the threads' common count.
    told: u64,
    /// How others end this search.
    pub(super) signal: Arc<Signal>,
    /// The nodes of all threads.
    pub(super) common: Arc<AtomicU64>,
}

impl<E: Evaluate> Searcher<E> {
    pub fn new(table: Arc<Table>, eval: E, options: Options) -> Self {
        Searcher {
            table,
            eval,
            options,
            history: History::new(),
            corrections: Corrections::new(),
            moves: Vec::with_capacity(4_096),
            plies: vec![Ply::default(); DEEPEST + 4].into_boxed_slice(),
            lines: vec![Vec::new(); DEEPEST + 4],
            keys: Vec::with_capacity(1_024),
            root_key: 0,
            root_depth: 0,
            root_excluded: Vec::new(),
            root_moves: RootMoves::default(),
            root_spread: 0,
            null_from: 0,
            nodes: 0,
            deepest: 0,
            bounds: Bounds { begun: Instant::now(), nodes: u64::MAX, hard: None },
            next_look: 0,
            is_over: false,
            told: 0,
            signal: Arc::default(),
            common: Arc::default(),
        }
    }

    /// Forgets everything but the table.
    pub fn forget(&mut self) {
        self.history.clear();
        self.corrections.clear();
    }

    /// Empties the table, which nobody else may be using.
    pub fn begin_group(&mut self) {
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
        bounds: Bounds,
        signal: Arc<Signal>,
        common: Arc<AtomicU64>,
    ) {
        self.signal = signal;
        self.common = common;
        self.moves.clear();
        self.plies.fill(Ply::default());
        self.lines.iter_mut().for_each(Vec::clear);
        self.keys.clear();
        self.keys.extend_from_slice(played);
        self.root_depth = 0;
        self.root_key = self.keys.len();
        self.keys.push(board.hash_without_ep());
        self.root_excluded.clear();
        self.root_moves.clear();
        self.root_spread = 0;
        self.null_from = 0;
        self.nodes = 0;
        self.deepest = 0;
        self.bounds = bounds;
        self.next_look = 0;
        self.is_over = false;
        self.told = 0;
    }

    /// Counts a node, and looks now and then whether it is time to end.
    #[inline(always)]
    pub(super) fn count_node(&mut self) {
        if self.nodes >= self.next_look {
            self.look();
        }
        self.nodes += u64::from(!self.is_over);
    }

    /// Looks whether a bound is reached.
    #[cold]
    pub(super) fn look(&mut self) {
        self.tell_nodes();
        if self.root_depth <= 1 {
            // One ply is looked at whatever it costs: a move chosen without a look is worse than late.
            self.next_look = self.nodes + 1;
            return;
        }
        let left = self.bounds.nodes.saturating_sub(self.common.load(Ordering::Relaxed));
        self.is_over |= left == 0 || self.signal.is_stopped();
        if let Some(hard) = self.bounds.hard
            && !self.signal.is_pondering()
        {
            self.is_over |= self.bounds.begun.elapsed() >= hard + self.signal.hit_after();
        }
        self.next_look = self.nodes + left.min(LOOK_EVERY);
    }

    pub(super) fn tell_nodes(&mut self) {
        self.common.fetch_add(self.nodes - self.told, Ordering::Relaxed);
        self.told = self.nodes;
    }

    /// Plays a move on a copy of the board.
    #[inline(always)]
    pub(super) fn play(&mut self, board: &Board, mv: BoardMove, ply: usize) -> Board {
        self.plies[ply].footprint = Footprint::of(board, mv);
        let mut after = board.clone();
        after.play_unchecked(mv);
        self.table.will_ask(after.hash());
        self.keys.push(after.hash_without_ep());
        after
    }

    pub(super) fn take_back(&mut self) {
        self.keys.pop();
    }

    /// The two moves before the one to be chosen at this ply: the opponent's and our own.
    pub(super) fn before(&self, ply: usize) -> [Footprint; 2] {
        let at = |back: usize| {
            if ply >= back { self.plies[ply - back].footprint } else { Footprint::NONE }
        };
        [at(1), at(2)]
    }

    /// Whether the position is drawn: by the fifty moves, by material, or because it was here
    /// before (once since the root, or twice in the game).
    pub(super) fn is_drawn(&self, board: &Board) -> bool {
        if is_insufficient_material(board) {
            return true;
        }
        let clock = usize::from(board.halfmove_clock());
        if clock >= 100 && board.checkers().is_empty() {
            return true;
        }
        let last = self.keys.len() - 1;
        let key = self.keys[last];
        let mut seen = 0;
        let mut back = 4;
        while back <= clock && back <= last {
            if self.keys[last - back] == key {
                seen += 1;
                if last - back >= self.root_key || seen == 2 {
                    return true;
                }
            }
            back += 2;
        }
        // With the hundredth ply a mate still counts, so the position must be looked at.
        clock >= 100 && board.generate_moves(|_| true)
    }

    /// The best line of the next ply, with this move before it.
    pub(super) fn keep_line(&mut self, ply: usize, mv: BoardMove) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(mv);
        head[ply].extend_from_slice(&tail[0]);
    }

    /// A value without search, and with what searches found to be amiss with such values.
    pub(super) fn corrected(&self, board: &Board, value: i32) -> i32 {
        if !self.options.selective {
            return value;
        }
        (value + self.corrections.of(board)).clamp(-LIMIT, LIMIT)
    }

    pub(super) fn is(&self, method: Method) -> bool {
        self.options.method == method
    }
}

/// A side with nothing but pawns may be glad to pass.
pub(super) fn has_pieces(board: &Board) -> bool {
    let own = board.colors(board.side_to_move());
    !(own & !board.pieces(Piece::Pawn) & !board.pieces(Piece::King)).is_empty()
}

/// The value of being mated at this ply.
pub(super) fn mated_at(ply: usize) -> i32 {
    -MATE + ply as i32
}
