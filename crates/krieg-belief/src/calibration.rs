//! Calibration: whether predicted probabilities agree with observed frequencies.

/// Number of bins of equal width.
const BINS: usize = 10;
/// Probabilities are clipped to at least this in the log-loss: a sample of boards that all agree
/// would otherwise have infinite loss when it is wrong.
const MIN_PROBABILITY: f64 = 1e-3;

/// Predictions with similar probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CalibrationBin {
    /// Number of predictions.
    pub cases: u32,
    /// Number of predictions that came true.
    pub occurred: u32,
    /// The sum of the predicted probabilities.
    sum: f64,
}

impl CalibrationBin {
    /// The mean predicted probability; `None` without predictions.
    pub fn mean_predicted(&self) -> Option<f64> {
        (self.cases > 0).then(|| self.sum / f64::from(self.cases))
    }

    /// The frequency with which the predictions came true; `None` without predictions.
    pub fn observed_frequency(&self) -> Option<f64> {
        (self.cases > 0).then(|| f64::from(self.occurred) / f64::from(self.cases))
    }

    /// Mean prediction minus observed frequency; positive if the predictions are too high.
    pub fn difference(&self) -> Option<f64> {
        Some(self.mean_predicted()? - self.observed_frequency()?)
    }

    fn add(&mut self, other: &CalibrationBin) {
        self.cases += other.cases;
        self.occurred += other.occurred;
        self.sum += other.sum;
    }
}

/// Predicted probabilities in bins, with their outcomes.
///
/// ```
/// use krieg_belief::Calibration;
/// let mut rain = Calibration::default();
/// for day in 0..10 {
///     rain.add(0.3, day < 3);
/// }
/// assert_eq!(rain.bins()[3].observed_frequency(), Some(0.3));
/// assert!(rain.max_difference(10).unwrap() < 1e-9);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Calibration {
    bins: [CalibrationBin; BINS],
    log_loss: f64,
}

impl Calibration {
    /// Adds a prediction with this probability, and whether it came true.
    pub fn add(&mut self, predicted: f64, is_true: bool) {
        let predicted = predicted.clamp(0.0, 1.0);
        // A probability of 1 belongs to the last bin.
        let number = ((predicted * BINS as f64) as usize).min(BINS - 1);
        self.bins[number].add(&CalibrationBin {
            cases: 1,
            occurred: u32::from(is_true),
            sum: predicted,
        });
        let probability = if is_true { predicted } else { 1.0 - predicted };
        self.log_loss -= probability.max(MIN_PROBABILITY).ln();
    }

    /// Adds the predictions of another calibration.
    pub fn merge(&mut self, other: &Calibration) {
        self.bins.iter_mut().zip(&other.bins).for_each(|(bin, other)| bin.add(other));
        self.log_loss += other.log_loss;
    }

    /// The bins, by increasing probability.
    pub fn bins(&self) -> &[CalibrationBin] {
        &self.bins
    }

    /// The limits of the bin with this index.
    pub fn bin_edges(number: usize) -> [f64; 2] {
        [number, number + 1].map(|edge| edge as f64 / BINS as f64)
    }

    /// All bins together.
    pub fn total(&self) -> CalibrationBin {
        let mut whole = CalibrationBin::default();
        self.bins.iter().for_each(|bin| whole.add(bin));
        whole
    }

    /// The mean negative logarithm of the probability of the outcomes, in nats; `None` without
    /// predictions.
    pub fn log_loss(&self) -> Option<f64> {
        let cases = self.total().cases;
        (cases > 0).then(|| self.log_loss / f64::from(cases))
    }

    /// The largest absolute difference between prediction and frequency, among bins with at least
    /// this number of cases.
    pub fn max_difference(&self, cases: u32) -> Option<f64> {
        let enough = self.bins.iter().filter(|bin| bin.cases >= cases);
        enough.filter_map(CalibrationBin::difference).map(f64::abs).max_by(f64::total_cmp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probability_on_a_limit_belongs_to_the_upper_bin() {
        let mut calibration = Calibration::default();
        for (predicted, number) in
            [(0.0, 0), (0.0999, 0), (0.1, 1), (0.5, 5), (0.95, 9), (1.0, 9), (1.0 + 1e-9, 9)]
        {
            let before = calibration.bins()[number].cases;
            calibration.add(predicted, true);
            assert_eq!(calibration.bins()[number].cases, before + 1, "{predicted}");
        }
        assert_eq!(calibration.total().cases, 7);
        assert_eq!((Calibration::bin_edges(0)[0], Calibration::bin_edges(9)[1]), (0.0, 1.0));
    }

    #[test]
    fn empty_bins_have_no_statistics() {
        let mut calibration = Calibration::default();
        assert_eq!((calibration.log_loss(), calibration.max_difference(0)), (None, None));
        assert_eq!(calibration.total().difference(), None);
        calibration.add(0.75, true);
        assert_eq!(calibration.bins()[7].difference(), Some(-0.25));
        assert!(
            calibration.bins()[2].mean_predicted().is_none()
                && calibration.bins()[2].observed_frequency().is_none()
        );
        assert_eq!(
            (calibration.max_difference(1), calibration.max_difference(2)),
            (Some(0.25), None)
        );
    }

    #[test]
    fn a_certain_but_wrong_prediction_has_a_finite_loss() {
        let mut calibration = Calibration::default();
        calibration.add(1.0, false);
        assert!(
            calibration.log_loss().is_some_and(|loss| (6.0..8.0).contains(&loss)),
            "{calibration:?}"
        );
    }

    #[test]
    fn merging_is_the_same_as_adding_all_predictions() {
        let cases = [(0.2, true), (0.25, false), (0.9, true), (0.4, false)];
        let of_cases = |cases: &[(f64, bool)]| {
            let mut calibration = Calibration::default();
            cases.iter().for_each(|(predicted, is_true)| calibration.add(*predicted, *is_true));
            calibration
        };
        let mut merged = of_cases(&cases[..2]);
        merged.merge(&of_cases(&cases[2..]));
        assert_eq!(merged.bins(), of_cases(&cases).bins());
        assert!((merged.log_loss().unwrap() - of_cases(&cases).log_loss().unwrap()).abs() < 1e-12);
    }
}
