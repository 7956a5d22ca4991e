//! # Fitting parameters to games
//!
//! The runtime crates only evaluate their models; this crate fits the parameters.

mod densities;
pub mod evaluation;
pub mod opponents;
pub mod value;

pub use densities::learn_densities;
