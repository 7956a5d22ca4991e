//! Former names of items, until the other crates use the new ones.

use krieg_core::{Move, PieceSet, Position, Setup, Square};
use rand::Rng;

use crate::training::{OpponentTraining, TrainedOpponents};
use crate::*;

pub use crate::{OpponentPolicy as MoveModel, UniformPolicy as Uniform};

#[deprecated(note = "renamed to BoardSet")]
#[doc(hidden)]
pub type Pool = BoardSet;
#[deprecated(note = "renamed to UpdateStats")]
#[doc(hidden)]
pub type Growth = UpdateStats;
#[deprecated(note = "renamed to CalibrationBin")]
#[doc(hidden)]
pub type Bin = CalibrationBin;
#[deprecated(note = "renamed to DepthFirstMode")]
#[doc(hidden)]
pub type Walk = DepthFirstMode;
#[deprecated(note = "renamed to DepthFirstResult")]
#[doc(hidden)]
pub type Found = DepthFirstResult;
#[deprecated(note = "renamed to DepthFirstStates")]
#[doc(hidden)]
pub type Stream = DepthFirstStates;
#[deprecated(note = "renamed to ObservationModel")]
#[doc(hidden)]
pub type Rules = ObservationModel;
#[deprecated(note = "renamed to HiddenLayer")]
#[doc(hidden)]
pub type Impressions = HiddenLayer;
#[deprecated(note = "renamed to OpponentMixture")]
#[doc(hidden)]
pub type Opponents = OpponentMixture;
#[deprecated(note = "renamed to OpponentMixtureError")]
#[doc(hidden)]
pub type OpponentsError = OpponentMixtureError;
#[deprecated(note = "renamed to OpponentType")]
#[doc(hidden)]
pub type OpponentKind = OpponentType;
#[deprecated(note = "renamed to ParticleStats")]
#[doc(hidden)]
pub type Care = ParticleStats;
#[deprecated(note = "renamed to OpponentContext")]
#[doc(hidden)]
pub type Situation = OpponentContext;
#[deprecated(note = "renamed to RecapturePolicy")]
#[doc(hidden)]
pub type Recapture = RecapturePolicy;
#[deprecated(note = "renamed to BeliefScore")]
#[doc(hidden)]
pub type Quality = BeliefScore;
#[deprecated(note = "renamed to UniqueBoards")]
#[doc(hidden)]
pub type Distinct = UniqueBoards;
#[deprecated(note = "renamed to OpponentTraining")]
#[doc(hidden)]
pub type Learning = OpponentTraining;
#[deprecated(note = "renamed to TrainedOpponents")]
#[doc(hidden)]
pub type Learned = TrainedOpponents;

#[deprecated(note = "renamed to ParticleFilter")]
#[doc(hidden)]
pub type Particles<M = Box<dyn OpponentPolicy + Send>> = ParticleFilter<M>;
#[deprecated(note = "renamed to ValuePolicy")]
#[doc(hidden)]
pub type ByValue<F> = ValuePolicy<F>;

impl OpponentMap {
    #[deprecated(note = "renamed to probability")]
    #[doc(hidden)]
    pub fn chance(&self, piece: krieg_core::Piece, square: Square) -> f64 {
        self.probability(piece, square)
    }

    #[deprecated(note = "renamed to occupancy")]
    #[doc(hidden)]
    pub fn occupied(&self, square: Square) -> f64 {
        self.occupancy(square)
    }
}

impl OpponentBoard {
    #[deprecated(note = "renamed to piece_set")]
    #[doc(hidden)]
    pub fn men(&self) -> PieceSet {
        self.piece_set()
    }
}

impl OpponentContext {
    #[deprecated(note = "renamed to begin_turn")]
    #[doc(hidden)]
    pub fn hears(&mut self, lost_on: Option<Square>, has_pawn_try: bool) {
        self.begin_turn(lost_on, has_pawn_try);
    }

    #[deprecated(note = "renamed to record_move")]
    #[doc(hidden)]
    pub fn moves(&mut self, mv: Option<cozy_chess::Move>, captured_on: Option<Square>) {
        self.record_move(mv, captured_on);
    }
}

impl BoardSet {
    #[deprecated(note = "renamed to is_complete")]
    #[doc(hidden)]
    pub fn is_whole(&self) -> bool {
        self.is_complete()
    }

    #[deprecated(note = "renamed to last_update")]
    #[doc(hidden)]
    pub fn growth(&self) -> UpdateStats {
        self.last_update()
    }
}

impl Hybrid {
    #[deprecated(note = "renamed to refill_only_when_empty")]
    #[doc(hidden)]
    #[must_use]
    pub fn only_when_empty(self) -> Self {
        self.refill_only_when_empty()
    }
}

impl ObservationModel {
    #[deprecated(note = "renamed to new")]
    #[doc(hidden)]
    pub fn of(setup: &Setup) -> Self {
        ObservationModel::new(setup)
    }
}

impl<M: OpponentPolicy> ParticleFilter<M> {
    #[deprecated(note = "renamed to with_rejuvenation")]
    #[doc(hidden)]
    #[must_use]
    pub fn with_effort(self, effort: f64) -> Self {
        self.with_rejuvenation(effort)
    }

    #[deprecated(note = "renamed to is_complete")]
    #[doc(hidden)]
    pub fn is_whole(&self) -> bool {
        self.is_complete()
    }

    #[deprecated(note = "renamed to opponent_context")]
    #[doc(hidden)]
    pub fn memory(&self) -> OpponentContext {
        self.opponent_context()
    }

    #[deprecated(note = "renamed to opponent_context_to_move")]
    #[doc(hidden)]
    pub fn before_reply(&self) -> Option<OpponentContext> {
        self.opponent_context_to_move()
    }

    #[deprecated(note = "renamed to weighted_boards")]
    #[doc(hidden)]
    pub fn boards(&self) -> impl Iterator<Item = (OpponentBoard, f64)> {
        self.weighted_boards()
    }

    #[deprecated(note = "renamed to sample_with_last_moves")]
    #[doc(hidden)]
    pub fn draw(
        &self,
        count: usize,
        rng: &mut dyn Rng,
    ) -> Vec<(Position, Option<cozy_chess::Move>)> {
        self.sample_with_last_moves(count, rng)
    }

    #[deprecated(note = "renamed to legal_probability")]
    #[doc(hidden)]
    pub fn chance_of_legal(&self, mv: Move) -> Option<f64> {
        self.legal_probability(mv)
    }

    #[deprecated(note = "renamed to destination_probabilities")]
    #[doc(hidden)]
    pub fn chances_of_landing(&mut self) -> Option<[f64; Square::NUM]> {
        self.destination_probabilities()
    }
}

impl OpponentMixture {
    #[deprecated(note = "renamed to posterior")]
    #[doc(hidden)]
    pub fn weights(&self) -> &[f32] {
        self.posterior()
    }

    #[deprecated(note = "renamed to with_prior")]
    #[doc(hidden)]
    #[must_use]
    pub fn with_weights(self, weights: &[f32]) -> Self {
        self.with_prior(weights)
    }
}

impl CalibrationBin {
    #[deprecated(note = "renamed to mean_predicted")]
    #[doc(hidden)]
    pub fn believed(&self) -> Option<f64> {
        self.mean_predicted()
    }

    #[deprecated(note = "renamed to observed_frequency")]
    #[doc(hidden)]
    pub fn share(&self) -> Option<f64> {
        self.observed_frequency()
    }
}

impl Calibration {
    #[deprecated(note = "renamed to merge")]
    #[doc(hidden)]
    pub fn join(&mut self, other: &Calibration) {
        self.merge(other);
    }

    #[deprecated(note = "renamed to bin_edges")]
    #[doc(hidden)]
    pub fn edges(number: usize) -> [f64; 2] {
        Calibration::bin_edges(number)
    }

    #[deprecated(note = "renamed to total")]
    #[doc(hidden)]
    pub fn whole(&self) -> CalibrationBin {
        self.total()
    }

    #[deprecated(note = "renamed to max_difference")]
    #[doc(hidden)]
    pub fn largest_difference(&self, cases: u32) -> Option<f64> {
        self.max_difference(cases)
    }
}

impl BeliefScore {
    #[deprecated(note = "renamed to new")]
    #[doc(hidden)]
    pub fn of(map: &OpponentMap, truth: &OpponentBoard, own: &PieceSet) -> Self {
        BeliefScore::new(map, truth, own)
    }
}
