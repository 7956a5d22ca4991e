//! # The measurements behind `krieg bench`
//!
//! Each module is one measurement: its function takes the options that the command line parsed,
//! measures, and prints a table or a line of JSON. Results that support a decision are recorded in
//! `benches/runs/`, with the command that made them.
//!
//! - Speed: `umpire`, `batch`, `exact`, `tablebase`, `network`.
//! - Accuracy of beliefs: `belief`, `calibration`, `strangers`, `exact`.
//! - Strength: `engines` and `lone_king`.

mod batch;
mod belief;
mod calibration;
mod engines;
mod exact;
mod lone_king;
mod measured_belief;
mod network;
mod options;
mod other_referees;
mod random_games;
mod strangers;
mod tablebase;
mod umpire;

pub use batch::batch;
pub use belief::belief;
pub use calibration::calibration;
pub use engines::engines;
pub use exact::exact;
pub use lone_king::lone_king;
pub use network::network;
pub use options::*;
pub use strangers::strangers;
pub use tablebase::tablebase;
pub use umpire::umpire;

/// Parses a number that must not be 0.
fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("a positive number is needed".to_string()),
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
        BenchCommand::Strangers(options) => strangers(options),
        BenchCommand::Exact(options) => exact(options),
        BenchCommand::LoneKing(options) => lone_king(options),
        BenchCommand::Network(options) => network(options),
        BenchCommand::Tablebase(options) => tablebase(options),
    }
}
