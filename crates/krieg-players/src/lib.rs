//! # Players
//!
//! A [`Player`] receives the observations of its side and chooses tries. It is never given the
//! position, only its own [`View`](krieg_core::View), which follows from the observations. So a
//! person, a player in this process, and a program behind a pipe look the same to the
//! [`GameRunner`], which plays two of them against each other with an umpire and a clock.
//!
//! A [`PlayerRegistry`] finds players by name, with parameters:
//!
//! ```
//! use krieg_players::{GameRunner, GameSettings, PlayerRegistry};
//!
//! let registry = PlayerRegistry::default();
//! let mut white = registry.parse("greedy(tablebases=no)")?.make()?;
//! let mut black = registry.parse("random")?.make()?;
//! let game = GameRunner::new(GameSettings::default(), 17).play([&mut *white, &mut *black]);
//! assert!(game.record().outcome().is_some());
//! # Ok::<(), krieg_players::SpecError>(())
//! ```
//!
//! A player is deterministic: the same [`Seat`], which contains its seed, and the same observations
//! give the same tries, unless a clock runs. Without a clock, a player's parameters say how much it
//! searches.
//!
//! | player | how it plays |
//! | --- | --- |
//! | [`Random`] | any sensible try |
//! | [`SemiRandom`] | recaptures, uses pawn tries, and otherwise plays at random |
//! | [`Greedy`] | the same, and captures likely pieces and avoids likely recaptures |
//! | [`Pimc`](pimc::Pimc) | samples boards and asks a chess engine about each |
//! | [`Ismcts`](ismcts::Ismcts) | Monte Carlo tree search over information sets, three variants |
//! | [`Learned`](learned::Learned) | a neural network that learned from games against itself |
//! | [`Marshal`](marshal::Marshal) | tree search on weighted boards with a learned opponent model |
//! | [`Engine`](protocol::Engine) | an external program that speaks the line [`protocol`] |
//! | [`FixedMoveTime`] | like another player, with a time of its own per move |
//! | [`AlwaysRecapture`] | like another player, and recaptures whenever it can |
//! | [`lone_king`] | like another player, and mates a lone king by the endgame tables |
//!
//! Players that sample boards share their belief: [`BELIEFS`] lists the kinds, and
//! [`OPPONENT_MODELS`] the models of the opponent's moves. `docs/extending.md` shows how to add to
//! each of these lists.

mod always_recapture;
mod belief_registry;
mod draw_guard;
mod explanation_json;
mod fixed_move_time;
mod game_runner;
mod greedy;
pub mod ismcts;
pub mod learned;
pub mod lone_king;
pub mod marshal;
mod opponent_model;
pub mod pimc;
mod player;
pub mod protocol;
mod random;
mod registry;
mod saved_spec;
mod search_limit;
mod semi_random;
mod settings;
mod spec;
mod timed_belief;

pub use always_recapture::AlwaysRecapture;
pub use belief_registry::{BELIEFS, BeliefConfig, BeliefKind, BeliefSpec, MakeBelief};
pub use draw_guard::Exclusion;
pub use explanation_json::opponent_map_json;
pub use fixed_move_time::FixedMoveTime;
pub use game_runner::{GameRunner, GameSettings, TimedGame};
pub use greedy::Greedy;
pub use opponent_model::{OPPONENT_MODELS, OpponentModel, OpponentModelKind};
pub use player::{Choice, Player, PlayerError, Seat, UnavailablePlayer, while_pondering};
pub use random::Random;
pub use registry::{PlayerKind, PlayerRegistry};
pub use search_limit::SearchLimit;
pub use semi_random::SemiRandom;
pub use settings::{Parameter, Settings};
pub use spec::{PlayerSpec, SpecError, Suggestions};
pub use timed_belief::BeliefSettings;
