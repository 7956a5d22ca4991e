//! The decision: a sure mate, or a try drawn from the policy that is not excluded.

use krieg_belief::{OpponentBoard, draw_index};
use krieg_core::{DrawRules, Ending, Move, Position, Try, View};
use krieg_net::Evaluation;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::search::SearchResult;
use super::{Game, Learned, opponent_map};
use crate::Exclusion;
use crate::draw_guard::{AHEAD, DrawGuard};

/// A mate is sure if it mates on every board on which it is legal, and if these are at least this
/// fraction of all boards.
const SURE_MATE_MIN_LEGAL: f64 = 0.5;
/// With fewer boards no mate is sure, unless they are all that are possible.
const SURE_MATE_MIN_BOARDS: usize = 20;

impl Learned {
    /// The try to make; `None` if there is none. The state must have been evaluated.
    pub(super) fn decide(&mut self, view: &View, searched: Option<&SearchResult>) -> Option<Try> {
        let game = &mut self.game;
        let evaluation = game.evaluation.as_deref()?;
        let mut rng = game.random_numbers();
        let boards = game.boards(&opponent_map(&evaluation.belief, view.player()), &mut rng);
        if let Some(mate) = game.sure_mate(view, &boards) {
            game.remark = format!("{mate}: mate on every board that the belief gives");
            return Some(Try::Move(mate));
        }
        let temperature = self.settings.temperature;
        let mut weights = match searched {
            Some(searched) => searched_weights(searched, view, temperature),
            None => weights(evaluation, view, temperature),
        };
        // As trained, for the case that all tries with a weight at this temperature are excluded.
        let policy = evaluation.policy(view, 1.0);
        let mut rest: Vec<f64> = policy.iter().map(|(_, weight)| f64::from(*weight)).collect();
        let is_ahead = f64::from(evaluation.expected_score()) > AHEAD;
        let mut first = None;
        let mut allowed = None;
        while let Some(at) = draw_index(&weights, &mut rng).or_else(|| most_probable(&rest)) {
            first = first.or(Some(at));
            if !is_ahead || game.exclusion(view, policy[at].0, &boards).is_none() {
                allowed = Some(at);
                break;
            }
            (weights[at], rest[at]) = (0.0, 0.0);
        }
        let (tried, probability) = policy[allowed.or(first)?];
        game.remark = remark(tried, probability, evaluation);
        if let (Some(searched), Try::Move(mv)) = (searched, tried) {
            game.remark += &searched.remark(mv);
        }
        Some(tried)
    }
}

impl Game {
    /// The random numbers of the present decision. They depend only on the seed and on the state,
    /// so a player that was given the observations again continues the game in the same way.
    pub(super) fn random_numbers(&self) -> Xoshiro256PlusPlus {
        let decision = u64::from(self.view.ply()) << 16 | self.answers;
        Xoshiro256PlusPlus::seed_from_u64(self.seed ^ decision.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Why a player who is ahead does not make this try; `None` if it is allowed.
    pub(super) fn exclusion(
        &self,
        view: &View,
        tried: Try,
        boards: &[Position],
    ) -> Option<Exclusion> {
        let Try::Move(mv) = tried else { return None };
        let opponents = || boards.iter().map(|board| OpponentBoard::of(board, !view.player()));
        if self.draw_guard.repeats(view, mv, opponents()) {
            return Some(Exclusion::Repetition);
        }
        DrawGuard::stalemates(view, mv, opponents()).then_some(Exclusion::Stalemate)
    }

    /// The sensible try that mates on every board on which it is legal, if these are enough boards.
    /// Of several such tries it is the one that is legal most often.
    pub(super) fn sure_mate(&self, view: &View, boards: &[Position]) -> Option<Move> {
        let is_complete = self.king_tracker.squares().is_some();
        if boards.len() < SURE_MATE_MIN_BOARDS && !is_complete {
            return None;
        }
        let min_legal = (SURE_MATE_MIN_LEGAL * boards.len() as f64).ceil().max(1.0) as usize;
        let mates = view.tries().iter().filter_map(|mv| {
            let mut legal = 0;
            for board in boards.iter().filter(|board| board.is_legal(mv)) {
                legal += 1;
                if !mates(board, view, mv) {
                    return None;
                }
            }
            (legal >= min_legal).then_some((mv, legal))
        });
        mates.max_by_key(|(_, legal)| *legal).map(|(mv, _)| mv)
    }
}

fn mates(board: &Position, view: &View, mv: Move) -> bool {
    let announcement = board.clone().answer(mv, view.ruleset(), DrawRules::NONE);
    announcement.end.is_some_and(|end| end.ending == Ending::Checkmate)
}

/// The weight of each sensible try at this temperature.
fn weights(evaluation: &Evaluation, view: &View, temperature: f32) -> Vec<f64> {
    let policy = evaluation.policy(view, temperature);
    policy.into_iter().map(|(_, weight)| f64::from(weight)).collect()
}

/// The weight of each sensible try by the improved policy at this temperature.
fn searched_weights(searched: &SearchResult, view: &View, temperature: f32) -> Vec<f64> {
    let candidates = searched.weights(f64::from(temperature));
    let weight = |mv: Move| candidates.iter().find(|(known, _)| *known == mv).map_or(0.0, |c| c.1);
    let any = view.can_ask_any().then_some(0.0);
    view.tries().iter().map(weight).chain(any).collect()
}

/// The index of the greatest weight; `None` if all are 0.
fn most_probable(weights: &[f64]) -> Option<usize> {
    let greatest = (0..weights.len()).max_by(|&a, &b| weights[a].total_cmp(&weights[b]));
    greatest.filter(|&at| weights[at] > 0.0)
}

fn remark(tried: Try, probability: f32, evaluation: &Evaluation) -> String {
    let [win, draw, loss] = evaluation.value.map(|probability| 100.0 * probability);
    let probability = 100.0 * probability;
    format!(
        "{tried}: probability {probability:.0}%; win {win:.0}%, draw {draw:.0}%, loss {loss:.0}%"
    )
}
