//! Counting features once, for two readers: the evaluation adds their weights up, the tuner wants
//! the counts themselves.

use cozy_chess::Color;

use super::Pair;
use super::weights::WEIGHTS;

/// Whoever is told how often a feature occurs.
pub(crate) trait Tally {
    /// `color` has the feature so many times.
    fn add(&mut self, color: Color, weight: usize, times: i32);
}

/// Adds up the weights: White's minus Black's.
pub(crate) struct Sum<'a> {
    weights: &'a [Pair; WEIGHTS],
    pub total: Pair,
}

impl<'a> Sum<'a> {
    pub fn new(weights: &'a [Pair; WEIGHTS]) -> Self {
        Sum { weights, total: Pair::default() }
    }
}

impl Tally for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, color: Color, weight: usize, times: i32) {
        let worth = self.weights[weight] * times;
        match color {
            Color::White => self.total += worth,
            Color::Black => self.total -= worth,
        }
    }
}

/// Keeps the counts: White's minus Black's.
pub(crate) struct Counts(pub Box<[i8; WEIGHTS]>);

impl Counts {
    pub fn new() -> Self {
        Counts(Box::new([0; WEIGHTS]))
    }
}

impl Tally for Counts {
    fn add(&mut self, color: Color, weight: usize, times: i32) {
        let times = times as i8;
        match color {
            Color::White => self.0[weight] += times,
            Color::Black => self.0[weight] -= times,
        }
    }
}
