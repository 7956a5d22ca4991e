//! Tuning: the engine plays itself, and the weights are fitted to what came of it.
//!
//! Two steps, each of which gives the same result from the same seed, however many threads it
//! has: [`self_play`] makes a file of games at a fixed number of nodes a move, and [`fit`] finds the weights that best
//! foretell, from the quiet positions of those games, how the games ended and what the search thought
//! (the method is known as Texel tuning; the descent is Adam: Kingma and Ba, 2015).

mod fitting;
mod games;

pub use fitting::{Fit, Fitted, Progress, Sample, fit, samples};
pub use games::{GameLine, GameLineError, SelfPlay, self_play};
