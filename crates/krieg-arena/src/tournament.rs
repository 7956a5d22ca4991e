//! The definition and schedule of a tournament: pairings, colours, openings and seeds.
//!
//! Everything about a game except its moves follows from the tournament and the number of the
//! game. Games can therefore be played in any order, on any number of threads or machines, and a
//! run can be interrupted at any time: which games are missing is always known.

use std::time::Duration;

use krieg_core::{DrawRules, Position, Ruleset, Setup};
use krieg_players::{GameSettings, PlayerSpec};
use krieg_time::TimeControl;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Which players are paired with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum TournamentFormat {
    /// Every player meets every other player.
    #[default]
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

/// A tournament of two or more players. A match is a tournament of two.
///
/// ```
/// use krieg_arena::Tournament;
/// let players = ["greedy", "random"].map(|name| name.parse().unwrap());
/// let tournament = Tournament { games_per_pairing: 10, ..Tournament::new(players.to_vec()) };
/// assert_eq!(tournament.total_games(), 10);
/// let [first, second] = [0, 1].map(|number| tournament.game(number));
/// assert_eq!((first.white, second.white), (0, 1), "the second game has reversed colours");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tournament {
    /// The players; at least two.
    pub players: Vec<PlayerSpec>,
    /// Which players are paired.
    pub format: TournamentFormat,
    /// Games per pairing.
    pub games_per_pairing: u64,
    /// The seed of the openings and of the players' random numbers.
    pub seed: u64,
    /// The ruleset.
    pub ruleset: Ruleset,
    /// The draws that the umpire declares.
    pub draws: DrawRules,
    /// The start position, before the random opening.
    pub start: Position,
    /// Random plies played from the start position. Both players see them, and both games of a
    /// pair have the same opening.
    pub opening_plies: u32,
    /// The time control.
    pub control: TimeControl,
    /// How much a player may exceed its time in a turn before its flag falls.
    pub time_margin: Duration,
    /// Number of moves per side after which a game is adjudicated as a draw.
    pub draw_after: Option<u32>,
    /// Whether players that can ponder think on the opponent's time.
    pub ponder: bool,
}

impl Tournament {
    /// A round robin of these players with default settings.
    pub fn new(players: Vec<PlayerSpec>) -> Self {
        Tournament {
            players,
            format: TournamentFormat::RoundRobin,
            games_per_pairing: 100,
            seed: 1,
            ruleset: Ruleset::ICC,
            draws: DrawRules::ALL,
            start: Position::start(),
            opening_plies: 0,
            control: TimeControl::Unlimited,
            time_margin: GameSettings::DEFAULT_TIME_MARGIN,
            draw_after: None,
            ponder: false,
        }
    }
}

/// Two players who meet, by index. The first has White in their games with even numbers.
pub type Pairing = (usize, usize);

/// One game of the schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduledGame {
    /// The number of the game in the tournament. Games 2k and 2k+1 are a pair.
    pub number: u64,
    /// The index of its pairing.
    pub pairing: usize,
    /// Its number among the games of the pairing.
    pub number_in_pairing: u64,
    /// The index of the player with White.
    pub white: usize,
    /// The index of the player with Black.
    pub black: usize,
}

/// Random openings drawn before one with fewer plies is tried.
const OPENING_ATTEMPTS: usize = 100;

/// JSON numbers are exact up to this seed.
const MAX_SEED: u64 = (1 << 53) - 1;

impl Tournament {
    /// All pairings.
    ///
    /// ```
    /// use krieg_arena::{Tournament, TournamentFormat};
    /// let players = ["random", "semi-random", "greedy"].map(|name| name.parse().unwrap());
    /// let mut tournament = Tournament::new(players.to_vec());
    /// assert_eq!(tournament.pairings(), [(0, 1), (0, 2), (1, 2)]);
    /// tournament.format = TournamentFormat::Gauntlet;
    /// assert_eq!(tournament.pairings(), [(0, 1), (0, 2)]);
    /// ```
    pub fn pairings(&self) -> Vec<Pairing> {
        (0..self.pairing_count()).map(|index| self.pairing(index)).collect()
    }

    fn pairing_count(&self) -> usize {
        let players = self.players.len();
        match self.format {
            TournamentFormat::RoundRobin => players * players.saturating_sub(1) / 2,
            TournamentFormat::Gauntlet => players.saturating_sub(1),
        }
    }

    /// The pairing with this index, without a list of all pairings.
    fn pairing(&self, mut index: usize) -> Pairing {
        let mut first = 0;
        loop {
            let opponents = self.players.len() - first - 1;
            if index < opponents || opponents == 0 {
                return (first, first + 1 + index);
            }
            index -= opponents;
            first += 1;
        }
    }

    /// The number of games in the tournament.
    pub fn total_games(&self) -> u64 {
        self.pairing_count() as u64 * self.games_per_pairing
    }

    /// The numbers of all games. Each pairing plays one pair of games per round, so after any
    /// number of games all players have played about equally many.
    pub fn game_numbers(&self) -> impl Iterator<Item = u64> + '_ {
        let pairings = self.pairing_count() as u64;
        let all = pairings * self.games_per_pairing.next_multiple_of(2);
        (0..all).filter(move |&number| in_pairing(number, pairings) < self.games_per_pairing)
    }

    /// The game with this number.
    pub fn game(&self, number: u64) -> ScheduledGame {
        let count = self.pairing_count() as u64;
        let pairing = (number / 2 % count) as usize;
        let (first, second) = self.pairing(pairing);
        let (white, black) =
            if number.is_multiple_of(2) { (first, second) } else { (second, first) };
        let number_in_pairing = in_pairing(number, count);
        ScheduledGame { number, pairing, number_in_pairing, white, black }
    }

    /// The seed of a game.
    pub fn game_seed(&self, game: &ScheduledGame) -> u64 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        rng.next_u64().wrapping_add(game.number.wrapping_mul(0x9e37_79b9_7f4a_7c15)) & MAX_SEED
    }

    /// The settings of a game. All pairings have the same openings.
    pub fn game_settings(&self, game: &ScheduledGame) -> GameSettings {
        let round = game.number_in_pairing / 2;
        let setup = Setup { ruleset: self.ruleset, draws: self.draws, start: self.opening(round) };
        GameSettings {
            setup,
            control: self.control,
            time_margin: self.time_margin,
            draw_after: self.draw_after,
            ponder: self.ponder,
        }
    }

    fn opening(&self, round: u64) -> Position {
        if self.opening_plies == 0 {
            return self.start.clone();
        }
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed ^ round.rotate_left(32));
        // If nearly every game is over after this many plies, the opening gets fewer.
        let attempts = (0..=self.opening_plies).rev().flat_map(|plies| [plies; OPENING_ATTEMPTS]);
        attempts
            .map(|plies| self.draw_opening(plies, &mut rng))
            .find_map(|opening| opening)
            .unwrap_or_else(|| self.start.clone())
    }

    fn draw_opening(&self, plies: u32, rng: &mut impl Rng) -> Option<Position> {
        let mut position = self.start.clone();
        for _ in 0..plies {
            let moves = position.legal_moves();
            let mv = *moves.get(rng.random_range(0..moves.len().max(1)))?;
            position.play(mv).ok()?;
        }
        let opening = position.opening(&self.ruleset, self.draws);
        opening.end.is_none().then_some(position)
    }
}

fn in_pairing(number: u64, pairings: u64) -> u64 {
    number / 2 / pairings * 2 + number % 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tournament(players: usize, games_per_pairing: u64) -> Tournament {
        let player: PlayerSpec = "random".parse().unwrap();
        Tournament { games_per_pairing, ..Tournament::new(vec![player; players]) }
    }

    #[test]
    fn every_pairing_plays_its_games_with_both_colours() {
        for (players, games) in [(2, 7), (3, 4), (5, 1), (4, 10)] {
            let tournament = tournament(players, games);
            let scheduled: Vec<_> =
                tournament.game_numbers().map(|number| tournament.game(number)).collect();
            assert_eq!(scheduled.len() as u64, tournament.total_games());
            for (pairing, &(a, b)) in tournament.pairings().iter().enumerate() {
                let count = |white, black| {
                    let is_such = |game: &&ScheduledGame| {
                        game.pairing == pairing && (game.white, game.black) == (white, black)
                    };
                    scheduled.iter().filter(is_such).count() as u64
                };
                assert_eq!((count(a, b), count(b, a)), (games.div_ceil(2), games / 2));
            }
        }
    }

    #[test]
    fn additional_games_come_after_the_others() {
        let (few, many) = (tournament(3, 4), tournament(3, 10));
        let numbers: Vec<u64> = few.game_numbers().collect();
        assert!(many.game_numbers().zip(&numbers).all(|(a, b)| a == *b));
        for number in numbers {
            assert_eq!(few.game(number), many.game(number));
        }
    }

    #[test]
    fn a_pair_has_one_opening_and_two_seeds() {
        let tournament = Tournament { opening_plies: 6, ..tournament(3, 10) };
        let opening = |number| tournament.game_settings(&tournament.game(number)).setup.start;
        assert_eq!(opening(0), opening(1));
        assert_eq!(opening(0), opening(3), "all pairings have the same openings");
        assert_ne!(opening(0), opening(6));
        let seeds: std::collections::BTreeSet<u64> = tournament
            .game_numbers()
            .map(|number| tournament.game_seed(&tournament.game(number)))
            .collect();
        assert_eq!(seeds.len() as u64, tournament.total_games());
    }

    #[test]
    fn an_impossible_opening_gets_fewer_plies() {
        // The king must capture the queen; after that there is too little material to mate.
        let start = Position::from_fen("k7/8/8/8/8/8/1q6/K7 w - - 0 1").unwrap();
        let tournament = Tournament { start: start.clone(), opening_plies: 3, ..tournament(2, 2) };
        assert_eq!(tournament.game_settings(&tournament.game(0)).setup.start, start);
    }
}
