//! The end of a game: its reason and its winner.

use std::fmt;

use cozy_chess::Color;

use crate::color_name;

/// The reason a game is over.
///
/// ```
/// use krieg_core::Ending;
/// assert_eq!(Ending::FiftyMoves.name(), "fifty-moves");
/// assert_eq!(Ending::from_name("fifty-moves"), Some(Ending::FiftyMoves));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ending {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Neither side has enough material to mate.
    InsufficientMaterial,
    /// The same position, with the same rights, occurred for the third time.
    Threefold,
    /// Fifty moves of each side without a capture or a pawn move.
    FiftyMoves,
    /// A player resigned.
    Resignation,
    /// The players agreed to a draw.
    Agreement,
    /// A player's time ran out.
    Flag,
    /// A player left the game.
    Abandonment,
}

impl Ending {
    /// Every ending.
    pub const ALL: [Ending; 9] = [
        Ending::Checkmate,
        Ending::Stalemate,
        Ending::InsufficientMaterial,
        Ending::Threefold,
        Ending::FiftyMoves,
        Ending::Resignation,
        Ending::Agreement,
        Ending::Flag,
        Ending::Abandonment,
    ];

    /// The name used in records and protocols.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Checkmate => "checkmate",
            Ending::Stalemate => "stalemate",
            Ending::InsufficientMaterial => "insufficient-material",
            Ending::Threefold => "threefold",
            Ending::FiftyMoves => "fifty-moves",
            Ending::Resignation => "resignation",
            Ending::Agreement => "agreement",
            Ending::Flag => "flag",
            Ending::Abandonment => "abandonment",
        }
    }

    /// The ending with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ending| ending.name() == name)
    }

    /// Whether the umpire declares this ending from the position and its history, without an
    /// action of a player or a clock.
    ///
    /// ```
    /// use krieg_core::Ending;
    /// assert!(Ending::Stalemate.is_decided_by_position());
    /// assert!(!Ending::Resignation.is_decided_by_position());
    /// ```
    pub fn is_decided_by_position(self) -> bool {
        !matches!(
            self,
            Ending::Resignation | Ending::Agreement | Ending::Flag | Ending::Abandonment
        )
    }
}

/// The outcome of a game: the reason it ended, and the winner.
///
/// ```
/// use krieg_core::{Color, Ending, Outcome};
/// let outcome = Outcome { ending: Ending::Checkmate, winner: Some(Color::White) };
/// assert_eq!(outcome.result(), "1-0");
/// assert_eq!(outcome.to_string(), "Checkmate: White wins.");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The reason.
    pub ending: Ending,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
}

impl Outcome {
    /// The outcome, if this ending can have this winner: checkmate has one, agreement has none.
    ///
    /// ```
    /// use krieg_core::{Color, Ending, Outcome};
    /// assert!(Outcome::checked(Ending::Checkmate, Some(Color::White)).is_some());
    /// assert!(Outcome::checked(Ending::Checkmate, None).is_none());
    /// assert!(Outcome::checked(Ending::Threefold, Some(Color::White)).is_none());
    /// ```
    pub fn checked(ending: Ending, winner: Option<Color>) -> Option<Self> {
        let is_possible = match ending {
            Ending::Checkmate | Ending::Resignation | Ending::Abandonment => winner.is_some(),
            Ending::InsufficientMaterial
            | Ending::Threefold
            | Ending::FiftyMoves
            | Ending::Agreement => winner.is_none(),
            Ending::Stalemate | Ending::Flag => true,
        };
        is_possible.then_some(Outcome { ending, winner })
    }

    /// The result in PGN notation: `1-0`, `0-1` or `1/2-1/2`.
    pub fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (winner, loser) = match self.winner {
            Some(winner) => (color_name(winner), color_name(!winner)),
            None => ("", ""),
        };
        match (self.ending, self.winner.is_some()) {
            (Ending::Checkmate, _) => write!(f, "Checkmate: {winner} wins."),
            (Ending::Stalemate, true) => write!(f, "Stalemate: {winner} wins."),
            (Ending::Stalemate, false) => write!(f, "Stalemate: a draw."),
            (Ending::InsufficientMaterial, _) => write!(f, "Insufficient material: a draw."),
            (Ending::Threefold, _) => write!(f, "Threefold repetition: a draw."),
            (Ending::FiftyMoves, _) => write!(f, "Fifty moves: a draw."),
            (Ending::Resignation, _) => write!(f, "{loser} resigned: {winner} wins."),
            (Ending::Agreement, _) => write!(f, "A draw by agreement."),
            (Ending::Flag, true) => write!(f, "{loser}'s time ran out: {winner} wins."),
            (Ending::Flag, false) => write!(f, "Time ran out against a bare king: a draw."),
            (Ending::Abandonment, _) => write!(f, "{loser} left: {winner} wins."),
        }
    }
}
