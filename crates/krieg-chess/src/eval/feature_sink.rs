//! Counting features once, for two readers: the evaluation adds their weights up, the tuner wants
//! the counts themselves.

use cozy_chess::Color;

use super::TaperedValue;
use super::weights::WEIGHT_COUNT;

/// Whoever is told how often a feature occurs.
pub(crate) trait FeatureSink {
    /// `color` has the feature so many times.
    fn add(&mut self, color: Color, weight: usize, times: i32);
}

/// Adds up the weights: White's minus Black's.
pub(crate) struct WeightedSum<'a> {
    weights: &'a [TaperedValue; WEIGHT_COUNT],
    pub total: TaperedValue,
}

impl<'a> WeightedSum<'a> {
    pub fn new(weights: &'a [TaperedValue; WEIGHT_COUNT]) -> Self {
        WeightedSum { weights, total: TaperedValue::default() }
    }
}

impl FeatureSink for WeightedSum<'_> {
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
pub(crate) struct FeatureCounts(pub Box<[i8; WEIGHT_COUNT]>);

impl FeatureCounts {
    pub fn new() -> Self {
        FeatureCounts(Box::new([0; WEIGHT_COUNT]))
    }
}

impl FeatureSink for FeatureCounts {
    fn add(&mut self, color: Color, weight: usize, times: i32) {
        let times = times as i8;
        match color {
            Color::White => self.0[weight] += times,
            Color::Black => self.0[weight] -= times,
        }
    }
}
