//! Bradley–Terry ratings with draws, fitted to all results of a tournament at once.
//!
//! The model is that of Bradley and Terry with Davidson's draws (R. Davidson, "On extending the
//! Bradley-Terry model to accommodate ties", 1970): between players of strengths p and q, the
//! probabilities of a win, a draw and a loss are proportional to p : ν√(pq) : q.
//!
//! **Elo scale.** With δ = ln(p/q) the expected score is
//! (e^(δ/2) + ν/2) / (e^(δ/2) + ν + e^(-δ/2)), while Elo's formula, which has no draws, is
//! 1 / (1 + e^(-δ)). Ratings are therefore δ times a scale, fitted so that Elo's formula comes as
//! close as possible to the expected scores of the games played. Between equal players the scale
//! is 2/(2 + ν). With two players only, the rating difference is the one that their score implies.
//!
//! **Margins of error.** A rating is a function of the scores of all pairings. Each score has a
//! standard error, from game pairs if the games were played in pairs. The delta method propagates
//! these errors to the ratings: the derivatives follow from the information matrix and from the
//! scale.
//!
//! **Prior.** Each ln p, and ln ν, has a normal prior with mean 0 and standard deviation 3, which
//! weighs about as much as half a game if draws are rare. It has three effects: a player who won
//! every game has a finite rating; a player without games has the average rating with a very wide
//! margin; and groups of players that never met are each centred on the average.

use thiserror::Error;

use crate::score::min_variance;
use crate::{ELO_PER_LOG_ODDS, Z_95, elo_from_score};

/// The precision (inverse variance) of the prior.
const PRIOR: f64 = 1.0 / 9.0;

/// The results of one player against another. A pair of players may have several of these.
///
/// ```
/// use krieg_stats::bradley_terry::HeadToHead;
/// let results = HeadToHead::new(0, 1, [60, 25, 15]);
/// assert_eq!((results.wins, results.draws, results.losses), (60, 25, 15));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeadToHead {
    /// The index of the player whose results these are.
    pub first: usize,
    /// The index of the opponent.
    pub second: usize,
    /// The number of games won by the first player.
    pub wins: u64,
    /// The number of drawn games.
    pub draws: u64,
    /// The number of games won by the second player.
    pub losses: u64,
    /// The standard error of the first player's score.
    error: f64,
}

impl HeadToHead {
    /// The numbers of wins, draws and losses of the first player, in independent games.
    pub fn new(first: usize, second: usize, [wins, draws, losses]: [u64; 3]) -> Self {
        let [won, drawn, lost] = [wins, draws, losses].map(|count| count as f64);
        let games = (won + drawn + lost).max(1.0);
        let score = (won + drawn / 2.0) / games;
        let variance = (won + drawn / 4.0) / games - score * score;
        let error = (variance / games).max(min_variance(games)).sqrt();
        HeadToHead { first, second, wins, draws, losses, error }
    }

    /// The same results with another standard error of the score, if one is given: that of games
    /// played in pairs, from [`MatchScore::standard_error`](super::MatchScore::standard_error).
    #[must_use]
    pub fn with_error(self, error: Option<f64>) -> Self {
        HeadToHead { error: error.unwrap_or(self.error), ..self }
    }
}

/// The rating of a player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// Elo points above the average of all rated players.
    pub elo: f64,
    /// The margin of error: half the width of the 95% confidence interval.
    pub margin: f64,
}

/// The ratings of a group of players.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// The rating of each player, by index.
    pub players: Vec<Rating>,
    /// Davidson's draw parameter ν: equal players draw ν/(2 + ν) of their games. It is 0 if no game
    /// was drawn.
    pub draw: f64,
}

/// Why results are invalid.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HeadToHeadError {
    /// The index of a player is out of range.
    #[error("there is no player {player} among {players}")]
    UnknownPlayer {
        /// The index.
        player: usize,
        /// The number of players.
        players: usize,
    },
    /// A player has results against themselves.
    #[error("player {0} cannot have results against themselves")]
    SamePlayer(usize),
}

impl Ratings {
    /// The maximum a posteriori ratings of `players` players, given their results.
    ///
    /// ```
    /// use krieg_stats::bradley_terry::{HeadToHead, Ratings};
    /// let results = HeadToHead::new(0, 1, [700, 100, 200]);
    /// let ratings = Ratings::fit(2, &[results])?;
    /// assert_eq!(ratings.players[0].elo.round(), 95.0);
    /// assert_eq!(ratings.players[1].elo.round(), -95.0);
    /// # Ok::<(), krieg_stats::bradley_terry::HeadToHeadError>(())
    /// ```
    pub fn fit(players: usize, results: &[HeadToHead]) -> Result<Self, HeadToHeadError> {
        for pairing in results {
            for player in [pairing.first, pairing.second] {
                if player >= players {
                    return Err(HeadToHeadError::UnknownPlayer { player, players });
                }
            }
            if pairing.first == pairing.second {
                return Err(HeadToHeadError::SamePlayer(pairing.first));
            }
        }
        let fit = Fit::new(players, results, PRIOR);
        let draw = fit.draw();
        let scale = fit.elo_scale();
        let errors = fit.standard_errors(scale);
        let rating =
            |player: usize| Rating { elo: scale * fit.logs[player], margin: Z_95 * errors[player] };
        Ok(Ratings { players: (0..players).map(rating).collect(), draw })
    }
}

/// The maximum a posteriori parameters, found by Newton's method.
struct Fit<'a> {
    players: usize,
    results: &'a [HeadToHead],
    /// The precision of the prior.
    prior: f64,
    /// The logarithms of the players' strengths, followed by ln ν if any game was drawn.
    logs: Vec<f64>,
}

impl<'a> Fit<'a> {
    /// Without a prior the maximum exists only if the pairings connect all players, and if no
    /// player won or lost every game.
    fn new(players: usize, results: &'a [HeadToHead], prior: f64) -> Self {
        let has_draws = results.iter().any(|pairing| pairing.draws > 0);
        let logs = vec![0.0; players + usize::from(has_draws)];
        let mut fit = Fit { players, results, prior, logs };
        // The log-posterior is concave, and about a dozen steps reach its maximum. The limit
        // applies to counts so large that rounding errors prevent convergence.
        for _ in 0..100 {
            if !fit.newton_step() {
                break;
            }
        }
        fit
    }

    /// The draw parameter ν.
    fn draw(&self) -> f64 {
        self.logs.get(self.players).map_or(0.0, |log| log.exp())
    }

    /// Elo points per unit of log strength: the slope of a regression through the origin of the
    /// Elo differences that the expected scores imply on the differences of log strength. Each
    /// game is weighted by its Fisher information.
    fn elo_scale(&self) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for pairing in self.results {
            let delta = self.logs[pairing.first] - self.logs[pairing.second];
            let ([win, draw, _], _) = self.probabilities(pairing);
            let score = win + draw / 2.0;
            let games: f64 = pairing.counts().iter().sum();
            let weight = games * score * (1.0 - score) * delta;
            sum += weight * elo_from_score(score.clamp(1e-9, 1.0 - 1e-9));
            weights += weight * delta;
        }
        // Between equal players every scale fits; this is the limit for small differences.
        let limit = ELO_PER_LOG_ODDS * 2.0 / (2.0 + self.draw());
        if weights.abs() > 1e-9 { sum / weights } else { limit }
    }

    /// The standard errors of the ratings, by the delta method.
    fn standard_errors(&self, scale: f64) -> Vec<f64> {
        let covariance = inverse(self.derivatives().1);
        // The gradient of the scale with respect to the parameters, by central differences.
        const STEP: f64 = 1e-5;
        let scale_gradient: Vec<f64> = (0..self.logs.len())
            .map(|at| {
                let shifted = |by: f64| {
                    let mut logs = self.logs.clone();
                    logs[at] += by;
                    Fit { logs, ..*self }.elo_scale()
                };
                (shifted(STEP) - shifted(-STEP)) / (2.0 * STEP)
            })
            .collect();
        let scale_change: Vec<f64> = (0..self.logs.len())
            .map(|at| {
                scale_gradient.iter().zip(&covariance).map(|(slope, row)| slope * row[at]).sum()
            })
            .collect();
        let error = |player: usize| {
            let change =
                |at: usize| scale * covariance[player][at] + self.logs[player] * scale_change[at];
            let contribution = |pairing: &HeadToHead| {
                let games: f64 = pairing.counts().iter().sum();
                games * pairing.error * (change(pairing.first) - change(pairing.second))
            };
            // A player without games has the uncertainty of the prior. The average of all players
            // is 0 by definition and has none.
            let played = self.results.iter().filter(|m| [m.first, m.second].contains(&player));
            match played.map(|pairing| pairing.counts().iter().sum::<f64>()).sum::<f64>() {
                0.0 => scale / PRIOR.sqrt(),
                _ => self.results.iter().map(|m| contribution(m).powi(2)).sum::<f64>().sqrt(),
            }
        };
        (0..self.players).map(error).collect()
    }

    /// The probabilities of a win, a draw and a loss, and the logarithm of their normalization.
    fn probabilities(&self, pairing: &HeadToHead) -> ([f64; 3], f64) {
        let half = (self.logs[pairing.first] - self.logs[pairing.second]) / 2.0;
        let draw = self.logs.get(self.players).copied().unwrap_or(f64::NEG_INFINITY);
        let highest = half.abs().max(draw);
        let weights = [half, draw, -half].map(|log| (log - highest).exp());
        let sum: f64 = weights.iter().sum();
        (weights.map(|weight| weight / sum), highest + sum.ln())
    }

    fn log_posterior(&self) -> f64 {
        let squares: f64 = self.logs.iter().map(|log| log * log).sum();
        let log_likelihoods = self.results.iter().map(|pairing| {
            let [wins, draws, losses] = pairing.counts();
            let half = (self.logs[pairing.first] - self.logs[pairing.second]) / 2.0;
            let drawn = self.logs.get(self.players).map_or(0.0, |log| log * draws);
            half * (wins - losses) + drawn - (wins + draws + losses) * self.probabilities(pairing).1
        });
        log_likelihoods.sum::<f64>() - self.prior * squares / 2.0
    }

    /// The gradient of the log-posterior, and its information matrix (the negative Hessian).
    fn derivatives(&self) -> (Vec<f64>, Vec<Vec<f64>>) {
        let size = self.logs.len();
        let mut gradient: Vec<f64> = self.logs.iter().map(|log| -self.prior * log).collect();
        let mut information = vec![vec![0.0; size]; size];
        for (i, row) in information.iter_mut().enumerate() {
            row[i] = self.prior;
            // The results do not determine the average strength. This term fixes it and changes
            // nothing else.
            if i < self.players {
                row[..self.players].iter_mut().for_each(|x| *x += 1.0 / self.players as f64);
            }
        }
        for pairing in self.results {
            let [wins, draws, losses] = pairing.counts();
            let games = wins + draws + losses;
            let ([win, draw, loss], _) = self.probabilities(pairing);
            let (a, b) = (pairing.first, pairing.second);
            let excess = (wins - losses - games * (win - loss)) / 2.0;
            gradient[a] += excess;
            gradient[b] -= excess;
            // The variance of half the difference between wins and losses.
            let variance = games * (win + loss - (win - loss).powi(2)) / 4.0;
            information[a][a] += variance;
            information[b][b] += variance;
            information[a][b] -= variance;
            information[b][a] -= variance;
            if size > self.players {
                let nu = self.players;
                gradient[nu] += draws - games * draw;
                information[nu][nu] += games * draw * (1.0 - draw);
                let covariance = -games * draw * (win - loss) / 2.0;
                for (player, covariance) in [(a, covariance), (b, -covariance)] {
                    information[player][nu] += covariance;
                    information[nu][player] += covariance;
                }
            }
        }
        (gradient, information)
    }

    /// One Newton step with backtracking line search. Returns `false` if no step larger than the
    /// tolerance improves the log-posterior.
    fn newton_step(&mut self) -> bool {
        let (gradient, information) = self.derivatives();
        let row_times_gradient =
            |row: &Vec<f64>| row.iter().zip(&gradient).map(|(x, y)| x * y).sum();
        let step: Vec<f64> = inverse(information).iter().map(row_times_gradient).collect();
        let before = self.log_posterior();
        let from = self.logs.clone();
        let mut part = 1.0;
        while step.iter().any(|x| (x * part).abs() > 1e-9) {
            self.logs = from.iter().zip(&step).map(|(log, x)| log + part * x).collect();
            if self.log_posterior() >= before {
                return true;
            }
            part /= 2.0;
        }
        self.logs = from;
        false
    }
}

impl HeadToHead {
    /// Wins, draws and losses.
    fn counts(&self) -> [f64; 3] {
        [self.wins, self.draws, self.losses].map(|count| count as f64)
    }
}

/// The inverse of a positive definite matrix, by Gauss–Jordan elimination.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    // With huge counts, rounding errors can make the matrix indefinite. A lower bound on the pivots
    // keeps the elimination stable.
    let min_pivot: Vec<f64> =
        (0..matrix.len()).map(|i| matrix[i][i] * 16.0 * f64::EPSILON).collect();
    for at in 0..matrix.len() {
        let pivot = matrix[at][at].max(min_pivot[at]);
        matrix[at][at] = 1.0;
        matrix[at].iter_mut().for_each(|x| *x /= pivot);
        let pivots = matrix[at].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(i, _)| *i != at) {
            let factor = std::mem::take(&mut row[at]);
            row.iter_mut().zip(&pivots).for_each(|(x, y)| *x -= factor * y);
        }
    }
    matrix
}

#[cfg(test)]
mod tests;
