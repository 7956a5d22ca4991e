//! The training of an opponent mixture from recorded games: players who play alike are merged into
//! one type, and the general type is fitted to all players.

use std::collections::BTreeMap;

use krieg_belief::opponent::decision::Decision;
use krieg_belief::opponent::feature_groups::MOVE_FEATURES;
use krieg_belief::opponent::hidden_layer::HiddenLayer;
use krieg_belief::opponent::{
    GENERAL_TYPE, MAX_OPPONENT_TYPES, OpponentMixture, OpponentMixtureError, OpponentType,
};
use krieg_belief::{OpponentPolicy, RecapturePolicy, UniformPolicy};
use krieg_core::{Color, Record, color_name};

use super::decision_set::DecisionSet;
use super::joint::JointTraining;
use super::logit::LogitTraining;

/// The settings of the training.
#[derive(Debug, Clone)]
pub struct OpponentTraining {
    /// The first stage: each type by itself.
    pub logit: LogitTraining,
    /// The second stage: all types together.
    pub joint: JointTraining,
    /// Maximum number of decisions per type.
    pub max_decisions: usize,
    /// Minimum number of decisions of a player who gets a type.
    pub min_decisions: usize,
    /// Players who are excluded from the training, by their names with or without parameters: with
    /// them one can measure how well an unknown opponent is predicted.
    pub excluded_players: Vec<String>,
}

impl Default for OpponentTraining {
    fn default() -> Self {
        OpponentTraining {
            logit: LogitTraining::default(),
            joint: JointTraining::default(),
            max_decisions: 120_000,
            min_decisions: 5_000,
            excluded_players: Vec::new(),
        }
    }
}

/// A trained mixture, and how well it predicts the games of the validation set.
#[derive(Debug, Clone)]
pub struct TrainedOpponents {
    /// The mixture. The prior of a type grows with the nats by which it explains the moves of its
    /// players: a wrong guess is harmless against random players, and costly against others.
    pub mixture: OpponentMixture,
    /// The predictions of every player's moves, including excluded players.
    pub players: Vec<PlayerPrediction>,
}

/// The mean log-likelihood of a player's moves in the validation set, in nats, by several models.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerPrediction {
    /// The name of the player.
    pub name: String,
    /// The index of the type of the player, if the player has one.
    pub opponent_type: Option<usize>,
    /// Number of decisions in the training set and in the validation set.
    pub decisions: [usize; 2],
    /// By [`UniformPolicy`].
    pub uniform: f64,
    /// By [`RecapturePolicy`].
    pub recapture: f64,
    /// By each type.
    pub by_type: Vec<f64>,
    /// By the mixture, which updates its posterior during the game.
    pub by_mixture: f64,
}

/// One game in this number is in the validation set.
const VALIDATION_ONE_IN: u32 = 10;
/// Maximum number of sides of games per player in the validation set.
const MAX_VALIDATION_SIDES: usize = 60;
/// Minimum prior weight of a type, in nats: every type is possible.
const MIN_EXPLAINED: f64 = 0.05;

/// The moves of players without a plan are explained by fewer nats than this: by 0.26 those of
/// `semi-random` and by 0.36 those of `greedy`, but by 0.75 and more those of players who search.
/// Their pieces stand undefended as often as in a sampled game.
const MIN_EXPLAINED_OF_PLANS: f32 = 0.5;

/// The decisions of one player.
struct Player {
    name: String,
    decisions: Vec<Decision>,
    /// The player's sides of games in the validation set.
    validation_sides: Vec<Vec<Decision>>,
    validation: DecisionSet,
}

impl Player {
    /// The name without parameters.
    fn short_name(&self) -> &str {
        self.name.split('(').next().unwrap_or(&self.name)
    }

    fn is_one_of(&self, names: &[String]) -> bool {
        names.iter().any(|name| *name == self.name || name == self.short_name())
    }
}

/// A type, with the indices of its players.
struct Group {
    members: Vec<usize>,
    opponent_type: OpponentType,
}

impl OpponentTraining {
    /// Trains on these games, whose players have names. `progress` is called with the number of
    /// fits and epochs that are done, and their total number.
    pub fn train(
        &self,
        records: &[Record],
        mut progress: impl FnMut(usize, usize),
    ) -> Result<TrainedOpponents, OpponentMixtureError> {
        let players = players(records);
        let is_unknown = |name: &&String| !players.iter().any(|p| p.is_one_of(&[(*name).clone()]));
        if let Some(name) = self.excluded_players.iter().find(is_unknown) {
            return Err(OpponentMixtureError::UnknownType(krieg_core::excerpt(name)));
        }
        let is_included = |index: &usize| !players[*index].is_one_of(&self.excluded_players);
        let included: Vec<usize> = (0..players.len()).filter(is_included).collect();
        let has_enough = |index: &usize| players[*index].decisions.len() >= self.min_decisions;
        let with_type: Vec<usize> = included.iter().copied().filter(has_enough).collect();
        if included.iter().all(|index| players[*index].decisions.is_empty()) {
            return Err(OpponentMixtureError::TypeCount(0));
        }
        let merges = with_type.len().saturating_sub(MAX_OPPONENT_TYPES - 1);
        let (mut done, total) = (0, 1 + with_type.len() + merges + self.joint.epochs);
        let mut advance = || {
            done += 1;
            progress(done, total);
        };
        let mut fit = |members: Vec<usize>| {
            let feature_weights = self.logit.fit(&self.training_set(&players, &members));
            advance();
            Group {
                members,
                opponent_type: OpponentType { feature_weights, ..OpponentType::new("") },
            }
        };
        let mut groups: Vec<Group> = with_type.iter().map(|index| fit(vec![*index])).collect();
        for _ in 0..merges {
            let Some((first, second)) = most_similar(&players, &groups) else { break };
            let members = [groups[first].members.clone(), groups.remove(second).members].concat();
            groups[first] = fit(members);
        }
        groups.push(fit(included));
        assign_names(&players, &mut groups);
        let general = groups.len() - 1;
        // If no player has enough decisions, the general type is trained on all of them.
        let trained = if general == 0 { &groups[..] } else { &groups[..general] };
        let decisions: Vec<DecisionSet> =
            trained.iter().map(|group| self.training_set(&players, &group.members)).collect();
        let mut types: Vec<OpponentType> =
            groups.iter().map(|group| group.opponent_type.clone()).collect();
        let validate = |types: &[OpponentType], hidden_layer: &HiddenLayer| {
            let each = trained.iter().zip(types);
            each.map(|(group, one)| log_likelihood_of(&players, &group.members, one, hidden_layer))
                .sum()
        };
        let hidden_layer = self.joint.fit(&mut types, &decisions, validate, advance);
        for (group, opponent_type) in groups.iter().zip(&mut types) {
            let nats = explained(&players, &group.members, opponent_type, &hidden_layer);
            opponent_type.prior = nats;
            let has_plan = nats >= MIN_EXPLAINED_OF_PLANS || opponent_type.name == GENERAL_TYPE;
            opponent_type.penalty_share = if has_plan { 1.0 } else { 0.0 };
        }
        let mixture = OpponentMixture::new(&types, hidden_layer.clone())?;
        let players = players.iter().enumerate().map(|(index, player)| {
            let opponent_type =
                groups[..general].iter().position(|group| group.members.contains(&index));
            predict(player, opponent_type, &types, &hidden_layer, &mixture)
        });
        Ok(TrainedOpponents { players: players.collect(), mixture })
    }

    /// The training set of these players: the same number of decisions of each, as far as they have
    /// so many.
    fn training_set(&self, players: &[Player], members: &[usize]) -> DecisionSet {
        let share = (self.max_decisions / members.len().max(1)).max(1);
        DecisionSet::new(members.iter().flat_map(|index| {
            let decisions = &players[*index].decisions;
            let count = decisions.len().min(share);
            (0..count).map(move |number| &decisions[number * decisions.len() / count])
        }))
    }
}

/// The players of these games with their decisions.
fn players(records: &[Record]) -> Vec<Player> {
    let mut by_name: BTreeMap<&str, (Vec<Decision>, Vec<Vec<Decision>>)> = BTreeMap::new();
    for (number, record) in records.iter().enumerate() {
        let mut sides = [Vec::new(), Vec::new()];
        Decision::for_each(record, |color, decision| sides[color as usize].push(decision));
        for (color, side) in Color::ALL.into_iter().zip(sides) {
            let name = record.tags().get(color_name(color)).map_or("?", String::as_str);
            let (decisions, validation_sides) = by_name.entry(name).or_default();
            if is_in_validation_set(number) {
                validation_sides.push(side);
            } else {
                decisions.extend(side);
            }
        }
    }
    let player = |(name, (decisions, mut sides)): (&str, (_, Vec<Vec<Decision>>))| {
        // Evenly spread over the games, because a match plays one pairing after the other.
        let count = sides.len().min(MAX_VALIDATION_SIDES);
        let chosen: Vec<usize> = (0..count).map(|number| number * sides.len() / count).collect();
        let validation_sides: Vec<_> =
            chosen.into_iter().map(|index| std::mem::take(&mut sides[index])).collect();
        let validation = DecisionSet::new(validation_sides.iter().flatten());
        Player { name: name.to_string(), decisions, validation_sides, validation }
    };
    by_name.into_iter().map(player).collect()
}

/// Whether the game with this number is in the validation set. A hash decides, because in a match
/// every tenth game may be of the same pairing.
fn is_in_validation_set(number: usize) -> bool {
    (number as u32).wrapping_mul(0x9e37_79b9) < u32::MAX / VALIDATION_ONE_IN
}

/// The mean over players of the validation log-likelihood by a conditional logit.
fn log_likelihood(
    players: &[Player],
    members: &[usize],
    feature_weights: &[f32; MOVE_FEATURES],
) -> f64 {
    let each =
        members.iter().map(|index| players[*index].validation.log_likelihood(feature_weights));
    each.sum::<f64>() / members.len().max(1) as f64
}

/// The mean over players of the validation log-likelihood by a type with this hidden layer.
fn log_likelihood_of(
    players: &[Player],
    members: &[usize],
    opponent_type: &OpponentType,
    hidden_layer: &HiddenLayer,
) -> f64 {
    let each = members
        .iter()
        .map(|index| players[*index].validation.log_likelihood_of(opponent_type, hidden_layer));
    each.sum::<f64>() / members.len().max(1) as f64
}

/// The nats per move by which a type predicts its players better than the uniform policy.
fn explained(
    players: &[Player],
    members: &[usize],
    opponent_type: &OpponentType,
    hidden_layer: &HiddenLayer,
) -> f32 {
    let uniform = log_likelihood(players, members, &[0.0; MOVE_FEATURES]);
    let by_type = log_likelihood_of(players, members, opponent_type, hidden_layer);
    (by_type - uniform).max(MIN_EXPLAINED) as f32
}

/// The two groups that lose the least log-likelihood if each is predicted by the other's type.
fn most_similar(players: &[Player], groups: &[Group]) -> Option<(usize, usize)> {
    let predicted = |by: &Group, of: &Group| {
        log_likelihood(players, &of.members, &by.opponent_type.feature_weights)
    };
    let table: Vec<Vec<f64>> =
        groups.iter().map(|by| groups.iter().map(|of| predicted(by, of)).collect()).collect();
    let loss =
        |(a, b): &(usize, usize)| table[*a][*a] - table[*b][*a] + table[*b][*b] - table[*a][*b];
    let pairs = (0..groups.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    pairs.min_by(|one, other| loss(one).total_cmp(&loss(other)))
}

/// Names the types after their players, without parameters. Equal names get numbers.
fn assign_names(players: &[Player], groups: &mut [Group]) {
    let mut taken: Vec<String> = Vec::new();
    let general = groups.len() - 1;
    // A player whose full name has no parameters comes first, and so gets the name without a
    // number.
    let is_plain =
        |group: &Group| group.members.iter().any(|index| !players[*index].name.contains('('));
    let mut order: Vec<usize> = (0..general).collect();
    order.sort_by_key(|index| !is_plain(&groups[*index]));
    groups[general].opponent_type.name = GENERAL_TYPE.to_string();
    for index in order {
        let mut names: Vec<&str> =
            groups[index].members.iter().map(|member| players[*member].short_name()).collect();
        names.dedup();
        // A tag may contain anything; a name in the file has no spaces and no comment sign.
        let joined: String = names.join("+").split_whitespace().collect();
        let mut name = joined.replace('#', "");
        for number in 2.. {
            if !name.is_empty() && name != GENERAL_TYPE && !taken.contains(&name) {
                break;
            }
            name = format!("{joined}-{number}");
        }
        taken.push(name.clone());
        groups[index].opponent_type.name = name;
    }
}

fn predict(
    player: &Player,
    opponent_type: Option<usize>,
    types: &[OpponentType],
    hidden_layer: &HiddenLayer,
    mixture: &OpponentMixture,
) -> PlayerPrediction {
    let by_type = |one: &OpponentType| player.validation.log_likelihood_of(one, hidden_layer);
    let sides = &player.validation_sides;
    PlayerPrediction {
        name: player.name.clone(),
        opponent_type,
        decisions: [player.decisions.len(), player.validation.len()],
        uniform: log_likelihood_by(sides, || UniformPolicy),
        recapture: log_likelihood_by(sides, RecapturePolicy::default),
        by_type: types.iter().map(by_type).collect(),
        by_mixture: log_likelihood_by(sides, || mixture.clone()),
    }
}

/// The mean log-likelihood of the chosen moves by a model that starts anew in each game and
/// observes every move.
fn log_likelihood_by<M: OpponentPolicy>(
    sides: &[Vec<Decision>],
    mut new_model: impl FnMut() -> M,
) -> f64 {
    let (mut sum, mut weights) = (0.0, Vec::new());
    for side in sides {
        let mut model = new_model();
        for decision in side {
            let (moves, chosen) = decision.moves();
            weights.clear();
            model.weigh_moves(&decision.position, &decision.context, &moves, &mut weights);
            sum += (weights[chosen] / weights.iter().sum::<f64>()).ln();
            model.add_evidence(1.0, &[(chosen, 1.0)]);
            model.update_posterior();
        }
    }
    sum / sides.iter().map(Vec::len).sum::<usize>().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Game, Setup, Try};
    use krieg_testing::random_game;
    use rand::seq::IndexedRandom;

    /// Random games of players with and without parameters in their names.
    fn records() -> Vec<Record> {
        let named = |seed| {
            let mut game: Game = random_game(Setup::default(), seed, 40);
            game.set_tag("White", "hat(size=2)").unwrap();
            game.set_tag("Black", if seed < 20 { "hat" } else { "a guest" }).unwrap();
            game.into_record()
        };
        (0..30).map(named).collect()
    }

    #[test]
    fn players_with_enough_decisions_get_types() {
        let settings = OpponentTraining { min_decisions: 200, ..OpponentTraining::default() };
        let mut calls = Vec::new();
        let trained = settings.train(&records(), |done, all| calls.push((done, all))).unwrap();
        // Three fits of the first stage, then the epochs of the second.
        let all = 3 + settings.joint.epochs;
        assert_eq!(calls, (1..=all).map(|done| (done, all)).collect::<Vec<_>>());
        assert_eq!(trained.mixture.names(), ["hat", "hat-2", "general"]);
        let types: Vec<_> =
            trained.players.iter().map(|p| (p.name.as_str(), p.opponent_type)).collect();
        assert_eq!(types, [("a guest", None), ("hat", Some(0)), ("hat(size=2)", Some(1))]);
        for player in &trained.players {
            assert!(player.decisions[1] > 0 && player.by_mixture < 0.0 && player.uniform < 0.0);
            assert_eq!(player.by_type.len(), 3);
        }
    }

    #[test]
    fn a_predictable_player_has_a_higher_prior() {
        // White moves at random on the first four ranks; Black moves one knight back and forth.
        let records: Vec<Record> = (0..60)
            .map(|seed| {
                let mut game: Game = Game::new(Setup::default());
                let mut rng = krieg_testing::seeded_rng(seed);
                for turn in 0..20 {
                    let legal = game.umpire().position().legal_moves();
                    let is_quiet = |mv: &&krieg_core::Move| mv.to.rank() as usize <= 3;
                    let quiet: Vec<_> = legal.iter().filter(is_quiet).collect();
                    let Some(mv) = quiet.choose(&mut rng) else { break };
                    let own = Try::Move(**mv);
                    let knight = ["b8c6", "c6b8"][turn % 2].parse().unwrap();
                    if [own, knight].into_iter().any(|tried| game.judge(tried).is_err()) {
                        break;
                    }
                }
                game.set_tag("White", "hat").unwrap();
                game.set_tag("Black", "knight").unwrap();
                game.into_record()
            })
            .collect();
        let settings = OpponentTraining { min_decisions: 200, ..OpponentTraining::default() };
        let trained = settings.train(&records, |_, _| {}).unwrap().mixture;
        assert_eq!(trained.names(), ["hat", "knight", "general"]);
        let [hat, knight, _] = trained.prior() else { panic!("three types") };
        assert!(*knight > 2.0 * hat, "{:?}", trained.prior());
    }

    #[test]
    fn excluded_players_get_no_type() {
        let excluding = |names: &[&str]| {
            let excluded_players = names.iter().map(|name| (*name).to_string()).collect();
            let settings = OpponentTraining {
                min_decisions: 200,
                excluded_players,
                ..OpponentTraining::default()
            };
            settings.train(&records(), |_, _| {}).map(|trained| trained.mixture.names().to_vec())
        };
        assert_eq!(excluding(&["hat(size=2)"]).unwrap(), ["hat", "general"]);
        assert_eq!(excluding(&["hat"]).unwrap(), ["general"]);
        assert_eq!(excluding(&["hat", "a guest"]), Err(OpponentMixtureError::TypeCount(0)));
        assert_eq!(excluding(&["cap"]), Err(OpponentMixtureError::UnknownType("cap".to_string())));
    }
}
