//! A race between tries, to decide which one is made.
//!
//! What PUCT finds good first it looks at again and again, and the others hardly ever: thousands of looks at one try stand against ten at the next, and ten say
//! little. So it has only the first part of the time. Then its eight favourites run against each other: in every lap those that were looked at least come first, so
//! that looks become as even as the time allows, and before the next lap the worse half is out (sequential halving: Karnin, Koren and Somekh, 2013).

use std::cmp::Reverse;

use super::tree::Arm;

/// The tries that are still in it.
#[derive(Debug, Clone, Default)]
pub struct Race {
    lap: u32,
    runners: Vec<usize>,
}

/// So much of the time goes before anybody runs. This and the laps were set once, and no others were tried.
const OPEN: f64 = 0.4;
/// In each lap there are half as many runners as in the one before, and in the last one two.
const LAPS: u32 = 3;

impl Race {
    /// The number of the try to look at when this part of the time is spent; nothing, while any may be looked at.
    pub fn next(&mut self, arms: &[Arm], spent: f64) -> Option<usize> {
        let lap = lap(spent);
        if lap > self.lap {
            self.lap = lap;
            self.cut(arms);
        }
        self.runners.iter().copied().min_by_key(|number| arms[*number].visits)
    }

    /// Leaves as many as run in the present lap: at first those looked at most, for these were found good.
    fn cut(&mut self, arms: &[Arm]) {
        if self.runners.is_empty() {
            self.runners = (0..arms.len()).filter(|number| arms[*number].visits > 0).collect();
            self.runners.sort_by_key(|number| Reverse(arms[*number].visits));
            self.runners.truncate(1 << LAPS);
        }
        let sure = |number: usize| arms[number].at_least();
        self.runners.sort_by(|a, b| sure(*b).total_cmp(&sure(*a)));
        self.runners.truncate(1 << (LAPS + 1 - self.lap));
    }
}

/// Which lap is run when this part of the time is spent; before the first one, 0.
fn lap(spent: f64) -> u32 {
    let run = (spent - OPEN) / (1.0 - OPEN);
    if run < 0.0 { 0 } else { (1 + (run * f64::from(LAPS)) as u32).min(LAPS) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twelve tries, of which those before had more looks, and this one is the best.
    fn arms(best: usize) -> Vec<Arm> {
        let looked_at = |number: usize| {
            let visits = 120 - 10 * number as u32;
            let mean = if number == best { 0.7 } else { 0.5 };
            let mv = format!("a{}b3", 1 + number % 8).parse().unwrap();
            Arm { visits, sum: mean * f64::from(visits), ..Arm::new(mv, 0.1) }
        };
        (0..12).map(looked_at).collect()
    }

    #[test]
    fn there_are_eight_four_and_two_and_the_best_is_among_them() {
        let (mut race, arms) = (Race::default(), arms(6));
        assert_eq!(race.next(&arms, 0.1), None);
        for (spent, left) in [(0.41, 8), (0.61, 4), (0.81, 2), (1.0, 2)] {
            assert!(race.next(&arms, spent).is_some());
            assert_eq!(race.runners.len(), left);
            assert!(race.runners.contains(&6) && race.runners.iter().all(|number| *number < 8));
        }
    }

    #[test]
    fn whoever_was_looked_at_least_comes_next() {
        let (mut race, mut arms) = (Race::default(), arms(0));
        for _ in 0..300 {
            let next = race.next(&arms, 0.5).unwrap();
            arms[next].visits += 1;
        }
        let looks: Vec<u32> = race.runners.iter().map(|number| arms[*number].visits).collect();
        assert!(looks.iter().all(|looks| *looks >= 115), "{looks:?}");
    }

    #[test]
    fn the_last_lap_may_be_run_alone() {
        let mut race = Race::default();
        assert!(race.next(&arms(3), 1.0).is_some());
        assert_eq!((race.lap, race.runners.len(), race.runners[0]), (LAPS, 2, 3));
    }

    #[test]
    fn nobody_runs_where_nothing_was_looked_at() {
        assert_eq!(Race::default().next(&[Arm::new("a2a3".parse().unwrap(), 1.0)], 0.9), None);
    }
}
