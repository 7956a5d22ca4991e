//! One move of forward search: does some order of tries keep the mate within so many moves?
//!
//! A refused try costs no move. A try is winning if each of its outcomes is mate or leaves a set
//! that is won in one move less. If it is refused, the lone king is on one of the squares that
//! refuse it. A try that wins for a set wins for every subset, so winning tries may be made in any
//! order, and making one never loses the win.

use super::umpired_tries::{UmpiredTries, UmpiredTry};
use crate::placement::Placement;

/// Answers whether White, to move, mates a king on any of these squares within so many moves.
pub trait WinOracle {
    /// The error if that is unknown.
    type Error;

    /// Whether the win is forced within this number of moves.
    fn is_won(
        &mut self,
        placement: &Placement,
        kings: u64,
        within: u16,
    ) -> Result<bool, Self::Error>;
}

impl UmpiredTry {
    /// Whether this try keeps the mate within so many moves wherever it is accepted.
    pub fn is_winning<O: WinOracle>(
        &self,
        kings: u64,
        within: u16,
        oracle: &mut O,
    ) -> Result<bool, O::Error> {
        let Some(left) = within.checked_sub(1) else { return Ok(false) };
        if kings & self.drawn != 0 {
            return Ok(false);
        }
        for branch in &self.branches {
            let kings_after = branch.kings_after(kings);
            if kings_after != 0 && !oracle.is_won(&branch.placement, kings_after, left)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl UmpiredTries {
    /// The numbers of the tries that are winning for all these kings and accepted for one of them.
    pub fn winning_tries<O: WinOracle>(
        &self,
        kings: u64,
        within: u16,
        oracle: &mut O,
    ) -> Result<Vec<usize>, O::Error> {
        let mut winning = Vec::new();
        for (number, tried) in self.tries.iter().enumerate() {
            if kings & !tried.refused != 0 && tried.is_winning(kings, within, oracle)? {
                winning.push(number);
            }
        }
        Ok(winning)
    }

    /// Whether White mates all these kings within so many moves. The try with the number `first` is
    /// examined first.
    pub fn is_won<O: WinOracle>(
        &self,
        kings: u64,
        within: u16,
        first: usize,
        oracle: &mut O,
    ) -> Result<bool, O::Error> {
        if kings & !self.legal != 0 {
            return Ok(false);
        }
        let mut left = kings;
        let mut without_progress = 0;
        for tried in self.tries.iter().cycle().skip(first) {
            if left == 0 {
                return Ok(true);
            }
            if without_progress == self.tries.len() {
                return Ok(false);
            }
            if left & !tried.refused != 0 && tried.is_winning(left, within, oracle)? {
                left &= tried.refused;
                without_progress = 0;
            } else {
                without_progress += 1;
            }
        }
        Ok(left == 0)
    }
}
