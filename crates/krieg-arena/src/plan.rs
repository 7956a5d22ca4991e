//! Who plays whom, in which game, from which opening, with which colours.
//!
//! Everything about a game but its moves follows from the plan and the game's number. So games may be played in
//! any order, on any number of threads or machines, and interrupted anywhere: it is always known which are missing.

use std::fmt;
use std::str::FromStr;

use krieg_chess::clock::TimeControl;
use krieg_core::{DrawRules, Position, Ruleset, Setup};
use krieg_players::{Conditions, PlayerSpec};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use thiserror::Error;

/// Who meets whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first player meets everybody else.
    Gauntlet,
}

/// A contest of two or more players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The players; at least two.
    pub players: Vec<PlayerSpec>,
    /// Who meets whom.
    pub form: Form,
    /// Games that two players who meet play with each other.
    pub games: u64,
    /// Where openings and the players' random numbers come from.
    pub seed: u64,
    /// What the umpire says.
    pub ruleset: Ruleset,
    /// The draws that he declares.
    pub draws: DrawRules,
    /// Where games begin, before the opening.
    pub start: Position,
    /// Random plies from there, which both players know; both games of a pair have the same.
    pub opening_plies: u32,
    /// The time control.
    pub control: TimeControl,
    /// After so many moves of each side a game is called a draw.
    pub draw_after: Option<u32>,
    /// Whether players who can think on the opponent's time do so.
    pub ponder: bool,
}

impl Plan {
    /// A match or a tournament of these players, in all else the usual one.
    pub fn new(players: Vec<PlayerSpec>) -> Self {
        Plan {
            players,
            form: Form::RoundRobin,
            games: 100,
            seed: 1,
            ruleset: Ruleset::ICC,
            draws: DrawRules::ALL,
            start: Position::start(),
            opening_plies: 0,
            control: TimeControl::Unlimited,
            draw_after: None,
            ponder: false,
        }
    }
}

/// Two players who meet, by number. In their games of even number the first has White.
pub type Pairing = (usize, usize);

/// One game of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixture {
    /// The game's number in the plan. The games 2k and 2k+1 are a pair.
    pub number: u64,
    /// Which pairing it belongs to.
    pub pairing: usize,
    /// The game's number among those of its pairing.
    pub number_in_pairing: u64,
    /// Who has White.
    pub white: usize,
    /// Who has Black.
    pub black: usize,
}

/// Openings drawn before fewer plies are tried.
const MOST_DRAWS: usize = 100;

/// JSON holds whole numbers up to this one.
const MOST_SEED: u64 = (1 << 53) - 1;

impl Plan {
    /// Everybody who meets.
    ///
    /// ```
    /// use krieg_arena::{Form, Plan};
    /// let players = ["random", "semi-random", "greedy"].map(|name| name.parse().unwrap());
    /// let mut plan = Plan::new(players.to_vec());
    /// assert_eq!(plan.pairings(), [(0, 1), (0, 2), (1, 2)]);
    /// plan.form = Form::Gauntlet;
    /// assert_eq!(plan.pairings(), [(0, 1), (0, 2)]);
    /// ```
    pub fn pairings(&self) -> Vec<Pairing> {
        (0..self.count_pairings()).map(|number| self.pairing(number)).collect()
    }

    /// How many pairings there are.
    fn count_pairings(&self) -> usize {
        let players = self.players.len();
        match self.form {
            Form::RoundRobin => players * players.saturating_sub(1) / 2,
            Form::Gauntlet => players.saturating_sub(1),
        }
    }

    /// The pairing of this number, without a list of all.
    fn pairing(&self, mut number: usize) -> Pairing {
        let mut first = 0;
        loop {
            let opponents = self.players.len() - first - 1;
            if number < opponents || opponents == 0 {
                return (first, first + 1 + number);
            }
            number -= opponents;
            first += 1;
        }
    }

    /// How many games there are.
    pub fn total(&self) -> u64 {
        self.count_pairings() as u64 * self.games
    }

    /// The numbers of all games, pair after pair and pairing after pairing: after any number of them everybody
    /// has played about as much as everybody else.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        let pairings = self.count_pairings() as u64;
        let all = pairings * self.games.next_multiple_of(2);
        (0..all).filter(move |&number| in_pairing(number, pairings) < self.games)
    }

    /// The game of this number.
    pub fn fixture(&self, number: u64) -> Fixture {
        let count = self.count_pairings() as u64;
        let pairing = (number / 2 % count) as usize;
        let (first, second) = self.pairing(pairing);
        let (white, black) =
            if number.is_multiple_of(2) { (first, second) } else { (second, first) };
        let number_in_pairing = in_pairing(number, count);
        Fixture { number, pairing, number_in_pairing, white, black }
    }

    /// The seed of a game.
    pub fn seed_of(&self, fixture: &Fixture) -> u64 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        rng.next_u64().wrapping_add(fixture.number.wrapping_mul(0x9e37_79b9_7f4a_7c15)) & MOST_SEED
    }

    /// What a game is played under. All pairings have the same openings.
    pub fn conditions(&self, fixture: &Fixture) -> Conditions {
        let round = fixture.number_in_pairing / 2;
        let setup = Setup { ruleset: self.ruleset, draws: self.draws, start: self.opening(round) };
        Conditions {
            setup,
            control: self.control,
            draw_after: self.draw_after,
            ponder: self.ponder,
        }
    }

    fn opening(&self, round: u64) -> Position {
        if self.opening_plies == 0 {
            return self.start.clone();
        }
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed ^ round.rotate_left(32));
        // Where nearly every game is over after so many plies, an opening has fewer.
        let draws = (0..=self.opening_plies).rev().flat_map(|plies| [plies; MOST_DRAWS]);
        draws
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
        let says = position.opening(&self.ruleset, self.draws);
        says.end.is_none().then_some(position)
    }
}

fn in_pairing(number: u64, pairings: u64) -> u64 {
    number / 2 / pairings * 2 + number % 2
}

/// A machine's share of a plan, written `3/16`: the third of sixteen. Pairs of games stay together.
///
/// ```
/// use krieg_arena::Shard;
/// let shard: Shard = "2/2".parse()?;
/// assert!(!shard.has(0) && !shard.has(1) && shard.has(2) && shard.has(3));
/// assert!("0/4".parse::<Shard>().is_err() && "5/4".parse::<Shard>().is_err());
/// # Ok::<(), krieg_arena::BadShard>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    this: u64,
    of: u64,
}

/// Why a text is no share.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} is no share: write 3/16 for the third of sixteen")]
pub struct BadShard(String);

impl Shard {
    /// All of it.
    pub const WHOLE: Shard = Shard { this: 1, of: 1 };

    /// Whether the game of this number is in this share.
    pub fn has(&self, number: u64) -> bool {
        number / 2 % self.of == self.this - 1
    }
}

impl FromStr for Shard {
    type Err = BadShard;

    fn from_str(text: &str) -> Result<Self, BadShard> {
        let numbers = text.split_once('/').map(|(this, of)| (this.parse(), of.parse()));
        match numbers {
            Some((Ok(this), Ok(of))) if 1 <= this && this <= of => Ok(Shard { this, of }),
            _ => Err(BadShard(krieg_core::excerpt(text))),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.this, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(players: usize, games: u64) -> Plan {
        let player: PlayerSpec = "random".parse().unwrap();
        Plan { games, ..Plan::new(vec![player; players]) }
    }

    #[test]
    fn everybody_has_his_games_with_both_colours() {
        for (players, games) in [(2, 7), (3, 4), (5, 1), (4, 10)] {
            let plan = plan(players, games);
            let fixtures: Vec<_> = plan.numbers().map(|number| plan.fixture(number)).collect();
            assert_eq!(fixtures.len() as u64, plan.total());
            for (pairing, &(a, b)) in plan.pairings().iter().enumerate() {
                let meets = |white, black| {
                    let met =
                        |f: &&Fixture| f.pairing == pairing && (f.white, f.black) == (white, black);
                    fixtures.iter().filter(met).count() as u64
                };
                assert_eq!((meets(a, b), meets(b, a)), (games.div_ceil(2), games / 2));
            }
        }
    }

    #[test]
    fn more_games_are_added_at_the_end() {
        let (few, many) = (plan(3, 4), plan(3, 10));
        let numbers: Vec<u64> = few.numbers().collect();
        assert!(many.numbers().zip(&numbers).all(|(a, b)| a == *b));
        for number in numbers {
            assert_eq!(few.fixture(number), many.fixture(number));
        }
    }

    #[test]
    fn a_pair_has_one_opening_and_two_seeds() {
        let plan = Plan { opening_plies: 6, ..plan(3, 10) };
        let opening = |number| plan.conditions(&plan.fixture(number)).setup.start;
        assert_eq!(opening(0), opening(1));
        assert_eq!(opening(0), opening(3), "all pairings have the same openings");
        assert_ne!(opening(0), opening(6));
        let seeds: std::collections::BTreeSet<u64> =
            plan.numbers().map(|number| plan.seed_of(&plan.fixture(number))).collect();
        assert_eq!(seeds.len() as u64, plan.total());
    }

    #[test]
    fn an_opening_that_cannot_be_has_fewer_plies() {
        // The king must take the queen, and then there is nothing left to mate with.
        let start = Position::from_fen("k7/8/8/8/8/8/1q6/K7 w - - 0 1").unwrap();
        let plan = Plan { start: start.clone(), opening_plies: 3, ..plan(2, 2) };
        assert_eq!(plan.conditions(&plan.fixture(0)).setup.start, start);
    }

    #[test]
    fn shares_are_the_whole_and_do_not_overlap() {
        let plan = plan(3, 9);
        let shards: Vec<Shard> = (1..=4).map(|n| format!("{n}/4").parse().unwrap()).collect();
        for number in plan.numbers() {
            assert_eq!(shards.iter().filter(|shard| shard.has(number)).count(), 1);
        }
    }
}
