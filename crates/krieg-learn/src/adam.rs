//! The optimizer of all gradient descents: Adam (Kingma and Ba, 2015), with decoupled weight decay
//! (Loshchilov and Hutter, 2019).

use std::ops::{Add, Div, Mul, Sub};

/// Addition, subtraction, multiplication and division.
pub(crate) trait Arithmetic:
    Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Sized
{
}

/// `f32` or `f64`.
pub(crate) trait Real: Arithmetic + Copy + From<f32> {
    /// Decay rate of the average of the gradients (β₁).
    const BETA_1: Self;
    /// Decay rate of the average of the squared gradients (β₂).
    const BETA_2: Self;
    /// Default of the constant that is added to the denominator (ε).
    const EPSILON: Self;

    fn powi(self, exponent: i32) -> Self;
    fn sqrt(self) -> Self;
}

macro_rules! real {
    ($type:ty) => {
        impl Arithmetic for $type {}

        impl Real for $type {
            const BETA_1: Self = 0.9;
            const BETA_2: Self = 0.999;
            const EPSILON: Self = 1e-8;

            fn powi(self, exponent: i32) -> Self {
                <$type>::powi(self, exponent)
            }

            fn sqrt(self) -> Self {
                <$type>::sqrt(self)
            }
        }
    };
}

real!(f32);
real!(f64);

/// The state of the optimizer for a list of parameters.
#[derive(Debug)]
pub(crate) struct Adam<T> {
    /// The averages of the gradient and of its square, for each parameter.
    moments: Vec<[T; 2]>,
    steps: i32,
    epsilon: T,
    weight_decay: T,
}

impl<T: Real> Adam<T> {
    /// The optimizer for this number of parameters.
    pub fn new(parameters: usize) -> Self {
        let zero = T::from(0.0f32);
        Adam {
            moments: vec![[zero; 2]; parameters],
            steps: 0,
            epsilon: T::EPSILON,
            weight_decay: zero,
        }
    }

    /// Sets the constant in the denominator. Gradients far below it hardly move a parameter.
    pub fn with_epsilon(mut self, epsilon: T) -> Self {
        self.epsilon = epsilon;
        self
    }

    /// Sets the fraction, per unit of the learning rate, by which parameters shrink in each step.
    pub fn with_weight_decay(mut self, weight_decay: T) -> Self {
        self.weight_decay = weight_decay;
        self
    }

    /// Starts the next step, which updates every parameter once.
    pub fn start_step(&mut self) {
        self.steps += 1;
    }

    /// Updates a part of the parameters, against the gradient of the loss. The part begins at index
    /// `first` of all parameters; `gradient` is called with the index within the part and the value
    /// of the parameter.
    pub fn update(
        &mut self,
        first: usize,
        parameters: &mut [T],
        learning_rate: T,
        gradient: impl Fn(usize, T) -> T,
    ) {
        let one = T::from(1.0f32);
        // The averages begin at 0, which these factors correct.
        let correction_1 = one - T::BETA_1.powi(self.steps);
        let correction_2 = one - T::BETA_2.powi(self.steps);
        let kept = one - self.weight_decay * learning_rate;
        let moments = &mut self.moments[first..];
        for ((index, parameter), [mean, square]) in parameters.iter_mut().enumerate().zip(moments) {
            let gradient = gradient(index, *parameter);
            *mean = T::BETA_1 * *mean + (one - T::BETA_1) * gradient;
            *square = T::BETA_2 * *square + (one - T::BETA_2) * gradient * gradient;
            let step = (*mean / correction_1) / ((*square / correction_2).sqrt() + self.epsilon);
            *parameter = *parameter * kept - learning_rate * step;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_minimum_of_a_quadratic_function_is_found() {
        let mut place = [0.0f32, 5.0];
        let minimum = [3.0, -1.0];
        let mut adam = Adam::new(2);
        for step in 0..500u16 {
            let learning_rate = 0.1 * (1.0 - f32::from(step) / 500.0);
            adam.start_step();
            adam.update(0, &mut place, learning_rate, |index, value| {
                (index as f32 + 0.1) * (value - minimum[index])
            });
        }
        let is_close = place.iter().zip(minimum).all(|(value, best)| (value - best).abs() < 0.05);
        assert!(is_close, "{place:?}");
    }

    #[test]
    fn weight_decay_shrinks_a_parameter_without_gradient() {
        let mut place = [1.0f64];
        let mut adam = Adam::new(1).with_weight_decay(0.1);
        for _ in 0..3 {
            adam.start_step();
            adam.update(0, &mut place, 0.5, |_, _| 0.0);
        }
        assert!((place[0] - 0.95f64.powi(3)).abs() < 1e-12, "{place:?}");
    }
}
