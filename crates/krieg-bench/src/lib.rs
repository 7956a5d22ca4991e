//! The measurements behind `krieg bench`.

mod batch;
mod belief;
mod calibration;
mod engines;
mod exact;
mod lone_king;
mod options;
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
pub use options::*;
pub use tablebase::tablebase;
pub use umpire::umpire;

/// A number of things of which there must be some.
fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("a number from 1 on is needed".to_string()),
        Ok(number) => Ok(number),
    }
}

/// Runs one measurement and prints its result.
pub fn run(command: &BenchCommand) -> anyhow::Result<()> {
    match command {
        BenchCommand::Umpire(options) => umpire(options),
        BenchCommand::Batch(options) => batch(options),
        BenchCommand::Engines(options) => engines(options),
        BenchCommand::Belief(options) => belief(options),
        BenchCommand::Calibration(options) => calibration(options),
        BenchCommand::Exact(options) => exact(options),
        BenchCommand::LoneKing(options) => lone_king(options),
        BenchCommand::Tablebase(options) => tablebase(options),
    }
}
