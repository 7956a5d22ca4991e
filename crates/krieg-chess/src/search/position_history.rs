//! A position with the history of its game.

use cozy_chess::Board;
use krieg_core::{IllegalMove, Move, Position, is_insufficient_material, repetition_key};

/// A position and the earlier positions of its game, which matter for repetition.
///
/// ```
/// use krieg_chess::PositionHistory;
/// use krieg_core::Position;
/// let mut history = PositionHistory::new(&Position::start());
/// history.play("e2e4".parse()?)?;
/// assert!(history.play("e2e4".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct PositionHistory {
    position: Position,
    /// Keys of the earlier positions since the last irreversible move.
    keys: Vec<u64>,
}

impl PositionHistory {
    /// A history that starts with this position.
    #[must_use]
    pub fn new(position: &Position) -> Self {
        PositionHistory { position: position.clone(), keys: Vec::new() }
    }

    /// The current position.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Keys of the earlier positions since the last irreversible move.
    pub(super) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// If the move is illegal; the history is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let key = repetition_key(self.position.board());
        self.position.play(mv)?;
        if self.position.board().halfmove_clock() == 0 {
            self.keys.clear(); // no earlier position can recur
        } else {
            self.keys.push(key);
        }
        Ok(())
    }

    pub(super) fn board(&self) -> &Board {
        self.position.board()
    }

    /// Whether the current position has occurred at least three times.
    #[must_use]
    pub fn is_threefold_repetition(&self) -> bool {
        let current = repetition_key(self.board());
        self.keys.iter().filter(|&&key| key == current).count() >= 2
    }

    /// Whether the game is drawn by the fifty-move rule, threefold repetition or insufficient
    /// material. Stalemate is not tested.
    #[must_use]
    pub fn is_draw(&self) -> bool {
        self.board().halfmove_clock() >= 100
            || is_insufficient_material(self.board())
            || self.is_threefold_repetition()
    }
}
