//! Predictions from the particles: where the opponent moves next.

use cozy_chess::Square;

use super::ParticleFilter;
use crate::{OpponentContext, OpponentPolicy};

impl<M: OpponentPolicy> ParticleFilter<M> {
    /// The probability that the opponent's next move goes to this square, at the start of their
    /// turn. `None` if no board is known or the opponent cannot move on any.
    pub fn destination_probability(&mut self, square: Square) -> Option<f64> {
        self.destination_probabilities().map(|probabilities| probabilities[square as usize])
    }

    /// The same for every square. Castling counts for the square of the rook.
    pub fn destination_probabilities(&mut self) -> Option<[f64; Square::NUM]> {
        let (own, to_move) = (self.view.pieces(), self.view.turn());
        let context = self.context_to_move();
        let (mut probabilities, mut total) = ([0.0; Square::NUM], 0.0);
        let (mut moves, mut weights) = (Vec::new(), Vec::new());
        for particle in &self.particles {
            let Some(position) = particle.board.position(own, to_move) else { continue };
            moves.clear();
            weights.clear();
            position.board().generate_moves(|piece_moves| {
                moves.extend(piece_moves);
                false
            });
            let context = OpponentContext { last_move: self.last_move(particle), ..context };
            self.model.weigh_moves(&position, &context, &moves, &mut weights);
            let sum: f64 = weights.iter().sum();
            // A board on which the opponent cannot move is impossible: the game goes on.
            if sum <= 0.0 {
                continue;
            }
            for (mv, weight) in moves.iter().zip(&weights) {
                probabilities[mv.to as usize] += particle.weight * weight / sum;
            }
            total += particle.weight;
        }
        (total > 0.0).then(|| probabilities.map(|probability| probability / total))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Belief, Calibration, Densities, RecapturePolicy, UniformPolicy, WeightedBelief};
    use krieg_core::{Color, Game, Observer, Setup, Try, Verdict};
    use krieg_testing::random_game;

    /// White's belief after these moves.
    fn belief_after<M: OpponentPolicy>(model: M, moves: &[&str]) -> ParticleFilter<M> {
        let setup = Setup::default();
        let mut game = Game::new(setup.clone());
        let mut belief =
            ParticleFilter::new(&setup, Color::White, 5_000, model, Densities::default(), 1);
        let mut observer = Observer::new(Color::White);
        for mv in moves {
            game.judge(mv.parse().unwrap()).unwrap();
            let observation = observer.observe(game.record().entries().last().unwrap());
            observation.iter().for_each(|observation| belief.observe(observation).unwrap());
        }
        belief
    }

    #[test]
    fn a_pawn_step_is_legal_where_no_piece_blocks_it() {
        // Black has made one of 20 moves. d7-d5 and f7-f5 would have given White a pawn try. Of the
        // other 18, only e7-e5 blocks White's pawn.
        let belief = belief_after(UniformPolicy, &["e2e4", "e7e5"]);
        let legal = belief.legal_probability("e4e5".parse().unwrap()).unwrap();
        assert!((legal - 17.0 / 18.0).abs() < 1e-9, "{legal}");
        assert_eq!(belief.legal_probability("e4e6".parse().unwrap()), Some(0.0));
    }

    #[test]
    fn a_recapture_is_predicted_by_the_recapture_policy() {
        let moves = ["e2e4", "d7d5", "e4d5"];
        let [uniform, recapture] = [
            belief_after(UniformPolicy, &moves).destination_probability(Square::D5).unwrap(),
            belief_after(RecapturePolicy::default(), &moves)
                .destination_probability(Square::D5)
                .unwrap(),
        ];
        // Only the queen can recapture: one move of about thirty.
        assert!((0.02..0.05).contains(&uniform), "{uniform}");
        assert!((0.4..0.6).contains(&recapture), "{recapture}");
    }

    #[test]
    fn exact_beliefs_are_calibrated() {
        // The players move at random, as the model says, and the capacity suffices for every board.
        let mut legal = Calibration::default();
        let mut destination = Calibration::default();
        for seed in 0..150 {
            let record = random_game(Setup::default(), seed, 8).into_record();
            let setup = record.setup().clone();
            let mut belief = ParticleFilter::new(
                &setup,
                Color::White,
                50_000,
                UniformPolicy,
                Densities::default(),
                seed,
            );
            let (mut observer, mut game) = (Observer::new(Color::White), Game::new(setup));
            let mut predicted = None;
            for entry in record.entries() {
                let is_own = entry.announcement.by == Color::White;
                let is_sensible = game.umpire().view(Color::White).is_sensible(entry.tried);
                let is_accepted = entry.announcement.verdict == Verdict::Moved;
                if let (Try::Move(mv), true) = (entry.tried, is_own && is_sensible) {
                    legal.add(belief.legal_probability(mv).unwrap(), is_accepted);
                }
                if let (Try::Move(mv), false, true) = (entry.tried, is_own, is_accepted)
                    && let Some((square, probability)) = predicted.take()
                {
                    destination.add(probability, mv.to == square);
                }
                game.judge(entry.tried).unwrap();
                if let Some(observation) = observer.observe(entry) {
                    belief.observe(&observation).unwrap();
                }
                if let (Try::Move(mv), true) = (entry.tried, is_own && is_accepted) {
                    let probability = belief.destination_probability(mv.to);
                    predicted = probability.map(|probability| (mv.to, probability));
                }
            }
            assert!(belief.is_complete());
        }
        assert!(legal.total().cases > 500 && destination.total().cases > 300);
        assert!(legal.max_difference(60).unwrap() < 0.1, "{legal:?}");
        assert!(destination.max_difference(100).unwrap() < 0.05, "{destination:?}");
    }
}
