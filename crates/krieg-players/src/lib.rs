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
//! let white: PlayerSpec = "greedy(tables=no)".parse()?;
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
//! | [`Paced`] | what another does, in a time of its own |
//! | [`LoneKingController`](lone_king::LoneKingController) | what another does, until a lone king is to be mated: that by tables |
//! | [`Engine`](protocol::Engine) | whatever a program of somebody else's says, over [`protocol`] |

mod belief_kind;
mod game_runner;
mod greedy;
mod imagining;
pub mod ismcts;
pub mod lone_king;
pub mod marshal;
mod paced;
pub mod pimc;
mod player;
pub mod protocol;
mod random;
mod registry;
mod semi_random;
mod spec;
mod thinking;

pub use belief_kind::{BeliefKind, ModelKind};
pub use game_runner::{GameRunner, GameSettings, TimedGame};
pub use greedy::Greedy;
pub use imagining::ImaginingSettings;
pub use paced::Paced;
pub use player::{Absent, Choice, Fault, Player, Seat, while_pondering};
pub use random::Random;
pub use registry::{Kind, PLAYERS, Parameter, Settings};
pub use semi_random::SemiRandom;
pub use spec::{PlayerSpec, SpecError};
pub use thinking::Thinking;
