//! Search to the end with no table at all, for mates that are near.

use std::collections::HashMap;
use std::convert::Infallible;
use std::rc::Rc;

use super::forward::Judge;
use super::scene::Scene;
use crate::disposition::Disposition;

/// A search that remembers the boards it has set up and what it has found out on them.
#[derive(Debug, Default)]
pub struct Brute {
    scenes: HashMap<Disposition, Rc<Scene>>,
    known: HashMap<(Disposition, u64, u16), bool>,
}

impl Brute {
    /// In how many moves White mates a king on any of these squares, if in at most so many.
    pub fn distance(&mut self, at: &Disposition, kings: u64, within: u16) -> Option<u16> {
        (1..=within).find(|&moves| {
            let Ok(is_won) = self.is_won(at, kings, moves);
            is_won
        })
    }

    /// The boards of a disposition.
    fn scene(&mut self, at: &Disposition) -> Rc<Scene> {
        self.scenes.entry(*at).or_insert_with(|| Rc::new(Scene::of(at))).clone()
    }
}

impl Judge for Brute {
    type Error = Infallible;

    fn is_won(&mut self, at: &Disposition, kings: u64, within: u16) -> Result<bool, Infallible> {
        if within == 0 {
            return Ok(false);
        }
        let question = (*at, kings, within);
        if let Some(&known) = self.known.get(&question) {
            return Ok(known);
        }
        let scene = self.scene(at);
        let is_won = scene.is_won(kings, within, 0, self)?;
        self.known.insert(question, is_won);
        Ok(is_won)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metaposition::Metaposition;

    fn distance(text: &str, within: u16) -> Option<u16> {
        let asked: Metaposition = text.parse().unwrap();
        Brute::default().distance(asked.disposition(), asked.kings_for_white(), within)
    }

    #[test]
    fn near_mates_are_found_and_no_others() {
        assert_eq!(distance("k7/8/1K6/8/8/8/8/7R", 3), Some(1));
        // If the king is on c8, the rook on the eighth rank only checks him.
        assert_eq!(distance("k1k5/8/1K6/8/8/8/8/7R", 1), None);
        assert_eq!(distance("8/8/8/3k4/8/8/8/K6R", 3), None);
        assert_eq!(distance("k7/8/1K6/8/8/8/8/6B1", 3), None, "a bishop mates nobody");
    }
}
