//! Those who think: bots, the coach, and whoever analyses finished games. A bounded number of threads, apart from those that serve
//! connections.

mod analysis;
mod bot_pool;
mod bot_workers;
mod coach;
mod job_queue;

pub use analysis::{Analyst, can_be_analysed};
pub use bot_pool::BotPool;
pub use bot_workers::{BotTurn, BotWorkers, Decision};
pub use coach::{Advice, Coach};
pub use job_queue::{JobQueue, Priority};
