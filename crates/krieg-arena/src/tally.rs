//! Counting the games of a contest.

use std::collections::{BTreeMap, HashSet};

use krieg_core::Color;

use crate::log::LoggedGame;
use crate::plan::{Pairing, Plan};
use crate::statistics::bradley_terry::{Meeting, Rating, Ratings};
use crate::statistics::{Hypothesis, Sprt, Standing};

/// The games of a contest so far, counted. It is the same in whatever order they came.
#[derive(Debug, Clone)]
pub struct Tally {
    plan: Plan,
    pairings: Vec<Pairing>,
    standings: Vec<Standing>,
    endings: BTreeMap<String, u64>,
    /// Wins of White, draws, wins of Black.
    by_color: [u64; 3],
    /// For each player, how many games he drew that he should have won.
    given_away: Vec<u64>,
    plies: u64,
    tries: u64,
    /// What was tried in each game, as a number that is another one for another game.
    games: HashSet<u64>,
}

/// A line of a table of players.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The player's number in the plan.
    pub player: usize,
    /// His rating.
    pub rating: Rating,
    /// His points.
    pub points: f64,
    /// His games.
    pub games: usize,
    /// His share of the points against each player, in the order of the table; none against himself and those he has not met.
    pub shares: Vec<Option<f64>>,
}

impl Tally {
    /// Nothing counted yet.
    pub fn new(plan: &Plan) -> Self {
        let pairings = plan.pairings();
        Tally {
            standings: vec![Standing::default(); pairings.len()],
            pairings,
            plan: plan.clone(),
            endings: BTreeMap::new(),
            by_color: [0; 3],
            given_away: vec![0; plan.players.len()],
            plies: 0,
            tries: 0,
            games: HashSet::new(),
        }
    }

    /// Counts a game, and gives back the half points of its pairing's first player.
    pub fn add(&mut self, game: &LoggedGame) -> u8 {
        let fixture = self.plan.fixture(game.number);
        let white = game.white_half_points();
        let first_has_white = fixture.white == self.pairings[fixture.pairing].0;
        let half_points = if first_has_white { white } else { 2 - white };
        self.standings[fixture.pairing].add(fixture.number_in_pairing, half_points);
        *self.endings.entry(game.reason().to_string()).or_default() += 1;
        self.by_color[usize::from(2 - white)] += 1;
        if let Some(color) = game.given_away(&self.plan) {
            let player = if color == Color::White { fixture.white } else { fixture.black };
            self.given_away[player] += 1;
        }
        self.plies += u64::from(game.plies);
        self.tries += u64::from(game.count_tries());
        self.games.insert(game.fingerprint());
        half_points
    }

    /// What is counted here.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Everybody who meets, in the order of the [`standings`](Tally::standings).
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// For each pairing, the score of its first player.
    pub fn standings(&self) -> &[Standing] {
        &self.standings
    }

    /// How many games ended for which reason.
    pub fn endings(&self) -> &BTreeMap<String, u64> {
        &self.endings
    }

    /// Wins of White, draws, and wins of Black.
    pub fn by_color(&self) -> [u64; 3] {
        self.by_color
    }

    /// For each player of the plan, how many games ended by stalemate, repetition or fifty moves while he was five points ahead or more.
    pub fn given_away(&self) -> &[u64] {
        &self.given_away
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.by_color.iter().sum()
    }

    /// How many of them are not the same as another, try by try. Players who draw no random numbers play the same game again and again.
    pub fn different_games(&self) -> u64 {
        self.games.len() as u64
    }

    /// Moves in a game, of both sides together, on the average.
    pub fn plies_per_game(&self) -> f64 {
        self.plies as f64 / self.games().max(1) as f64
    }

    /// Tries for a move that stands, on the average.
    pub fn tries_per_move(&self) -> f64 {
        self.tries as f64 / self.plies.max(1) as f64
    }

    /// The ratings of all players, from all games at once.
    pub fn ratings(&self) -> Ratings {
        let meetings: Vec<Meeting> = self.meetings();
        Ratings::fit(self.plan.players.len(), &meetings).expect("pairings are of two players each")
    }

    /// What the players of each pairing did against each other.
    pub fn meetings(&self) -> Vec<Meeting> {
        let each = self.pairings.iter().zip(&self.standings);
        each.map(|(&(first, second), standing)| {
            let results = standing.counts().map(|count| count as u64);
            Meeting::new(first, second, results).with_error(standing.standard_error())
        })
        .collect()
    }

    /// All players, the best first, with what each made of each.
    pub fn table(&self) -> Vec<Row> {
        let count = self.plan.players.len();
        let ratings = self.ratings().players;
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
        let mut shares = vec![vec![None; count]; count];
        for (&(first, second), standing) in self.pairings.iter().zip(&self.standings) {
            if standing.games() > 0 {
                shares[first][second] = Some(standing.share());
                shares[second][first] = Some(1.0 - standing.share());
            }
        }
        let row = |&player: &usize| {
            let (points, games) = self.points_of(player);
            let shares = order.iter().map(|&other| shares[player][other]).collect();
            Row { player, rating: ratings[player], points, games, shares }
        };
        order.iter().map(row).collect()
    }

    /// A player's points and games.
    fn points_of(&self, player: usize) -> (f64, usize) {
        let (mut points, mut games) = (0.0, 0);
        for (&(first, second), standing) in self.pairings.iter().zip(&self.standings) {
            let count = standing.games();
            let won = standing.share() * count as f64;
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

/// A test that follows a match of two players game by game, in the order of their numbers: whatever was played ahead
/// must not decide, or a match on many threads would end otherwise than one on a single thread.
#[derive(Debug)]
pub struct Trial {
    sprt: Sprt,
    pairs: [u64; 5],
    next: u64,
    waiting: BTreeMap<u64, u8>,
    verdict: Option<Hypothesis>,
}

impl Trial {
    /// Nothing heard yet.
    pub fn new(sprt: Sprt) -> Self {
        Trial { sprt, pairs: [0; 5], next: 0, waiting: BTreeMap::new(), verdict: None }
    }

    /// Takes in a game by its number and the first player's half points.
    pub fn add(&mut self, number: u64, half_points: u8) {
        if self.verdict.is_some() {
            return;
        }
        self.waiting.insert(number, half_points);
        while let (Some(&one), Some(&other)) =
            (self.waiting.get(&self.next), self.waiting.get(&(self.next + 1)))
        {
            self.waiting.remove(&self.next);
            self.waiting.remove(&(self.next + 1));
            self.pairs[usize::from(one + other)] += 1;
            self.next += 2;
            self.verdict = self.sprt.verdict(self.llr());
            if self.verdict.is_some() {
                break;
            }
        }
    }

    /// The test.
    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// The logarithm of the likelihood ratio so far.
    pub fn llr(&self) -> f64 {
        self.sprt.llr(&self.pairs)
    }

    /// What was decided, if anything was.
    pub fn verdict(&self) -> Option<Hypothesis> {
        self.verdict
    }

    /// Once it is decided, the number of the first game that no longer counts.
    pub fn end(&self) -> Option<u64> {
        self.verdict.map(|_| self.next)
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
            tries: tries.into(),
        }
    }

    #[test]
    fn a_stalemate_with_a_queen_too_many_is_given_away_and_an_agreed_draw_is_not() {
        let players = ["greedy", "random"].map(|name| name.parse().unwrap());
        let start = Position::from_fen("7k/8/6K1/8/8/8/Q7/8 w - - 0 1").unwrap();
        let mut tally = Tally::new(&Plan { start, ..Plan::new(players.to_vec()) });
        tally.add(&drawn(0, "agreement", "a2a3"));
        assert_eq!(tally.given_away(), [0, 0]);
        // In the odd games the second player has White.
        for number in [2, 3, 5] {
            tally.add(&drawn(number, "stalemate", "a2f7"));
        }
        assert_eq!(tally.given_away(), [1, 2]);
        let text = crate::report::standing_lines(&tally);
        assert!(text.contains("drawn though five points ahead: greedy 1, random 2"), "{text}");
    }

    #[test]
    fn what_was_played_ahead_does_not_decide() {
        let sprt: Sprt = "0,100".parse().unwrap();
        let mut in_order = Trial::new(sprt);
        let mut shuffled = Trial::new(sprt);
        let points = |number: u64| if number.is_multiple_of(5) { 0 } else { 2 };
        for number in 0..200 {
            in_order.add(number, points(number));
        }
        for number in (0..100).rev().chain(100..200) {
            shuffled.add(number, points(number));
        }
        assert_eq!(in_order.verdict(), Some(Hypothesis::H1));
        assert_eq!((in_order.end(), in_order.llr()), (shuffled.end(), shuffled.llr()));
    }
}
