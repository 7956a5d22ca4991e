//! Tuning: the engine plays itself, and its evaluation learns from what came of it.
//!
//! Each step gives the same result from the same seed, however many threads it has. [`self_play`] makes a file
//! of games at a fixed number of nodes a move. From the quiet positions of those games, either [`fit`] finds the weights of counted
//! features, or [`train`] the numbers of a network, that best foretell how the games ended and what the search
//! thought. (For weights the method is known as Texel tuning; both descend by Adam: Kingma and Ba, 2015.)

mod fitting;
mod games;
mod lessons;
mod training;

pub use fitting::{Fit, Fitted, Progress, Sample, fit, samples};
pub use games::{GameLine, GameLineError, SelfPlay, self_play};
pub use lessons::{Lesson, lessons};
pub use training::{Training, train};
