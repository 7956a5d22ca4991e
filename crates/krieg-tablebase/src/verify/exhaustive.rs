//! An exhaustive search without tables, for short mates.

use std::collections::HashMap;
use std::convert::Infallible;
use std::rc::Rc;

use super::forward_search::WinOracle;
use super::umpired_tries::UmpiredTries;
use crate::placement::Placement;

/// A search with a cache of umpired boards and of results.
#[derive(Debug, Default)]
pub struct ExhaustiveSearch {
    umpired: HashMap<Placement, Rc<UmpiredTries>>,
    results: HashMap<(Placement, u64, u16), bool>,
}

impl ExhaustiveSearch {
    /// The number of moves in which White mates a king on any of these squares; `None` if it takes
    /// more than `within`.
    pub fn distance(&mut self, placement: &Placement, kings: u64, within: u16) -> Option<u16> {
        (1..=within).find(|&moves| {
            let Ok(is_won) = self.is_won(placement, kings, moves);
            is_won
        })
    }

    fn umpired(&mut self, placement: &Placement) -> Rc<UmpiredTries> {
        let umpired = self.umpired.entry(*placement);
        umpired.or_insert_with(|| Rc::new(UmpiredTries::of(placement))).clone()
    }
}

impl WinOracle for ExhaustiveSearch {
    type Error = Infallible;

    fn is_won(
        &mut self,
        placement: &Placement,
        kings: u64,
        within: u16,
    ) -> Result<bool, Infallible> {
        if within == 0 {
            return Ok(false);
        }
        let key = (*placement, kings, within);
        if let Some(&known) = self.results.get(&key) {
            return Ok(known);
        }
        let umpired = self.umpired(placement);
        let is_won = umpired.is_won(kings, within, 0, self)?;
        self.results.insert(key, is_won);
        Ok(is_won)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metaposition::Metaposition;

    fn distance(text: &str, within: u16) -> Option<u16> {
        let asked: Metaposition = text.parse().unwrap();
        let mut search = ExhaustiveSearch::default();
        search.distance(asked.placement(), asked.kings_as_white(), within)
    }

    #[test]
    fn short_mates_are_found_and_only_those() {
        assert_eq!(distance("k7/8/1K6/8/8/8/8/7R", 3), Some(1));
        // With the king on c8, the rook on the eighth rank gives only check.
        assert_eq!(distance("k1k5/8/1K6/8/8/8/8/7R", 1), None);
        assert_eq!(distance("8/8/8/3k4/8/8/8/K6R", 3), None);
        assert_eq!(distance("k7/8/1K6/8/8/8/8/6B1", 3), None, "a lone bishop cannot mate");
    }
}
