//! A belief of your own, used by `pimc`: `cargo run --example own_belief`.

use std::time::Instant;

use krieg_belief::{
    Belief, BoardSet, Contradiction, Deadline, Densities, LastObservation, OpponentMap,
};
use krieg_core::{Color, Observation, Position};
use krieg_players::pimc::{Pimc, PimcSettings};
use krieg_players::{
    BeliefKind, BeliefSettings, GameRunner, GameSettings, MakeBelief, PlayerKind, PlayerRegistry,
    SpecError,
};
use rand::Rng;

/// Every possible board while there are few, and boards that fit the last observation after that.
struct ExactThenSampled {
    exact: BoardSet,
    sampled: LastObservation,
}

impl Belief for ExactThenSampled {
    fn observe(&mut self, observation: &Observation) -> Result<(), Contradiction> {
        self.sampled.observe(observation)?;
        if self.exact.is_complete() { self.exact.observe(observation) } else { Ok(()) }
    }

    fn sample(&mut self, count: usize, rng: &mut dyn Rng) -> Vec<Position> {
        match self.exact.is_complete() {
            true => self.exact.sample(count, rng),
            false => self.sampled.sample(count, rng),
        }
    }

    fn set_deadline(&mut self, deadline: Option<Deadline>) -> bool {
        self.sampled.set_deadline(deadline)
    }

    fn marginals(&self) -> OpponentMap {
        match self.exact.is_complete() {
            true => self.exact.marginals(),
            false => self.sampled.marginals(),
        }
    }
}

const EXACT_THEN_SAMPLED: BeliefKind = BeliefKind {
    name: "exact-then-sampled",
    about: "every possible board while there are few, then boards that fit the last observation",
    uses_opponent_model: false,
    make: MakeBelief::Unweighted(|config| {
        let (setup, color) = (&config.seat.setup, config.seat.color);
        Box::new(ExactThenSampled {
            exact: BoardSet::new(setup, color, config.particles, config.seat.seed),
            sampled: LastObservation::new(setup, color, Densities::default()),
        })
    }),
};

/// `pimc` with that belief.
const PIMC_EXACT: PlayerKind = PlayerKind {
    name: "pimc-exact",
    about: "pimc that draws its boards from exact-then-sampled",
    parameters: Pimc::KIND.parameters,
    make: |settings| {
        let mut pimc = PimcSettings::from_parameters(settings)?;
        pimc.belief = BeliefSettings { belief: EXACT_THEN_SAMPLED, ..pimc.belief };
        let pimc = Pimc::new(pimc).map_err(SpecError::StartFailed)?;
        settings.with_movetime(settings.with_tablebases(pimc)?)
    },
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut registry = PlayerRegistry::default();
    registry.add(PIMC_EXACT)?;
    let spec = "pimc-exact(worlds=8,nodes=50,particles=2000,tablebases=no)";
    let (mut white, mut black) = (registry.parse(spec)?.make()?, registry.parse("random")?.make()?);
    let settings = GameSettings { draw_after: Some(15), ..GameSettings::default() };
    let start = Instant::now();
    let game = GameRunner::new(settings, 1).play([&mut *white, &mut *black]);
    let moves = game.umpire().view(Color::White).ply() / 2;
    println!("{moves} moves in {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}
