//! A search of one turn: the most probable tries are compared by what they lead to.
//!
//! For each candidate the search computes what the player may observe until its next decision, on
//! boards of a particle filter and with the replies of an opponent model. The network evaluates the
//! input that would follow from the most probable of these observations. So a refusal is worth what
//! it tells, and a capture costs what the opponent takes back. The tries are then drawn from the
//! policy of the network, changed by these values. It is not changed more than the values justify:
//! they are noisy, and the policy was learned from whole games.
//!
//! | file | contents |
//! | --- | --- |
//! | `outcomes.rs` | what a try may lead to, with probabilities |
//! | `settings.rs` | the settings and parameters |
//! | `candidates.rs` | the values of the candidates, and which outcome is evaluated next |

mod candidates;
mod outcomes;
mod settings;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use krieg_belief::{BoardSet, OpponentContext, OpponentMixture, WeightedBelief};
use krieg_core::{Color, Move, Observation, Setup, Try, View};
use krieg_net::{Encoder, Evaluation, Network, Workspace};
use krieg_time::Clock;
use rand::Rng;

use self::candidates::{Candidate, Candidates};
use self::outcomes::{OutcomeModel, OutcomeWeights};
pub use self::settings::SearchSettings;
use crate::timed_belief::{TimedBelief, particles_in_time};
use crate::{BeliefConfig, BeliefKind, OpponentModelKind, PlayerError, SearchLimit, Seat};

/// Tries with a smaller prior probability are no candidates.
const MIN_PRIOR: f32 = 0.002;
/// Fraction of the time of a search in which the outcomes of tries must be known.
const OUTCOMES_FRACTION: f64 = 0.4;
/// With less time than this for a try there is no search: the rest of the time for the move is kept
/// for tries that are made at once after refusals, which need a pass each.
const MIN_TIME: Duration = Duration::from_millis(15);
/// Fraction of the time for a try in which the search ends, for the same reason.
const TIME_FRACTION: f64 = 0.6;
/// Number of particles per millisecond of the time for a try.
const PARTICLES_PER_MS: f64 = 40.0;

/// The search of one player in one game.
pub struct Search {
    settings: SearchSettings,
    belief: TimedBelief<Box<dyn WeightedBelief + Send + Sync>>,
    model: OutcomeModel,
}

/// What a search starts from.
pub struct SearchStart<'a> {
    pub view: &'a View,
    pub encoder: &'a Encoder,
    pub evaluation: &'a Evaluation,
    pub network: &'a Network,
}

/// The result of a search.
pub struct SearchResult {
    candidates: Candidates,
    /// Number of passes of the network.
    pub passes: usize,
}

impl Search {
    /// A search for a new game.
    pub fn new(settings: SearchSettings, seat: &Seat) -> Result<Self, PlayerError> {
        let policy = || (OpponentModelKind::named("fitted").make)(&OpponentMixture::default());
        let particles = settings.particles.min(particles_in_time(seat, PARTICLES_PER_MS));
        let config = BeliefConfig { seat, particles, rejuvenation: None, opponent_model: policy() };
        let belief = BeliefKind::named("smc").make_weighted(config).expect("it has weights");
        let start = BoardSet::new(&Setup::default(), Color::White, 1, 0);
        let mut timed = TimedBelief::with(Box::new(start) as Box<_>);
        timed.begin_with(belief, seat)?;
        Ok(Search { settings, belief: timed, model: OutcomeModel::new(&seat.setup, policy()) })
    }

    /// Takes the player's next observation.
    pub fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        self.belief.observe(observation)
    }

    /// Compares tries. `None` if there is nothing to compare, no time, or no board is known.
    pub fn run(
        &mut self,
        root: &SearchStart,
        clock: &Clock,
        workspace: &mut Workspace,
        rng: &mut dyn Rng,
    ) -> Option<SearchResult> {
        let limit = SearchLimit::of(clock, root.view.player());
        if matches!(limit, SearchLimit::Time(time) if time < MIN_TIME) {
            return None;
        }
        let limit = self.belief.update(clock, root.view)?;
        let start = Instant::now();
        let (time, passes) = match limit {
            SearchLimit::Time(time) => (time.mul_f64(TIME_FRACTION), usize::MAX),
            SearchLimit::Nodes(nodes) => (Duration::MAX, nodes as usize),
            SearchLimit::Unlimited => (Duration::MAX, usize::MAX),
        };
        let passes = passes.min(self.settings.simulations);
        let is_late = |fraction: f64| start.elapsed().as_secs_f64() > fraction * time.as_secs_f64();
        if let Some(opponents) = self.belief.belief().opponent_mixture() {
            self.model.policy.copy_posterior(opponents);
        }
        let tries = candidate_tries(root, self.settings.candidates)?;
        let mut candidates = self.candidates(root, &tries, rng, || is_late(OUTCOMES_FRACTION))?;
        let mut done = 0;
        while done < passes && !is_late(1.0) {
            let Some((mv, outcome, value)) = candidates.next() else { break };
            let mut encoder = root.encoder.clone();
            outcome.observations(mv).for_each(|observation| encoder.observe(&observation));
            let evaluation = root.network.evaluate(&encoder.encode(None), workspace);
            *value = Some(f64::from(evaluation.expected_score()));
            done += 1;
        }
        Some(SearchResult { candidates, passes: done })
    }

    /// The candidates with their outcomes on boards of the belief.
    fn candidates(
        &mut self,
        root: &SearchStart,
        tries: &[(Move, f64)],
        rng: &mut dyn Rng,
        is_late: impl Fn() -> bool,
    ) -> Option<Candidates> {
        let belief = self.belief.belief();
        let knowledge = belief.opponent_context();
        let mut outcomes = vec![OutcomeWeights::default(); tries.len()];
        for (board, last_move) in belief.sample_with_last_moves(self.settings.worlds, rng) {
            if is_late() {
                break;
            }
            let context = OpponentContext { last_move, ..knowledge };
            for ((mv, _), outcomes) in tries.iter().zip(&mut outcomes) {
                self.model.add(outcomes, *mv, board.clone(), context);
            }
        }
        if outcomes[0].0.is_empty() {
            return None;
        }
        let player = root.view.player();
        let candidate = |(&(mv, prior), outcomes)| Candidate::new(mv, prior, outcomes, player);
        Some(Candidates {
            all: tries.iter().zip(outcomes).map(candidate).collect(),
            unknown: f64::from(root.evaluation.expected_score()),
            regularization: self.settings.regularization,
        })
    }
}

/// The most probable tries with their probabilities; `None` if there are fewer than two, or if
/// "any?" is more probable.
fn candidate_tries(root: &SearchStart, count: usize) -> Option<Vec<(Move, f64)>> {
    let mut policy = root.evaluation.policy(root.view, 1.0);
    policy.sort_by(|a, b| b.1.total_cmp(&a.1));
    policy.retain(|(_, probability)| *probability >= MIN_PRIOR);
    if matches!(policy.first()?.0, Try::Any) {
        return None;
    }
    let moves = policy.into_iter().filter_map(|(tried, probability)| match tried {
        Try::Move(mv) => Some((mv, f64::from(probability))),
        Try::Any => None,
    });
    let tries: Vec<(Move, f64)> = moves.take(count).collect();
    (tries.len() > 1).then_some(tries)
}

impl SearchResult {
    /// The probability of this try by the improved policy at this temperature, up to a common
    /// factor.
    pub fn weights(&self, temperature: f64) -> Vec<(Move, f64)> {
        let weights = self.candidates.weights(temperature.max(MIN_TEMPERATURE));
        self.candidates.all.iter().map(|candidate| candidate.mv).zip(weights).collect()
    }

    /// What the search says about this try, for the remark.
    pub fn remark(&self, mv: Move) -> String {
        let Candidates { all, unknown, .. } = &self.candidates;
        let Some(candidate) = all.iter().find(|one| one.mv == mv) else { return String::new() };
        let (value, passes) = (100.0 * candidate.value(*unknown), self.passes);
        format!("; expected score {value:.0}% after {passes} passes")
    }
}

/// A lower temperature counts as this one: only the best try is left.
const MIN_TEMPERATURE: f64 = 1e-6;
