//! `krieg bench`: how fast things are, side by side in one run.

mod outside;
mod playouts;
mod umpire;

pub use umpire::umpire;
