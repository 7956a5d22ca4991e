//! A sequential probability ratio test that follows a match game by game.

use std::collections::BTreeMap;

use krieg_stats::{Hypothesis, Sprt};

/// The state of an SPRT during a match of two players.
///
/// Games are evaluated in the order of their numbers, whatever order they finish in. A match on
/// many threads therefore ends with the same game as one on a single thread.
#[derive(Debug)]
pub struct SequentialTest {
    sprt: Sprt,
    /// Number of pairs of games by the half points of the first player.
    pairs: [u64; 5],
    /// The first game that has not been evaluated.
    next: u64,
    /// Half points of finished games that wait for an earlier one.
    waiting: BTreeMap<u64, u8>,
    verdict: Option<Hypothesis>,
}

impl SequentialTest {
    /// A test with no games.
    pub fn new(sprt: Sprt) -> Self {
        SequentialTest { sprt, pairs: [0; 5], next: 0, waiting: BTreeMap::new(), verdict: None }
    }

    /// Adds a game by its number and the first player's half points.
    pub fn add(&mut self, number: u64, half_points: u8) {
        if self.verdict.is_some() {
            return;
        }
        self.waiting.insert(number, half_points);
        while let (Some(&one), Some(&other)) =
            (self.waiting.get(&self.next), self.waiting.get(&(self.next + 1)))
        {
            self.waiting.remove(&self.next);
            self.waiting.remove(&(self.next + 1));
            self.pairs[usize::from(one + other)] += 1;
            self.next += 2;
            self.verdict = self.sprt.verdict(self.llr());
            if self.verdict.is_some() {
                break;
            }
        }
    }

    /// The hypotheses and error rates.
    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// The log-likelihood ratio so far.
    pub fn llr(&self) -> f64 {
        self.sprt.llr(&self.pairs)
    }

    /// The accepted hypothesis, once the test is decided.
    pub fn verdict(&self) -> Option<Hypothesis> {
        self.verdict
    }

    /// Once the test is decided, the number of the first game that does not count.
    pub fn end(&self) -> Option<u64> {
        self.verdict.map(|_| self.next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_finish_early_do_not_decide() {
        let sprt: Sprt = "0,100".parse().unwrap();
        let mut in_order = SequentialTest::new(sprt);
        let mut shuffled = SequentialTest::new(sprt);
        let points = |number: u64| if number.is_multiple_of(5) { 0 } else { 2 };
        for number in 0..200 {
            in_order.add(number, points(number));
        }
        for number in (0..100).rev().chain(100..200) {
            shuffled.add(number, points(number));
        }
        assert_eq!(in_order.verdict(), Some(Hypothesis::H1));
        assert_eq!((in_order.end(), in_order.llr()), (shuffled.end(), shuffled.llr()));
    }
}
