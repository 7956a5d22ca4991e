//! Ratings of players who met one another, from all their results at once.
//!
//! The model is Bradley and Terry's with draws as Davidson adds them (R. Davidson, "On extending
//! the Bradley-Terry model to accommodate ties", 1970): where players of strengths p and q meet,
//! a win, a draw and a loss are as likely as p : ν√(pq) : q.
//!
//! **Elo.** With δ = ln(p/q) the expected score is (e^(δ/2) + ν/2) / (e^(δ/2) + ν + e^(-δ/2)), where Elo's formula, draws or not, has
//! 1 / (1 + e^(-δ)). So δ is multiplied by a factor: the one with which Elo's formula comes nearest to the scores expected of the games that
//! were played. Between equals that is 2/(2 + ν), and for two players alone their ratings differ by what their score stands for.
//!
//! **Margins.** A rating is a function of the shares of points in all meetings. Each share has its standard error, from pairs of games where
//! they were played in pairs; how far a rating moves with each share follows from the information matrix and the scale, and so the errors
//! of the shares become the error of the rating.
//!
//! **Prior.** Before any game each ln p is held for normal about 0 with a standard deviation
//! of 3, and ln ν likewise. That weighs as much as half a game where draws are rare, and does three
//! things: whoever won everything has a finite rating; whoever met nobody has that of the average player, with a very
//! wide margin; and groups that never met are each centred on the average.

use thiserror::Error;

use super::score::least_variance;
use super::{ELO_PER_LOG, NINETY_FIVE, elo_of};

/// One over the variance of the prior.
const PRIOR: f64 = 1.0 / 9.0;

/// What two players did against each other; they may have more than one of these.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meeting {
    /// The player whose results these are.
    pub first: usize,
    /// His opponent.
    pub second: usize,
    /// Games that the first won.
    pub wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Games that the second won.
    pub losses: u64,
    /// The standard error of the first player's share of the points.
    error: f64,
}

impl Meeting {
    /// So many wins, draws and losses of the first player, in games that are independent of each other.
    pub fn new(first: usize, second: usize, [wins, draws, losses]: [u64; 3]) -> Self {
        let [won, drawn, lost] = [wins, draws, losses].map(|count| count as f64);
        let games = (won + drawn + lost).max(1.0);
        let share = (won + drawn / 2.0) / games;
        let variance = (won + drawn / 4.0) / games - share * share;
        let error = (variance / games).max(least_variance(games)).sqrt();
        Meeting { first, second, wins, draws, losses, error }
    }

    /// The same with another standard error of the share, if there is one: that of games in pairs, for which see
    /// [`Standing`](super::Standing).
    pub fn with_error(self, error: Option<f64>) -> Self {
        Meeting { error: error.unwrap_or(self.error), ..self }
    }
}

/// How strong a player is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// Points above the average of all players here.
    pub elo: f64,
    /// Half the width of the 95% interval about them.
    pub margin: f64,
}

/// The strengths of some players, and how drawish their game is.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// By number of player.
    pub players: Vec<Rating>,
    /// Davidson's ν: equals draw ν/(2 + ν) of their games. 0 if no game was drawn.
    pub draw: f64,
}

/// A meeting that cannot have been.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadMeeting {
    /// There are not so many players.
    #[error("there is no player {player} among {players}")]
    Unknown {
        /// Who was named.
        player: usize,
        /// How many there are.
        players: usize,
    },
    /// Nobody plays himself.
    #[error("player {0} cannot have met himself")]
    Himself(usize),
}

impl Ratings {
    /// The ratings of so many players that explain these meetings best.
    ///
    /// ```
    /// use krieg_arena::statistics::bradley_terry::{Meeting, Ratings};
    /// let meeting = Meeting::new(0, 1, [700, 100, 200]);
    /// let ratings = Ratings::fit(2, &[meeting])?;
    /// assert_eq!(ratings.players[0].elo.round(), 95.0);
    /// assert_eq!(ratings.players[1].elo.round(), -95.0);
    /// # Ok::<(), krieg_arena::statistics::bradley_terry::BadMeeting>(())
    /// ```
    pub fn fit(players: usize, meetings: &[Meeting]) -> Result<Self, BadMeeting> {
        for meeting in meetings {
            for player in [meeting.first, meeting.second] {
                if player >= players {
                    return Err(BadMeeting::Unknown { player, players });
                }
            }
            if meeting.first == meeting.second {
                return Err(BadMeeting::Himself(meeting.first));
            }
        }
        let fit = Fit::new(players, meetings, PRIOR);
        let draw = fit.draw();
        let points = fit.points();
        let errors = fit.errors(points);
        let rating = |player: usize| Rating {
            elo: points * fit.logs[player],
            margin: NINETY_FIVE * errors[player],
        };
        Ok(Ratings { players: (0..players).map(rating).collect(), draw })
    }
}

/// The likeliest strengths, found by Newton's method.
struct Fit<'a> {
    players: usize,
    meetings: &'a [Meeting],
    prior: f64,
    /// The logarithms of the players' strengths and, if games were drawn, of ν.
    logs: Vec<f64>,
}

impl<'a> Fit<'a> {
    /// Without a prior the players must be connected by their meetings, and nobody may have won
    /// or lost everything.
    fn new(players: usize, meetings: &'a [Meeting], prior: f64) -> Self {
        let drawn = meetings.iter().any(|meeting| meeting.draws > 0);
        let logs = vec![0.0; players + usize::from(drawn)];
        let mut fit = Fit { players, meetings, prior, logs };
        // The likelihood has one peak, and a dozen steps reach it; the limits are for numbers so
        // large that rounding hides it.
        for _ in 0..100 {
            if !fit.climb() {
                break;
            }
        }
        fit
    }

    fn draw(&self) -> f64 {
        self.logs.get(self.players).map_or(0.0, |log| log.exp())
    }

    /// Points of rating in one unit of the logarithms of strength: a line through the origin, drawn as near as can be to the ratings that the
    /// expected scores stand for. A game counts by how much its result can tell.
    fn points(&self) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for meeting in self.meetings {
            let delta = self.logs[meeting.first] - self.logs[meeting.second];
            let ([win, draw, _], _) = self.chances(meeting);
            let share = win + draw / 2.0;
            let games: f64 = meeting.results().iter().sum();
            let weight = games * share * (1.0 - share) * delta;
            sum += weight * elo_of(share.clamp(1e-9, 1.0 - 1e-9));
            weights += weight * delta;
        }
        // Between equals any factor fits; the limit for small differences is this one.
        let between_equals = ELO_PER_LOG * 2.0 / (2.0 + self.draw());
        if weights.abs() > 1e-9 { sum / weights } else { between_equals }
    }

    /// The standard errors of the ratings.
    fn errors(&self, points: f64) -> Vec<f64> {
        let by_slope = inverse(self.slopes().1);
        // How the scale changes with each logarithm.
        const STEP: f64 = 1e-5;
        let scale: Vec<f64> = (0..self.logs.len())
            .map(|at| {
                let shifted = |by: f64| {
                    let mut logs = self.logs.clone();
                    logs[at] += by;
                    Fit { logs, ..*self }.points()
                };
                (shifted(STEP) - shifted(-STEP)) / (2.0 * STEP)
            })
            .collect();
        let by_scale: Vec<f64> = (0..self.logs.len())
            .map(|at| scale.iter().zip(&by_slope).map(|(scale, row)| scale * row[at]).sum())
            .collect();
        let error = |player: usize| {
            let by = |at: usize| points * by_slope[player][at] + self.logs[player] * by_scale[at];
            let of_meeting = |meeting: &Meeting| {
                let games: f64 = meeting.results().iter().sum();
                games * meeting.error * (by(meeting.first) - by(meeting.second))
            };
            // What the prior leaves open where nothing was played: the average of all is 0 by definition.
            let played = self.meetings.iter().filter(|m| [m.first, m.second].contains(&player));
            match played.map(|meeting| meeting.results().iter().sum::<f64>()).sum::<f64>() {
                0.0 => points / PRIOR.sqrt(),
                _ => self.meetings.iter().map(|m| of_meeting(m).powi(2)).sum::<f64>().sqrt(),
            }
        };
        (0..self.players).map(error).collect()
    }

    /// The probabilities of a win, a draw and a loss, and the logarithm of what they were divided
    /// by.
    fn chances(&self, meeting: &Meeting) -> ([f64; 3], f64) {
        let half = (self.logs[meeting.first] - self.logs[meeting.second]) / 2.0;
        let draw = self.logs.get(self.players).copied().unwrap_or(f64::NEG_INFINITY);
        let highest = half.abs().max(draw);
        let weights = [half, draw, -half].map(|log| (log - highest).exp());
        let sum: f64 = weights.iter().sum();
        (weights.map(|weight| weight / sum), highest + sum.ln())
    }

    fn log_likelihood(&self) -> f64 {
        let squares: f64 = self.logs.iter().map(|log| log * log).sum();
        let meetings = self.meetings.iter().map(|meeting| {
            let [wins, draws, losses] = meeting.results();
            let half = (self.logs[meeting.first] - self.logs[meeting.second]) / 2.0;
            let drawn = self.logs.get(self.players).map_or(0.0, |log| log * draws);
            half * (wins - losses) + drawn - (wins + draws + losses) * self.chances(meeting).1
        });
        meetings.sum::<f64>() - self.prior * squares / 2.0
    }

    /// The slope of the likelihood, and the information: how much it bends, the other way.
    fn slopes(&self) -> (Vec<f64>, Vec<Vec<f64>>) {
        let size = self.logs.len();
        let mut slope: Vec<f64> = self.logs.iter().map(|log| -self.prior * log).collect();
        let mut bend = vec![vec![0.0; size]; size];
        for (i, row) in bend.iter_mut().enumerate() {
            row[i] = self.prior;
            // Games say nothing of the average strength. To hold it in place changes nothing else.
            if i < self.players {
                row[..self.players].iter_mut().for_each(|x| *x += 1.0 / self.players as f64);
            }
        }
        for meeting in self.meetings {
            let [wins, draws, losses] = meeting.results();
            let games = wins + draws + losses;
            let ([win, draw, loss], _) = self.chances(meeting);
            let (a, b) = (meeting.first, meeting.second);
            let excess = (wins - losses - games * (win - loss)) / 2.0;
            slope[a] += excess;
            slope[b] -= excess;
            // The variance of half the difference between wins and losses.
            let variance = games * (win + loss - (win - loss).powi(2)) / 4.0;
            bend[a][a] += variance;
            bend[b][b] += variance;
            bend[a][b] -= variance;
            bend[b][a] -= variance;
            if size > self.players {
                let nu = self.players;
                slope[nu] += draws - games * draw;
                bend[nu][nu] += games * draw * (1.0 - draw);
                let covariance = -games * draw * (win - loss) / 2.0;
                for (player, covariance) in [(a, covariance), (b, -covariance)] {
                    bend[player][nu] += covariance;
                    bend[nu][player] += covariance;
                }
            }
        }
        (slope, bend)
    }

    /// One step uphill, shortened until it is one; false if there is none worth taking.
    fn climb(&mut self) -> bool {
        let (slope, bend) = self.slopes();
        let row_times_slope = |row: &Vec<f64>| row.iter().zip(&slope).map(|(x, y)| x * y).sum();
        let step: Vec<f64> = inverse(bend).iter().map(row_times_slope).collect();
        let before = self.log_likelihood();
        let from = self.logs.clone();
        let mut part = 1.0;
        while step.iter().any(|x| (x * part).abs() > 1e-9) {
            self.logs = from.iter().zip(&step).map(|(log, x)| log + part * x).collect();
            if self.log_likelihood() >= before {
                return true;
            }
            part /= 2.0;
        }
        self.logs = from;
        false
    }
}

impl Meeting {
    fn results(&self) -> [f64; 3] {
        [self.wins, self.draws, self.losses].map(|count| count as f64)
    }
}

/// The inverse of a positive definite matrix, by Gauss and Jordan.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    // Where counts are beyond all measure, rounding takes away what makes it positive.
    let least: Vec<f64> = (0..matrix.len()).map(|i| matrix[i][i] * 16.0 * f64::EPSILON).collect();
    for at in 0..matrix.len() {
        let pivot = matrix[at][at].max(least[at]);
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
