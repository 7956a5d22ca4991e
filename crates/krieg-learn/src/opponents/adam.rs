//! Going uphill in small steps, larger ones where the ground is even (Kingma and Ba, 2015: Adam).

/// Where many numbers have come from, and how large their next steps are.
#[derive(Debug)]
pub struct Adam {
    moments: Vec<[f32; 2]>,
    /// How large the first steps are; they become smaller to the end.
    rate: f32,
    all: f32,
    done: f32,
    decay: [f32; 2],
}

const BETAS: [f32; 2] = [0.9, 0.999];

impl Adam {
    /// So many numbers, and so many steps of each.
    pub fn new(numbers: usize, rate: f32, steps: usize) -> Self {
        let moments = vec![[0.0; 2]; numbers];
        Adam { moments, rate, all: steps as f32, done: 0.0, decay: [1.0; 2] }
    }

    /// The next step of all numbers begins.
    pub fn begin(&mut self) {
        self.done += 1.0;
        self.decay = [self.decay[0] * BETAS[0], self.decay[1] * BETAS[1]];
    }

    /// Goes a step with some of the numbers, of which the first has this place among all. How steep it is for each depends on its place among these, and on itself.
    pub fn step(&mut self, first: usize, numbers: &mut [f32], slope: impl Fn(usize, f32) -> f32) {
        let rate = self.rate * (1.0 - (self.done - 1.0) / self.all);
        let [of_mean, of_square] = self.decay.map(|decay| 1.0 / (1.0 - decay));
        for ((at, number), moment) in numbers.iter_mut().enumerate().zip(&mut self.moments[first..])
        {
            let slope = slope(at, *number);
            moment[0] += (1.0 - BETAS[0]) * (slope - moment[0]);
            moment[1] += (1.0 - BETAS[1]) * (slope * slope - moment[1]);
            *number += rate * moment[0] * of_mean / ((moment[1] * of_square).sqrt() + 1e-7);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_of_a_hill_is_found() {
        let mut place = [0.0, 5.0];
        let top = [3.0, -1.0];
        let mut steps = Adam::new(2, 0.1, 500);
        for _ in 0..500 {
            steps.begin();
            steps.step(0, &mut place, |at, here| (at as f32 + 0.1) * (top[at] - here));
        }
        assert!(place.iter().zip(top).all(|(place, top)| (place - top).abs() < 0.05), "{place:?}");
    }
}
