//! Kinds of players, learned from games of many: those who play alike are taken for one, and one kind is anybody.

use std::collections::BTreeMap;

use krieg_core::{Color, Record, color_name};

use super::joint::JointTraining;
use super::logit::LogitTraining;
use super::training_set::TrainingSet;
use krieg_belief::opponent::decision::Decision;
use krieg_belief::opponent::feature_groups::MOVE_FEATURES;
use krieg_belief::opponent::file::{OpponentMixtureError, OpponentType};
use krieg_belief::opponent::hidden_layer::HiddenLayer;
use krieg_belief::opponent::{MAX_OPPONENT_TYPES, OpponentMixture};
use krieg_belief::{OpponentPolicy, RecapturePolicy, UniformPolicy};

/// How opponents are learned.
#[derive(Debug, Clone)]
pub struct OpponentTraining {
    /// How each kind is fitted by itself.
    pub logit: LogitTraining,
    /// How all are then learned together.
    pub joint: JointTraining,
    /// No more decisions than this are looked at for one kind.
    pub max_decisions: usize,
    /// A player of fewer decisions than this is no kind by himself.
    pub min_decisions: usize,
    /// Players of these names are not learned from, whole or up to the bracket: so it can be measured how well those who are left foretell
    /// a stranger.
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

/// What was learned, and how well it foretells games that it was not learned from.
#[derive(Debug, Clone)]
pub struct TrainedOpponents {
    /// The kinds. Each is thought the likelier at first the more of its players' moves it explains: whoever moves at random is soon found out, and does
    /// no harm before.
    pub mixture: OpponentMixture,
    /// Every player of the games, those left out too.
    pub players: Vec<PlayerPrediction>,
}

/// How well a player's moves are foretold in games kept apart: the mean logarithm of the chance of what he played, in nats.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerPrediction {
    /// His name.
    pub name: String,
    /// The number of the kind that he was taken for, if he was learned from by himself.
    pub opponent_type: Option<usize>,
    /// Decisions that were learned from, and those kept apart.
    pub decisions: [usize; 2],
    /// If any move is as likely as any other.
    pub uniform: f64,
    /// By [`RecapturePolicy`].
    pub recapture: f64,
    /// By each kind.
    pub by_type: Vec<f64>,
    /// By all kinds together, as they get to know him.
    pub by_mixture: f64,
}

/// Of so many games, one is kept apart.
const KEPT_APART: u32 = 10;
/// Sides of games kept apart that are looked at, for each player.
const MOST_SIDES: usize = 60;
/// Even a kind that explains nothing is possible.
const LEAST_EXPLAINED: f64 = 0.05;
/// What the kind is called that is fitted to all players.
const ANYBODY: &str = "anybody";

/// All that is known of one player.
struct Player {
    name: String,
    decisions: Vec<Decision>,
    /// His sides of games kept apart.
    apart: Vec<Vec<Decision>>,
    held: TrainingSet,
}

impl Player {
    /// The name up to the bracket.
    fn short(&self) -> &str {
        self.name.split('(').next().unwrap_or(&self.name)
    }

    fn is_one_of(&self, names: &[String]) -> bool {
        names.iter().any(|name| *name == self.name || name == self.short())
    }
}

/// Players who are taken for one kind.
struct Alike {
    members: Vec<usize>,
    kind: OpponentType,
}

impl OpponentTraining {
    /// Learns from these games, in which players have names, and tells how much is done of how much.
    pub fn train(
        &self,
        records: &[Record],
        mut progress: impl FnMut(usize, usize),
    ) -> Result<TrainedOpponents, OpponentMixtureError> {
        let players = players(records);
        let is_nobody = |name: &&String| !players.iter().any(|p| p.is_one_of(&[(*name).clone()]));
        if let Some(name) = self.excluded_players.iter().find(is_nobody) {
            return Err(OpponentMixtureError::UnknownType(krieg_core::excerpt(name)));
        }
        let is_known = |at: &usize| !players[*at].is_one_of(&self.excluded_players);
        let known: Vec<usize> = (0..players.len()).filter(is_known).collect();
        let enough = |at: &usize| players[*at].decisions.len() >= self.min_decisions;
        let own: Vec<usize> = known.iter().copied().filter(enough).collect();
        if known.iter().all(|at| players[*at].decisions.is_empty()) {
            return Err(OpponentMixtureError::TypeCount(0));
        }
        let merges = own.len().saturating_sub(MAX_OPPONENT_TYPES - 1);
        let (mut done, all) = (0, 1 + own.len() + merges + self.joint.epochs);
        let mut more_is_done = || {
            done += 1;
            progress(done, all);
        };
        let mut fit = |members: Vec<usize>| {
            let feature_weights = self.logit.fit(&self.lessons(&players, &members));
            more_is_done();
            Alike { members, kind: OpponentType { feature_weights, ..OpponentType::new("") } }
        };
        let mut kinds: Vec<Alike> = own.iter().map(|at| fit(vec![*at])).collect();
        for _ in 0..merges {
            let Some((first, second)) = most_alike(&players, &kinds) else { break };
            let members = [kinds[first].members.clone(), kinds.remove(second).members].concat();
            kinds[first] = fit(members);
        }
        kinds.push(fit(known));
        name(&players, &mut kinds);
        let last = kinds.len() - 1;
        // Where nobody has played enough to be a kind, all are anybody.
        let taught = if last == 0 { &kinds[..] } else { &kinds[..last] };
        let lessons: Vec<TrainingSet> =
            taught.iter().map(|alike| self.lessons(&players, &alike.members)).collect();
        let mut of_kinds: Vec<OpponentType> =
            kinds.iter().map(|alike| alike.kind.clone()).collect();
        let foretell_all = |of_kinds: &[OpponentType], hidden_layer: &HiddenLayer| {
            let each = taught.iter().zip(of_kinds);
            each.map(|(alike, kind)| foretell_by(&players, &alike.members, kind, hidden_layer))
                .sum()
        };
        let hidden_layer = self.joint.fit(&mut of_kinds, &lessons, foretell_all, more_is_done);
        for (alike, kind) in kinds.iter().zip(&mut of_kinds) {
            kind.prior = explained(&players, &alike.members, kind, &hidden_layer);
        }
        let opponents = OpponentMixture::new(&of_kinds, hidden_layer.clone())?;
        let players = players.iter().enumerate().map(|(at, player)| {
            let kind = kinds[..last].iter().position(|alike| alike.members.contains(&at));
            foretold(player, kind, &of_kinds, &hidden_layer, &opponents)
        });
        Ok(TrainedOpponents { players: players.collect(), mixture: opponents })
    }

    /// The same share of each of these players' decisions, as far as there are so many.
    fn lessons(&self, players: &[Player], members: &[usize]) -> TrainingSet {
        let share = (self.max_decisions / members.len().max(1)).max(1);
        TrainingSet::new(members.iter().flat_map(|at| {
            let decisions = &players[*at].decisions;
            let count = decisions.len().min(share);
            (0..count).map(move |number| &decisions[number * decisions.len() / count])
        }))
    }
}

/// Who played, and what they chose.
fn players(records: &[Record]) -> Vec<Player> {
    let mut by_name: BTreeMap<&str, (Vec<Decision>, Vec<Vec<Decision>>)> = BTreeMap::new();
    for (number, record) in records.iter().enumerate() {
        let mut sides = [Vec::new(), Vec::new()];
        Decision::for_each(record, |color, decision| sides[color as usize].push(decision));
        for (color, side) in Color::ALL.into_iter().zip(sides) {
            let name = record.tags().get(color_name(color)).map_or("?", String::as_str);
            let (decisions, apart) = by_name.entry(name).or_default();
            if is_kept_apart(number) {
                apart.push(side);
            } else {
                decisions.extend(side);
            }
        }
    }
    let player = |(name, (decisions, mut apart)): (&str, (_, Vec<Vec<Decision>>))| {
        // From everywhere among his games, since opponents follow each other in a contest.
        let count = apart.len().min(MOST_SIDES);
        let chosen: Vec<usize> = (0..count).map(|number| number * apart.len() / count).collect();
        let apart: Vec<_> = chosen.into_iter().map(|at| std::mem::take(&mut apart[at])).collect();
        let held = TrainingSet::new(apart.iter().flatten());
        Player { name: name.to_string(), decisions, apart, held }
    };
    by_name.into_iter().map(player).collect()
}

/// Whether the game of this number is kept apart. Not simply every tenth is: in a contest the same two players may meet in each of those.
fn is_kept_apart(number: usize) -> bool {
    (number as u32).wrapping_mul(0x9e37_79b9) < u32::MAX / KEPT_APART
}

/// How well such feature_weights foretell these players, on the average of them.
fn foretell(players: &[Player], members: &[usize], feature_weights: &[f32; MOVE_FEATURES]) -> f64 {
    let each = members.iter().map(|at| players[*at].held.log_likelihood(feature_weights));
    each.sum::<f64>() / members.len().max(1) as f64
}

/// How well a kind with these hidden_layer foretells these players, on the average of them.
fn foretell_by(
    players: &[Player],
    members: &[usize],
    kind: &OpponentType,
    hidden_layer: &HiddenLayer,
) -> f64 {
    let each = members.iter().map(|at| players[*at].held.log_likelihood_of(kind, hidden_layer));
    each.sum::<f64>() / members.len().max(1) as f64
}

/// How many nats of their moves such a kind explains.
fn explained(
    players: &[Player],
    members: &[usize],
    kind: &OpponentType,
    hidden_layer: &HiddenLayer,
) -> f32 {
    let by_chance = foretell(players, members, &[0.0; MOVE_FEATURES]);
    (foretell_by(players, members, kind, hidden_layer) - by_chance).max(LEAST_EXPLAINED) as f32
}

/// The two kinds that lose the least if each is taken for the other.
fn most_alike(players: &[Player], kinds: &[Alike]) -> Option<(usize, usize)> {
    let foretells =
        |by: &Alike, of: &Alike| foretell(players, &of.members, &by.kind.feature_weights);
    let table: Vec<Vec<f64>> =
        kinds.iter().map(|by| kinds.iter().map(|of| foretells(by, of)).collect()).collect();
    let loss =
        |(a, b): &(usize, usize)| table[*a][*a] - table[*b][*a] + table[*b][*b] - table[*a][*b];
    let pairs = (0..kinds.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    pairs.min_by(|one, other| loss(one).total_cmp(&loss(other)))
}

/// Names kinds after their players, up to the bracket; a number tells apart those who are called the same.
fn name(players: &[Player], kinds: &mut [Alike]) {
    let mut taken: Vec<String> = Vec::new();
    let last = kinds.len() - 1;
    // Whoever plays as his name says without a bracket has the better right to it.
    let is_plain = |alike: &Alike| alike.members.iter().any(|at| !players[*at].name.contains('('));
    let mut order: Vec<usize> = (0..last).collect();
    order.sort_by_key(|at| !is_plain(&kinds[*at]));
    kinds[last].kind.name = ANYBODY.to_string();
    for at in order {
        let mut names: Vec<&str> =
            kinds[at].members.iter().map(|at| players[*at].short()).collect();
        names.dedup();
        // Tags may hold anything, and names in the file hold no spaces.
        let joined: String = names.join("+").split_whitespace().collect();
        let mut name = joined.replace('#', "");
        for number in 2.. {
            if !name.is_empty() && name != ANYBODY && !taken.contains(&name) {
                break;
            }
            name = format!("{joined}-{number}");
        }
        taken.push(name.clone());
        kinds[at].kind.name = name;
    }
}

fn foretold(
    player: &Player,
    kind: Option<usize>,
    kinds: &[OpponentType],
    hidden_layer: &HiddenLayer,
    opponents: &OpponentMixture,
) -> PlayerPrediction {
    let by_type = |kind: &OpponentType| player.held.log_likelihood_of(kind, hidden_layer);
    PlayerPrediction {
        name: player.name.clone(),
        opponent_type: kind,
        decisions: [player.decisions.len(), player.held.len()],
        uniform: by_model(&player.apart, || UniformPolicy),
        recapture: by_model(&player.apart, RecapturePolicy::default),
        by_type: kinds.iter().map(by_type).collect(),
        by_mixture: by_model(&player.apart, || opponents.clone()),
    }
}

/// The mean logarithm of the chance of what was chosen, by a model that begins each game anew and sees every move.
fn by_model<M: OpponentPolicy>(sides: &[Vec<Decision>], mut begin: impl FnMut() -> M) -> f64 {
    let (mut sum, mut weights) = (0.0, Vec::new());
    for side in sides {
        let mut model = begin();
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

    /// Games of two who draw from a hat, under names with a bracket and without.
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
    fn players_become_kinds_and_whoever_played_little_is_anybody() {
        let learning = OpponentTraining { min_decisions: 200, ..OpponentTraining::default() };
        let mut steps = Vec::new();
        let learned = learning.train(&records(), |done, all| steps.push((done, all))).unwrap();
        // Three by themselves, and then all together.
        let all = 3 + learning.joint.epochs;
        assert_eq!(steps, (1..=all).map(|done| (done, all)).collect::<Vec<_>>());
        assert_eq!(learned.mixture.names(), ["hat", "hat-2", "anybody"]);
        let kinds: Vec<_> =
            learned.players.iter().map(|p| (p.name.as_str(), p.opponent_type)).collect();
        assert_eq!(kinds, [("a guest", None), ("hat", Some(0)), ("hat(size=2)", Some(1))]);
        for player in &learned.players {
            assert!(player.decisions[1] > 0 && player.by_mixture < 0.0 && player.uniform < 0.0);
            assert_eq!(player.by_type.len(), 3);
        }
    }

    #[test]
    fn whoever_has_habits_is_reckoned_with_first() {
        // White plays anything on his own half; Black has one knight go out and in.
        let records: Vec<Record> = (0..60)
            .map(|seed| {
                let mut game: Game = Game::new(Setup::default());
                let mut hat = krieg_testing::seeded_rng(seed);
                for turn in 0..20 {
                    let legal = game.umpire().position().legal_moves();
                    let is_quiet = |mv: &&krieg_core::Move| mv.to.rank() as usize <= 3;
                    let quiet: Vec<_> = legal.iter().filter(is_quiet).collect();
                    let Some(mv) = quiet.choose(&mut hat) else { break };
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
        let learning = OpponentTraining { min_decisions: 200, ..OpponentTraining::default() };
        let learned = learning.train(&records, |_, _| {}).unwrap().mixture;
        assert_eq!(learned.names(), ["hat", "knight", "anybody"]);
        let [hat, knight, _] = learned.prior() else { panic!("three kinds") };
        assert!(*knight > 2.0 * hat, "{:?}", learned.prior());
    }

    #[test]
    fn whoever_is_left_out_teaches_nothing() {
        let leaving_out = |names: &[&str]| {
            let excluded_players = names.iter().map(|name| (*name).to_string()).collect();
            let learning = OpponentTraining {
                min_decisions: 200,
                excluded_players,
                ..OpponentTraining::default()
            };
            learning.train(&records(), |_, _| {}).map(|learned| learned.mixture.names().to_vec())
        };
        assert_eq!(leaving_out(&["hat(size=2)"]).unwrap(), ["hat", "anybody"]);
        assert_eq!(leaving_out(&["hat"]).unwrap(), ["anybody"]);
        assert_eq!(leaving_out(&["hat", "a guest"]), Err(OpponentMixtureError::TypeCount(0)));
        assert_eq!(
            leaving_out(&["cap"]),
            Err(OpponentMixtureError::UnknownType("cap".to_string()))
        );
    }
}
