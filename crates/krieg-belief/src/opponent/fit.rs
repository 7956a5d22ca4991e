//! What one kind of player likes, found from what it chose: a conditional logit, fitted in small steps (Kingma and Ba, 2015: Adam).

use rand::{SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::decisions::Decision;
use super::features::FEATURES;
use super::sight::Sight;

/// A feature that a move has, and how many times.
type Noticed = (u16, f32);

/// Decisions as lists of what was to be noticed, which is all that fitting needs.
#[derive(Debug, Default)]
pub struct Lessons {
    noticed: Vec<Noticed>,
    /// For each move, where its features end.
    moves: Vec<u32>,
    /// For each decision, where its moves end, and which of all moves was chosen.
    decisions: Vec<(u32, u32)>,
}

impl Lessons {
    /// The features of all that could have been chosen.
    pub fn new<'a>(decisions: impl IntoIterator<Item = &'a Decision>) -> Self {
        let mut lessons = Lessons::default();
        for decision in decisions {
            let (moves, chosen) = decision.moves();
            let first = lessons.moves.len();
            let sight = Sight::new(decision.board.board(), &decision.situation, &moves);
            for mv in &moves {
                sight.notice(*mv, |feature, times| {
                    if times != 0.0 {
                        lessons.noticed.push((feature as u16, times));
                    }
                });
                lessons.moves.push(lessons.noticed.len() as u32);
            }
            lessons.decisions.push((lessons.moves.len() as u32, (first + chosen) as u32));
        }
        lessons
    }

    /// How many decisions there are.
    pub fn len(&self) -> usize {
        self.decisions.len()
    }

    /// The numbers of the moves of a decision.
    fn moves(&self, decision: usize) -> std::ops::Range<usize> {
        let first = decision.checked_sub(1).map_or(0, |before| self.decisions[before].0);
        first as usize..self.decisions[decision].0 as usize
    }

    fn noticed(&self, mv: usize) -> &[Noticed] {
        let first = mv.checked_sub(1).map_or(0, |before| self.moves[before]);
        &self.noticed[first as usize..self.moves[mv] as usize]
    }

    /// The chances of all moves of a decision, if this is what the player likes.
    fn chances(&self, decision: usize, likes: &[f32; FEATURES], chances: &mut Vec<f32>) {
        chances.clear();
        chances.extend(self.moves(decision).map(|mv| {
            let likes = |(feature, times): &Noticed| likes[*feature as usize] * times;
            self.noticed(mv).iter().map(likes).sum::<f32>()
        }));
        let best = chances.iter().copied().fold(f32::MIN, f32::max);
        let mut whole = 0.0;
        for chance in chances.iter_mut() {
            *chance = (*chance - best).exp();
            whole += *chance;
        }
        chances.iter_mut().for_each(|chance| *chance /= whole);
    }

    /// The mean logarithm of the chance of what was chosen, in nats, if every hundredth move is any move.
    pub fn log_likelihood(&self, likes: &[f32; FEATURES]) -> f64 {
        let mut chances = Vec::new();
        let sum: f64 = (0..self.len())
            .map(|decision| {
                self.chances(decision, likes, &mut chances);
                let at = self.decisions[decision].1 as usize - self.moves(decision).start;
                let chance = f64::from(chances[at]);
                (0.99 * chance + 0.01 / chances.len() as f64).ln()
            })
            .sum();
        sum / self.len().max(1) as f64
    }
}

/// How a kind of player is fitted.
#[derive(Debug, Clone, Copy)]
pub struct Fit {
    /// How often all decisions are gone through.
    pub epochs: usize,
    /// How large the first steps are; they become smaller to the end.
    pub rate: f32,
    /// What a like of one costs, as against one decision's nats: so what is rarely seen is neither liked nor disliked much.
    pub prior: f32,
    /// Where the order of the decisions comes from.
    pub seed: u64,
}

impl Default for Fit {
    fn default() -> Self {
        Fit { epochs: 12, rate: 0.03, prior: 1.0, seed: 1 }
    }
}

/// So many decisions are one step.
const BATCH: usize = 128;
const BETAS: [f32; 2] = [0.9, 0.999];

impl Fit {
    /// What the player of these decisions likes.
    pub fn fit(&self, lessons: &Lessons) -> Box<[f32; FEATURES]> {
        let mut likes = Box::new([0.0f32; FEATURES]);
        let mut moments = [[0.0f32; 2]; FEATURES];
        let mut order: Vec<usize> = (0..lessons.len()).collect();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let steps = (lessons.len().div_ceil(BATCH) * self.epochs) as f32;
        let mut chances = Vec::new();
        let (mut step, mut decay) = (0.0, [1.0f32; 2]);
        for _ in 0..self.epochs {
            order.shuffle(&mut rng);
            for batch in order.chunks(BATCH) {
                let mut slope = [0.0f32; FEATURES];
                for &decision in batch {
                    lessons.chances(decision, &likes, &mut chances);
                    let chosen = lessons.decisions[decision].1 as usize;
                    for (mv, chance) in lessons.moves(decision).zip(&chances) {
                        let surprise = f32::from(u8::from(mv == chosen)) - chance;
                        for (feature, times) in lessons.noticed(mv) {
                            slope[*feature as usize] += surprise * times;
                        }
                    }
                }
                let rate = self.rate * (1.0 - step / steps);
                step += 1.0;
                decay = [decay[0] * BETAS[0], decay[1] * BETAS[1]];
                let pull = self.prior / lessons.len() as f32;
                for ((like, slope), moment) in likes.iter_mut().zip(slope).zip(&mut moments) {
                    let slope = slope / batch.len() as f32 - pull * *like;
                    moment[0] += (1.0 - BETAS[0]) * (slope - moment[0]);
                    moment[1] += (1.0 - BETAS[1]) * (slope * slope - moment[1]);
                    let (mean, square) =
                        (moment[0] / (1.0 - decay[0]), moment[1] / (1.0 - decay[1]));
                    *like += rate * mean / (square.sqrt() + 1e-6);
                }
            }
        }
        // Three digits are all that the games can tell, and a file of them can be compared by eye.
        likes.iter_mut().for_each(|like| *like = (*like * 1e3).round() / 1e3);
        likes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opponent::features as f;
    use krieg_testing::{draw_game, draw_setup, hat};
    use rand::RngExt;

    /// Somebody who moves his king twenty times as likely as he makes any other move, and else plays anything.
    fn habit(decision: &Decision, rng: &mut Xoshiro256PlusPlus) -> Decision {
        let (moves, _) = decision.moves();
        let weight = |mv: &cozy_chess::Move| {
            let is_king = mv.from == decision.board.board().king(decision.board.turn());
            if is_king { 20.0 } else { 1.0 }
        };
        let mut at = rng.random::<f64>() * moves.iter().map(weight).sum::<f64>();
        let chosen = moves.iter().find(|mv| {
            at -= weight(mv);
            at < 0.0
        });
        Decision { chosen: *chosen.unwrap_or(&moves[0]), ..decision.clone() }
    }

    #[test]
    fn a_habit_is_found_in_made_up_games() {
        let mut rng = hat(7);
        let mut decisions = Vec::new();
        for seed in 0..150 {
            let game = draw_game(draw_setup(&mut rng), seed, 60);
            Decision::each(game.record(), |_, decision| {
                // Castling is another matter.
                let rights = *decision.board.board().castle_rights(decision.board.turn());
                if rights.short.is_none() && rights.long.is_none() {
                    decisions.push(habit(&decision, &mut rng));
                }
            });
        }
        let (learned_from, apart) = decisions.split_at(decisions.len() * 4 / 5);
        let lessons = Lessons::new(learned_from);
        let likes = Fit { epochs: 30, ..Fit::default() }.fit(&lessons);
        // That kings move is a matter of several features together.
        let moves_king = |stage: usize| {
            let king = likes[f::MAN + stage * 6 + 5];
            let rook = likes[f::MAN + stage * 6 + 3];
            king - rook
        };
        assert!(moves_king(0) > 0.5 && moves_king(1) > 0.5, "{:?}", &likes[..24]);
        let apart = Lessons::new(apart);
        let (before, after) =
            (apart.log_likelihood(&[0.0; FEATURES]), apart.log_likelihood(&likes));
        assert!(after > before + 0.3, "{before} {after}");
    }
}
