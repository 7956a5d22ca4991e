//! All kinds of players learned together: what makes an impression is found from all of their games, and what each kind likes from its own.

use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::features::FEATURES;
use super::file::Kind;
use super::fit::rounded;
use super::impressions::{IMPRESSIONS, Impression, Impressions, add};
use super::lessons::{Lessons, to_chances};
use super::mixture::{Lanes, MOST_KINDS};
use super::steps::Steps;
use super::surroundings::SURROUNDINGS;

/// How kinds are learned together.
#[derive(Debug, Clone, Copy)]
pub struct Joint {
    /// How often all decisions are gone through. What foretells best after any of these times is kept, since in the end games are known by heart.
    pub epochs: usize,
    /// How large the first steps are; they become smaller to the end.
    pub rate: f32,
    /// How strongly all numbers are drawn to nought, so that what is rarely seen makes no impression.
    pub pull: f32,
    /// Where the order of the decisions comes from.
    pub seed: u64,
}

impl Default for Joint {
    fn default() -> Self {
        Joint { epochs: 7, rate: 0.002, pull: 3e-4, seed: 1 }
    }
}

/// So many decisions are one step. They are shared out among so many threads, whatever machine this is, so that the same comes out everywhere.
const BATCH: usize = 256;
const THREADS: usize = 2;
/// How large the first numbers are at most, before anything is learned.
const FIRST: f32 = 0.12;
/// What a decision counts for the kind that is anybody, as against the kind that made it.
const OF_ANYBODY: f32 = 0.3;

/// All numbers that are learned; or how steep it is for each.
#[derive(Debug, Clone)]
struct Numbers {
    impressions: Impressions,
    likes: Vec<Lanes>,
    tastes: Vec<Lanes>,
}

/// How many numbers there are.
const COUNT: usize =
    (SURROUNDINGS + FEATURES) * IMPRESSIONS + (FEATURES + IMPRESSIONS) * MOST_KINDS;

impl Numbers {
    fn nothing() -> Self {
        Numbers {
            impressions: Impressions::none(),
            likes: vec![[0.0; MOST_KINDS]; FEATURES],
            tastes: vec![[0.0; MOST_KINDS]; IMPRESSIONS],
        }
    }

    fn parts(&self) -> [&[f32]; 4] {
        [
            self.impressions.of_boards.as_flattened(),
            self.impressions.of_moves.as_flattened(),
            self.likes.as_flattened(),
            self.tastes.as_flattened(),
        ]
    }

    fn parts_mut(&mut self) -> [&mut [f32]; 4] {
        [
            self.impressions.of_boards.as_flattened_mut(),
            self.impressions.of_moves.as_flattened_mut(),
            self.likes.as_flattened_mut(),
            self.tastes.as_flattened_mut(),
        ]
    }

    /// What all kinds know already; and of the rest anything, since from nothing there is no way anywhere.
    fn begin(kinds: &[Kind], rng: &mut Xoshiro256PlusPlus) -> Self {
        let mut numbers = Numbers::nothing();
        let mut anything = |part: &mut [f32]| {
            part.iter_mut().for_each(|number| *number = FIRST * (2.0 * rng.random::<f32>() - 1.0));
        };
        anything(numbers.impressions.of_boards.as_flattened_mut());
        anything(numbers.impressions.of_moves.as_flattened_mut());
        anything(numbers.tastes.as_flattened_mut());
        for (lane, kind) in kinds.iter().enumerate() {
            for (of_all, of_one) in numbers.likes.iter_mut().zip(kind.likes.iter()) {
                of_all[lane] = *of_one;
            }
        }
        numbers
    }

    /// What they make of these kinds, with as many digits as a file holds.
    fn kinds(&self, kinds: &[Kind]) -> (Vec<Kind>, Impressions) {
        let mut numbers = self.clone();
        for part in numbers.parts_mut() {
            part.iter_mut().for_each(|number| *number = rounded(*number));
        }
        let kind = |(lane, kind): (usize, &Kind)| Kind {
            likes: Box::new(std::array::from_fn(|feature| numbers.likes[feature][lane])),
            tastes: std::array::from_fn(|unit| numbers.tastes[unit][lane]),
            ..kind.clone()
        };
        (kinds.iter().enumerate().map(kind).collect(), numbers.impressions)
    }

    /// Looks at all moves of a decision.
    fn look(&self, lessons: &Lessons, decision: usize, look: &mut Look) {
        let board = self.impressions.of_board(lessons.surroundings(decision));
        look.impressions.clear();
        look.likes.clear();
        for mv in lessons.moves(decision) {
            let (mut impression, mut likes) = (board, [0.0; MOST_KINDS]);
            for noticed in lessons.noticed(mv) {
                let (feature, times) = (noticed.feature(), noticed.times());
                add(&mut impression, &self.impressions.of_moves[feature], times);
                add(&mut likes, &self.likes[feature], times);
            }
            for (impression, tastes) in impression.iter().zip(&self.tastes) {
                add(&mut likes, tastes, impression.max(0.0));
            }
            look.impressions.push(impression);
            look.likes.push(likes);
        }
    }

    /// Adds to these slopes how much likelier each number would make what was chosen, for each of these kinds, which count for so much.
    fn learn_from(
        &self,
        lessons: &Lessons,
        decision: usize,
        kinds: [(usize, f32); 2],
        look: &mut Look,
        slopes: &mut Numbers,
    ) {
        self.look(lessons, decision, look);
        let chances = kinds.map(|(lane, _)| look.chances(lane));
        let mut of_board = [0.0; IMPRESSIONS];
        for (at, mv) in lessons.moves(decision).enumerate() {
            let is_chosen = f32::from(u8::from(mv == lessons.chosen(decision)));
            let mut surprises = [0.0; MOST_KINDS];
            for ((lane, counts), chances) in kinds.iter().zip(&chances) {
                surprises[*lane] += counts * (is_chosen - chances[at]);
            }
            let mut of_move = [0.0; IMPRESSIONS];
            for (unit, &impression) in look.impressions[at].iter().enumerate() {
                if impression > 0.0 {
                    add(&mut slopes.tastes[unit], &surprises, impression);
                    let tastes = self.tastes[unit].iter();
                    of_move[unit] = tastes.zip(surprises).map(|(taste, s)| taste * s).sum();
                }
            }
            for noticed in lessons.noticed(mv) {
                let (feature, times) = (noticed.feature(), noticed.times());
                add(&mut slopes.impressions.of_moves[feature], &of_move, times);
                add(&mut slopes.likes[feature], &surprises, times);
            }
            add(&mut of_board, &of_move, 1.0);
        }
        for name in lessons.surroundings(decision) {
            add(&mut slopes.impressions.of_boards[*name as usize], &of_board, 1.0);
        }
    }
}

/// What was seen of the moves of one decision.
#[derive(Debug, Default)]
struct Look {
    impressions: Vec<Impression>,
    likes: Vec<Lanes>,
}

impl Look {
    fn chances(&self, lane: usize) -> Vec<f32> {
        let mut chances: Vec<f32> = self.likes.iter().map(|likes| likes[lane]).collect();
        to_chances(&mut chances);
        chances
    }
}

impl Joint {
    /// Learns on from what these kinds like already. The last of them is anybody, and the lessons are those of the others. `foretell` says how well kinds foretell games that
    /// nothing is learned from, and `progress` is told after each time all were gone through. Of a few games nothing can be learned that foretells others, and the kinds stay as they are.
    pub fn fit(
        &self,
        kinds: &mut [Kind],
        lessons: &[Lessons],
        foretell: impl Fn(&[Kind], &Impressions) -> f64,
        mut progress: impl FnMut(),
    ) -> Impressions {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut numbers = Numbers::begin(kinds, &mut rng);
        let of_kind =
            |(lane, lessons): (usize, &Lessons)| (0..lessons.len()).map(move |n| (lane, n));
        let mut order: Vec<(usize, usize)> = lessons.iter().enumerate().flat_map(of_kind).collect();
        let mut steps = Steps::new(COUNT, self.rate, order.len().div_ceil(BATCH) * self.epochs);
        let mut impressions = Impressions::none();
        let mut best = foretell(kinds, &impressions);
        for _ in 0..self.epochs {
            order.shuffle(&mut rng);
            for batch in order.chunks(BATCH) {
                let slopes = slopes(&numbers, batch, lessons, kinds.len() - 1);
                let mut first = 0;
                steps.begin();
                for (part, numbers) in numbers.parts_mut().into_iter().enumerate() {
                    let slopes = slopes.each_ref().map(|slopes| slopes.parts()[part]);
                    let count = batch.len() as f32;
                    steps.step(first, numbers, |at, number| {
                        let sum: f32 = slopes.iter().map(|slopes| slopes[at]).sum();
                        sum / count - self.pull * number
                    });
                    first += numbers.len();
                }
            }
            let (new, of_new) = numbers.kinds(kinds);
            let foretold = foretell(&new, &of_new);
            if foretold > best {
                best = foretold;
                kinds.clone_from_slice(&new);
                impressions = of_new;
            }
            progress();
        }
        impressions
    }
}

/// How steep it is for each number at these decisions: what each thread found.
fn slopes(
    numbers: &Numbers,
    batch: &[(usize, usize)],
    lessons: &[Lessons],
    anybody: usize,
) -> [Numbers; THREADS] {
    let share = batch.len().div_ceil(THREADS);
    let mut found: [Numbers; THREADS] = std::array::from_fn(|_| Numbers::nothing());
    std::thread::scope(|threads| {
        for (part, slopes) in batch.chunks(share).zip(&mut found) {
            threads.spawn(move || {
                let mut look = Look::default();
                for &(lane, decision) in part {
                    let kinds = [(lane, 1.0), (anybody, OF_ANYBODY)];
                    numbers.learn_from(&lessons[lane], decision, kinds, &mut look, slopes);
                }
            });
        }
    });
    found
}

impl Lessons {
    /// The mean logarithm of the chance of what was chosen, in nats, if these were a kind's likes and tastes and every hundredth move is any move.
    pub fn log_likelihood_of(&self, kind: &Kind, impressions: &Impressions) -> f64 {
        let mut likes = Vec::new();
        self.mean_log_chance(|decision| {
            let board = impressions.of_board(self.surroundings(decision));
            likes.clear();
            likes.extend(self.moves(decision).map(|mv| {
                let (mut impression, mut sum) = (board, 0.0);
                for noticed in self.noticed(mv) {
                    let (feature, times) = (noticed.feature(), noticed.times());
                    add(&mut impression, &impressions.of_moves[feature], times);
                    sum += kind.likes[feature] * times;
                }
                let tastes = impression.iter().zip(&kind.tastes);
                sum + tastes.map(|(unit, taste)| taste * unit.max(0.0)).sum::<f32>()
            }));
            to_chances(&mut likes);
            likes[self.chosen(decision) - self.moves(decision).start]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opponent::decisions::Decision;
    use crate::opponent::fit::Fit;
    use cozy_chess::Piece;
    use krieg_core::Setup;
    use krieg_testing::{draw_game, hat};

    /// Somebody who mostly moves pawns in the first half of a long game, and mostly pieces in the second.
    fn habit(decision: &Decision, rng: &mut Xoshiro256PlusPlus) -> Decision {
        let pawns = decision.board.board().colored_pieces(decision.board.turn(), Piece::Pawn);
        let is_early = decision.situation.turns < 75;
        decision.by_habit(rng, |mv| if pawns.has(mv.from) == is_early { 20.0 } else { 1.0 })
    }

    #[test]
    fn a_habit_that_depends_on_the_board_is_found() {
        let mut rng = hat(7);
        let mut decisions = Vec::new();
        for seed in 0..100 {
            let game = draw_game(Setup::default(), seed, 300);
            Decision::each(game.record(), |_, decision| decisions.push(habit(&decision, &mut rng)));
        }
        let (learned_from, apart) = decisions.split_at(decisions.len() * 4 / 5);
        let (lessons, apart) = (Lessons::new(learned_from), Lessons::new(apart));
        let mut kind = Kind { likes: Fit::default().fit(&lessons), ..Kind::new("somebody") };
        let by_likes = apart.log_likelihood(&kind.likes);
        let alone = apart.log_likelihood_of(&kind, &Impressions::none());
        assert!((by_likes - alone).abs() < 1e-6, "without impressions only likes count");
        let mut rounds = 0;
        let impressions = Joint { epochs: 10, rate: 0.01, ..Joint::default() }.fit(
            std::slice::from_mut(&mut kind),
            &[lessons],
            |kinds, impressions| apart.log_likelihood_of(&kinds[0], impressions),
            || rounds += 1,
        );
        let by_impressions = apart.log_likelihood_of(&kind, &impressions);
        assert!(by_impressions > by_likes + 0.03, "{by_likes} {by_impressions}");
        assert_eq!(rounds, 10);
    }
}
