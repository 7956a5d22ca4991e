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
mod tests {
    use super::*;
    use krieg_testing::{cases, hat};
    use proptest::prelude::*;
    use rand::RngExt;

    fn meeting(first: usize, second: usize, results: [u64; 3]) -> Meeting {
        Meeting::new(first, second, results)
    }

    #[test]
    fn the_american_league_of_1987_is_as_agresti_has_it() {
        // Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore; wins over each
        // (Categorical Data Analysis, ch. 10).
        let wins = [
            [0, 7, 9, 7, 7, 9, 11],
            [6, 0, 7, 5, 11, 9, 9],
            [4, 6, 0, 7, 7, 8, 12],
            [6, 8, 6, 0, 6, 7, 10],
            [6, 2, 6, 7, 0, 7, 12],
            [4, 4, 5, 6, 6, 0, 6],
            [2, 4, 1, 3, 1, 7, 0],
        ];
        let pairs = (0..7).flat_map(|a| (0..a).map(move |b| (a, b)));
        let meetings: Vec<_> =
            pairs.map(|(a, b)| meeting(a, b, [wins[a][b], 0, wins[b][a]])).collect();
        let fit = Fit::new(7, &meetings, 0.0);
        let published = [1.581, 1.436, 1.294, 1.248, 1.108, 0.684];
        for (team, published) in published.into_iter().enumerate() {
            let found = fit.logs[team] - fit.logs[6];
            assert!((found - published).abs() < 0.002, "team {team}: {found}");
        }
    }

    #[test]
    fn two_players_have_a_formula() {
        let meetings = [meeting(0, 1, [60, 25, 15])];
        let fit = Fit::new(2, &meetings, 0.0);
        assert!((fit.logs[0] - fit.logs[1] - 4.0_f64.ln()).abs() < 1e-6);
        assert!((fit.draw() - 25.0 / 30.0).abs() < 1e-6);
    }

    #[test]
    fn the_margin_of_equals_is_that_of_their_score() {
        // Each is half the difference above the average. Of 10,000 games without a draw the
        // difference is known to 1.96 standard errors of 0.005 in share, and a point is ln(10)/1600.
        let ratings = Ratings::fit(2, &[meeting(0, 1, [5_000, 0, 5_000])]).unwrap();
        let expected = 1.96 * 0.005 * 4.0 * ELO_PER_LOG / 2.0;
        assert!((ratings.players[0].margin - expected).abs() < 0.01, "{ratings:?}");
    }

    #[test]
    fn a_small_lead_is_worth_the_same_however_many_games_are_drawn() {
        for draws in [0, 10_000, 90_000] {
            // A lead of 1% of the points.
            let lead = (100_000 - draws) / 2;
            let results = [lead + 1_000, draws, lead - 1_000];
            let ratings = Ratings::fit(2, &[meeting(0, 1, results)]).unwrap();
            let elo = ratings.players[0].elo - ratings.players[1].elo;
            assert!((elo - crate::statistics::elo_of(0.51)).abs() < 0.1, "{draws}: {elo}");
        }
    }

    #[test]
    fn two_players_differ_by_what_their_score_stands_for() {
        for results in [[600, 2_400, 0], [1_500, 500, 300], [9_000, 10, 400]] {
            let ratings = Ratings::fit(2, &[meeting(0, 1, results)]).unwrap();
            let [wins, draws, losses] = results.map(|count| count as f64);
            let share = (wins + draws / 2.0) / (wins + draws + losses);
            let elo = ratings.players[0].elo - ratings.players[1].elo;
            assert!((elo - elo_of(share)).abs() < 2.0, "{results:?}: {elo} {}", elo_of(share));
        }
    }

    #[test]
    fn known_strengths_are_found_again() {
        let (logs, draw) = ([2.0, 0.8, 0.0, -0.4, -2.4], 0.8);
        let mut rng = hat(1970);
        let mut meetings = Vec::new();
        for a in 0..5 {
            for b in 0..a {
                let half = (logs[a] - logs[b]) / 2.0_f64;
                let weights = [half.exp(), draw, (-half).exp()];
                let mut results = [0; 3];
                for _ in 0..2_000 {
                    let x = rng.random_range(0.0..weights.iter().sum());
                    let result =
                        if x < weights[0] { 0 } else { 1 + usize::from(x >= weights[0] + draw) };
                    results[result] += 1;
                }
                meetings.push(meeting(a, b, results));
            }
        }
        let ratings = Ratings::fit(5, &meetings).unwrap();
        let points = Fit::new(5, &meetings, PRIOR).points();
        for (rating, log) in ratings.players.iter().zip(logs) {
            assert!((rating.elo - points * log).abs() < 1.5 * rating.margin, "{log}: {rating:?}");
            assert!((2.0..10.0).contains(&rating.margin), "{rating:?}");
        }
        assert!((ratings.draw - draw).abs() < 0.05, "{}", ratings.draw);
    }

    #[test]
    fn nineteen_ratings_in_twenty_are_within_their_margins() {
        // Games between three players, most of them drawn and hardly any lost by the better one: and nearly all drawn.
        for (better, draw) in [([0.28, 0.35, 0.08], 0.6), ([0.06, 0.09, 0.03], 0.9)] {
            let mut rng = hat(1952);
            let pairs = [(0, 1), (0, 2), (1, 2)];
            let truth: Vec<Meeting> = pairs
                .iter()
                .zip(better)
                .map(|(&(a, b), better)| {
                    let chances = [better, draw, 1.0 - draw - better];
                    meeting(a, b, chances.map(|chance: f64| (chance * 1e7).round() as u64))
                })
                .collect();
            let truth = Ratings::fit(3, &truth).unwrap().players;
            let mut hits = 0;
            for _ in 0..200 {
                let played: Vec<Meeting> = pairs
                    .iter()
                    .zip(better)
                    .map(|(&(a, b), better)| {
                        let mut results = [0; 3];
                        for _ in 0..300 {
                            let x: f64 = rng.random_range(0.0..1.0);
                            let lost = x >= better + draw;
                            results[usize::from(x >= better) + usize::from(lost)] += 1;
                        }
                        meeting(a, b, results)
                    })
                    .collect();
                let found = Ratings::fit(3, &played).unwrap().players;
                hits += found
                    .iter()
                    .zip(&truth)
                    .filter(|(f, t)| (f.elo - t.elo).abs() <= f.margin)
                    .count();
            }
            assert!((555..=590).contains(&hits), "{draw}: {hits} of 600");
        }
    }

    #[test]
    fn whoever_won_everything_has_a_finite_rating() {
        let ratings = Ratings::fit(2, &[meeting(0, 1, [10, 0, 0])]).unwrap();
        let Rating { elo, margin } = ratings.players[0];
        assert!((200.0..500.0).contains(&elo) && (100.0..1_000.0).contains(&margin), "{ratings:?}");
    }

    #[test]
    fn whoever_met_nobody_is_average_and_unknown() {
        let ratings = Ratings::fit(3, &[meeting(0, 1, [70, 0, 30])]).unwrap();
        let Rating { elo, margin } = ratings.players[2];
        assert!(elo.abs() < 1e-6 && margin > 500.0, "{ratings:?}");
        assert_eq!(Ratings::fit(0, &[]).unwrap().players, []);
    }

    #[test]
    fn groups_that_never_met_are_each_centred() {
        let meetings = [meeting(0, 1, [70, 5, 30]), meeting(2, 3, [0, 0, 9])];
        let elos = Ratings::fit(4, &meetings).unwrap().players;
        assert!((elos[0].elo + elos[1].elo).abs() < 1e-6, "{elos:?}");
        assert!((elos[2].elo + elos[3].elo).abs() < 1e-6, "{elos:?}");
    }

    #[test]
    fn impossible_meetings_are_named() {
        let unknown = Ratings::fit(2, &[meeting(0, 2, [1, 0, 0])]);
        assert_eq!(unknown, Err(BadMeeting::Unknown { player: 2, players: 2 }));
        assert_eq!(Ratings::fit(2, &[meeting(1, 1, [1, 0, 0])]), Err(BadMeeting::Himself(1)));
    }

    prop_compose! {
        fn meetings(most: u64)(
            all in proptest::collection::vec(
                (0..6_usize, 1..6_usize, proptest::array::uniform3(0..=most)), 0..12),
        ) -> Vec<Meeting> {
            all.into_iter().map(|(a, ahead, results)| meeting(a, (a + ahead) % 6, results)).collect()
        }
    }

    proptest! {
        #![proptest_config(cases(256))]

        #[test]
        fn who_is_named_first_and_who_has_which_number_changes_nothing(
            meetings in meetings(20),
        ) {
            let ratings = Ratings::fit(6, &meetings).unwrap();
            let turned: Vec<_> = meetings
                .iter()
                .map(|m| meeting(5 - m.second, 5 - m.first, [m.losses, m.draws, m.wins]))
                .collect();
            let turned = Ratings::fit(6, &turned).unwrap();
            for (one, other) in ratings.players.iter().zip(turned.players.iter().rev()) {
                prop_assert!((one.elo - other.elo).abs() < 1e-3);
                prop_assert!((one.margin - other.margin).abs() < 1e-3);
            }
            prop_assert!(ratings.players.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-3);
        }

        #[test]
        fn every_number_is_one(meetings in meetings(u64::MAX)) {
            let ratings = Ratings::fit(6, &meetings).unwrap();
            prop_assert!(ratings.draw.is_finite());
            for Rating { elo, margin } in ratings.players {
                prop_assert!(elo.is_finite() && margin.is_finite());
            }
        }
    }
}
