//! `krieg bench`: how fast things are, side by side in one run.

mod batch;
mod belief;
mod calibration;
mod engines;
mod exact;
mod lone_king;
mod outside;
mod playouts;
mod tablebase;
mod umpire;

pub use batch::batch;
pub use belief::belief;
pub use calibration::calibration;
pub use engines::engines;
pub use exact::exact;
pub use lone_king::lone_king;
pub use tablebase::tablebase;
pub use umpire::umpire;
