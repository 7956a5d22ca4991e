//! Iterative deepening: repeats the search with increasing depth. Each iteration profits from the
//! move ordering and the values of the last.

use std::cmp::Reverse;

use cozy_chess::{Board, Move as BoardMove};

use super::alpha_beta::NodeParams;
use super::worker::SearchWorker;
use super::{Method, PrincipalVariation};
use crate::eval::Evaluate;
use crate::moves::legal_moves;
use crate::score::{INFINITE, MATE_THRESHOLD, MAX_PLY, Score};

/// The result of a completed iteration.
#[derive(Debug, Clone, Default)]
pub(super) struct Iteration {
    pub depth: i32,
    /// The principal variations, best first; several in MultiPV mode.
    pub variations: Vec<PrincipalVariation>,
    /// Share of the iteration's nodes spent on the best move.
    pub best_move_share: f64,
}

impl<E: Evaluate> SearchWorker<E> {
    /// Searches with increasing depth until a limit is reached or `on_iteration`, which is called
    /// after each iteration, returns true.
    pub(super) fn iterative_deepening(
        &mut self,
        board: &Board,
        root_moves: &[BoardMove],
        depths: impl Iterator<Item = i32>,
        multi_pv: usize,
        mut on_iteration: impl FnMut(&mut Self, &Iteration) -> bool,
    ) -> Iteration {
        let state = self.eval.refresh(board);
        let not_searched: Vec<BoardMove> =
            legal_moves(board).into_iter().filter(|mv| !root_moves.contains(mv)).collect();
        let mut last = Iteration::default();
        for depth in depths {
            if depth as usize > MAX_PLY {
                break;
            }
            self.root_depth = depth;
            self.root_moves.clear();
            let mut variations: Vec<PrincipalVariation> = Vec::new();
            let nodes_before = self.nodes;
            let mut best_move_share = 1.0;
            for index in 0..multi_pv.min(root_moves.len()) {
                self.root_excluded = not_searched.clone();
                self.root_excluded.extend(variations.iter().map(|pv| pv.moves[0]));
                let last_value = last.variations.get(index).map(|pv| pv.score.value());
                let value = self.search_root(board, &state, depth, last_value);
                if self.stopped {
                    break;
                }
                let moves = self.extended_pv(board, depth as usize);
                if index == 0 {
                    best_move_share = self.node_share(moves.first().copied(), nodes_before);
                }
                let score = Score::from_value(value);
                variations.push(PrincipalVariation { score, depth: depth as u32, moves });
            }
            if self.stopped {
                // An interrupted iteration has searched the last best move first, so its best move
                // so far can be trusted.
                if let Some(pv) = self.interrupted_pv(depth, &last)
                    && variations.is_empty()
                    && multi_pv == 1
                {
                    last.variations = vec![pv];
                }
                break;
            }
            variations.sort_by_key(|pv| Reverse(pv.score));
            last = Iteration { depth, variations, best_move_share };
            if on_iteration(self, &last) {
                break;
            }
        }
        last
    }

    /// The value of the root by the selected method. `last_value` is that of the last iteration.
    fn search_root(
        &mut self,
        board: &Board,
        state: &E::State,
        depth: i32,
        last_value: Option<i32>,
    ) -> i32 {
        match (self.options.method, last_value) {
            (Method::AlphaBeta, _) | (_, None) => {
                self.search_window(board, state, depth, -INFINITE, INFINITE)
            }
            (Method::Pvs, Some(last)) => self.aspiration_search(board, state, depth, last),
            (Method::Mtdf, Some(last)) => self.mtdf(board, state, depth, last),
        }
    }

    fn search_window(
        &mut self,
        board: &Board,
        state: &E::State,
        depth: i32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let params = NodeParams { depth, alpha, beta, cut_node: false };
        self.search_node::<true>(board, state, 0, params)
    }

    /// Aspiration windows: searches a narrow window around the last value, and widens it as long as
    /// the value is outside.
    pub(super) fn aspiration_search(
        &mut self,
        board: &Board,
        state: &E::State,
        depth: i32,
        last_value: i32,
    ) -> i32 {
        let mut delta = 18 + self.exact_margin;
        if depth < 5 || last_value.abs() > MATE_THRESHOLD {
            delta = 2 * INFINITE;
        }
        let mut alpha = (last_value - delta).max(-INFINITE);
        let mut beta = (last_value + delta).min(INFINITE);
        let mut reduction = 0;
        loop {
            let value = self.search_window(board, state, (depth - reduction).max(1), alpha, beta);
            if self.stopped {
                return value;
            }
            if value <= alpha && alpha > -INFINITE {
                // Fail low.
                beta = (alpha + beta) / 2;
                alpha = (value - delta).max(-INFINITE);
                reduction = 0;
            } else if value >= beta && beta < INFINITE {
                // Fail high: the move is confirmed at reduced depth.
                beta = (value + delta).min(INFINITE);
                reduction = if self.options.selective { (reduction + 1).min(3) } else { 0 };
            } else {
                return value;
            }
            delta += delta / 2 + 5;
        }
    }

    /// MTD(f): converges to the value by null-window searches only (Plaat et al., "Best-first
    /// fixed-depth minimax algorithms", 1996).
    fn mtdf(&mut self, board: &Board, state: &E::State, depth: i32, first_guess: i32) -> i32 {
        let (mut lower, mut upper) = (-INFINITE, INFINITE);
        let mut value = first_guess;
        let mut best_pv = Vec::new();
        while lower < upper {
            let beta = if value == lower { value + 1 } else { value };
            value = self.search_window(board, state, depth, beta - 1, beta);
            if self.stopped {
                return value;
            }
            if value < beta {
                upper = value;
            } else {
                lower = value;
                best_pv.clone_from(&self.pv_table[0]);
            }
        }
        self.pv_table[0] = best_pv;
        value
    }

    /// The principal variation, extended to `max_len` moves by those of the transposition table.
    fn extended_pv(&mut self, board: &Board, max_len: usize) -> Vec<BoardMove> {
        let mut moves = std::mem::take(&mut self.pv_table[0]);
        let mut current = board.clone();
        let mut seen = vec![current.hash()];
        for &mv in &moves {
            current.play_unchecked(mv);
            seen.push(current.hash());
        }
        while moves.len() < max_len {
            let tt_move = self.table.probe(current.hash(), 0).and_then(|entry| entry.best_move);
            let is_allowed = |mv: &BoardMove| {
                current.is_legal(*mv) && !(moves.is_empty() && self.root_excluded.contains(mv))
            };
            let Some(mv) = tt_move.filter(is_allowed) else { break };
            current.play_unchecked(mv);
            if seen.contains(&current.hash()) {
                break;
            }
            seen.push(current.hash());
            moves.push(mv);
        }
        if moves.is_empty() {
            let is_allowed = |mv: &BoardMove| !self.root_excluded.contains(mv);
            moves.extend(legal_moves(board).into_iter().find(is_allowed));
        }
        moves
    }

    /// The principal variation of an interrupted iteration, if it has one, with the score of the
    /// last iteration.
    fn interrupted_pv(&self, depth: i32, last: &Iteration) -> Option<PrincipalVariation> {
        let moves = self.pv_table[0].clone();
        moves.first()?;
        let score = last.variations.first().map_or(Score::DRAW, |pv| pv.score);
        Some(PrincipalVariation { score, depth: depth as u32, moves })
    }

    /// Share of the nodes since `nodes_before` that were spent on a root move.
    fn node_share(&self, mv: Option<BoardMove>, nodes_before: u64) -> f64 {
        let all = (self.nodes - nodes_before).max(1) as f64;
        let root_move = mv.and_then(|mv| self.root_moves.get(mv));
        root_move.map_or(1.0, |root_move| root_move.nodes as f64 / all)
    }
}
