//! What the boards foretell: whether an own move will be accepted, and where the opponent goes next.

use cozy_chess::Square;

use super::ParticleFilter;
use crate::OpponentPolicy;

impl<M: OpponentPolicy> ParticleFilter<M> {
    /// How likely the opponent's next move goes to this square, as it is his turn and he has tried nothing yet; nothing, if no board is known or he
    /// cannot move.
    pub fn destination_probability(&mut self, square: Square) -> Option<f64> {
        self.destination_probabilities().map(|chances| chances[square as usize])
    }

    /// The same for every square; castling goes to the rook's corner.
    pub fn destination_probabilities(&mut self) -> Option<[f64; Square::NUM]> {
        let (men, turn) = (self.view.pieces(), self.view.turn());
        let situation = self.situation();
        let (mut landing, mut all) = ([0.0; Square::NUM], 0.0);
        let (mut moves, mut chances) = (Vec::new(), Vec::new());
        for living in &self.living {
            let Some(board) = living.board.position(men, turn) else { continue };
            moves.clear();
            chances.clear();
            board.board().generate_moves(|of_one_man| {
                moves.extend(of_one_man);
                false
            });
            let last = self.history.step((self.history.now(), living.step)).last();
            let situation = crate::OpponentContext { last_move: last, ..situation };
            self.model.weigh_moves(&board, &situation, &moves, &mut chances);
            let sum: f64 = chances.iter().sum();
            // A board on which he cannot move was ruled out, since the game went on.
            if sum <= 0.0 {
                continue;
            }
            for (mv, chance) in moves.iter().zip(&chances) {
                landing[mv.to as usize] += living.weight * chance / sum;
            }
            all += living.weight;
        }
        (all > 0.0).then(|| landing.map(|chance| chance / all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Belief, Calibration, Densities, RecapturePolicy, UniformPolicy, WeightedBelief};
    use krieg_core::{Color, Game, Observer, Setup, Try, Verdict};
    use krieg_testing::random_game;

    /// White's beliefs after these moves of both.
    fn after<M: OpponentPolicy>(model: M, moves: &[&str]) -> ParticleFilter<M> {
        let setup = Setup::default();
        let mut game = Game::new(setup.clone());
        let mut white =
            ParticleFilter::new(&setup, Color::White, 5_000, model, Densities::default(), 1);
        let mut ear = Observer::new(Color::White);
        for mv in moves {
            game.judge(mv.parse().unwrap()).unwrap();
            let line = ear.observe(game.record().entries().last().unwrap());
            line.iter().for_each(|line| white.observe(line).unwrap());
        }
        white
    }

    #[test]
    fn a_pawn_can_step_on_wherever_nobody_has_come_to_stand() {
        // Black has made one of 20 moves. One of them, e7-e5, stops White's pawn; but that one is not told apart from 17 others
        // that give White no pawn try: d7-d5 and f7-f5 would have.
        let white = after(UniformPolicy, &["e2e4", "e7e5"]);
        let chance = white.legal_probability("e4e5".parse().unwrap()).unwrap();
        assert!((chance - 17.0 / 18.0).abs() < 1e-9, "{chance}");
        assert_eq!(white.legal_probability("e4e6".parse().unwrap()), Some(0.0));
    }

    #[test]
    fn whoever_takes_back_is_expected_to() {
        let moves = ["e2e4", "d7d5", "e4d5"];
        let [any, back] = [
            after(UniformPolicy, &moves).destination_probability(Square::D5).unwrap(),
            after(RecapturePolicy::default(), &moves).destination_probability(Square::D5).unwrap(),
        ];
        // Only the queen can: one move of some thirty.
        assert!((0.02..0.05).contains(&any), "{any}");
        assert!((0.4..0.6).contains(&back), "{back}");
    }

    #[test]
    fn beliefs_that_are_right_are_calibrated() {
        // Players who draw from a hat are as the model has it, and there is room for every board.
        let mut legal = Calibration::default();
        let mut takes_back = Calibration::default();
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
            let (mut ear, mut game) = (Observer::new(Color::White), Game::new(setup));
            let mut expected = None;
            for entry in record.entries() {
                let own = entry.announcement.by == Color::White;
                let is_sensible = game.umpire().view(Color::White).is_sensible(entry.tried);
                let stood = entry.announcement.verdict == Verdict::Moved;
                if let (Try::Move(mv), true) = (entry.tried, own && is_sensible) {
                    legal.add(belief.legal_probability(mv).unwrap(), stood);
                }
                if let (Try::Move(mv), false, true) = (entry.tried, own, stood)
                    && let Some((square, chance)) = expected.take()
                {
                    takes_back.add(chance, mv.to == square);
                }
                game.judge(entry.tried).unwrap();
                if let Some(line) = ear.observe(entry) {
                    belief.observe(&line).unwrap();
                }
                if let (Try::Move(mv), true) = (entry.tried, own && stood) {
                    expected = belief.destination_probability(mv.to).map(|chance| (mv.to, chance));
                }
            }
            assert!(belief.is_complete());
        }
        assert!(legal.total().cases > 500 && takes_back.total().cases > 300);
        assert!(legal.max_difference(60).unwrap() < 0.1, "{legal:?}");
        assert!(takes_back.max_difference(100).unwrap() < 0.05, "{takes_back:?}");
    }
}
