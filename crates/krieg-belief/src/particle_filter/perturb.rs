//! Perturbation: moving or replacing a piece on earlier boards, so that they explain the last
//! observation.
//!
//! It is used when no board and no repaired trajectory explains the observation. The rest of the
//! board is kept, and only the past of the perturbed piece is wrong. As a last resort, boards are
//! drawn from the piece densities.
//!
//! If only a few boards explain the observation, they are similar to each other, and what holds on
//! all of them is less certain than it looks. A part of the weight then goes to perturbed boards as
//! well (a defensive mixture).

use cozy_chess::{BitBoard, Piece, Rank, Square};
use rand::RngExt;

use super::trajectory::TrajectoryNode;
use super::{Particle, ParticleFilter, PreviousParticles};
use crate::{OpponentBoard, OpponentPolicy};

/// Perturbations attempted per board that is wanted.
const ATTEMPTS_PER_BOARD: usize = 8;
/// Minimum number of perturbations attempted, and maximum number of boards drawn from the
/// densities.
const ATTEMPTS: usize = 1_500;
/// Draws from the densities between two checks of the deadline.
const DRAWS_PER_CHECK: usize = 50;
/// The number of boards wanted is the capacity divided by this.
const WANTED_DIVISOR: usize = 4;
/// Probability that a knight, bishop, rook or queen is replaced by another kind of piece and not
/// moved.
const REPLACE_PROBABILITY: f64 = 0.3;

impl<M: OpponentPolicy> ParticleFilter<M> {
    /// Adds perturbed boards to the particles, with the defensive share of the weight. If few
    /// boards can be perturbed, some are drawn from the densities.
    pub(super) fn add_defensive_mixture(&mut self) {
        self.stats.perturbations += 1;
        let mut consistent = std::mem::take(&mut self.particles);
        self.perturb(false);
        if self.particles.is_empty() {
            self.particles = consistent;
            return;
        }
        self.normalize();
        let share = self.defensive_share;
        self.particles.iter_mut().for_each(|particle| particle.weight *= share);
        consistent.iter_mut().for_each(|particle| particle.weight *= 1.0 - share);
        self.particles.append(&mut consistent);
        self.merge();
    }

    /// Adds boards that explain the last observation and otherwise resemble the previous particles.
    /// With `is_needed`, because there are no other boards, the search for the first board goes on
    /// until the hard deadline.
    pub(super) fn perturb(&mut self, is_needed: bool) {
        let PreviousParticles { generation, particles } = std::mem::take(&mut self.previous);
        self.previous.generation = generation;
        let is_after_opponent = self.is_after_opponent_move();
        let wanted = (self.capacity / WANTED_DIVISOR).max(1);
        let attempts =
            if particles.is_empty() { 0 } else { (wanted * ATTEMPTS_PER_BOARD).max(ATTEMPTS) };
        for attempt in 0..attempts {
            let node = particles[self.rng.random_range(0..particles.len())].node;
            let mut board = self.perturbed(self.trajectories.node((generation, node)).board);
            // The second half of the attempts changes two pieces.
            if attempt > attempts / 2 {
                board = self.perturbed(board);
            }
            if self.would_explain(&board)
                && let Some((_, now)) = self.explain(&TrajectoryNode::orphan(board))
            {
                // The trajectory begins with the present turn of the player, because the past of
                // the board is unknown.
                self.add_orphan(if is_after_opponent { now } else { board }, now);
            }
            if self.particles.len() >= wanted || self.is_time_up(is_needed) {
                break;
            }
        }
        let mut attempts = ATTEMPTS;
        // A drawn board is a present board. After an accepted own move, boards from before that
        // move would be needed, so nothing is drawn then.
        while self.particles.len() < wanted / 2
            && attempts > 0
            && self.view.is_my_turn()
            && !self.is_time_up(is_needed)
        {
            let mut left = attempts.min(DRAWS_PER_CHECK);
            attempts -= left;
            let board = self.last_observation.draw(&mut left, &mut self.rng);
            attempts += left;
            let Some(board) = board else { continue };
            let board = OpponentBoard::of(&board, !self.view.player());
            if self.own_turn.replay(&board, &self.rules).is_some() {
                self.add_orphan(board, board);
            }
        }
    }

    fn is_time_up(&self, is_needed: bool) -> bool {
        if is_needed && self.particles.is_empty() {
            self.budget.is_past_hard()
        } else {
            self.budget.is_past_soft()
        }
    }

    fn add_orphan(&mut self, board: OpponentBoard, now: OpponentBoard) {
        let orphan = TrajectoryNode::orphan(board);
        let node = self.trajectories.graft(TrajectoryNode::NO_PARENT, &[orphan]);
        self.particles.push(Particle { node, board: now, weight: 1.0 });
    }

    /// The board with a random piece moved to another square or replaced by another kind of piece.
    fn perturbed(&mut self, board: OpponentBoard) -> OpponentBoard {
        let pick = |squares: BitBoard, at: u32| squares.into_iter().nth(at as usize);
        let occupied = board.all();
        let Some(square) = pick(occupied, self.rng.random_range(0..occupied.len().max(1))) else {
            return board;
        };
        let kind = Piece::ALL.into_iter().find(|&kind| board.pieces(kind).has(square));
        let pieces = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
        if kind.is_some_and(|kind| pieces.contains(&kind))
            && self.rng.random_bool(REPLACE_PROBABILITY)
        {
            return board.with_kind(square, pieces[self.rng.random_range(0..pieces.len())]);
        }
        // The player may have moved since, so the square must be free before and after that move.
        let then = self.trajectories.turns.last().filter(|_| self.is_after_opponent_move());
        let then = then.map_or(self.own_turn.pieces, |turns| turns.own.pieces);
        let mut free = !(occupied | self.own_turn.pieces.all() | then.all());
        if kind == Some(Piece::Pawn) {
            // A pawn stays on its file or the adjacent ones, and off the last ranks.
            let near = square.file().adjacent() | square.file().bitboard();
            free &= near & !(Rank::First.bitboard() | Rank::Eighth.bitboard());
        }
        let to: Option<Square> = pick(free, self.rng.random_range(0..free.len().max(1)));
        to.map_or(board, |to| board.with_piece_moved(square, to))
    }
}
