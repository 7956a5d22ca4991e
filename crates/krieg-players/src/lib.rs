//! # Players
//!
//! A [`Player`] sits down to a game, hears what the umpire says, and chooses what to try. That is
//! all: two methods that matter, and neither is ever handed a board. What a player is given is
//! its own [`View`](krieg_core::View), made of what it heard, and the [`Observation`](krieg_core::Observation)s as they are said;
//! so a person, a program in this process and a program behind a pipe are one and the same to the
//! [`GameRunner`], which brings two of them together with an umpire and a clock.
//!
//! Players are found by name, with parameters where they have any:
//!
//! ```
//! use krieg_players::{GameSettings, PlayerSpec, GameRunner};
//!
//! let white: PlayerSpec = "greedy(tablebases=no)".parse()?;
//! let black: PlayerSpec = "random".parse()?;
//! let (mut white, mut black) = (white.make()?, black.make()?);
//! let played = GameRunner::new(GameSettings::default(), 17).play([&mut *white, &mut *black]);
//! assert!(played.record().outcome().is_some());
//! # Ok::<(), krieg_players::SpecError>(())
//! ```
//!
//! A player is deterministic: the same [`Seat`], with its seed, and the same things heard give the same tries,
//! unless a clock runs. Where nothing is said about the time, a player decides for itself how much it thinks.
//!
//! | player | plays |
//! | --- | --- |
//! | [`Random`] | any sensible try |
//! | [`SemiRandom`] | takes back, uses pawn tries, else at random |
//! | [`Greedy`] | the same, promotes, takes where somebody must stand, leaves where it burns |
//! | [`Pimc`](pimc::Pimc) | what a chess engine finds best on the average of imagined boards |
//! | [`Ismcts`](ismcts::Ismcts) | what a tree of all that may be heard makes of imagined boards; three kinds of it |
//! | [`Marshal`](marshal::Marshal) | what a tree of tries and answers makes of weighted boards, against an opponent who was learned |
//! | [`FixedMoveTime`] | what another does, in a time of its own |
//! | [`LoneKingController`](lone_king::LoneKingController) | what another does, until a lone king is to be mated: that by tables |
//! | [`Engine`](protocol::Engine) | whatever a program of somebody else's says, over [`protocol`] |

mod belief_registry;
mod fixed_move_time;
mod game_runner;
mod greedy;
pub mod ismcts;
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

pub use belief_registry::{BELIEFS, BeliefConfig, BeliefKind, BeliefSpec, MakeBelief};
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
