//! # What the other side may look like now
//!
//! Kriegspiel is state estimation first. A player sees his own men and hears the umpire; from that follows a set of boards on which
//! he may find himself, and every board outside it is impossible. A [`Belief`] is some representation of that set, kept up to date as the
//! umpire speaks: it hears every [`Line`](krieg_core::Line) that its player hears, hands out boards, and says how likely each man is on
//! each square.
//!
//! The own men are the same on all boards of a belief, so of each board only the other side is stored: a [`Hidden`], in 32 bytes.
//!
//! | belief | keeps |
//! | --- | --- |
//! | [`Pool`], with room for all | every board that fits everything heard (Russell and Wolfe, 2005, section 2) |
//! | [`Pool`], with less room | a fair share of them, once there are too many (Parker, Nau, Subrahmanian, 2005: AOSP) |
//! | [`LastObservation`] | nothing but what was said last: boards are put together anew, by how often men stand where (LOS) |
//! | [`Stream`] | one line of play: boards are found one after the other, depth-first in random order (Russell and Wolfe, the same) |
//! | [`Particles`] | boards with weights and the games that led to them, by a [`MoveModel`]; what is lost is found again |
//! | [`Hybrid`] | a pool that is filled up from there when it runs low (HS) |
//!
//! ```
//! use krieg_belief::{Belief, Pool};
//! use krieg_core::{Color, Game, Line, Setup};
//!
//! let mut game = Game::new(Setup::default());
//! let mut white = Pool::new(&Setup::default(), Color::White, 100_000, 1);
//! let tried = "e2e4".parse()?;
//! let said = game.judge(tried)?;
//! white.hear(&Line { tried: Some(tried), said, spent_ms: None })?;
//! // Black moves unseen, and White hears that he has a pawn try: d5 or f5 was played, and there is nothing else.
//! let said = game.judge("d7d5".parse()?)?;
//! white.hear(&Line { tried: None, said, spent_ms: None })?;
//! assert_eq!((white.len(), white.is_whole()), (2, true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod belief;
mod calibration;
mod clue;
mod densities;
mod distinct;
mod enemy_turn;
mod hidden;
mod hybrid;
mod last_observation;
mod listener;
mod map;
mod model;
mod opponent;
mod particles;
mod pool;
mod quality;
mod replies;
mod rules;
mod stream;

pub use belief::{Belief, Contradiction, Haste};
pub use calibration::{Bin, Calibration};
pub use clue::Clue;
pub use densities::{Densities, DensitiesError};
pub use distinct::Distinct;
pub use enemy_turn::EnemyTurn;
pub use hidden::Hidden;
pub use hybrid::Hybrid;
pub use last_observation::LastObservation;
pub use map::EnemyMap;
pub use model::{ByValue, MoveModel, Recapture, Situation, Uniform};
pub use opponent::{
    Fit, Foretold, Impressions, Joint, Learned, Learning, MOST_KINDS, OpponentKind, Opponents,
    OpponentsError,
};
pub use particles::{Care, Particles};
pub use pool::{Growth, Pool};
pub use quality::Quality;
pub use replies::Replies;
pub use rules::Rules;
pub use stream::{Found, Stream, Walk};
