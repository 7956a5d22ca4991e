//! Training samples: the features of every turn of finished games, with their TD(λ) targets.

use std::collections::BTreeSet;

use cozy_chess::{Color, Piece};
use krieg_chess::Network;
use krieg_core::Record;

use crate::training_set::{ReplayedMove, for_each_move};
use krieg_players::marshal::value::features::BoardFeatures;
use krieg_players::marshal::value::{ValueContext, ValueModel, engine_eval, extract_features};

/// One turn of one side.
#[derive(Debug, Clone, Copy)]
pub struct ValueSample {
    /// The features of the board at the start of the turn.
    pub features: BoardFeatures,
    /// The final score of the side: 1, ½ or 0.
    pub outcome: f32,
    /// The TD(λ) target of the turn for the side.
    pub target: f32,
    /// The sample's weight in the fit. The turns of a game are strongly correlated, so the samples
    /// of one game have a total weight of 1, whatever its length.
    pub weight: f32,
    /// The number of the game, counted from 0 among the games that ended on the board.
    pub game: usize,
    /// The numbers of the player to move and of their opponent.
    pub players: [usize; 2],
}

/// How the targets of the samples are computed: TD(λ) in the forward view (Sutton, 1988).
///
/// The outcome of a game says little about one of its turns: much is decided later, and by chance.
/// The target of a turn is therefore a mixture of the values of the same side's next turns, with
/// geometrically decreasing weights, and of the outcome of the game for what remains.
#[derive(Debug, Clone)]
pub struct TdTargets {
    /// λ, from 0 to 1: 1 uses only the outcome of the game, 0 only the value of the next turn.
    pub lambda: f64,
    /// The model that values the next turns (the bootstrapped part of the target).
    pub bootstrap: ValueModel,
}

impl Default for TdTargets {
    /// λ = 0.8, which looks about five turns ahead, with the embedded model.
    fn default() -> Self {
        TdTargets { lambda: 0.8, bootstrap: ValueModel::default() }
    }
}

impl TdTargets {
    /// Sets the target of each sample of one game. The sides alternate.
    fn assign(&self, game: &mut [ValueSample]) {
        for side in 0..Color::NUM {
            // Value and target of the side's next turn.
            let mut next: Option<(f64, f64)> = None;
            for sample in game.iter_mut().rev().skip(side).step_by(Color::NUM) {
                let outcome = f64::from(sample.outcome);
                let target =
                    next.map_or(outcome, |(value, target)| value + self.lambda * (target - value));
                next = Some((self.bootstrap.value_of(&sample.features), target));
                sample.target = target as f32;
            }
        }
    }
}

/// The samples of these games, the number of games used, and the number of players. Games that
/// ended on the clock, by resignation or by agreement are left out: their outcome does not follow
/// from the board.
#[must_use]
pub fn value_samples(records: &[Record], targets: &TdTargets) -> (Vec<ValueSample>, usize, usize) {
    let name = |record: &Record, tag: &str| record.tags().get(tag).cloned().unwrap_or_default();
    let names: BTreeSet<String> =
        records.iter().flat_map(|record| ["White", "Black"].map(|tag| name(record, tag))).collect();
    let number = |player: String| names.iter().position(|known| *known == player).unwrap_or(0);
    let mut samples = Vec::new();
    let mut games = 0;
    let mut network = Network::default();
    for record in records {
        let ended = record.outcome().filter(|outcome| outcome.ending.is_decided_by_position());
        let Some(outcome) = ended else { continue };
        let first = samples.len();
        let players = ["White", "Black"].map(|tag| number(name(record, tag)));
        for_each_turn(record, &mut network, |player, features| {
            samples.push(ValueSample {
                features,
                outcome: match outcome.winner {
                    None => 0.5,
                    Some(winner) => f32::from(u8::from(winner == player)),
                },
                target: 0.0,
                weight: 0.0,
                game: games,
                players: [players[player as usize], players[!player as usize]],
            });
        });
        let turns = samples.len() - first;
        targets.assign(&mut samples[first..]);
        for sample in &mut samples[first..] {
            sample.weight = 1.0 / turns as f32;
        }
        games += 1;
    }
    (samples, games, names.len())
}

/// Replays a game and passes the features of every turn but the first to `visit`, with the context
/// that the player to move had observed.
fn for_each_turn(
    record: &Record,
    network: &mut Network,
    mut visit: impl FnMut(Color, BoardFeatures),
) {
    let mut contexts = [ValueContext::default(); Color::NUM];
    for_each_move(record, |ReplayedMove { game, entry, piece }| {
        if game.umpire().outcome().is_some() {
            return;
        }
        let announcement = &entry.announcement;
        let (mover, capture) = (announcement.by, announcement.capture);
        for player in Color::ALL {
            let has_moved_a_pawn = player == mover && piece == Some(Piece::Pawn);
            let is_progress = capture.is_some() || has_moved_a_pawn;
            let plies = &mut contexts[player as usize].plies_without_progress;
            *plies = if is_progress { 0 } else { *plies + 1 };
        }
        let player = !mover;
        let context = &mut contexts[player as usize];
        context.recapture_square = capture.map(|capture| capture.square);
        context.has_pawn_try = announcement.pawn_tries.has_pawn_try();
        let board = game.umpire().position().board();
        let engine_eval = engine_eval(network, board);
        visit(player, extract_features(board, player, context, engine_eval));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Game, Setup};

    /// The shortest possible mate, with one refused try.
    fn fools_mate() -> Record {
        let mut game = Game::new(Setup::default());
        for mv in ["f2f3", "e7e5", "g2g5", "g2g4", "d8h4"] {
            game.judge(mv.parse().unwrap()).unwrap();
        }
        game.into_record()
    }

    fn targets(lambda: f64) -> Vec<f32> {
        let targets = TdTargets { lambda, ..TdTargets::default() };
        let (samples, ..) = value_samples(&[fools_mate()], &targets);
        samples.iter().map(|sample| sample.target).collect()
    }

    #[test]
    fn lambda_interpolates_between_the_next_value_and_the_outcome() {
        assert_eq!(targets(1.0), [1.0, 0.0, 1.0]);
        // Black has the first and the last sample; White's only sample is White's last turn.
        let [first, white, last] = targets(0.0)[..] else { panic!("three samples") };
        assert_eq!((white, last), (0.0, 1.0), "the target of the last turn is the outcome");
        assert!(first > 0.4 && first < 0.95, "Black's next turn looked about even: {first}");
        let [between, ..] = targets(0.5)[..] else { panic!("three samples") };
        assert!((between - (first + 1.0) / 2.0).abs() < 1e-6, "{between}");
    }

    #[test]
    fn the_samples_of_a_game_have_a_total_weight_of_one() {
        let (samples, games, players) = value_samples(&[fools_mate()], &TdTargets::default());
        assert_eq!((games, players), (1, 1));
        let outcomes: Vec<f32> = samples.iter().map(|sample| sample.outcome).collect();
        assert_eq!(outcomes, [1.0, 0.0, 1.0]);
        assert_eq!(samples.iter().map(|sample| sample.weight).sum::<f32>(), 1.0);
    }

    #[test]
    fn a_resigned_game_gives_no_samples() {
        let mut game = Game::new(Setup::default());
        game.judge("e2e4".parse().unwrap()).unwrap();
        game.resign(Color::Black).unwrap();
        assert!(value_samples(&[game.into_record()], &TdTargets::default()).0.is_empty());
    }
}
