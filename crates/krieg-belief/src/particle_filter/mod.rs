//! The particle filter: weighted boards with their trajectories.
//!
//! It is sequential Monte Carlo (Gordon, Salmond, Smith, 1993) with MCMC moves (Gilks and Berzuini,
//! 2001). `update.rs` processes an observation; the other files are its steps.

mod budget;
mod displacement;
mod move_exchange;
mod perturb;
mod predict;
mod rejuvenate;
mod repair;
mod resample;
mod trajectory;
mod turn;
mod update;

use cozy_chess::{Move as BoardMove, Square};
use krieg_core::{Color, Observation, Position, Setup, Verdict, View};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::weighted::systematic_sample;
use crate::{
    Belief, Contradiction, Deadline, Densities, LastObservation, ObservationModel, OpponentBoard,
    OpponentContext, OpponentMap, OpponentMixture, OpponentPolicy, OpponentTurn, WeightedBelief,
};
use budget::TimeBudget;
use trajectory::TrajectoryStore;
use turn::{ExpansionBuffer, OwnTurn};

/// A board that is possible now.
#[derive(Debug, Clone, Copy)]
struct Particle {
    /// The index of its node in the newest generation of trajectories.
    node: u32,
    /// The board now. It differs from that of the node if the player has captured since.
    board: OpponentBoard,
    weight: f64,
}

/// The particles before the last observation.
#[derive(Debug, Clone, Default)]
struct PreviousParticles {
    /// Their generation: the newest one, or the one before it if the opponent has moved since.
    generation: usize,
    particles: Vec<Particle>,
}

/// A particle filter: boards that fit all observations, weighted by the probability of the
/// opponent's moves that led to them.
///
/// As long as the capacity is not exceeded, the particles are all possible boards with their exact
/// weights. After that they are resampled. Boards that are lost by resampling are recovered in
/// three ways. *Repair* exchanges one past move, if hardly any board explains an observation.
/// *Rejuvenation* regenerates the last moves or exchanges single ones, with Metropolis–Hastings
/// acceptance. Both lead only to boards that fit all observations, and preserve their probabilities
/// on average. If nothing is left, *perturbation* moves a piece on earlier boards, so that at least
/// the last observation is explained.
///
/// ```
/// use krieg_belief::{Belief, Densities, ParticleFilter, RecapturePolicy, WeightedBelief};
/// use krieg_core::{Color, Game, Observer, Piece, Setup, Square};
///
/// let setup = Setup::default();
/// let model = RecapturePolicy::default();
/// let mut belief =
///     ParticleFilter::new(&setup, Color::White, 1_000, model, Densities::default(), 1);
/// let mut game = Game::new(setup);
/// let mut white = Observer::new(Color::White);
/// for tried in ["e2e4", "d7d5", "e4d5", "d8d5"] {
///     game.judge(tried.parse()?)?;
///     let entry = game.record().entries().last().unwrap();
///     if let Some(observation) = white.observe(entry) {
///         belief.observe(&observation)?;
///     }
/// }
/// // Only the queen could recapture on d5.
/// assert!(belief.is_complete());
/// assert_eq!(belief.marginals().probability(Piece::Queen, Square::D5), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ParticleFilter<M: OpponentPolicy = Box<dyn OpponentPolicy + Send>> {
    rules: ObservationModel,
    view: View,
    model: M,
    trajectories: TrajectoryStore,
    /// The player's present turn so far.
    own_turn: OwnTurn,
    /// The opponent's present turn so far.
    opponent_turn: OpponentTurn,
    /// What the opponent knew before the player's present turn.
    context: OpponentContext,
    particles: Vec<Particle>,
    /// The share of the penalty of their boards that the weights of the particles contain.
    penalty_share: f64,
    /// The likelihood of the last announcement in the opponent's turn, over all boards.
    turn_likelihood: f64,
    log_evidence: f64,
    previous: PreviousParticles,
    last_observation: LastObservation,
    /// Maximum number of particles.
    capacity: usize,
    /// Boards examined per particle of capacity and turn for repair and rejuvenation.
    rejuvenation: f64,
    /// Share of the weight that perturbed boards get if there are few others.
    defensive_share: f64,
    budget: TimeBudget,
    is_complete: bool,
    rng: Xoshiro256PlusPlus,
    buffer: ExpansionBuffer,
    stats: ParticleStats,
}

/// How many boards were recovered, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ParticleStats {
    /// Trajectories that were repaired to explain an observation.
    pub repaired: u64,
    /// Trajectories with regenerated last moves that were accepted.
    pub regenerated: u64,
    /// Trajectories with one exchanged move that were accepted.
    pub exchanged: u64,
    /// Turns after which perturbed boards were added because few others were left.
    pub perturbations: u64,
    /// Observations after which no board was left and all had to be perturbed.
    pub recoveries: u64,
}

/// Default boards examined per particle of capacity and turn for repair and rejuvenation.
const DEFAULT_REJUVENATION: f64 = 4.0;
/// Default share of the weight of perturbed boards. Half or twice this value predicted about
/// equally well.
const DEFAULT_DEFENSIVE_SHARE: f64 = 0.1;

impl<M: OpponentPolicy> ParticleFilter<M> {
    /// The belief of a player at the start of a game, with this maximum number of particles and
    /// this opponent model.
    #[must_use]
    pub fn new(
        setup: &Setup,
        player: Color,
        capacity: usize,
        model: M,
        densities: Densities,
        seed: u64,
    ) -> Self {
        let opening = setup.start.opening(&setup.ruleset, setup.draws);
        let own = setup.start.pieces(player);
        let board = OpponentBoard::of(&setup.start, !player);
        ParticleFilter {
            rules: ObservationModel::new(setup),
            view: View::new(setup.ruleset, own, &opening),
            model,
            trajectories: TrajectoryStore::new(board),
            own_turn: OwnTurn::new(own, setup.start.turn()),
            opponent_turn: OpponentTurn::after(&opening),
            context: OpponentContext::default(),
            particles: vec![Particle { node: 0, board, weight: 1.0 }],
            penalty_share: 0.0,
            turn_likelihood: 1.0,
            log_evidence: 0.0,
            previous: PreviousParticles::default(),
            last_observation: LastObservation::new(setup, player, densities),
            capacity: capacity.max(1),
            rejuvenation: DEFAULT_REJUVENATION,
            defensive_share: DEFAULT_DEFENSIVE_SHARE,
            budget: TimeBudget::default(),
            is_complete: true,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x9a57),
            buffer: ExpansionBuffer::default(),
            stats: ParticleStats::default(),
        }
    }

    /// Sets the boards examined per particle of capacity and turn for repair and rejuvenation; 0
    /// disables both.
    #[must_use]
    pub fn with_rejuvenation(mut self, boards_per_particle: f64) -> Self {
        self.rejuvenation = boards_per_particle;
        self
    }

    /// Sets the share of the weight, less than 1, that perturbed boards get if there are few
    /// others; 0 disables the defensive mixture.
    #[must_use]
    pub fn with_defensive_share(mut self, share: f64) -> Self {
        self.defensive_share = share;
        self
    }

    /// The logarithm of the probability of all announcements so far, by the opponent model: the
    /// evidence for the model. An announcement that no board explains counts as a thousandth.
    pub fn log_evidence(&self) -> f64 {
        self.log_evidence
    }

    /// Number of particles. Their boards are all different.
    pub fn len(&self) -> usize {
        self.particles.len()
    }

    /// Whether there are no particles.
    pub fn is_empty(&self) -> bool {
        self.particles.is_empty()
    }

    /// The opponent model, updated by all observations so far.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// Statistics of the recovery of boards.
    pub fn stats(&self) -> ParticleStats {
        self.stats
    }

    /// What the opponent knows on their turn.
    fn context_to_move(&self) -> OpponentContext {
        self.own_turn.opponent_context(&self.opponent_turn, self.context)
    }

    /// The opponent's last move in the trajectory of a particle, if it is known.
    fn last_move(&self, particle: &Particle) -> Option<BoardMove> {
        self.trajectories.node((self.trajectories.newest(), particle.node)).last_move()
    }
}

/// Draws particles by weight.
struct WeightedSampler {
    cumulative: Vec<f64>,
}

impl WeightedSampler {
    fn of(particles: &[Particle]) -> Self {
        let mut sum = 0.0;
        let add = |particle: &Particle| {
            sum += particle.weight;
            sum
        };
        WeightedSampler { cumulative: particles.iter().map(add).collect() }
    }

    /// The index of a particle. `at` is uniform in 0..1.
    fn draw(&self, at: f64) -> usize {
        let at = at * self.cumulative.last().copied().unwrap_or(0.0);
        let index = self.cumulative.partition_point(|sum| *sum <= at);
        index.min(self.cumulative.len().saturating_sub(1))
    }
}

impl<M: OpponentPolicy> Belief for ParticleFilter<M> {
    fn observe(&mut self, observation: &Observation) -> Result<(), Contradiction> {
        let announcement = &observation.announcement;
        let is_over = announcement.end.is_some();
        let is_informative = match (observation.tried, announcement.verdict) {
            _ if is_over || matches!(announcement.verdict, Verdict::Begun | Verdict::Ended) => {
                self.view.observe(observation);
                return Ok(());
            }
            (Some(tried), _) if announcement.by == self.view.player() => {
                self.observe_answer(tried, observation)
            }
            (_, Verdict::Moved) => {
                self.observe_opponent_move(observation);
                true
            }
            _ => {
                self.opponent_turn.observe(announcement);
                self.view.observe_announcement(announcement);
                false
            }
        };
        self.last_observation.observe(observation)?;
        let was_empty = self.particles.is_empty();
        // If a complete set of boards becomes empty, the announcements contradict the rules. The
        // game goes on nevertheless.
        self.is_complete &= !was_empty;
        if is_informative && !self.is_complete {
            self.recover_boards();
        }
        self.normalize();
        if was_empty { Err(Contradiction(*announcement)) } else { Ok(()) }
    }

    fn sample(&mut self, count: usize, rng: &mut dyn Rng) -> Vec<Position> {
        self.sample_with_last_moves(count, rng).into_iter().map(|(board, _)| board).collect()
    }

    fn set_deadline(&mut self, deadline: Option<Deadline>) -> bool {
        self.budget.set_deadline(deadline);
        true
    }

    fn board_count(&self) -> Option<usize> {
        Some(self.len())
    }

    fn marginals(&self) -> OpponentMap {
        OpponentMap::of(self.particles.iter().map(|particle| (particle.board, particle.weight)))
    }
}

impl<M: OpponentPolicy> WeightedBelief for ParticleFilter<M> {
    fn view(&self) -> &View {
        &self.view
    }

    fn weighted_boards(&self) -> Box<dyn Iterator<Item = (OpponentBoard, f64)> + '_> {
        Box::new(self.particles.iter().map(|particle| (particle.board, particle.weight)))
    }

    fn is_complete(&self) -> bool {
        self.is_complete
    }

    fn sample_with_last_moves(
        &self,
        count: usize,
        rng: &mut dyn Rng,
    ) -> Vec<(Position, Option<BoardMove>)> {
        let (own, to_move) = (self.view.pieces(), self.view.turn());
        let weighted = self.particles.iter().map(|particle| (particle, particle.weight));
        systematic_sample(weighted, count, rng, |particle| {
            let position = particle.board.position(own, to_move)?;
            Some((position, self.last_move(particle)))
        })
    }

    fn opponent_context(&self) -> OpponentContext {
        self.context
    }

    fn opponent_context_to_move(&self) -> Option<OpponentContext> {
        self.opponent_turn.is_silent().then(|| self.context_to_move())
    }

    fn destination_probabilities(&mut self) -> Option<[f64; Square::NUM]> {
        ParticleFilter::destination_probabilities(self)
    }

    fn opponent_mixture(&self) -> Option<&OpponentMixture> {
        self.model.mixture()
    }
}
