//! Opponent types that are not fitted to games: they stand for strangers, players whose
//! games were not there to learn from.
//!
//! A fitted mixture is over-confident about strangers. [`PLAIN_TYPES`] hardly prefer one move to
//! another, so no move of a stranger is a surprise to all types (a defensive mixture). The
//! recapturing variant of a fitted type stands for programs that always recapture.

use cozy_chess::{Board, Move as BoardMove, Piece};

use super::OpponentType;
use crate::{OpponentContext, RecapturePolicy};

/// The rule by which an opponent type chooses a move.
#[derive(Debug, Clone, Copy)]
pub enum TypeRule {
    /// As the fitted type with this index.
    Fitted(usize),
    /// Recaptures whenever it is possible. The recapturing piece, and all other moves, are chosen
    /// as the fitted type with this index chooses them.
    Recapturing(usize),
    /// Prefers recaptures and announced pawn captures. All other moves are equally likely.
    Plain(RecapturePolicy),
}

impl TypeRule {
    /// The share of the penalty for undefended pieces that applies to boards of this type. The
    /// pieces of a player without a plan stand where their random moves lead.
    pub fn penalty_share(&self, fitted: &[OpponentType]) -> f64 {
        match self {
            TypeRule::Fitted(index) | TypeRule::Recapturing(index) => {
                f64::from(fitted[*index].penalty_share)
            }
            TypeRule::Plain(_) => 0.0,
        }
    }
}

/// A type that needs no fitting.
#[derive(Debug, Clone, Copy)]
pub struct PlainType {
    /// The name, as it stands in explanations and in the memory of opponents.
    pub name: &'static str,
    /// The prior probability, relative to the other plain types.
    pub prior: f32,
    /// The weights of recaptures and announced pawn captures.
    pub policy: RecapturePolicy,
}

/// The plain types: players without a plan, with different tempers.
pub const PLAIN_TYPES: &[PlainType] = &[
    PlainType {
        name: "plain",
        prior: 0.5,
        policy: RecapturePolicy { recapture_weight: 30.0, pawn_capture_weight: 15.0 },
    },
    PlainType {
        name: "plain-recapturing",
        prior: 0.25,
        policy: RecapturePolicy { recapture_weight: 1_000.0, pawn_capture_weight: 15.0 },
    },
    PlainType {
        name: "uniform",
        prior: 0.25,
        policy: RecapturePolicy { recapture_weight: 1.0, pawn_capture_weight: 1.0 },
    },
];

/// What the name of a fitted type's recapturing variant ends with.
pub const RECAPTURING_SUFFIX: &str = "-recapturing";

/// A class of moves that a [`RecapturePolicy`] weighs alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveClass {
    Recapture,
    AnnouncedPawnCapture,
    Other,
}

/// A number for each class of moves.
pub type PerClass = [f32; 3];

/// The classes of the legal moves on a board.
#[derive(Debug, Clone, Default)]
pub struct MoveClasses {
    classes: Vec<MoveClass>,
    counts: PerClass,
}

impl MoveClasses {
    /// Replaces the moves by these.
    pub fn set(&mut self, board: &Board, context: &OpponentContext, moves: &[BoardMove]) {
        let pawns = board.pieces(Piece::Pawn);
        let class = |mv: &BoardMove| {
            if context.lost_on() == Some(mv.to) {
                return MoveClass::Recapture;
            }
            let is_pawn_capture = pawns.has(mv.from) && mv.from.file() != mv.to.file();
            match context.has_pawn_try && is_pawn_capture {
                true => MoveClass::AnnouncedPawnCapture,
                false => MoveClass::Other,
            }
        };
        self.classes.clear();
        self.classes.extend(moves.iter().map(class));
        self.counts = [0.0; 3];
        self.classes.iter().for_each(|class| self.counts[*class as usize] += 1.0);
    }

    /// The class of each move.
    pub fn classes(&self) -> &[MoveClass] {
        &self.classes
    }

    /// Whether the player can recapture.
    pub fn has_recapture(&self) -> bool {
        self.counts[MoveClass::Recapture as usize] > 0.0
    }

    /// The probability of one move of each class by this policy.
    pub fn probabilities(&self, policy: &RecapturePolicy) -> PerClass {
        let weights = [policy.recapture_weight, policy.pawn_capture_weight, 1.0].map(|w| w as f32);
        let sum: f32 = weights.iter().zip(self.counts).map(|(weight, count)| weight * count).sum();
        weights.map(|weight| weight / sum.max(f32::MIN_POSITIVE))
    }
}
