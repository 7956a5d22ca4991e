//! The tree search itself: alpha-beta with everything that makes it look where it matters.
//!
//! One function serves principal-variation search, MTD(f) and plain alpha-beta; they differ in the
//! windows they open, not in what a node is. With [`SearchOptions::selective`](super::SearchOptions) off,
//! nothing is pruned, reduced or extended on a guess, and all three give the value of minimax to
//! that depth, with captures played out beyond it.

use std::sync::LazyLock;

use cozy_chess::{Board, Move as BoardMove};

use super::Method;
use super::root_moves::RootMove;
use super::singular::Singular;
use super::worker::{Ply, SearchWorker, has_non_pawn_material, mated_in_ply};
use crate::eval::Evaluate;
use crate::history::PieceTo;
use crate::move_picker::{MovePicker, is_tactical};
use crate::score::{DRAW, INFINITE, MATE_THRESHOLD, MAX_PLY};
use crate::see;
use crate::tt::{Bound, TtEntry};

/// What a node is asked: how deep to look, and within which window.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeParams {
    pub depth: i32,
    pub alpha: i32,
    pub beta: i32,
    /// Whether a cut-off is expected here.
    pub cut: bool,
}

impl NodeParams {
    /// Only whether the value is above `alpha`.
    pub fn scout(depth: i32, alpha: i32, cut: bool) -> Self {
        NodeParams { depth, alpha, beta: alpha + 1, cut }
    }

    /// The same window from the other side, for a node one move on.
    fn turned(alpha: i32, beta: i32, depth: i32, cut: bool) -> Self {
        NodeParams { depth, alpha: -beta, beta: -alpha, cut }
    }
}

/// What a position is worth at first sight.
struct Look {
    /// By the evaluation alone.
    raw: i32,
    /// With what was found to be amiss in positions like it.
    static_eval: i32,
    /// The best guess at what a search will say.
    guess: i32,
}

/// A move under consideration, and what is known of it before it is searched.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    mv: BoardMove,
    tactical: bool,
    history: i32,
    /// How many moves were searched before it.
    earlier: usize,
    loses_exchange: bool,
}

/// A short list on the stack; what does not fit is not kept.
struct Tried<const N: usize> {
    moves: [Option<BoardMove>; N],
    len: usize,
}

impl<const N: usize> Tried<N> {
    fn new() -> Self {
        Tried { moves: [None; N], len: 0 }
    }

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

/// How much later moves are reduced, by depth and by how many came before.
static REDUCTION: LazyLock<[[i32; 64]; 64]> = LazyLock::new(|| {
    let mut table = [[0; 64]; 64];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (moves, plies) in row.iter_mut().enumerate().skip(1) {
            *plies = (0.8 + (depth as f64).ln() * (moves as f64).ln() / 1.95) as i32;
        }
    }
    table
});

pub(super) fn reduction(depth: i32, earlier: usize) -> i32 {
    REDUCTION[depth.clamp(0, 63) as usize][(earlier + 1).min(63)]
}

impl<E: Evaluate> SearchWorker<E> {
    /// The value of a position for the side to move.
    pub(super) fn search_node<const PV: bool>(
        &mut self,
        board: &Board,
        state: &E::State,
        ply: usize,
        ask: NodeParams,
    ) -> i32 {
        let NodeParams { mut depth, mut alpha, mut beta, cut } = ask;
        let in_check = !board.checkers().is_empty();
        let selective = self.options.selective;
        if ply > 0 && self.is_draw(board) {
            self.pv_table[ply].clear();
            return DRAW;
        }
        let may_extend = selective && ply > 0 && ply < 2 * self.root_depth as usize;
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
        if ply > 0 {
            // Mate distance: nothing from here is better than mating at once.
            alpha = alpha.max(mated_in_ply(ply));
            beta = beta.min(-mated_in_ply(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        let excluded = self.stack[ply].excluded;
        let key = board.hash();
        let found = if excluded.is_none() { self.table.probe(key, ply) } else { None };
        if let Some(found) = found
            && !PV
            && (found.depth == depth || (selective && found.depth > depth))
            && found.allows_cutoff(alpha, beta)
            && board.halfmove_clock() < 90
        {
            return found.value;
        }
        let tt_move = found.and_then(|found| found.best);
        let Look { raw, static_eval, guess } = self.look_at(board, state, ply, in_check, found);
        let improving = !in_check && static_eval > self.earlier_value(ply);
        self.stack[ply + 1].excluded = None;
        self.stack[ply + 1].double_extensions = self.stack[ply].double_extensions;
        self.history.clear_killers(ply + 2);

        if selective && !PV && !in_check && excluded.is_none() && beta.abs() < MATE_THRESHOLD {
            let ask = NodeParams { depth, alpha, beta, cut };
            if let Some(value) = self.prune_node(board, state, ply, ask, guess, improving, found) {
                return value;
            }
        }
        // Without a move to begin with, a shallower search will find one.
        if selective && depth >= 4 && tt_move.is_none() && excluded.is_none() && (PV || cut) {
            depth -= 1;
        }

        let replies = if in_check && may_extend { count_moves(board) } else { 2 };
        let can_prune = selective && ply > 0 && has_non_pawn_material(board);
        let first_alpha = alpha;
        let before = self.previous_moves(ply);
        let mut picker = MovePicker::all(&self.move_list, &self.history, tt_move, before, ply);
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut tried = 0;
        let mut quiets = Tried::<48>::new();
        let mut captures = Tried::<24>::new();
        while let Some(mv) = picker.next(board, &self.history, &mut self.move_list) {
            if Some(mv) == excluded || (ply == 0 && self.root_excluded.contains(&mv)) {
                continue;
            }
            let tactical = is_tactical(board, mv);
            let mut candidate = Candidate {
                mv,
                tactical,
                history: 0,
                earlier: tried,
                loses_exchange: picker.is_at_bad_captures(),
            };
            if !tactical {
                let piece_to = PieceTo::of(board, mv);
                candidate.history = self.history.quiet(board.side_to_move(), mv, piece_to, before);
            }
            if can_prune && best > -MATE_THRESHOLD {
                match prune(board, depth, alpha, static_eval, improving, &candidate, quiets.len) {
                    Prune::No => {}
                    Prune::This => continue,
                    Prune::Quiets => {
                        picker.skip_quiets();
                        continue;
                    }
                }
            }

            let mut extension = 0;
            if may_extend && replies == 1 {
                // There is nothing to choose, so nothing was spent on choosing.
                extension = 1;
            } else if may_extend
                && excluded.is_none()
                && depth >= 7
                && let Some(found) = found
                && Some(mv) == found.best
            {
                match self.singular_extension(
                    board,
                    state,
                    ply,
                    NodeParams { depth, alpha, beta, cut },
                    found,
                    PV,
                ) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::Cut(value) => {
                        self.move_list.truncate(picker.start());
                        return value;
                    }
                }
            }

            let nodes_before = self.nodes;
            // At the root, moves near the best may be asked for their exact value too.
            let floor = if ply == 0 { (alpha - self.exact_margin).max(-INFINITE) } else { alpha };
            let ask = NodeParams { depth: depth - 1 + extension, alpha: floor, beta, cut };
            let value = self.search_move::<PV>(board, state, ply, ask, candidate, improving, best);
            tried += 1;
            if self.stopped {
                return 0;
            }
            if ply == 0 {
                let nodes = self.nodes - nodes_before;
                self.root_moves.note(RootMove {
                    mv,
                    nodes,
                    value,
                    is_exact: value > floor && value < beta,
                });
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(mv);
                    if PV {
                        self.update_pv(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                }
            }
            if tactical {
                captures.push(mv);
            } else {
                quiets.push(mv);
            }
        }
        self.move_list.truncate(picker.start());
        if tried == 0 {
            return match (excluded, in_check) {
                (Some(_), _) => alpha,
                (None, true) => mated_in_ply(ply),
                (None, false) => DRAW,
            };
        }
        if let Some(mv) = best_move
            && best >= beta
        {
            if is_tactical(board, mv) {
                self.history.update_capture(board, mv, depth, true);
            } else {
                self.history.update_quiet(board, mv, quiets.iter(), before, ply, depth);
            }
            for failed in captures.iter() {
                self.history.update_capture(board, failed, depth, false);
            }
        }
        if excluded.is_none() && (ply > 0 || self.root_excluded.is_empty()) {
            let bound = Bound::of(best, first_alpha, beta);
            // What a capture won was to be seen; only what the look should have told is remembered.
            let was_off = match bound {
                Bound::Lower => best > static_eval,
                Bound::Upper => best < static_eval,
                Bound::Exact => true,
            };
            if was_off
                && selective
                && !in_check
                && best.abs() < MATE_THRESHOLD
                && best_move.is_none_or(|mv| !is_tactical(board, mv))
            {
                self.correction_history.learn(board, best - static_eval, depth);
            }
            let found = TtEntry { best: best_move, value: best, raw, depth, bound };
            self.table.store(key, found, ply);
        }
        best
    }

    /// The value without search, and the best guess at the value with it.
    fn look_at(
        &mut self,
        board: &Board,
        state: &E::State,
        ply: usize,
        in_check: bool,
        found: Option<TtEntry>,
    ) -> Look {
        if self.stack[ply].excluded.is_some() {
            let Ply { raw, static_eval, .. } = self.stack[ply];
            return Look { raw, static_eval, guess: static_eval };
        }
        if in_check {
            let none = TtEntry::NO_EVAL;
            (self.stack[ply].raw, self.stack[ply].static_eval) = (none, none);
            return Look { raw: none, static_eval: none, guess: -INFINITE };
        }
        let raw = match found {
            Some(found) if found.raw != TtEntry::NO_EVAL => found.raw,
            _ => self.eval.evaluate(board, state),
        };
        let value = self.corrected_eval(board, raw);
        (self.stack[ply].raw, self.stack[ply].static_eval) = (raw, value);
        let guess = match found {
            Some(found)
                if found.allows_cutoff(value, value) && found.value.abs() < MATE_THRESHOLD =>
            {
                found.value
            }
            _ => value,
        };
        Look { raw, static_eval: value, guess }
    }

    /// The static value a move of ours ago, or two if we were in check then.
    fn earlier_value(&self, ply: usize) -> i32 {
        let at = |back: usize| {
            if ply >= back { self.stack[ply - back].static_eval } else { INFINITE }
        };
        match at(2) {
            TtEntry::NO_EVAL => at(4),
            value => value,
        }
    }

    /// Searches one move: late ones first with less depth and only whether they are any better.
    #[expect(clippy::too_many_arguments, reason = "they are what a node knows")]
    fn search_move<const PV: bool>(
        &mut self,
        board: &Board,
        state: &E::State,
        ply: usize,
        ask: NodeParams,
        candidate: Candidate,
        improving: bool,
        best: i32,
    ) -> i32 {
        let NodeParams { mut depth, alpha, beta, cut } = ask;
        let after = self.make_move(board, candidate.mv, ply);
        let next = self.eval.update(state, board, candidate.mv, &after);
        // Only an open window leaves a line; what another move left must not be taken for this one's.
        self.pv_table[ply + 1].clear();
        let opens = candidate.earlier == 0 || (PV && self.is(Method::AlphaBeta));
        let mut value = INFINITE;
        if !opens {
            let reduced = self.reduced_depth::<PV>(&after, ply, depth, candidate, improving, cut);
            if reduced < depth {
                let ask = NodeParams::turned(alpha, alpha + 1, reduced, true);
                value = -self.search_node::<false>(&after, &next, ply + 1, ask);
                // Much better than thought: look closer than planned.
                depth += i32::from(ply > 0 && value > best + 60 + 2 * depth && value > alpha);
            }
            if value > alpha && !self.stopped {
                let ask = NodeParams::turned(alpha, alpha + 1, depth, !cut);
                value = -self.search_node::<false>(&after, &next, ply + 1, ask);
            }
        }
        if (opens || (PV && value > alpha && value < beta)) && !self.stopped {
            let ask = NodeParams::turned(alpha, beta, depth, !PV && !cut);
            value = if PV {
                -self.search_node::<true>(&after, &next, ply + 1, ask)
            } else {
                -self.search_node::<false>(&after, &next, ply + 1, ask)
            };
        }
        self.undo_move();
        value
    }

    /// Late-move reductions.
    fn reduced_depth<const PV: bool>(
        &self,
        after: &Board,
        ply: usize,
        depth: i32,
        candidate: Candidate,
        improving: bool,
        cut: bool,
    ) -> i32 {
        let Candidate { mv, tactical, history, earlier, loses_exchange } = candidate;
        if !self.options.selective
            || depth < 2
            || earlier < 1 + usize::from(PV)
            || (tactical && !loses_exchange)
        {
            return depth;
        }
        let mut less = reduction(depth + 1, earlier);
        if tactical {
            less /= 2;
        } else {
            less -= history / 8_000;
            let is_known = self.history.killers(ply).contains(&Some(mv));
            less -= i32::from(is_known || !after.checkers().is_empty());
        }
        less += i32::from(cut) + i32::from(!improving) - i32::from(PV);
        (depth - less).clamp(1, depth)
    }
}

/// What to do with a move that is not promising.
enum Prune {
    No,
    This,
    Quiets,
}

/// Whether a move can be left out without being searched: too late, too hopeless, or losing too much.
fn prune(
    board: &Board,
    depth: i32,
    alpha: i32,
    static_eval: i32,
    improving: bool,
    candidate: &Candidate,
    quiets: usize,
) -> Prune {
    if candidate.tactical {
        let loses = depth <= 7
            && candidate.loses_exchange
            && !see::see_ge(board, candidate.mv, -110 * depth);
        return if loses { Prune::This } else { Prune::No };
    }
    let enough = (3 + depth * depth) / if improving { 1 } else { 2 };
    if depth <= 8 && quiets >= enough as usize {
        return Prune::Quiets;
    }
    let left = (depth - reduction(depth, candidate.earlier)).max(0);
    let in_check = static_eval == TtEntry::NO_EVAL;
    // Futility: a quiet move does not lift the value that far.
    if !in_check && left <= 8 && static_eval + 110 + 95 * left <= alpha {
        return Prune::Quiets;
    }
    if left <= 4 && candidate.history < -3_500 * depth {
        return Prune::This;
    }
    if left <= 8 && !see::see_ge(board, candidate.mv, -28 * left * left) {
        return Prune::This;
    }
    Prune::No
}

fn count_moves(board: &Board) -> usize {
    let mut count = 0;
    board.generate_moves(|moves| {
        count += moves.len();
        count > 1
    });
    count
}
