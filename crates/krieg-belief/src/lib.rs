//! # Beliefs about the opponent's pieces
//!
//! Kriegspiel is first of all a problem of state estimation. A player sees their own pieces and
//! hears the umpire. From these [`Observation`](krieg_core::Observation)s follows a set of possible
//! boards, the information set. A [`Belief`] is a representation of that set: it is updated by each
//! observation, draws random boards, and gives the probability of each piece on each square.
//!
//! The own pieces are the same on all boards of a belief, so only the opponent's side of each board
//! is stored: an [`OpponentBoard`] of 32 bytes.
//!
//! - [`BoardSet`] within its capacity: every board that fits all observations (Russell and Wolfe,
//!   2005, section 2). Beyond its capacity: a uniform sample of them (AOSP: Parker, Nau,
//!   Subrahmanian, 2005).
//! - [`LastObservation`]: the last observation only; boards are drawn from piece densities (LOS).
//! - [`Hybrid`]: a [`BoardSet`] that is refilled by [`LastObservation`] when it runs low (HS).
//! - [`ParticleFilter`]: boards with their trajectories, weighted by an [`OpponentPolicy`]; lost
//!   boards are recovered.
//! - [`DepthFirstStates`]: one line of play; boards are found one by one, depth-first in random
//!   order (Russell and Wolfe, 2005).
//!
//! Beliefs that store boards also implement [`WeightedBelief`], which is what a tree search needs.
//!
//! ```
//! use krieg_belief::{Belief, BoardSet};
//! use krieg_core::{Color, Game, Observation, Setup};
//!
//! let mut game = Game::new(Setup::default());
//! let mut belief = BoardSet::new(&Setup::default(), Color::White, 100_000, 1);
//! let tried = "e2e4".parse()?;
//! let announcement = game.judge(tried)?;
//! belief.observe(&Observation { tried: Some(tried), announcement, spent_ms: None })?;
//! // Black's move is hidden, but White has a pawn try now, so it was d5 or f5.
//! let announcement = game.judge("d7d5".parse()?)?;
//! belief.observe(&Observation { tried: None, announcement, spent_ms: None })?;
//! assert_eq!((belief.len(), belief.is_complete()), (2, true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where to read on: `docs/beliefs.md` describes the beliefs and how their models are trained; the
//! types of learned opponents are in [`opponent`].

mod announcement_checker;
mod belief;
mod board_set;
mod calibration;
mod densities;
mod depth_first;
mod filter_bank;
mod hybrid;
mod last_observation;
mod move_filter;
mod observation_model;
pub mod opponent;
mod opponent_board;
mod opponent_map;
mod opponent_turn;
mod particle_filter;
mod policy;
mod score;
mod successors;
mod unique_boards;
mod weighted;

pub use belief::{Belief, Contradiction, Deadline};
pub use board_set::{BoardSet, UpdateStats};
pub use calibration::{Calibration, CalibrationBin};
pub use densities::{Densities, DensitiesError};
pub use depth_first::{DepthFirstMode, DepthFirstResult, DepthFirstStates};
pub use filter_bank::FilterBank;
pub use hybrid::Hybrid;
pub use last_observation::{LastObservation, draw_index};
pub use move_filter::MoveFilter;
pub use observation_model::ObservationModel;
pub use opponent::{
    HiddenLayer, MAX_OPPONENT_TYPES, OpponentMixture, OpponentMixtureError, OpponentType,
};
pub use opponent_board::OpponentBoard;
pub use opponent_map::OpponentMap;
pub use opponent_turn::OpponentTurn;
pub use particle_filter::{ParticleFilter, ParticleStats};
pub use policy::{OpponentContext, OpponentPolicy, RecapturePolicy, UniformPolicy, ValuePolicy};
pub use score::BeliefScore;
pub use successors::SuccessorGenerator;
pub use unique_boards::UniqueBoards;
pub use weighted::WeightedBelief;
