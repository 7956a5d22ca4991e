//! Learning the weights: logistic regression on what came of the turns of games, by Newton's method.

use krieg_core::Record;
use thiserror::Error;

use super::features::{BARED, CHESS, FEATURES, PAWN_TRY, STANDSTILL, TAKE_BACK, TURN};
use super::lessons::{Hindsight, Lesson, lessons};
use super::{Worth, chance};

/// Every so many games one is held out.
const FOLDS: usize = 10;
/// How firmly weights are held to what was guessed, in games: what makes a difference must do so in many of them. With 2 games held out are foretold as
/// well; with 1, and less left for later, a match showed no gain (`benches/runs`).
const RIDGE: f64 = 5.0;
/// How much more firmly the difference between middle game and ending is held to nothing.
const TAPER: f64 = 4.0;
/// Features that are seldom there are held as if they differed so much (as a variance).
const SELDOM: f64 = 0.02;
/// How firmly all players are held to be equally strong.
const EQUAL: f64 = 0.25;
/// What is guessed before anything is learned, because it plays well: what four pawns of the chess engine's are worth, nine points won by taking back, a pawn
/// try, and a whole lead in a hundred plies without progress.
const BY_CHESS: f64 = 1.15;
const TAKEN_BACK: f64 = 2.6;
const TRIED: f64 = 0.23;
const STANDING: f64 = -1.0;
/// What it is guessed to be worth to have bared a king whom a queen or rook can mate, beyond that. This is set by hand: turns make him look safer than games do, for
/// where he gets away he was hunted longest.
const HUNTED: f64 = 1.5;
/// The same where only a pawn can become one that mates him.
const HUNTED_BY_PAWN: f64 = 1.0;
const BARED_BY_PAWN: usize = BARED + 1;
/// How much more firmly these are held than what is learned.
const BY_HAND: f64 = 1_000.0;
/// Newton's steps, at most; five do.
const STEPS: usize = 20;
/// The longest step: further away the slope says little.
const LONGEST: f64 = 1.0;

/// How far the forecasts of the outcomes of games that were held out were off, on the average of their turns.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Loss {
    /// The negative logarithm of the chance given to what happened.
    pub log: f64,
    /// The square of the difference.
    pub brier: f64,
}

/// What was learned from, and how well games that were held out were foretold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Report {
    /// Games that ended on the board.
    pub games: usize,
    /// Turns in them.
    pub turns: usize,
    /// By one number for all boards.
    pub constant: Loss,
    /// By what the chess engine makes of the board.
    pub chess: Loss,
    /// By all features.
    pub all: Loss,
}

/// Why nothing was learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LearnError {
    /// A tenth of the games is held out at a time.
    #[error("at least 20 games that ended on the board are needed, and there are {0}")]
    TooFew(usize),
}

/// Learns what boards are worth. The outcome is the same for the same games in the same order.
///
/// A stronger player wins more than his board is worth; so each player has a strength of his own in the sum while it is learned,
/// and none in what is kept. Every tenth of the games is held out in turn, and foretold by weights learned from the others; what is returned was
/// learned from all of them.
pub fn learn(records: &[Record], hindsight: &Hindsight) -> Result<(Worth, Report), LearnError> {
    let (lessons, games, players) = lessons(records, hindsight);
    if games < 2 * FOLDS {
        return Err(LearnError::TooFew(games));
    }
    let everything: Vec<usize> = (0..FEATURES).collect();
    let all = Fit::new(&lessons, &everything, players);
    let weights = all.weights(|_| true, None);
    let mut worth = Worth::nothing();
    for at in 0..FEATURES {
        let (mean, taper) = (weights[2 * at], weights[2 * at + 1]);
        (worth.middle[at], worth.ending[at]) = ((mean + taper) as f32, (mean - taper) as f32);
    }
    let report = Report {
        games,
        turns: lessons.len(),
        constant: Fit::new(&lessons, &[TURN], players).held_out(),
        chess: Fit::new(&lessons, &[TURN, CHESS], players).held_out(),
        all: all.held_out(),
    };
    Ok((worth, report))
}

/// A regression on some of the features: two columns for each, for its worth and how that differs between middle game and ending; and one for
/// each player.
struct Fit<'a> {
    lessons: &'a [Lesson],
    features: &'a [usize],
    columns: usize,
    /// What each weight is guessed to be, and how firmly it is held there.
    guess: Vec<f64>,
    ridge: Vec<f64>,
}

impl<'a> Fit<'a> {
    fn new(lessons: &'a [Lesson], features: &'a [usize], players: usize) -> Self {
        let columns = 2 * features.len() + players;
        let mut guess = vec![0.0; columns];
        for (pair, feature) in guess.chunks_exact_mut(2).zip(features) {
            pair[0] = match *feature {
                CHESS => BY_CHESS,
                TAKE_BACK => TAKEN_BACK,
                PAWN_TRY => TRIED,
                STANDSTILL => STANDING,
                BARED => HUNTED,
                BARED_BY_PAWN => HUNTED_BY_PAWN,
                _ => 0.0,
            };
        }
        let mut fit = Fit { lessons, features, columns, guess, ridge: vec![EQUAL; columns] };
        let (mut total, mut squares) = (0.0, vec![0.0; columns]);
        let mut row = vec![0.0; columns];
        for lesson in lessons {
            fit.fill(lesson, &mut row);
            let weight = f64::from(lesson.weight);
            total += weight;
            for (square, amount) in squares.iter_mut().zip(&row) {
                *square += weight * f64::from(amount * amount);
            }
        }
        for at in 0..2 * features.len() {
            let taper = if at % 2 == 0 { 1.0 } else { TAPER };
            let is_by_hand = matches!(features[at / 2], BARED | BARED_BY_PAWN);
            let by_hand = if is_by_hand { BY_HAND } else { 1.0 };
            let firmly = RIDGE * taper * by_hand;
            fit.ridge[at] = firmly * (squares[at] / total + SELDOM);
        }
        fit
    }

    /// The columns of a lesson.
    fn fill(&self, lesson: &Lesson, row: &mut [f32]) {
        let middle = lesson.noticed.middle;
        for (pair, feature) in row.chunks_exact_mut(2).zip(self.features) {
            let amount = lesson.noticed.features[*feature];
            pair[0] = amount;
            pair[1] = (2.0 * middle - 1.0) * amount;
        }
        let strengths = &mut row[2 * self.features.len()..];
        strengths.fill(0.0);
        strengths[lesson.players[0]] += 1.0;
        strengths[lesson.players[1]] -= 1.0;
    }

    /// The weights that fit these games best.
    fn weights(&self, counts: impl Fn(usize) -> bool, start: Option<&[f64]>) -> Vec<f64> {
        let size = self.columns;
        let mut weights = start.unwrap_or(&self.guess).to_vec();
        let mut row = vec![0.0; size];
        for _ in 0..STEPS {
            let mut slope: Vec<f64> =
                (0..size).map(|at| self.ridge[at] * (weights[at] - self.guess[at])).collect();
            let mut bend = vec![0.0f64; size * size];
            for lesson in self.lessons.iter().filter(|lesson| counts(lesson.game)) {
                self.fill(lesson, &mut row);
                let chance = foretold(&weights, &row);
                let weight = f64::from(lesson.weight);
                let off = weight * (chance - f64::from(lesson.came));
                let bent = weight * chance * (1.0 - chance);
                for i in 0..size {
                    let amount = f64::from(row[i]);
                    if amount == 0.0 {
                        continue;
                    }
                    slope[i] += off * amount;
                    let scaled = bent * amount;
                    for (sum, other) in bend[i * size..=i * size + i].iter_mut().zip(&row) {
                        *sum += scaled * f64::from(*other);
                    }
                }
            }
            for (i, ridge) in self.ridge.iter().enumerate() {
                bend[i * size + i] += ridge;
            }
            let step = solve(bend, slope);
            let longest = step.iter().fold(0.0f64, |longest, step| longest.max(step.abs()));
            let short = (LONGEST / longest).min(1.0);
            weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight -= short * step);
            if longest < 1e-6 {
                break;
            }
        }
        weights
    }

    /// How well each tenth of the games is foretold by the others. Nobody's strength is known then.
    fn held_out(&self) -> Loss {
        let start = self.weights(|_| true, None);
        let (mut loss, mut total) = (Loss::default(), 0.0);
        let mut row = vec![0.0; self.columns];
        for fold in 0..FOLDS {
            let weights = self.weights(|game| game % FOLDS != fold, Some(&start));
            for lesson in self.lessons.iter().filter(|lesson| lesson.game % FOLDS == fold) {
                self.fill(lesson, &mut row);
                row[2 * self.features.len()..].fill(0.0);
                let chance = foretold(&weights, &row).clamp(1e-9, 1.0 - 1e-9);
                let (score, weight) = (f64::from(lesson.score), f64::from(lesson.weight));
                total += weight;
                loss.log -= weight * (score * chance.ln() + (1.0 - score) * (1.0 - chance).ln());
                loss.brier += weight * (score - chance).powi(2);
            }
        }
        Loss { log: loss.log / total, brier: loss.brier / total }
    }
}

fn foretold(weights: &[f64], row: &[f32]) -> f64 {
    chance(weights.iter().zip(row).map(|(weight, amount)| weight * f64::from(*amount)).sum())
}

/// Solves a symmetric positive system of which the lower half is given, by Cholesky's method.
fn solve(mut matrix: Vec<f64>, mut side: Vec<f64>) -> Vec<f64> {
    let size = side.len();
    for i in 0..size {
        for j in 0..=i {
            let (above, below) = (&matrix[j * size..j * size + j], &matrix[i * size..i * size + j]);
            let sum: f64 = above.iter().zip(below).map(|(a, b)| a * b).sum();
            let rest = matrix[i * size + j] - sum;
            matrix[i * size + j] = if i == j { rest.sqrt() } else { rest / matrix[j * size + j] };
        }
    }
    for i in 0..size {
        let sum: f64 = (0..i).map(|k| matrix[i * size + k] * side[k]).sum();
        side[i] = (side[i] - sum) / matrix[i * size + i];
    }
    for i in (0..size).rev() {
        let sum: f64 = (i + 1..size).map(|k| matrix[k * size + i] * side[k]).sum();
        side[i] = (side[i] - sum) / matrix[i * size + i];
    }
    side
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved() {
        // 4x + 2y = 10, 2x + 3y = 9
        let solved = solve(vec![4.0, 0.0, 2.0, 3.0], vec![10.0, 9.0]);
        assert!((solved[0] - 1.5).abs() < 1e-12 && (solved[1] - 2.0).abs() < 1e-12, "{solved:?}");
    }

    #[test]
    fn nothing_is_learned_from_no_games() {
        assert_eq!(learn(&[], &Hindsight::default()).unwrap_err(), LearnError::TooFew(0));
    }
}
