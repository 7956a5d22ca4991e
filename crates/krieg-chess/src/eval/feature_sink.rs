//! Receivers of counted features. The features are counted by one piece of code for two purposes:
//! the evaluation adds up their weights, and the tuner needs the counts themselves.

use cozy_chess::Color;

use super::TaperedValue;
use super::weights::WEIGHT_COUNT;

/// Receives the number of occurrences of each feature.
pub(crate) trait FeatureSink {
    /// `color` has the feature with this index `count` times.
    fn add(&mut self, color: Color, feature: usize, count: i32);
}

/// Adds up the weights of features, White's minus Black's.
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
    fn add(&mut self, color: Color, feature: usize, count: i32) {
        let value = self.weights[feature] * count;
        match color {
            Color::White => self.total += value,
            Color::Black => self.total -= value,
        }
    }
}

/// Counts features, White's minus Black's.
pub(crate) struct FeatureCounts(pub Box<[i8; WEIGHT_COUNT]>);

impl FeatureCounts {
    pub fn new() -> Self {
        FeatureCounts(Box::new([0; WEIGHT_COUNT]))
    }
}

impl FeatureSink for FeatureCounts {
    fn add(&mut self, color: Color, feature: usize, count: i32) {
        let count = count as i8;
        match color {
            Color::White => self.0[feature] += count,
            Color::Black => self.0[feature] -= count,
        }
    }
}
