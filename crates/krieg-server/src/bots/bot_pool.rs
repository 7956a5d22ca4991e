//! Players that wait for their next turn.

use std::sync::Mutex;

use krieg_core::Color;

use crate::lock;

/// A side of a game: the game's id and the colour.
pub type Side = (String, Color);

/// A pool of players with the memory of their games, one per side.
///
/// The memory of a strong player takes some megabytes, so the pool has a capacity. If it is
/// exceeded, the least recently used player is dropped; a new player then replays the observations
/// of that side.
#[derive(Debug)]
pub struct BotPool<P> {
    /// The least recently used player comes first.
    players: Mutex<Vec<(Side, P)>>,
    capacity: usize,
}

impl<P> BotPool<P> {
    /// An empty pool.
    pub fn new(capacity: usize) -> Self {
        BotPool { players: Mutex::new(Vec::new()), capacity }
    }

    /// Takes the player of a side out of the pool.
    pub fn take(&self, side: &Side) -> Option<P> {
        let mut players = lock(&self.players);
        let at = players.iter().position(|(of, _)| of == side)?;
        Some(players.remove(at).1)
    }

    /// Puts a player back.
    pub fn put(&self, side: Side, player: P) {
        let evicted: Vec<(Side, P)> = {
            let mut players = lock(&self.players);
            players.retain(|(of, _)| *of != side);
            players.push((side, player));
            let excess = players.len().saturating_sub(self.capacity);
            players.drain(..excess).collect()
        };
        // Freeing a player's memory takes a while, so it happens without the lock.
        drop(evicted);
    }

    /// Drops the players of a game.
    pub fn remove_game(&self, game: &str) {
        lock(&self.players).retain(|((of, _), _)| of != game);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::Color::{Black, White};

    #[test]
    fn least_recently_used_player_is_evicted() {
        let pool = BotPool::new(2);
        let side = |game: &str| (game.to_string(), White);
        for game in ["a", "b", "c"] {
            pool.put(side(game), game.to_uppercase());
        }
        assert_eq!(pool.take(&side("a")), None);
        assert_eq!(pool.take(&side("b")).as_deref(), Some("B"));
        assert_eq!(pool.take(&side("b")), None, "the player was taken out");
        assert_eq!(pool.take(&("c".to_string(), Black)), None);
        pool.remove_game("c");
        assert_eq!(pool.take(&side("c")), None);
    }
}
