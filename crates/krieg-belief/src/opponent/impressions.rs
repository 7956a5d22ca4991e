//! What a move makes of the board it is played on: a layer of numbers between what is noticed and what is liked.
//!
//! Likes alone cannot say that a bishop is better developed before castling, or that a rook belongs behind a pawn: they add up what is
//! noticed about a move, one thing after the other, and know nothing of the board around it. So the move and its surroundings together
//! raise or lower each of a few numbers, the impressions; those above nought count, and each kind of player has its own taste for them. What raises
//! them is the same for all kinds, so what is learned from one player helps to understand another.

use super::features::FEATURES;
use super::surroundings::SURROUNDINGS;

/// How many impressions there are.
pub const IMPRESSIONS: usize = 32;

/// A number for each impression.
pub type Impression = [f32; IMPRESSIONS];

/// By how much each thing that is noticed raises each impression.
#[derive(Debug, Clone, PartialEq)]
pub struct Impressions {
    /// What is noticed about a board.
    pub of_boards: Vec<Impression>,
    /// What is noticed about a move.
    pub of_moves: Vec<Impression>,
}

impl Impressions {
    /// Nothing makes any impression.
    pub fn none() -> Self {
        let nothing = [0.0; IMPRESSIONS];
        Impressions { of_boards: vec![nothing; SURROUNDINGS], of_moves: vec![nothing; FEATURES] }
    }

    /// What a board impresses about which this is noticed, whatever is played on it.
    pub fn of_board(&self, surroundings: &[u16]) -> Impression {
        let mut sum = [0.0; IMPRESSIONS];
        for name in surroundings {
            add(&mut sum, &self.of_boards[usize::from(*name)], 1.0);
        }
        sum
    }
}

/// Adds so many times of one to the other.
#[inline(always)]
pub fn add<const N: usize>(sum: &mut [f32; N], more: &[f32; N], times: f32) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum += more * times;
    }
}
