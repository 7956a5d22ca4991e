//! The alpha-beta search of one node.
//!
//! One function serves principal variation search, MTD(f) and plain alpha-beta, which differ only
//! in the windows that they open. Without [`SearchOptions::selective`](super::SearchOptions)
//! nothing is pruned, reduced or extended, and all three return the minimax value of their depth,
//! with quiescence search at the leaves.

use cozy_chess::{Board, Move as BoardMove};

use super::Method;
use super::move_pruning::{Candidate, MovePruning, prune_move};
use super::root_moves::RootMove;
use super::singular::Singular;
use super::static_eval::StaticEval;
use super::worker::{SearchWorker, has_non_pawn_material, mated_in_ply};
use crate::eval::Evaluate;
use crate::history::PieceTo;
use crate::move_picker::MovePicker;
use crate::moves::is_tactical;
use crate::score::{DRAW, INFINITE, MATE_THRESHOLD, MAX_PLY};
use crate::tt::{Bound, Entry};

/// Depth and window of the search of a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeParams {
    pub depth: i32,
    pub alpha: i32,
    pub beta: i32,
    /// Whether a beta cutoff is expected (a "cut node").
    pub cut_node: bool,
}

impl NodeParams {
    /// A null window just above `alpha`.
    pub fn null_window(depth: i32, alpha: i32, cut_node: bool) -> Self {
        NodeParams { depth, alpha, beta: alpha + 1, cut_node }
    }

    /// The window from `alpha` to `beta` from the point of view of the opponent, for a child node.
    fn of_child(alpha: i32, beta: i32, depth: i32, cut_node: bool) -> Self {
        NodeParams { depth, alpha: -beta, beta: -alpha, cut_node }
    }
}

/// The moves searched at a node, up to `N` of them.
struct SearchedMoves<const N: usize> {
    moves: [Option<BoardMove>; N],
    len: usize,
}

impl<const N: usize> SearchedMoves<N> {
    fn new() -> Self {
        SearchedMoves { moves: [None; N], len: 0 }
    }

    /// Adds a move; further moves than the list can hold are dropped.
    fn push(&mut self, mv: BoardMove) {
        if self.len < N {
            self.moves[self.len] = Some(mv);
            self.len += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = BoardMove> + '_ {
        self.moves[..self.len].iter().flatten().copied()
    }
}

impl<E: Evaluate> SearchWorker<E> {
    /// Searches a node and returns its value for the side to move.
    pub(super) fn search_node<const PV: bool>(
        &mut self,
        board: &Board,
        state: &E::State,
        ply: usize,
        params: NodeParams,
    ) -> i32 {
        let NodeParams { mut depth, mut alpha, mut beta, cut_node } = params;
        let in_check = !board.checkers().is_empty();
        let selective = self.options.selective;
        if ply > 0 && self.is_draw(board) {
            self.pv_table[ply].clear();
            return DRAW;
        }
        let may_extend = selective && ply > 0 && ply < 2 * self.root_depth as usize;
        // Check extension.
        if in_check && may_extend {
            depth = depth.max(0) + 1;
        }
        if depth <= 0 {
            return self.quiescence::<PV>(board, state, ply, alpha, beta);
        }
        self.count_node();
        if self.stopped {
            return 0;
        }
        self.seldepth = self.seldepth.max(ply);
        if PV {
            self.pv_table[ply].clear();
        }
        if ply >= MAX_PLY {
            return if in_check { DRAW } else { self.eval.evaluate(board, state) };
        }
        // Mate distance pruning: no line from here is better than an immediate mate.
        if ply > 0 {
            alpha = alpha.max(mated_in_ply(ply));
            beta = beta.min(-mated_in_ply(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // Transposition table cutoff. It is disabled close to the fifty-move limit, because the key
        // does not include the clock.
        let excluded_move = self.stack[ply].excluded_move;
        let key = board.hash();
        let tt_entry = if excluded_move.is_none() { self.table.probe(key, ply) } else { None };
        if let Some(entry) = tt_entry
            && !PV
            && (entry.depth == depth || (selective && entry.depth > depth))
            && entry.allows_cutoff(alpha, beta)
            && board.halfmove_clock() < 90
        {
            return entry.value;
        }
        let tt_move = tt_entry.and_then(|entry| entry.best_move);
        let eval = self.static_eval(board, state, ply, in_check, tt_entry);
        let improving = !in_check && eval.corrected > self.previous_eval(ply);
        self.stack[ply + 1].excluded_move = None;
        self.stack[ply + 1].double_extensions = self.stack[ply].double_extensions;
        self.history.clear_killers(ply + 2);

        if selective && !PV && !in_check && excluded_move.is_none() && beta.abs() < MATE_THRESHOLD {
            let params = NodeParams { depth, alpha, beta, cut_node };
            let estimate = eval.estimate;
            if let Some(value) =
                self.prune_node(board, state, ply, params, estimate, improving, tt_entry)
            {
                return value;
            }
        }
        // Internal iterative reduction (IIR): without a move from the transposition table, a
        // shallower search is made first to find one.
        if selective
            && depth >= 4
            && tt_move.is_none()
            && excluded_move.is_none()
            && (PV || cut_node)
        {
            depth -= 1;
        }

        let is_only_reply = in_check && may_extend && has_at_most_one_move(board);
        let can_prune = selective && ply > 0 && has_non_pawn_material(board);
        let original_alpha = alpha;
        let previous = self.previous_moves(ply);
        let mut picker =
            MovePicker::all_moves(&self.move_list, &self.history, tt_move, previous, ply);
        let mut best_value = -INFINITE;
        let mut best_move = None;
        let mut move_count = 0;
        let mut quiets = SearchedMoves::<48>::new();
        let mut captures = SearchedMoves::<24>::new();
        while let Some(mv) = picker.next(board, &self.history, &mut self.move_list) {
            if Some(mv) == excluded_move || (ply == 0 && self.root_excluded.contains(&mv)) {
                continue;
            }
            let is_tactical = is_tactical(board, mv);
            let history_score = if is_tactical {
                0
            } else {
                let piece_to = PieceTo::of(board, mv);
                self.history.quiet_score(board.side_to_move(), mv, piece_to, previous)
            };
            let is_bad_capture = picker.is_at_bad_captures();
            let candidate =
                Candidate { mv, is_tactical, is_bad_capture, history_score, move_count };
            if can_prune && best_value > -MATE_THRESHOLD {
                let static_eval = eval.corrected;
                match prune_move(
                    board,
                    depth,
                    alpha,
                    static_eval,
                    improving,
                    &candidate,
                    quiets.len,
                ) {
                    MovePruning::Search => {}
                    MovePruning::Prune => continue,
                    MovePruning::PruneQuiets => {
                        picker.skip_quiets();
                        continue;
                    }
                }
            }

            let mut extension = 0;
            if may_extend && is_only_reply {
                // One-reply extension.
                extension = 1;
            } else if may_extend
                && excluded_move.is_none()
                && depth >= 7
                && let Some(entry) = tt_entry
                && Some(mv) == entry.best_move
            {
                // Singular extension of the move from the transposition table.
                let params = NodeParams { depth, alpha, beta, cut_node };
                match self.singular_extension(board, state, ply, params, entry, PV) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::MultiCut(value) => {
                        self.move_list.truncate(picker.start());
                        return value;
                    }
                }
            }

            let nodes_before = self.nodes;
            // At the root, moves within the margin of the best one get exact values too.
            let lower_bound =
                if ply == 0 { (alpha - self.exact_margin).max(-INFINITE) } else { alpha };
            let params =
                NodeParams { depth: depth - 1 + extension, alpha: lower_bound, beta, cut_node };
            let value =
                self.search_move::<PV>(board, state, ply, params, candidate, improving, best_value);
            move_count += 1;
            if self.stopped {
                return 0;
            }
            if ply == 0 {
                let nodes = self.nodes - nodes_before;
                let is_exact = value > lower_bound && value < beta;
                self.root_moves.record(RootMove { mv, nodes, value, is_exact });
            }
            if value > best_value {
                best_value = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(mv);
                    if PV {
                        self.update_pv(ply, mv);
                    }
                    if value >= beta {
                        break; // beta cutoff
                    }
                }
            }
            if is_tactical {
                captures.push(mv);
            } else {
                quiets.push(mv);
            }
        }
        self.move_list.truncate(picker.start());
        if move_count == 0 {
            return match (excluded_move, in_check) {
                (Some(_), _) => alpha,
                (None, true) => mated_in_ply(ply),
                (None, false) => DRAW,
            };
        }
        if let Some(mv) = best_move
            && best_value >= beta
        {
            if is_tactical(board, mv) {
                self.history.update_capture(board, mv, depth, true);
            } else {
                self.history.update_quiets(board, mv, quiets.iter(), previous, ply, depth);
            }
            for failed in captures.iter() {
                self.history.update_capture(board, failed, depth, false);
            }
        }
        if excluded_move.is_none() && (ply > 0 || self.root_excluded.is_empty()) {
            let bound = Bound::of(best_value, original_alpha, beta);
            if selective && !in_check {
                self.update_correction(board, eval, bound, best_value, best_move, depth);
            }
            let entry = Entry { best_move, value: best_value, raw_eval: eval.raw, depth, bound };
            self.table.store(key, entry, ply);
        }
        best_value
    }

    /// Updates the correction history if the search contradicts the static evaluation, except after
    /// a tactical best move, whose gain no static evaluation should predict.
    fn update_correction(
        &mut self,
        board: &Board,
        eval: StaticEval,
        bound: Bound,
        best_value: i32,
        best_move: Option<BoardMove>,
        depth: i32,
    ) {
        let contradicts = match bound {
            Bound::Lower => best_value > eval.corrected,
            Bound::Upper => best_value < eval.corrected,
            Bound::Exact => true,
        };
        if contradicts
            && best_value.abs() < MATE_THRESHOLD
            && best_move.is_none_or(|mv| !is_tactical(board, mv))
        {
            self.correction_history.update(board, best_value - eval.corrected, depth);
        }
    }

    /// Searches one move: with a null window and late move reductions first, and again with more
    /// depth or a wider window if the value turns out higher than expected.
    #[expect(clippy::too_many_arguments, reason = "the state of a node has many parts")]
    fn search_move<const PV: bool>(
        &mut self,
        board: &Board,
        state: &E::State,
        ply: usize,
        params: NodeParams,
        candidate: Candidate,
        improving: bool,
        best_value: i32,
    ) -> i32 {
        let NodeParams { mut depth, alpha, beta, cut_node } = params;
        let after = self.make_move(board, candidate.mv, ply);
        let next = self.eval.update(state, board, candidate.mv, &after);
        // A null-window search leaves no principal variation, so that of another move must go.
        self.pv_table[ply + 1].clear();
        let has_full_window = candidate.move_count == 0 || (PV && self.uses(Method::AlphaBeta));
        let mut value = INFINITE;
        if !has_full_window {
            let reduced =
                self.reduced_depth::<PV>(&after, ply, depth, candidate, improving, cut_node);
            if reduced < depth {
                let params = NodeParams::of_child(alpha, alpha + 1, reduced, true);
                value = -self.search_node::<false>(&after, &next, ply + 1, params);
                // A move far better than the best one is searched a ply deeper.
                depth += i32::from(ply > 0 && value > best_value + 60 + 2 * depth && value > alpha);
            }
            if value > alpha && !self.stopped {
                let params = NodeParams::of_child(alpha, alpha + 1, depth, !cut_node);
                value = -self.search_node::<false>(&after, &next, ply + 1, params);
            }
        }
        if (has_full_window || (PV && value > alpha && value < beta)) && !self.stopped {
            let params = NodeParams::of_child(alpha, beta, depth, !PV && !cut_node);
            value = if PV {
                -self.search_node::<true>(&after, &next, ply + 1, params)
            } else {
                -self.search_node::<false>(&after, &next, ply + 1, params)
            };
        }
        self.undo_move();
        value
    }
}

fn has_at_most_one_move(board: &Board) -> bool {
    let mut count = 0;
    board.generate_moves(|moves| {
        count += moves.len();
        count > 1
    });
    count <= 1
}
