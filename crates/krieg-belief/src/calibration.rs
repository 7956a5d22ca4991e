//! Whether what is believed with some chance comes true that often.

/// So many bins, each as wide as any other.
const BINS: usize = 10;
/// Boards that all agree leave no chance to anything else, but whoever counts on it is not lost for ever: no chance counts for less than this.
const LEAST: f64 = 1e-3;

/// Things that were foretold with about the same chance.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CalibrationBin {
    /// How many there were.
    pub cases: u32,
    /// How many of them came true.
    pub occurred: u32,
    /// Their chances, added up.
    sum: f64,
}

impl CalibrationBin {
    /// How likely they were held to be, on the average; nothing, if there were none.
    pub fn mean_predicted(&self) -> Option<f64> {
        (self.cases > 0).then(|| self.sum / f64::from(self.cases))
    }

    /// The share of them that came true.
    pub fn observed_frequency(&self) -> Option<f64> {
        (self.cases > 0).then(|| f64::from(self.occurred) / f64::from(self.cases))
    }

    /// How much more was believed than was true.
    pub fn difference(&self) -> Option<f64> {
        Some(self.mean_predicted()? - self.observed_frequency()?)
    }

    fn add(&mut self, other: &CalibrationBin) {
        self.cases += other.cases;
        self.occurred += other.occurred;
        self.sum += other.sum;
    }
}

/// Chances that were foretold, in bins, beside what became of it.
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
    /// Something was foretold with this chance, and came true or not.
    pub fn add(&mut self, believed: f64, is_true: bool) {
        let believed = believed.clamp(0.0, 1.0);
        // Certainty belongs to the last bin.
        let number = ((believed * BINS as f64) as usize).min(BINS - 1);
        self.bins[number].add(&CalibrationBin {
            cases: 1,
            occurred: u32::from(is_true),
            sum: believed,
        });
        let chance = if is_true { believed } else { 1.0 - believed };
        self.log_loss -= chance.max(LEAST).ln();
    }

    /// Takes in what another one has seen.
    pub fn merge(&mut self, other: &Calibration) {
        self.bins.iter_mut().zip(&other.bins).for_each(|(bin, other)| bin.add(other));
        self.log_loss += other.log_loss;
    }

    /// From the least likely to the most.
    pub fn bins(&self) -> &[CalibrationBin] {
        &self.bins
    }

    /// From where to where the bin of this number goes.
    pub fn bin_edges(number: usize) -> [f64; 2] {
        [number, number + 1].map(|edge| edge as f64 / BINS as f64)
    }

    /// All bins as one.
    pub fn total(&self) -> CalibrationBin {
        let mut whole = CalibrationBin::default();
        self.bins.iter().for_each(|bin| whole.add(bin));
        whole
    }

    /// The mean of minus the logarithm of the chance of what became of it, in nats; nothing, if nothing was foretold.
    pub fn log_loss(&self) -> Option<f64> {
        let cases = self.total().cases;
        (cases > 0).then(|| self.log_loss / f64::from(cases))
    }

    /// The largest difference between what was believed and what was true, either way, among bins of at least so many cases.
    pub fn max_difference(&self, cases: u32) -> Option<f64> {
        let enough = self.bins.iter().filter(|bin| bin.cases >= cases);
        enough.filter_map(CalibrationBin::difference).map(f64::abs).max_by(f64::total_cmp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chance_on_an_edge_belongs_above_it_and_certainty_to_the_last_bin() {
        let mut seen = Calibration::default();
        for (believed, number) in
            [(0.0, 0), (0.0999, 0), (0.1, 1), (0.5, 5), (0.95, 9), (1.0, 9), (1.0 + 1e-9, 9)]
        {
            let before = seen.bins()[number].cases;
            seen.add(believed, true);
            assert_eq!(seen.bins()[number].cases, before + 1, "{believed}");
        }
        assert_eq!(seen.total().cases, 7);
        assert_eq!((Calibration::bin_edges(0)[0], Calibration::bin_edges(9)[1]), (0.0, 1.0));
    }

    #[test]
    fn bins_without_cases_say_nothing() {
        let mut seen = Calibration::default();
        assert_eq!((seen.log_loss(), seen.max_difference(0)), (None, None));
        assert_eq!(seen.total().difference(), None);
        seen.add(0.75, true);
        assert_eq!(seen.bins()[7].difference(), Some(-0.25));
        assert!(
            seen.bins()[2].mean_predicted().is_none()
                && seen.bins()[2].observed_frequency().is_none()
        );
        assert_eq!((seen.max_difference(1), seen.max_difference(2)), (Some(0.25), None));
    }

    #[test]
    fn whoever_is_sure_and_wrong_loses_much_but_not_everything() {
        let mut seen = Calibration::default();
        seen.add(1.0, false);
        assert!(seen.log_loss().is_some_and(|loss| (6.0..8.0).contains(&loss)), "{seen:?}");
    }

    #[test]
    fn two_that_are_joined_are_as_one_that_saw_it_all() {
        let cases = [(0.2, true), (0.25, false), (0.9, true), (0.4, false)];
        let seen = |cases: &[(f64, bool)]| {
            let mut seen = Calibration::default();
            cases.iter().for_each(|(believed, is_true)| seen.add(*believed, *is_true));
            seen
        };
        let mut joined = seen(&cases[..2]);
        joined.merge(&seen(&cases[2..]));
        assert_eq!(joined.bins(), seen(&cases).bins());
        assert!((joined.log_loss().unwrap() - seen(&cases).log_loss().unwrap()).abs() < 1e-12);
    }
}
