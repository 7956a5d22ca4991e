//! Nothing that was thought possible explains what was heard, nor does a game in which one move was another. Then the picture is bent: a man is put
//! elsewhere, or taken for another kind of man, wherever that explains it. The rest of the picture is kept, and only the past of that
//! man is wrong. In the last resort boards are put together anew.
//!
//! Where a few boards explain what was heard, they are all alike, and what is certain on all of them is not certain at all. So a part of
//! the weight then goes to bent ones as well.

use cozy_chess::{Piece, Rank, Square};
use rand::RngExt;

use super::trajectory::TrajectoryNode;
use super::{Before, Particle, ParticleFilter};
use crate::{OpponentBoard, OpponentPolicy};

/// How often a picture is bent, for each board wanted.
const ATTEMPTS: usize = 8;
/// How often a picture is bent at least, and a board put together at most.
const SOME: usize = 1_500;
/// So many attempts at putting a board together are made before somebody looks at the clock.
const AT_ONCE: usize = 50;
/// The part of the boards for which there is room that is wanted.
const WANTED: usize = 4;

impl<M: OpponentPolicy> ParticleFilter<M> {
    /// Puts bent boards beside those that there are, and where few can be bent, some put together anew.
    pub(super) fn doubt(&mut self) {
        self.care.perturbations += 1;
        let mut believed = std::mem::take(&mut self.living);
        self.bend(false);
        if self.living.is_empty() {
            self.living = believed;
            return;
        }
        self.normalise();
        let doubt = self.doubt;
        self.living.iter_mut().for_each(|bent| bent.weight *= doubt);
        believed.iter_mut().for_each(|board| board.weight *= 1.0 - doubt);
        self.living.append(&mut believed);
        self.merge();
    }

    /// Finds boards that explain what was heard last and are otherwise much like those that were possible before. Where they are needed, since nothing else is
    /// known, the first of them is looked for as long as there is any time at all.
    pub(super) fn bend(&mut self, is_needed: bool) {
        let Before { generation, living } = std::mem::take(&mut self.before);
        self.before.generation = generation;
        let is_new = self.is_new();
        let wanted = (self.most / WANTED).max(1);
        let attempts = if living.is_empty() { 0 } else { (wanted * ATTEMPTS).max(SOME) };
        for attempt in 0..attempts {
            let step = living[self.rng.random_range(0..living.len())].step;
            let mut board = self.bent(self.history.step((generation, step)).board);
            // First one man is changed, and if that does not help, two.
            if attempt > attempts / 2 {
                board = self.bent(board);
            }
            if self.would_explain(&board)
                && let Some((_, now)) = self.explain(&TrajectoryNode::orphan(board))
            {
                // The past of such a board is not known: it begins with this turn of the player's.
                self.add_orphan(if is_new { now } else { board }, now);
            }
            if self.living.len() >= wanted || self.is_time_up(is_needed) {
                break;
            }
        }
        let mut attempts = SOME;
        // A board put together is one of now; before a move of one's own that stood, it was another.
        while self.living.len() < wanted / 2
            && attempts > 0
            && self.view.is_my_turn()
            && !self.is_time_up(is_needed)
        {
            let mut left = attempts.min(AT_ONCE);
            attempts -= left;
            let board = self.sampler.draw(&mut left, &mut self.rng);
            attempts += left;
            let Some(board) = board else { continue };
            let board = OpponentBoard::of(&board, !self.view.player());
            if self.own.replay(&board, &self.rules).is_some() {
                self.add_orphan(board, board);
            }
        }
    }

    fn is_time_up(&self, is_needed: bool) -> bool {
        if is_needed && self.living.is_empty() { self.pace.is_over() } else { self.pace.is_late() }
    }

    fn add_orphan(&mut self, board: OpponentBoard, now: OpponentBoard) {
        let step = self.history.graft(TrajectoryNode::NOBODY, &[TrajectoryNode::orphan(board)]);
        self.living.push(Particle { step, board: now, weight: 1.0 });
    }

    /// A board on which a man stands elsewhere, or is of another kind.
    fn bent(&mut self, board: OpponentBoard) -> OpponentBoard {
        let pick = |squares: cozy_chess::BitBoard, at: u32| squares.into_iter().nth(at as usize);
        let men = board.all();
        let Some(square) = pick(men, self.rng.random_range(0..men.len().max(1))) else {
            return board;
        };
        let kind = Piece::ALL.into_iter().find(|&kind| board.pieces(kind).has(square));
        let pieces = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
        if kind.is_some_and(|kind| pieces.contains(&kind)) && self.rng.random_bool(0.3) {
            return board.with_kind(square, pieces[self.rng.random_range(0..pieces.len())]);
        }
        // The own men may have moved since such a board stood, so it must have room for them then and now.
        let then = self.history.exchanges.last().filter(|_| self.is_new());
        let then = then.map_or(self.own.men, |exchange| exchange.own.men);
        let mut free = !(men | self.own.men.all() | then.all());
        if kind == Some(Piece::Pawn) {
            // A pawn stays near its file, and off the last ranks.
            let near = square.file().adjacent() | square.file().bitboard();
            free &= near & !(Rank::First.bitboard() | Rank::Eighth.bitboard());
        }
        let to: Option<Square> = pick(free, self.rng.random_range(0..free.len().max(1)));
        to.map_or(board, |to| board.with_piece_moved(square, to))
    }
}
