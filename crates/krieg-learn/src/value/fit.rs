//! Fitting the value model: ridge-regularised logistic regression by Newton's method, on the TD(λ)
//! targets of the turns of finished games.

use krieg_core::Record;
use thiserror::Error;

use super::samples::{TdTargets, ValueSample, value_samples};
use krieg_players::marshal::value::features::{
    ENGINE_EVAL, FEATURE_COUNT, LONE_KING_MAJOR, LONE_KING_PAWN, PAWN_TRY, RECAPTURE, STALLED_LEAD,
    TEMPO,
};
use krieg_players::marshal::value::{ValueModel, sigmoid};

/// Number of folds of the cross-validation.
const FOLDS: usize = 10;
/// Ridge penalty on the distance of a weight from its prior, in games: an effect must show in many
/// games to move a weight. With a penalty of 2, held-out games are predicted equally well; with 1
/// and a smaller λ, a match showed no gain (`benches/runs`).
const RIDGE: f64 = 5.0;
/// Factor of the ridge penalty on the difference between middlegame and endgame weights.
const TAPER_RIDGE: f64 = 4.0;
/// Added to the variance of each feature when the ridge penalty is scaled, so that rare features
/// are penalised too.
const RARE_FEATURE_VARIANCE: f64 = 0.02;
/// Ridge penalty on the strength of each player.
const STRENGTH_RIDGE: f64 = 0.25;

/// Prior weight of the feature `engine-eval` (a unit is four pawns). This and the next three were
/// chosen because they play well before anything is fitted.
const ENGINE_EVAL_PRIOR: f64 = 1.15;
/// Prior weight of `recapture` (a unit is nine points).
const RECAPTURE_PRIOR: f64 = 2.6;
/// Prior weight of `pawn-try`.
const PAWN_TRY_PRIOR: f64 = 0.23;
/// Prior weight of `stalled-lead` (a unit is all material for a hundred plies).
const STALLED_LEAD_PRIOR: f64 = -1.0;
/// Weight of `lone-king-major`, set by hand: the samples make a lone king look safer than the games
/// do, because the games in which it escapes last longest.
const LONE_KING_MAJOR_PRIOR: f64 = 1.5;
/// Weight of `lone-king-pawn`, set by hand as well.
const LONE_KING_PAWN_PRIOR: f64 = 1.0;
/// Factor of the ridge penalty on weights that are set by hand.
const FIXED_RIDGE: f64 = 1_000.0;
/// Maximum number of Newton steps; five are enough in practice.
const MAX_STEPS: usize = 20;
/// Maximum change of a weight in one Newton step; beyond it the quadratic approximation is poor.
const MAX_CHANGE: f64 = 1.0;

/// The mean error of the predicted outcomes of held-out games over their turns.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ForecastLoss {
    /// Log-loss: the negative logarithm of the probability of the outcome.
    pub log: f64,
    /// Brier score: the squared difference between prediction and outcome.
    pub brier: f64,
}

/// The size of the training set, and the cross-validated loss of three models.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitReport {
    /// Games that ended on the board.
    pub games: usize,
    /// Turns in these games: the samples.
    pub turns: usize,
    /// Loss of a constant prediction.
    pub constant: ForecastLoss,
    /// Loss with the tempo and the chess engine's evaluation as the only features.
    pub chess: ForecastLoss,
    /// Loss with all features.
    pub all: ForecastLoss,
}

/// Why a model cannot be fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FitError {
    /// There are too few games for cross-validation.
    #[error("at least 20 games that ended on the board are needed, and there are {0}")]
    TooFewGames(usize),
}

/// Fits a value model to these games. The same games in the same order give the same model.
///
/// A stronger player scores more than the board promises. During the fit each player therefore has
/// a strength parameter, which is dropped from the model. The reported losses are cross-validated
/// in ten folds; the returned model is fitted to all games.
pub fn fit_value_model(
    records: &[Record],
    targets: &TdTargets,
) -> Result<(ValueModel, FitReport), FitError> {
    let (samples, games, players) = value_samples(records, targets);
    if games < 2 * FOLDS {
        return Err(FitError::TooFewGames(games));
    }
    let all_features: Vec<usize> = (0..FEATURE_COUNT).collect();
    let all = Regression::new(&samples, &all_features, players);
    let weights = all.fit(|_| true, None);
    let (mut middlegame, mut endgame) = ([0.0; FEATURE_COUNT], [0.0; FEATURE_COUNT]);
    for at in 0..FEATURE_COUNT {
        let (mean, taper) = (weights[2 * at], weights[2 * at + 1]);
        (middlegame[at], endgame[at]) = ((mean + taper) as f32, (mean - taper) as f32);
    }
    let report = FitReport {
        games,
        turns: samples.len(),
        constant: Regression::new(&samples, &[TEMPO], players).cross_validate(),
        chess: Regression::new(&samples, &[TEMPO, ENGINE_EVAL], players).cross_validate(),
        all: all.cross_validate(),
    };
    Ok((ValueModel::from_weights(middlegame, endgame), report))
}

/// A logistic regression on some of the features. Each feature has two columns (its mean weight,
/// and half the difference between middlegame and endgame), and each player has one (their
/// strength).
struct Regression<'a> {
    samples: &'a [ValueSample],
    features: &'a [usize],
    columns: usize,
    /// The prior of each weight, and the ridge penalty on the distance from it.
    prior: Vec<f64>,
    ridge: Vec<f64>,
}

impl<'a> Regression<'a> {
    fn new(samples: &'a [ValueSample], features: &'a [usize], players: usize) -> Self {
        let columns = 2 * features.len() + players;
        let mut prior = vec![0.0; columns];
        for (pair, feature) in prior.chunks_exact_mut(2).zip(features) {
            pair[0] = match *feature {
                ENGINE_EVAL => ENGINE_EVAL_PRIOR,
                RECAPTURE => RECAPTURE_PRIOR,
                PAWN_TRY => PAWN_TRY_PRIOR,
                STALLED_LEAD => STALLED_LEAD_PRIOR,
                LONE_KING_MAJOR => LONE_KING_MAJOR_PRIOR,
                LONE_KING_PAWN => LONE_KING_PAWN_PRIOR,
                _ => 0.0,
            };
        }
        let ridge = vec![STRENGTH_RIDGE; columns];
        let mut regression = Regression { samples, features, columns, prior, ridge };
        let (mut total, mut squares) = (0.0, vec![0.0; columns]);
        let mut row = vec![0.0; columns];
        for sample in samples {
            regression.fill_row(sample, &mut row);
            let weight = f64::from(sample.weight);
            total += weight;
            for (square, amount) in squares.iter_mut().zip(&row) {
                *square += weight * f64::from(amount * amount);
            }
        }
        for at in 0..2 * features.len() {
            let taper = if at % 2 == 0 { 1.0 } else { TAPER_RIDGE };
            let is_fixed = matches!(features[at / 2], LONE_KING_MAJOR | LONE_KING_PAWN);
            let fixed = if is_fixed { FIXED_RIDGE } else { 1.0 };
            let scale = RIDGE * taper * fixed;
            regression.ridge[at] = scale * (squares[at] / total + RARE_FEATURE_VARIANCE);
        }
        regression
    }

    /// Writes the columns of a sample.
    fn fill_row(&self, sample: &ValueSample, row: &mut [f32]) {
        let phase = sample.features.phase;
        for (pair, feature) in row.chunks_exact_mut(2).zip(self.features) {
            let amount = sample.features.values[*feature];
            pair[0] = amount;
            pair[1] = (2.0 * phase - 1.0) * amount;
        }
        let strengths = &mut row[2 * self.features.len()..];
        strengths.fill(0.0);
        strengths[sample.players[0]] += 1.0;
        strengths[sample.players[1]] -= 1.0;
    }

    /// The weights that minimise the regularised loss on the games that `is_used` selects.
    fn fit(&self, is_used: impl Fn(usize) -> bool, start: Option<&[f64]>) -> Vec<f64> {
        let size = self.columns;
        let mut weights = start.unwrap_or(&self.prior).to_vec();
        let mut row = vec![0.0; size];
        for _ in 0..MAX_STEPS {
            let mut gradient: Vec<f64> =
                (0..size).map(|at| self.ridge[at] * (weights[at] - self.prior[at])).collect();
            let mut hessian = vec![0.0f64; size * size];
            for sample in self.samples.iter().filter(|sample| is_used(sample.game)) {
                self.fill_row(sample, &mut row);
                let predicted = predict(&weights, &row);
                let weight = f64::from(sample.weight);
                let residual = weight * (predicted - f64::from(sample.target));
                let curvature = weight * predicted * (1.0 - predicted);
                for i in 0..size {
                    let amount = f64::from(row[i]);
                    if amount == 0.0 {
                        continue;
                    }
                    gradient[i] += residual * amount;
                    let scaled = curvature * amount;
                    for (sum, other) in hessian[i * size..=i * size + i].iter_mut().zip(&row) {
                        *sum += scaled * f64::from(*other);
                    }
                }
            }
            for (i, ridge) in self.ridge.iter().enumerate() {
                hessian[i * size + i] += ridge;
            }
            let step = solve_cholesky(hessian, gradient);
            let longest = step.iter().fold(0.0f64, |longest, step| longest.max(step.abs()));
            let damping = (MAX_CHANGE / longest).min(1.0);
            weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight -= damping * step);
            if longest < 1e-6 {
                break;
            }
        }
        weights
    }

    /// The loss on each fold with weights fitted to the other folds. The strengths of the players
    /// are set to 0 for the prediction.
    fn cross_validate(&self) -> ForecastLoss {
        let start = self.fit(|_| true, None);
        let (mut loss, mut total) = (ForecastLoss::default(), 0.0);
        let mut row = vec![0.0; self.columns];
        for fold in 0..FOLDS {
            let weights = self.fit(|game| game % FOLDS != fold, Some(&start));
            for sample in self.samples.iter().filter(|sample| sample.game % FOLDS == fold) {
                self.fill_row(sample, &mut row);
                row[2 * self.features.len()..].fill(0.0);
                let predicted = predict(&weights, &row).clamp(1e-9, 1.0 - 1e-9);
                let (outcome, weight) = (f64::from(sample.outcome), f64::from(sample.weight));
                total += weight;
                loss.log -=
                    weight * (outcome * predicted.ln() + (1.0 - outcome) * (1.0 - predicted).ln());
                loss.brier += weight * (outcome - predicted).powi(2);
            }
        }
        ForecastLoss { log: loss.log / total, brier: loss.brier / total }
    }
}

/// The predicted score of a row of columns.
fn predict(weights: &[f64], row: &[f32]) -> f64 {
    sigmoid(weights.iter().zip(row).map(|(weight, amount)| weight * f64::from(*amount)).sum())
}

/// Solves a symmetric positive definite system, given its lower triangle, by Cholesky
/// decomposition.
fn solve_cholesky(mut matrix: Vec<f64>, mut side: Vec<f64>) -> Vec<f64> {
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
    fn cholesky_solves_a_system() {
        // 4x + 2y = 10, 2x + 3y = 9
        let solved = solve_cholesky(vec![4.0, 0.0, 2.0, 3.0], vec![10.0, 9.0]);
        assert!((solved[0] - 1.5).abs() < 1e-12 && (solved[1] - 2.0).abs() < 1e-12, "{solved:?}");
    }

    #[test]
    fn no_games_are_an_error() {
        let error = fit_value_model(&[], &TdTargets::default()).unwrap_err();
        assert_eq!(error, FitError::TooFewGames(0));
    }
}
