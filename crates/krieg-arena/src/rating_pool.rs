//! Ratings of players who met in several tournaments.

use std::collections::BTreeMap;

use krieg_stats::bradley_terry::{HeadToHead, Ratings};
use krieg_stats::glicko2::{Glicko2Rating, Glicko2System};

use crate::game_log::GameLog;
use crate::scoreboard::Scoreboard;

/// The results of several tournaments. Players with the same name and parameters are the same.
///
/// ```
/// use krieg_arena::{GameLog, RatingPool, Tournament, play_games};
/// use std::sync::atomic::AtomicBool;
/// let players = ["semi-random", "random"].map(|name| name.parse().unwrap());
/// let tournament = Tournament { games_per_pairing: 20, ..Tournament::new(players.to_vec()) };
/// let numbers: Vec<u64> = tournament.game_numbers().collect();
/// let mut games = Vec::new();
/// play_games(&tournament, &numbers, 2, &AtomicBool::new(false), |game| {
///     games.push(game);
///     true
/// })?;
/// let mut pool = RatingPool::default();
/// pool.add(&GameLog { tournament, games });
/// let ratings = pool.bradley_terry().players;
/// assert!(ratings[0].elo > ratings[1].elo, "semi-random is stronger than random");
/// # Ok::<(), krieg_players::SpecError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct RatingPool {
    players: Vec<String>,
    indices: BTreeMap<String, usize>,
    /// One list per tournament, in the order they were added.
    periods: Vec<Vec<HeadToHead>>,
}

impl RatingPool {
    /// Adds a tournament. For [`glicko`](RatingPool::glicko) it is one rating period.
    pub fn add(&mut self, log: &GameLog) {
        let mut scoreboard = Scoreboard::new(&log.tournament);
        for game in &log.games {
            scoreboard.add(game);
        }
        let indices: Vec<usize> =
            log.tournament.players.iter().map(|player| self.index(player.to_string())).collect();
        let meetings = scoreboard.meetings().into_iter().map(|mut meeting| {
            meeting.first = indices[meeting.first];
            meeting.second = indices[meeting.second];
            meeting
        });
        // A match of a player against itself says nothing about its strength.
        self.periods.push(meetings.filter(|meeting| meeting.first != meeting.second).collect());
    }

    fn index(&mut self, name: String) -> usize {
        let next = self.players.len();
        *self.indices.entry(name).or_insert_with_key(|name| {
            self.players.push(name.clone());
            next
        })
    }

    /// All players, in the order they were first added.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// The number of games of each player.
    pub fn games(&self) -> Vec<usize> {
        let mut games = vec![0; self.players.len()];
        for meeting in self.periods.iter().flatten() {
            let count = (meeting.wins + meeting.draws + meeting.losses) as usize;
            games[meeting.first] += count;
            games[meeting.second] += count;
        }
        games
    }

    /// Bradley–Terry ratings, from all games at once.
    pub fn bradley_terry(&self) -> Ratings {
        let meetings: Vec<HeadToHead> = self.periods.iter().flatten().copied().collect();
        Ratings::fit(self.players.len(), &meetings)
            .expect("all meetings are of players in the pool")
    }

    /// Glicko-2 ratings, one period after the other.
    pub fn glicko(&self) -> Vec<Glicko2Rating> {
        let system = Glicko2System::default();
        let mut rated = vec![Glicko2Rating::default(); self.players.len()];
        for period in &self.periods {
            let before = rated.clone();
            for (player, glicko) in rated.iter_mut().enumerate() {
                *glicko = system.update(before[player], &results_of(player, period, &before));
            }
        }
        rated
    }
}

/// A player's results in one period, with the opponents' ratings before it.
fn results_of(
    player: usize,
    period: &[HeadToHead],
    before: &[Glicko2Rating],
) -> Vec<(Glicko2Rating, f64)> {
    let mut results = Vec::new();
    for meeting in period {
        let HeadToHead { first, second, wins, draws, losses, .. } = *meeting;
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
    use crate::logged_game::LoggedGame;
    use crate::tournament::Tournament;

    /// A match of ten games in which the first player wins this many.
    fn log(players: [&str; 2], wins: u64) -> GameLog {
        let players = players.map(|name| name.parse().unwrap());
        let tournament = Tournament { games_per_pairing: 10, ..Tournament::new(players.to_vec()) };
        let games = tournament.game_numbers().map(|number| {
            let first_wins = number < wins;
            let first_has_white = number.is_multiple_of(2);
            LoggedGame {
                number,
                result: if first_wins == first_has_white { "1-0" } else { "0-1" }.to_string(),
                ending: "checkmate".to_string(),
                why: None,
                plies: 0,
                processor_wait_ms: 0,
                tries: String::new(),
            }
        });
        GameLog { games: games.collect(), tournament }
    }

    #[test]
    fn players_are_identified_by_name_across_tournaments() {
        let mut pool = RatingPool::default();
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
    fn games_of_a_player_against_itself_change_no_rating() {
        let mut pool = RatingPool::default();
        pool.add(&log(["random", "random"], 10));
        assert_eq!(pool.glicko()[0].rating, 1500.0);
        assert_eq!(pool.bradley_terry().players[0].elo, 0.0);
    }
}
