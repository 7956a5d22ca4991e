//! The policy of the learned network as a part of the prior at the root of the search.
//!
//! The network ([`krieg_net`]) is asked once before each own try, as in its training. Its policy is
//! mixed with the heuristic prior, so that a try is considered early if either of them finds it
//! probable.

use std::sync::Arc;

use krieg_core::{Move, Observation, Try, View};
use krieg_net::{Encoder, Evaluation, Network, Workspace};

use super::search::Edge;
use crate::Seat;

/// The settings of the learned prior.
#[derive(Debug, Clone)]
pub struct LearnedPriorSettings {
    /// The share of the network's policy in the prior, from 0 to 1.
    pub share: f32,
    /// Number of tries that sequential halving compares because the network prefers them. At most
    /// 8 tries are compared.
    pub candidates: usize,
    /// The network.
    pub network: Arc<Network>,
}

/// The network's memory of one game.
pub(super) struct LearnedPrior {
    settings: LearnedPriorSettings,
    encoder: Encoder,
    workspace: Workspace,
    /// The output of the network for the present state; `None` if it was not yet computed.
    evaluation: Option<Box<Evaluation>>,
}

/// The probabilities of the sensible tries but "any?". Their sum is 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LearnedPolicy {
    /// The share of this policy in the prior.
    pub share: f32,
    /// Number of tries that sequential halving compares because this policy prefers them.
    pub candidates: usize,
    pub moves: Vec<(Move, f32)>,
}

impl LearnedPrior {
    /// The memory at the start of a game.
    pub fn new(settings: LearnedPriorSettings, seat: &Seat) -> Self {
        LearnedPrior {
            settings,
            encoder: Encoder::new(seat.color, &seat.setup),
            workspace: Workspace::default(),
            evaluation: None,
        }
    }

    /// Follows an observation. `is_my_turn` says whether the player was to move before it.
    pub fn observe(&mut self, observation: &Observation, is_my_turn: bool) {
        // The memory must be the same for tries that were made without a search, such as "any?".
        if observation.tried.is_some() && is_my_turn {
            self.evaluate();
        }
        self.encoder.observe(observation);
        self.evaluation = None;
    }

    /// The policy for the player's present try; `None` if the network would only ask "any?".
    pub fn policy(&mut self, view: &View) -> Option<LearnedPolicy> {
        let policy = self.evaluate().policy(view, 1.0).into_iter();
        let mut moves: Vec<(Move, f32)> = policy
            .filter_map(|(tried, probability)| match tried {
                Try::Move(mv) => Some((mv, probability)),
                Try::Any => None,
            })
            .collect();
        let sum: f32 = moves.iter().map(|(_, probability)| probability).sum();
        moves.iter_mut().for_each(|(_, probability)| *probability /= sum);
        let LearnedPriorSettings { share, candidates, .. } = self.settings;
        (sum > 0.0).then_some(LearnedPolicy { share, candidates, moves })
    }

    /// The output of the network, which is computed once before each own try.
    fn evaluate(&mut self) -> &Evaluation {
        let LearnedPrior { settings, encoder, workspace, evaluation } = self;
        evaluation.get_or_insert_with(|| {
            let evaluation = settings.network.evaluate(&encoder.encode(None), workspace);
            encoder.remember(&evaluation.belief);
            evaluation
        })
    }
}

impl LearnedPolicy {
    /// The probability of a try; 0 if it is not sensible.
    pub fn probability(&self, mv: Move) -> f32 {
        let known = self.moves.iter().find(|(known, _)| *known == mv);
        known.map_or(0.0, |(_, probability)| *probability)
    }

    /// The indices of the edges that sequential halving must compare, the most probable first.
    pub fn candidates(&self, edges: &[Edge]) -> Vec<usize> {
        let mut ranked: Vec<(usize, f32)> =
            edges.iter().map(|edge| self.probability(edge.mv)).enumerate().collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked.into_iter().map(|(number, _)| number).take(self.candidates).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use krieg_core::{Color, Game, Observer, Position, Ruleset, Setup};
    use krieg_testing::{TEST_POSITIONS, random_network_file};
    use krieg_time::{Clock, TimeControl};

    use crate::marshal::{Marshal, MarshalSettings};
    use crate::{GameRunner, GameSettings, Greedy, Player, PlayerSpec};

    fn prior_settings(share: f32) -> LearnedPriorSettings {
        let network = Arc::new(Network::read(&random_network_file(1, 16, 1, 1)).unwrap());
        LearnedPriorSettings { share, candidates: 0, network }
    }

    fn marshal(learned_prior: Option<LearnedPriorSettings>) -> Marshal {
        let settings = MarshalSettings {
            learned_prior,
            simulations: 60,
            particles: 60,
            ..MarshalSettings::default()
        };
        Marshal::new(settings)
    }

    fn game_settings(ruleset: Ruleset, fen: &str, draw_after: u32) -> GameSettings {
        let setup = Setup { ruleset, start: Position::from_fen(fen).unwrap(), ..Setup::default() };
        GameSettings { setup, draw_after: Some(draw_after), ..GameSettings::default() }
    }

    /// The tries of a game against `greedy`, which must not end by a forfeit.
    fn tries(white: &mut Marshal, settings: GameSettings, seed: u64) -> Vec<String> {
        let game = GameRunner::new(settings, seed).play([white, &mut Greedy::new()]);
        assert_eq!(game.record().tags().get(GameRunner::FORFEIT), None);
        game.record().entries().iter().map(|entry| entry.tried.to_string()).collect()
    }

    #[test]
    fn the_prior_sums_to_one_over_the_sensible_tries() {
        for ruleset in Ruleset::ALL {
            for share in [0.0, 0.5, 1.0] {
                let setup = Setup { ruleset, ..Setup::default() };
                let settings = GameSettings { setup, ..GameSettings::default() };
                let seat = Seat::new(Color::White, &settings, 1);
                let mut player = marshal(Some(prior_settings(share)));
                player.begin(&seat).unwrap();
                let mut game = Game::new(settings.setup.clone());
                let mut observer = Observer::new(Color::White);
                let mut play = |player: &mut Marshal, tried: &str| {
                    game.judge(tried.parse().unwrap()).unwrap();
                    let observation = observer.observe(game.record().entries().last().unwrap());
                    observation.iter().for_each(|seen| player.observe(seen).unwrap());
                    game.umpire().view(Color::White).clone()
                };
                play(&mut player, "e2e4");
                let mut view = play(&mut player, "d7d5");
                if view.can_ask_any() {
                    view = play(&mut player, "any?");
                }
                // Tries are sensible or not depending on the answer.
                player.choose(&view, &Clock::new(TimeControl::Unlimited)).unwrap();
                let edges = player.edges();
                let mut moves: Vec<String> = edges.iter().map(|edge| edge.mv.to_string()).collect();
                let mut expected: Vec<String> =
                    view.tries().iter().map(|mv| mv.to_string()).collect();
                moves.sort();
                expected.sort();
                assert_eq!(moves, expected, "{ruleset}");
                let sum: f32 = edges.iter().map(|edge| edge.prior).sum();
                assert!((sum - 1.0).abs() < 1e-5, "{ruleset}, {share}: {sum}");
            }
        }
    }

    #[test]
    fn the_prior_is_the_mixture_of_both() {
        let seat = Seat::new(Color::White, &GameSettings::default(), 1);
        let [heuristic, learned, mixed] = [0.0, 1.0, 0.25].map(|share| {
            let mut player = marshal(Some(prior_settings(share)));
            player.begin(&seat).unwrap();
            player.choose(&seat.view(), &Clock::new(TimeControl::Unlimited)).unwrap();
            let mut priors: Vec<(String, f32)> =
                player.edges().iter().map(|edge| (edge.mv.to_string(), edge.prior)).collect();
            priors.sort_by(|a, b| a.0.cmp(&b.0));
            priors
        });
        let policy = LearnedPrior::new(prior_settings(1.0), &seat).policy(&seat.view()).unwrap();
        for number in 0..20 {
            let (mv, prior) = &learned[number];
            assert_eq!(*prior, policy.probability(mv.parse().unwrap()), "{mv}");
            let expected = 0.75 * heuristic[number].1 + 0.25 * prior;
            assert!((mixed[number].1 - expected).abs() < 1e-6, "{mv}");
        }
        assert!((0..20).any(|number| (heuristic[number].1 - learned[number].1).abs() > 0.01));
    }

    #[test]
    fn without_a_share_the_games_are_the_same_as_without_the_network() {
        let is_off = |settings: &MarshalSettings| settings.learned_prior.is_none();
        assert!(is_off(&MarshalSettings::default()));
        let start = TEST_POSITIONS[0];
        for ruleset in [Ruleset::ICC, Ruleset::ENGLISH] {
            let play = |prior| tries(&mut marshal(prior), game_settings(ruleset, start, 12), 7);
            let off = play(None);
            assert_eq!(play(Some(prior_settings(0.0))), off, "{ruleset}");
            assert_ne!(play(Some(prior_settings(1.0))), off, "{ruleset}");
        }
    }

    #[test]
    fn tries_are_sensible_and_the_same_for_a_seed_with_a_new_or_used_player() {
        let new = || marshal(Some(LearnedPriorSettings { candidates: 4, ..prior_settings(0.5) }));
        let mut used = new();
        for ruleset in Ruleset::ALL {
            for (seed, fen) in (0..).zip(TEST_POSITIONS) {
                let settings = game_settings(ruleset, fen, 12);
                let first = tries(&mut new(), settings.clone(), seed);
                assert_eq!(tries(&mut used, settings, seed), first, "{ruleset}, {fen}");
            }
        }
    }

    #[test]
    fn the_memory_is_the_same_if_another_player_chooses_the_tries() {
        let settings = GameSettings { draw_after: Some(20), ..GameSettings::default() };
        let runner = GameRunner::new(settings.clone(), 3);
        let game = runner.play([&mut Greedy::new(), &mut Greedy::new()]);
        let seat = Seat::new(Color::White, &settings, 3);
        let [mut asked, mut silent] = [0, 1].map(|_| LearnedPrior::new(prior_settings(0.5), &seat));
        let mut view = seat.view();
        let mut own_tries = 0;
        for observation in &game.record().transcript(Color::White).observations {
            if view.is_my_turn() {
                own_tries += 1;
                asked.policy(&view);
            }
            for prior in [&mut asked, &mut silent] {
                prior.observe(observation, view.is_my_turn());
            }
            view.observe(observation);
        }
        assert!(own_tries >= 20);
        assert_eq!(asked.encoder.encode(None), silent.encoder.encode(None));
    }

    #[test]
    fn the_most_probable_tries_are_the_candidates() {
        let edge = |text: &str| Edge::new(text.parse().unwrap(), 0.1);
        let edges = ["a2a3", "e2e4", "h2h3", "d2d4"].map(edge);
        let probable = [(edges[3].mv, 0.6), (edges[0].mv, 0.3), (edges[1].mv, 0.1)];
        let policy =
            |candidates| LearnedPolicy { share: 0.5, candidates, moves: probable.to_vec() };
        assert_eq!(policy(2).candidates(&edges), [3, 0]);
        assert_eq!(policy(8).candidates(&edges), [3, 0, 1, 2]);
        assert!(policy(0).candidates(&edges).is_empty());
    }

    #[test]
    fn invalid_parameters_are_rejected() {
        for (parameters, reason) in [
            ("prior=none", "choose one of heuristic, learned"),
            ("prior_share=1.5", "from 0 to 1"),
            ("prior=learned,network=missing.net", "give the path of a file"),
        ] {
            let spec: PlayerSpec = format!("marshal({parameters})").parse().unwrap();
            let Err(error) = spec.make() else { panic!("{parameters} is invalid") };
            assert!(error.to_string().contains(reason), "{error}");
        }
        assert!("marshal(prior=learned)".parse::<PlayerSpec>().unwrap().make().is_ok());
    }
}
