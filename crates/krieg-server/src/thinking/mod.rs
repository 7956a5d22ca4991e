//! Those who think: bots, the coach, and whoever analyses finished games. A bounded number of threads, apart from those that serve
//! connections.

mod analysis;
mod bench;
mod bots;
mod coach;
mod threads;

pub use analysis::{Analyst, can_be_analysed};
pub use bench::Bench;
pub use bots::{BotTurn, Bots, Decision};
pub use coach::{Advice, Coach};
pub use threads::{Thinkers, Urgency};
