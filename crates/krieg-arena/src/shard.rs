//! Divides the games of a tournament among machines.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// One machine's share of a tournament, written `3/16`: the third of sixteen. The two games of a
/// pair are always in the same shard.
///
/// ```
/// use krieg_arena::Shard;
/// let shard: Shard = "2/2".parse()?;
/// assert!(!shard.contains(0) && !shard.contains(1) && shard.contains(2) && shard.contains(3));
/// assert!("0/4".parse::<Shard>().is_err() && "5/4".parse::<Shard>().is_err());
/// # Ok::<(), krieg_arena::ShardError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Counted from one.
    index: u64,
    count: u64,
}

/// The text is not a shard.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} is not a shard: write 3/16 for the third of sixteen")]
pub struct ShardError(String);

impl Shard {
    /// All games.
    pub const WHOLE: Shard = Shard { index: 1, count: 1 };

    /// Whether the game with this number is in the shard.
    pub fn contains(&self, number: u64) -> bool {
        number / 2 % self.count == self.index - 1
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let numbers = text.split_once('/').map(|(index, count)| (index.parse(), count.parse()));
        match numbers {
            Some((Ok(index), Ok(count))) if 1 <= index && index <= count => {
                Ok(Shard { index, count })
            }
            _ => Err(ShardError(krieg_core::excerpt(text))),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tournament;

    #[test]
    fn every_game_is_in_exactly_one_shard() {
        let players = vec!["random".parse().unwrap(); 3];
        let tournament = Tournament { games_per_pairing: 9, ..Tournament::new(players) };
        let shards: Vec<Shard> = (1..=4).map(|n| format!("{n}/4").parse().unwrap()).collect();
        for number in tournament.game_numbers() {
            assert_eq!(shards.iter().filter(|shard| shard.contains(number)).count(), 1);
        }
    }
}
