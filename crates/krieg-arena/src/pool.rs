//! Players who have met in several contests: all their results in one place.

use std::collections::BTreeMap;

use crate::log::Log;
use crate::statistics::bradley_terry::{Meeting, Ratings};
use crate::statistics::glicko2::{Glicko, System};
use crate::tally::Tally;

/// The results of several contests. Players are the same if they are written the same.
#[derive(Debug, Clone, Default)]
pub struct Pool {
    players: Vec<String>,
    numbers: BTreeMap<String, usize>,
    /// One list for each contest, in the order they were added.
    periods: Vec<Vec<Meeting>>,
}

impl Pool {
    /// Adds a contest. For [`glicko`](Pool::glicko) it is a rating period.
    pub fn add(&mut self, log: &Log) {
        let mut tally = Tally::new(&log.plan);
        for game in &log.games {
            tally.add(game);
        }
        let numbers: Vec<usize> =
            log.plan.players.iter().map(|player| self.number(player.to_string())).collect();
        let meetings = tally.meetings().into_iter().map(|mut meeting| {
            meeting.first = numbers[meeting.first];
            meeting.second = numbers[meeting.second];
            meeting
        });
        // Whoever plays himself learns nothing about his strength.
        self.periods.push(meetings.filter(|meeting| meeting.first != meeting.second).collect());
    }

    fn number(&mut self, name: String) -> usize {
        let next = self.players.len();
        *self.numbers.entry(name).or_insert_with_key(|name| {
            self.players.push(name.clone());
            next
        })
    }

    /// Everybody, in the order they came.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// How many games each has played.
    pub fn games(&self) -> Vec<usize> {
        let mut games = vec![0; self.players.len()];
        for meeting in self.periods.iter().flatten() {
            let count = (meeting.wins + meeting.draws + meeting.losses) as usize;
            games[meeting.first] += count;
            games[meeting.second] += count;
        }
        games
    }

    /// Ratings from all games at once.
    pub fn bradley_terry(&self) -> Ratings {
        let meetings: Vec<Meeting> = self.periods.iter().flatten().copied().collect();
        Ratings::fit(self.players.len(), &meetings).expect("meetings are of players in the pool")
    }

    /// Ratings period by period.
    pub fn glicko(&self) -> Vec<Glicko> {
        let system = System::default();
        let mut rated = vec![Glicko::default(); self.players.len()];
        for period in &self.periods {
            let before = rated.clone();
            for (player, glicko) in rated.iter_mut().enumerate() {
                *glicko = system.update(before[player], &results_of(player, period, &before));
            }
        }
        rated
    }
}

/// A player's results in a period, against opponents as they were before it.
fn results_of(player: usize, period: &[Meeting], before: &[Glicko]) -> Vec<(Glicko, f64)> {
    let mut results = Vec::new();
    for meeting in period {
        let Meeting { first, second, wins, draws, losses, .. } = *meeting;
        let (opponent, wins, losses) = match player {
            _ if player == first => (second, wins, losses),
            _ if player == second => (first, losses, wins),
            _ => continue,
        };
        for (count, score) in [(wins, 1.0), (draws, 0.5), (losses, 0.0)] {
            results.extend(std::iter::repeat_n((before[opponent], score), count as usize));
        }
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::LoggedGame;
    use crate::plan::Plan;

    /// A contest in which the player named first wins so many games of ten.
    fn log(players: [&str; 2], wins: u64) -> Log {
        let players = players.map(|name| name.parse().unwrap());
        let plan = Plan { games: 10, ..Plan::new(players.to_vec()) };
        let games = plan.numbers().map(|number| {
            let first_wins = number < wins;
            let first_has_white = number.is_multiple_of(2);
            LoggedGame {
                number,
                result: if first_wins == first_has_white { "1-0" } else { "0-1" }.to_string(),
                ending: "checkmate".to_string(),
                why: None,
                plies: 0,
                tries: String::new(),
            }
        });
        Log { games: games.collect(), plan }
    }

    #[test]
    fn players_are_known_by_name_across_contests() {
        let mut pool = Pool::default();
        pool.add(&log(["greedy", "random"], 8));
        pool.add(&log(["random", "semi-random"], 3));
        assert_eq!(pool.players(), ["greedy", "random", "semi-random"]);
        assert_eq!(pool.games(), [10, 20, 10]);
        let elos: Vec<f64> = pool.bradley_terry().players.iter().map(|rating| rating.elo).collect();
        assert!(elos[0] > elos[2] && elos[2] > elos[1], "{elos:?}");
        let rated = pool.glicko();
        assert!(rated[0].rating > 1500.0 && rated[1].rating < 1500.0, "{rated:?}");
    }

    #[test]
    fn whoever_plays_himself_stays_where_he_is() {
        let mut pool = Pool::default();
        pool.add(&log(["random", "random"], 10));
        assert_eq!(pool.glicko()[0].rating, 1500.0);
        assert_eq!(pool.bradley_terry().players[0].elo, 0.0);
    }
}
