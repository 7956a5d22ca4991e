//! What was learned about the kinds, in whole numbers: a game looks at millions of moves, and eight small numbers are added at a time where only four with a point
//! would be.

use cozy_chess::{Board, Move as BoardMove};
use wide::{i16x8, i32x4};

use super::features::FEATURES;
use super::file::Kind;
use super::impressions::{IMPRESSIONS, Impression, Impressions};
use super::mixture::{Lanes, MOST_KINDS};
use super::sight::Sight;
use super::surroundings;
use crate::Situation;

/// One is so many.
const ONE: f32 = 512.0;
/// No move has more features than this, of those that may be named.
const MOST_NOTICED: usize = 64;

/// So many numbers are reckoned with at a time.
const AT_ONCE: usize = 8;

const _: () = assert!(IMPRESSIONS.is_multiple_of(AT_ONCE) && MOST_KINDS == AT_ONCE);

/// How far each impression is raised.
pub type Raised = [i16x8; IMPRESSIONS / AT_ONCE];

/// What comes of a feature. Both stand side by side, since they are looked up together.
#[derive(Debug, Clone, Copy)]
struct Effect {
    /// By how much it raises each impression.
    raises: Raised,
    /// How much each kind likes it.
    likes: i16x8,
}

/// All kinds, which do not change in a game.
#[derive(Debug)]
pub struct Minds {
    kinds: Vec<Kind>,
    impressions: Impressions,
    of_boards: Vec<Raised>,
    of_moves: Vec<Effect>,
    /// What each kind makes of each impression.
    tastes: [Raised; MOST_KINDS],
}

fn whole(number: f32) -> i16 {
    (number * ONE).round() as i16
}

fn raised(numbers: &Impression) -> Raised {
    std::array::from_fn(|part| {
        i16x8::new(std::array::from_fn(|lane| whole(numbers[part * AT_ONCE + lane])))
    })
}

#[inline(always)]
fn add(sum: &mut Raised, more: &Raised, times: i16x8) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum = sum.saturating_add(*more * times);
    }
}

impl Minds {
    pub fn new(kinds: Vec<Kind>, impressions: Impressions) -> Self {
        let effect = |feature: usize| {
            let mut likes = [0.0; MOST_KINDS];
            likes.iter_mut().zip(&kinds).for_each(|(like, kind)| *like = kind.likes[feature]);
            let likes = i16x8::new(likes.map(whole));
            Effect { raises: raised(&impressions.of_moves[feature]), likes }
        };
        let mut tastes = [raised(&[0.0; IMPRESSIONS]); MOST_KINDS];
        tastes.iter_mut().zip(&kinds).for_each(|(tastes, kind)| *tastes = raised(&kind.tastes));
        Minds {
            of_boards: impressions.of_boards.iter().map(raised).collect(),
            of_moves: (0..FEATURES).map(effect).collect(),
            tastes,
            impressions,
            kinds,
        }
    }

    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    pub fn impressions(&self) -> &Impressions {
        &self.impressions
    }

    /// What a board impresses, whatever is played on it.
    pub fn of_board(&self, board: &Board, situation: &Situation) -> Raised {
        let mut raised = Raised::default();
        surroundings::notice(board, situation, |name| {
            add(&mut raised, &self.of_boards[name], i16x8::ONE);
        });
        raised
    }

    /// How much each kind likes a move on a board that makes this impression.
    pub fn like(&self, board: &Raised, sight: &Sight, mv: BoardMove) -> Lanes {
        // Most of what is named is not there. It is written over, since a guess of the processor's would often be wrong.
        let mut noticed = [(0u16, 0); MOST_NOTICED];
        let mut count = 0;
        sight.notice(mv, |feature, times| {
            noticed[count % MOST_NOTICED] = (feature as u16, times);
            count += usize::from(times != 0);
        });
        debug_assert!(count <= MOST_NOTICED, "{count}");
        let (mut raised, mut likes) = (*board, i16x8::ZERO);
        for &(feature, times) in &noticed[..count.min(MOST_NOTICED)] {
            let effect = &self.of_moves[usize::from(feature)];
            let times = i16x8::splat(times);
            add(&mut raised, &effect.raises, times);
            likes = likes.saturating_add(effect.likes * times);
        }
        let above = raised.map(|part| part.max(i16x8::ZERO));
        let by_taste = |kind: usize| -> i32x4 {
            above.iter().zip(&self.tastes[kind]).map(|(part, taste)| part.dot(*taste)).sum()
        };
        // Four sums of each of four kinds, turned so that each kind has a lane to itself.
        let of_four = |first: usize| -> i32x4 {
            i32x4::transpose(std::array::from_fn(|lane| by_taste(first + lane))).into_iter().sum()
        };
        let sums: [[i32; 4]; 2] = [of_four(0).to_array(), of_four(4).to_array()];
        let likes = likes.to_array();
        std::array::from_fn(|kind| {
            f32::from(likes[kind]) / ONE + sums[kind / 4][kind % 4] as f32 / (ONE * ONE)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::opponent::decisions::Decision;
    use crate::opponent::lessons::Lessons;
    use crate::{MoveModel, Opponents};
    use krieg_core::Setup;
    use krieg_testing::draw_game;

    #[test]
    fn whole_numbers_say_nearly_the_same() {
        let mut everybody = Opponents::default();
        let kinds = everybody.kinds();
        assert!(kinds.len() > 4, "both halves of the lanes are looked at");
        let mut chances = Vec::new();
        for seed in 0..5 {
            let game = draw_game(Setup::default(), seed, 120);
            Decision::each(game.record(), |_, decision| {
                let (moves, chosen) = decision.moves();
                chances.clear();
                everybody.weigh(&decision.board, &decision.situation, &moves, &mut chances);
                let lessons = Lessons::new([&decision]);
                for (kind, near) in kinds.iter().zip(everybody.chances(chosen)) {
                    let exact = lessons.log_likelihood_of(kind, everybody.impressions());
                    let near = f64::from(near.ln());
                    assert!((near - exact).abs() < 0.05, "{}: {near} {exact}", kind.name);
                }
            });
        }
    }
}
