//! One turn of forward play: does some order of tries keep the mate within so many moves?
//!
//! Tries cost nothing until one is legal. A try is good if every outcome of it is mate or leaves a set that is won in one move less; it may then be
//! tried, and if it is refused, the lone king is on one of the squares that refuse it. What is good for a set is good for every part of
//! it, so good tries may be taken in any order, and nothing is lost by taking one.

use super::scene::{Scene, Tried};
use crate::disposition::Disposition;

/// Tells whether White, to move at a disposition, mates a king on any of these squares within so many moves.
pub trait Judge {
    /// Why that cannot be told.
    type Error;

    /// Whether it is sure.
    fn is_won(&mut self, at: &Disposition, kings: u64, within: u16) -> Result<bool, Self::Error>;
}

impl Tried {
    /// Whether this keeps the mate within so many moves, wherever it is legal.
    pub fn is_good<J: Judge>(
        &self,
        kings: u64,
        within: u16,
        judge: &mut J,
    ) -> Result<bool, J::Error> {
        let Some(left) = within.checked_sub(1) else { return Ok(false) };
        if kings & self.spoiled != 0 {
            return Ok(false);
        }
        for heard in &self.heard {
            let after = heard.after(kings);
            if after != 0 && !judge.is_won(&heard.to, after, left)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Scene {
    /// The tries that are good for all these kings and legal for one of them.
    pub fn good_tries<J: Judge>(
        &self,
        kings: u64,
        within: u16,
        judge: &mut J,
    ) -> Result<Vec<usize>, J::Error> {
        let mut good = Vec::new();
        for (number, tried) in self.tries.iter().enumerate() {
            if kings & !tried.refused != 0 && tried.is_good(kings, within, judge)? {
                good.push(number);
            }
        }
        Ok(good)
    }

    /// Whether White mates all these kings within so many moves. The try `first` is looked at before others.
    pub fn is_won<J: Judge>(
        &self,
        kings: u64,
        within: u16,
        first: usize,
        judge: &mut J,
    ) -> Result<bool, J::Error> {
        if kings & !self.legal != 0 {
            return Ok(false);
        }
        let mut left = kings;
        let mut idle = 0;
        for tried in self.tries.iter().cycle().skip(first) {
            if left == 0 {
                return Ok(true);
            }
            if idle == self.tries.len() {
                return Ok(false);
            }
            if left & !tried.refused != 0 && tried.is_good(left, within, judge)? {
                left &= tried.refused;
                idle = 0;
            } else {
                idle += 1;
            }
        }
        Ok(left == 0)
    }
}
