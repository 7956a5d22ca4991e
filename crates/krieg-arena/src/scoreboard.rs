//! Counts the games of a tournament: scores, endings, crosstable.

use std::collections::{BTreeMap, HashSet};

use krieg_core::Color;
use krieg_stats::MatchScore;
use krieg_stats::bradley_terry::{HeadToHead, Rating, Ratings};

use crate::logged_game::LoggedGame;
use crate::tournament::{Pairing, Tournament};

/// The results of a tournament so far. They do not depend on the order of the games.
///
/// ```
/// use krieg_arena::{LoggedGame, Scoreboard, Tournament};
/// let players = ["greedy", "random"].map(|name| name.parse().unwrap());
/// let mut scoreboard = Scoreboard::new(&Tournament::new(players.to_vec()));
/// let line = r#"{"game":0,"result":"1-0","ending":"resignation","plies":0,"tries":""}"#;
/// assert_eq!(scoreboard.add(&LoggedGame::read(line)?), 2, "half points of greedy");
/// assert_eq!(scoreboard.wins_by_color(), [1, 0, 0]);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone)]
pub struct Scoreboard {
    tournament: Tournament,
    pairings: Vec<Pairing>,
    standings: Vec<MatchScore>,
    endings: BTreeMap<String, u64>,
    /// Wins of White, draws, wins of Black.
    by_color: [u64; 3],
    /// For each player, draws with a material lead of five points or more.
    unconverted_leads: Vec<u64>,
    /// For each player, games lost on time.
    lost_on_time: Vec<u64>,
    /// Time charged to all players, in milliseconds.
    thinking_ms: u64,
    /// Time all players waited for a processor, in milliseconds.
    processor_wait_ms: u64,
    plies: u64,
    tries: u64,
    /// Hashes of the games, to count different ones.
    fingerprints: HashSet<u64>,
}

/// A row of the crosstable.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CrosstableRow {
    /// The index of the player in the tournament.
    pub player: usize,
    /// The player's rating.
    pub rating: Rating,
    /// Points.
    pub points: f64,
    /// Number of games.
    pub games: usize,
    /// The score against each player, in the order of the rows; `None` for the player itself and
    /// for opponents it has not met.
    pub scores: Vec<Option<f64>>,
}

impl Scoreboard {
    /// A scoreboard without games.
    pub fn new(tournament: &Tournament) -> Self {
        let pairings = tournament.pairings();
        Scoreboard {
            standings: vec![MatchScore::default(); pairings.len()],
            pairings,
            tournament: tournament.clone(),
            endings: BTreeMap::new(),
            by_color: [0; 3],
            unconverted_leads: vec![0; tournament.players.len()],
            lost_on_time: vec![0; tournament.players.len()],
            thinking_ms: 0,
            processor_wait_ms: 0,
            plies: 0,
            tries: 0,
            fingerprints: HashSet::new(),
        }
    }

    /// Adds a game and returns the half points of the first player of its pairing.
    pub fn add(&mut self, game: &LoggedGame) -> u8 {
        let scheduled = self.tournament.game(game.number);
        let white = game.white_half_points();
        let first_has_white = scheduled.white == self.pairings[scheduled.pairing].0;
        let half_points = if first_has_white { white } else { 2 - white };
        self.standings[scheduled.pairing].add(scheduled.number_in_pairing, half_points);
        *self.endings.entry(game.reason().to_string()).or_default() += 1;
        self.by_color[usize::from(2 - white)] += 1;
        let player = |color| match color {
            Color::White => scheduled.white,
            Color::Black => scheduled.black,
        };
        if let Some(color) = game.unconverted_lead(&self.tournament) {
            self.unconverted_leads[player(color)] += 1;
        }
        if let Some(color) = game.lost_on_time(&self.tournament) {
            self.lost_on_time[player(color)] += 1;
        }
        self.thinking_ms += game.try_times().map(u64::from).sum::<u64>();
        self.processor_wait_ms += game.processor_wait_ms;
        self.plies += u64::from(game.plies);
        self.tries += u64::from(game.count_tries());
        self.fingerprints.insert(game.fingerprint());
        half_points
    }

    /// The tournament.
    pub fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// All pairings, in the order of the [`standings`](Scoreboard::standings).
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// For each pairing, the score of its first player.
    pub fn standings(&self) -> &[MatchScore] {
        &self.standings
    }

    /// The number of games by ending.
    pub fn endings(&self) -> &BTreeMap<String, u64> {
        &self.endings
    }

    /// The share of the players' thinking time in which they waited for a processor, from 0 to 1.
    pub fn processor_wait_share(&self) -> f64 {
        let total = self.thinking_ms + self.processor_wait_ms;
        if total == 0 { 0.0 } else { self.processor_wait_ms as f64 / total as f64 }
    }

    /// Wins of White, draws, and wins of Black.
    pub fn wins_by_color(&self) -> [u64; 3] {
        self.by_color
    }

    /// For each player, the number of games drawn by stalemate, repetition or fifty moves while the
    /// player had five or more points of material more than the opponent.
    pub fn unconverted_leads(&self) -> &[u64] {
        &self.unconverted_leads
    }

    /// For each player, the number of games lost on time.
    pub fn lost_on_time(&self) -> &[u64] {
        &self.lost_on_time
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.by_color.iter().sum()
    }

    /// The number of different games, compared try by try. Players without random numbers repeat
    /// the same game.
    pub fn different_games(&self) -> u64 {
        self.fingerprints.len() as u64
    }

    /// Average number of moves per game, of both sides together.
    pub fn plies_per_game(&self) -> f64 {
        self.plies as f64 / self.games().max(1) as f64
    }

    /// Average number of tries per move.
    pub fn tries_per_move(&self) -> f64 {
        self.tries as f64 / self.plies.max(1) as f64
    }

    /// The ratings of all players, from all games at once.
    pub fn ratings(&self) -> Ratings {
        Ratings::fit(self.tournament.players.len(), &self.meetings())
            .expect("every pairing is of two players of the tournament")
    }

    /// The result of each pairing, as input for ratings.
    pub fn meetings(&self) -> Vec<HeadToHead> {
        let each = self.pairings.iter().zip(&self.standings);
        each.map(|(&(first, second), standing)| {
            let results = standing.counts().map(|count| count as u64);
            HeadToHead::new(first, second, results).with_error(standing.standard_error())
        })
        .collect()
    }

    /// All players, the highest rated first, with their scores against each other.
    pub fn crosstable(&self) -> Vec<CrosstableRow> {
        let count = self.tournament.players.len();
        let ratings = self.ratings().players;
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
        let mut scores = vec![vec![None; count]; count];
        for (&(first, second), standing) in self.pairings.iter().zip(&self.standings) {
            if standing.games() > 0 {
                scores[first][second] = Some(standing.score());
                scores[second][first] = Some(1.0 - standing.score());
            }
        }
        let row = |&player: &usize| {
            let (points, games) = self.points_of(player);
            let scores = order.iter().map(|&other| scores[player][other]).collect();
            CrosstableRow { player, rating: ratings[player], points, games, scores }
        };
        order.iter().map(row).collect()
    }

    /// A player's points and number of games.
    fn points_of(&self, player: usize) -> (f64, usize) {
        let (mut points, mut games) = (0.0, 0);
        for (&(first, second), standing) in self.pairings.iter().zip(&self.standings) {
            let count = standing.games();
            let won = standing.score() * count as f64;
            if first == player {
                points += won;
            } else if second == player {
                points += count as f64 - won;
            } else {
                continue;
            }
            games += count;
        }
        (points, games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::Position;

    fn drawn(number: u64, ending: &str, tries: &str) -> LoggedGame {
        LoggedGame {
            number,
            result: "1/2-1/2".into(),
            ending: ending.into(),
            why: None,
            plies: 1,
            processor_wait_ms: 0,
            tries: tries.into(),
        }
    }

    #[test]
    fn stalemate_with_a_queen_ahead_is_an_unconverted_lead_and_an_agreed_draw_is_not() {
        let players = ["greedy", "random"].map(|name| name.parse().unwrap());
        let start = Position::from_fen("7k/8/6K1/8/8/8/Q7/8 w - - 0 1").unwrap();
        let mut scoreboard =
            Scoreboard::new(&Tournament { start, ..Tournament::new(players.to_vec()) });
        scoreboard.add(&drawn(0, "agreement", "a2a3"));
        assert_eq!(scoreboard.unconverted_leads(), [0, 0]);
        // In the odd games the second player has White.
        for number in [2, 3, 5] {
            scoreboard.add(&drawn(number, "stalemate", "a2f7"));
        }
        assert_eq!(scoreboard.unconverted_leads(), [1, 2]);
        let text = crate::report::result_text(&scoreboard);
        let line = "drawn with a material lead of five points or more: greedy 1, random 2";
        assert!(text.contains(line), "{text}");
    }

    #[test]
    fn games_lost_on_time_are_counted_per_player() {
        let players = ["greedy", "random"].map(|name| name.parse().unwrap());
        let control = "100ms/move".parse().unwrap();
        let mut scoreboard =
            Scoreboard::new(&Tournament { control, ..Tournament::new(players.to_vec()) });
        for (number, result) in [(0, "1-0"), (1, "1-0"), (2, "1-0"), (3, "0-1")] {
            let result = result.to_string();
            scoreboard.add(&LoggedGame { result, ..drawn(number, "flag", "") });
        }
        assert_eq!(scoreboard.lost_on_time(), [1, 3]);
        let text = crate::report::result_text(&scoreboard);
        assert!(text.contains("lost on time: greedy 1, random 3"), "{text}");
    }

    #[test]
    fn players_without_a_processor_are_reported() {
        let players = ["greedy", "random"].map(|name| name.parse().unwrap());
        let control = "100ms/move".parse().unwrap();
        let report = |processor_wait_ms| {
            let mut scoreboard =
                Scoreboard::new(&Tournament { control, ..Tournament::new(players.to_vec()) });
            scoreboard
                .add(&LoggedGame { processor_wait_ms, ..drawn(0, "agreement", "e2e4/60 e7e5/40") });
            (scoreboard.processor_wait_share(), crate::report::result_text(&scoreboard))
        };
        let (share, text) = report(300);
        assert_eq!(share, 0.75);
        assert!(text.contains("waited for a processor for 75% of their thinking time"), "{text}");
        assert!(!report(2).1.contains("waited"), "a short wait is normal");
    }
}
