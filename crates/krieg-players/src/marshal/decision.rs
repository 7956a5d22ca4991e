//! The decision: the choice among the searched tries, resignation, and draw offers.

use krieg_belief::WeightedBelief;
use krieg_core::{Move, View};

use super::Marshal;
use super::search::{Edge, rank_by_lower_bound};
use crate::Exclusion;
use crate::draw_guard::{AHEAD, DrawGuard};

/// The score of a draw.
const DRAW: f64 = 0.5;
/// Resignation threshold: the expected score below which a turn counts as hopeless.
const RESIGN_BELOW: f64 = 0.04;
/// Number of consecutive hopeless turns before the player resigns.
const RESIGN_AFTER_TURNS: u32 = 6;
/// The expected score below which the player would accept a draw. It is below 0.5 because a hidden
/// game changes quickly: a slight disadvantage is no reason for a draw.
const ACCEPT_DRAW_BELOW: f64 = 0.4;
/// Number of consecutive such turns before a draw is accepted.
const ACCEPT_DRAW_AFTER_TURNS: u32 = 3;

impl Marshal {
    /// The edges of the present decision, with the visits of all search threads added up.
    pub(super) fn edges(&self) -> Vec<Edge> {
        let mut edges = self.searches[0].edges().to_vec();
        for other in self.searches[1..].iter().flat_map(|search| search.edges()) {
            match edges.iter_mut().find(|edge| edge.mv == other.mv) {
                Some(edge) => {
                    edge.visits += other.visits;
                    edge.value_sum += other.value_sum;
                }
                None => edges.push(*other),
            }
        }
        edges
    }

    /// The sensible tries, ranked by the lower confidence bound of their value.
    pub(super) fn ranked(&self, view: &View) -> Vec<Edge> {
        let mut edges = self.edges();
        edges.retain(|edge| view.is_sensible(edge.mv.into()));
        rank_by_lower_bound(&mut edges);
        edges
    }

    /// The try to make; `None` if none was visited. It has no visits if all visits went to
    /// excluded tries.
    pub(super) fn best(&self, view: &View) -> Option<Edge> {
        best_allowed(&self.ranked(view), |mv| self.exclusion(view, mv).is_none())
    }

    /// Why a player who is ahead does not make this try; `None` if it is allowed.
    pub(super) fn exclusion(&self, view: &View, mv: Move) -> Option<Exclusion> {
        let boards = || self.belief.belief().weighted_boards().map(|(board, _)| board);
        if self.draw_guard.repeats(view, mv, boards()) {
            return Some(Exclusion::Repetition);
        }
        DrawGuard::stalemates(view, mv, boards()).then_some(Exclusion::Stalemate)
    }

    /// Counts consecutive turns with a low expected score.
    pub(super) fn record_expected_score(&mut self, expected: f64) {
        let count = |turns: u32, is_below: bool| if is_below { turns + 1 } else { 0 };
        self.hopeless_turns = count(self.hopeless_turns, expected < RESIGN_BELOW);
        self.worse_turns = count(self.worse_turns, expected < ACCEPT_DRAW_BELOW);
    }

    pub(super) fn should_resign(&self) -> bool {
        self.settings.resign && self.hopeless_turns >= RESIGN_AFTER_TURNS
    }

    pub(super) fn should_accept_draw(&self) -> bool {
        self.worse_turns >= ACCEPT_DRAW_AFTER_TURNS
    }
}

/// The first of ranked edges; or, if the player is ahead, the first allowed one, unless its value
/// is no more than that of the draw it avoids. `None` if no edge was visited.
pub(super) fn best_allowed(ranked: &[Edge], is_allowed: impl Fn(Move) -> bool) -> Option<Edge> {
    let first = *ranked.first().filter(|edge| edge.visits > 0)?;
    let is_ahead = first.mean() > AHEAD;
    if !is_ahead {
        return Some(first);
    }
    let allowed = ranked.iter().find(|edge| is_allowed(edge.mv)).copied();
    Some(allowed.filter(|edge| edge.visits == 0 || edge.mean() > DRAW).unwrap_or(first))
}
