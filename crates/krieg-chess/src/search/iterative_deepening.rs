//! Iterative deepening: one search after another, each a ply deeper and helped by the last.

use cozy_chess::{Board, Move as BoardMove};

use super::alpha_beta::NodeParams;
use super::worker::SearchWorker;
use super::{Method, PrincipalVariation};
use crate::eval::Evaluate;
use crate::move_picker::legal_moves;
use crate::score::{INFINITE, MATE_THRESHOLD, MAX_PLY, Score};

/// What one finished iteration found.
#[derive(Debug, Clone, Default)]
pub(super) struct Iteration {
    pub depth: i32,
    pub lines: Vec<PrincipalVariation>,
    /// The share of nodes that went into the best move.
    pub effort: f64,
}

impl<E: Evaluate> SearchWorker<E> {
    /// Deepens until a bound is reached. After each iteration `done` is told, and says whether
    /// that is enough.
    pub(super) fn iterative_deepening(
        &mut self,
        board: &Board,
        root_moves: &[BoardMove],
        depths: impl Iterator<Item = i32>,
        multi_pv: usize,
        mut done: impl FnMut(&mut Self, &Iteration) -> bool,
    ) -> Iteration {
        let state = self.eval.refresh(board);
        let not_asked: Vec<BoardMove> =
            legal_moves(board).into_iter().filter(|mv| !root_moves.contains(mv)).collect();
        let mut last = Iteration::default();
        for depth in depths {
            if depth as usize > MAX_PLY {
                break;
            }
            self.root_depth = depth;
            self.root_moves.clear();
            let mut lines: Vec<PrincipalVariation> = Vec::new();
            let nodes_before = self.nodes;
            let mut effort = 1.0;
            for nth in 0..multi_pv.min(root_moves.len()) {
                self.root_excluded = not_asked.clone();
                self.root_excluded.extend(lines.iter().map(|line| line.moves[0]));
                let guess = last.lines.get(nth).map(|line| line.score.value());
                let value = self.search_root(board, &state, depth, guess);
                if self.stopped {
                    break;
                }
                let moves = self.line_from(board, depth as usize);
                if nth == 0 {
                    effort = self.share_of(moves.first().copied(), nodes_before);
                }
                lines.push(PrincipalVariation {
                    score: Score::from_value(value),
                    depth: depth as u32,
                    moves,
                });
            }
            if self.stopped {
                // What a broken iteration found for its first moves is still good.
                if let Some(line) = self.broken_line(depth, &last)
                    && lines.is_empty()
                    && multi_pv == 1
                {
                    last.lines = vec![line];
                }
                break;
            }
            lines.sort_by_key(|line| std::cmp::Reverse(line.score));
            last = Iteration { depth, lines, effort };
            if done(self, &last) {
                break;
            }
        }
        last
    }

    /// The root's value by the chosen method.
    fn search_root(
        &mut self,
        board: &Board,
        state: &E::State,
        depth: i32,
        guess: Option<i32>,
    ) -> i32 {
        match (self.options.method, guess) {
            (Method::AlphaBeta, _) | (_, None) => {
                self.open(board, state, depth, -INFINITE, INFINITE)
            }
            (Method::Pvs, Some(guess)) => self.aspiration_search(board, state, depth, guess),
            (Method::Mtdf, Some(guess)) => self.mtdf(board, state, depth, guess),
        }
    }

    fn open(&mut self, board: &Board, state: &E::State, depth: i32, alpha: i32, beta: i32) -> i32 {
        self.search_node::<true>(board, state, 0, NodeParams { depth, alpha, beta, cut: false })
    }

    /// Aspiration: a narrow window about the last value, widened where the value falls out of it.
    pub(super) fn aspiration_search(
        &mut self,
        board: &Board,
        state: &E::State,
        depth: i32,
        guess: i32,
    ) -> i32 {
        let mut width = 18 + self.exact_margin;
        if depth < 5 || guess.abs() > MATE_THRESHOLD {
            width = 2 * INFINITE;
        }
        let (mut alpha, mut beta) = ((guess - width).max(-INFINITE), (guess + width).min(INFINITE));
        let mut less = 0;
        loop {
            let value = self.open(board, state, (depth - less).max(1), alpha, beta);
            if self.stopped {
                return value;
            }
            if value <= alpha && alpha > -INFINITE {
                beta = (alpha + beta) / 2;
                alpha = (value - width).max(-INFINITE);
                less = 0;
            } else if value >= beta && beta < INFINITE {
                beta = (value + width).min(INFINITE);
                // A move that is too good needs no full depth to be confirmed.
                less = if self.options.selective { (less + 1).min(3) } else { 0 };
            } else {
                return value;
            }
            width += width / 2 + 5;
        }
    }

    /// MTD(f): only null windows, closing in on the value from a guess (Plaat et al., "Best-first
    /// fixed-depth minimax algorithms", 1996).
    fn mtdf(&mut self, board: &Board, state: &E::State, depth: i32, guess: i32) -> i32 {
        let (mut lower, mut upper) = (-INFINITE, INFINITE);
        let mut value = guess;
        let mut best = Vec::new();
        while lower < upper {
            let beta = if value == lower { value + 1 } else { value };
            value = self.open(board, state, depth, beta - 1, beta);
            if self.stopped {
                return value;
            }
            if value < beta {
                upper = value;
            } else {
                lower = value;
                best.clone_from(&self.pv_table[0]);
            }
        }
        self.pv_table[0] = best;
        value
    }

    /// The best line, if need be continued from the table.
    fn line_from(&mut self, board: &Board, longest: usize) -> Vec<BoardMove> {
        let mut moves = std::mem::take(&mut self.pv_table[0]);
        let mut at = board.clone();
        let mut seen = vec![at.hash()];
        for &mv in &moves {
            at.play_unchecked(mv);
            seen.push(at.hash());
        }
        while moves.len() < longest {
            let known = self.table.probe(at.hash(), 0).and_then(|found| found.best);
            let allowed = |mv: &BoardMove| {
                at.is_legal(*mv) && !(moves.is_empty() && self.root_excluded.contains(mv))
            };
            let Some(mv) = known.filter(allowed) else { break };
            at.play_unchecked(mv);
            if seen.contains(&at.hash()) {
                break;
            }
            seen.push(at.hash());
            moves.push(mv);
        }
        if moves.is_empty() {
            let allowed = |mv: &BoardMove| !self.root_excluded.contains(mv);
            moves.extend(legal_moves(board).into_iter().find(allowed));
        }
        moves
    }

    /// The best move of an iteration that was cut off, if it had found one that held.
    fn broken_line(&self, depth: i32, last: &Iteration) -> Option<PrincipalVariation> {
        let moves = self.pv_table[0].clone();
        moves.first()?;
        let score = last.lines.first().map_or(Score::DRAW, |line| line.score);
        Some(PrincipalVariation { score, depth: depth as u32, moves })
    }

    fn share_of(&self, mv: Option<BoardMove>, nodes_before: u64) -> f64 {
        let all = (self.nodes - nodes_before).max(1) as f64;
        let known = mv.and_then(|mv| self.root_moves.get(mv));
        known.map_or(1.0, |known| known.nodes as f64 / all)
    }
}
