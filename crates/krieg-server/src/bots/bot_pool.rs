//! Where players who think wait between their turns.

use std::sync::Mutex;

/// Players with what they have in mind, each at one table. A strong player's mind is some megabytes, so only so many wait here; one who
/// was sent away hears his game again from the beginning.
#[derive(Debug)]
pub struct BotPool<P> {
    /// Who came last sits last.
    players: Mutex<Vec<(Key, P)>>,
    room: usize,
}

/// A side of a game.
type Key = (String, krieg_core::Color);

impl<P> BotPool<P> {
    /// With room for so many.
    pub fn new(room: usize) -> Self {
        BotPool { players: Mutex::new(Vec::new()), room }
    }

    /// Calls whoever plays there.
    pub fn call(&self, key: &Key) -> Option<P> {
        let mut players = self.players.lock().expect("nobody panics with it");
        let at = players.iter().position(|(of, _)| of == key)?;
        Some(players.remove(at).1)
    }

    /// Lets him wait.
    pub fn wait(&self, key: Key, player: P) {
        let sent_away: Vec<(Key, P)> = {
            let mut players = self.players.lock().expect("nobody panics with it");
            players.retain(|(of, _)| *of != key);
            players.push((key, player));
            let too_many = players.len().saturating_sub(self.room);
            players.drain(..too_many).collect()
        };
        // Forgetting a game takes a while, and nobody has to wait for it.
        drop(sent_away);
    }

    /// The game is over: nobody plays it any more.
    pub fn leave(&self, game: &str) {
        let mut players = self.players.lock().expect("nobody panics with it");
        players.retain(|((of, _), _)| of != game);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::Color::{Black, White};

    #[test]
    fn who_waited_longest_is_sent_away() {
        let pool = BotPool::new(2);
        let key = |game: &str| (game.to_string(), White);
        for game in ["a", "b", "c"] {
            pool.wait(key(game), game.to_uppercase());
        }
        assert_eq!(pool.call(&key("a")), None);
        assert_eq!(pool.call(&key("b")).as_deref(), Some("B"));
        assert_eq!(pool.call(&key("b")), None, "he is at the board");
        assert_eq!(pool.call(&("c".to_string(), Black)), None);
        pool.leave("c");
        assert_eq!(pool.call(&key("c")), None);
    }
}
