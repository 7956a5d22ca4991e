//! Everything that computes for long: bots, the coach, and analyses of finished games. It runs on a
//! bounded number of threads, apart from those that serve connections.

mod analysis;
mod bot_pool;
mod bot_workers;
mod coach;
mod job_queue;

pub use analysis::{Analyzer, can_be_analyzed};
pub use bot_pool::BotPool;
pub use bot_workers::{BotTurn, BotWorkers, Decision};
pub use coach::{AdviceRequest, Coach};
pub use job_queue::{JobQueue, Priority};
