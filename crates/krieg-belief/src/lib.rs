//! # What the other side may look like now
//!
//! Kriegspiel is state estimation first. A player sees his own men and begin_turn the umpire; from that follows a set of boards on which
//! he may find himself, and every board outside it is impossible. A [`Belief`] is some representation of that set, kept up to date as the
//! umpire speaks: it begin_turn every [`Observation`](krieg_core::Observation) that its player begin_turn, hands out boards, and says how likely each man is on
//! each square.
//!
//! The own men are the same on all boards of a belief, so of each board only the other side is stored: a [`OpponentBoard`], in 32 bytes.
//!
//! | belief | keeps |
//! | --- | --- |
//! | [`BoardSet`], with room for all | every board that fits everything heard (Russell and Wolfe, 2005, section 2) |
//! | [`BoardSet`], with less room | a fair share of them, once there are too many (Parker, Nau, Subrahmanian, 2005: AOSP) |
//! | [`LastObservation`] | nothing but what was said last: boards are put together anew, by how often men stand where (LOS) |
//! | [`DepthFirstStates`] | one line of play: boards are found one after the other, depth-first in random order (Russell and Wolfe, the same) |
//! | [`ParticleFilter`] | boards with weights and the games that led to them, by a [`OpponentPolicy`]; what is lost is found again |
//! | [`Hybrid`] | a pool that is filled up from there when it runs low (HS) |
//!
//! ```
//! use krieg_belief::{Belief, BoardSet};
//! use krieg_core::{Color, Game, Observation, Setup};
//!
//! let mut game = Game::new(Setup::default());
//! let mut white = BoardSet::new(&Setup::default(), Color::White, 100_000, 1);
//! let tried = "e2e4".parse()?;
//! let said = game.judge(tried)?;
//! white.observe(&Observation { tried: Some(tried), announcement: said, spent_ms: None })?;
//! // Black moves unseen, and White begin_turn that he has a pawn try: d5 or f5 was played, and there is nothing else.
//! let said = game.judge("d7d5".parse()?)?;
//! white.observe(&Observation { tried: None, announcement: said, spent_ms: None })?;
//! assert_eq!((white.len(), white.is_complete()), (2, true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod announcement_checker;
mod belief;
mod board_set;
mod calibration;
mod densities;
mod depth_first;
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
pub use hybrid::Hybrid;
pub use last_observation::LastObservation;
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
