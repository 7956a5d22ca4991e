//! How games end.

use std::fmt;

use cozy_chess::Color;

use crate::color_name;

/// The reason a game is over.
///
/// ```
/// use krieg_core::Ending;
/// assert_eq!(Ending::FiftyMoves.name(), "fifty-moves");
/// assert_eq!(Ending::named("fifty-moves"), Some(Ending::FiftyMoves));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ending {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Neither side could mate with what is left.
    InsufficientMaterial,
    /// The same position with the same rights stood for the third time.
    Threefold,
    /// A hundred plies without a capture or a pawn's move.
    FiftyMoves,
    /// A player gave up.
    Resignation,
    /// The players agreed to a draw.
    Agreement,
    /// A player's time ran out.
    Flag,
    /// A player left.
    Abandonment,
}

impl Ending {
    /// Every way to end.
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

    /// The name in records and protocols.
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

    /// The ending of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ending| ending.name() == name)
    }

    /// Whether the umpire's board alone decides it, so that the umpire declares it himself.
    ///
    /// ```
    /// use krieg_core::Ending;
    /// assert!(Ending::Stalemate.stands_on_the_board());
    /// assert!(!Ending::Resignation.stands_on_the_board());
    /// ```
    pub fn stands_on_the_board(self) -> bool {
        !matches!(
            self,
            Ending::Resignation | Ending::Agreement | Ending::Flag | Ending::Abandonment
        )
    }
}

/// The end of a game: why, and for whom.
///
/// ```
/// use krieg_core::{Color, Ending, Outcome};
/// let outcome = Outcome { ending: Ending::Checkmate, winner: Some(Color::White) };
/// assert_eq!(outcome.result(), "1-0");
/// assert_eq!(outcome.to_string(), "Checkmate: White wins.");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Why the game is over.
    pub ending: Ending,
    /// Who won, or nobody.
    pub winner: Option<Color>,
}

impl Outcome {
    /// The outcome, if such a game can have such a winner: mate has one, agreement has none.
    ///
    /// ```
    /// use krieg_core::{Color, Ending, Outcome};
    /// assert!(Outcome::checked(Ending::Checkmate, Some(Color::White)).is_some());
    /// assert!(Outcome::checked(Ending::Checkmate, None).is_none());
    /// assert!(Outcome::checked(Ending::Threefold, Some(Color::White)).is_none());
    /// ```
    pub fn checked(ending: Ending, winner: Option<Color>) -> Option<Self> {
        let fits = match ending {
            Ending::Checkmate | Ending::Resignation | Ending::Abandonment => winner.is_some(),
            Ending::InsufficientMaterial
            | Ending::Threefold
            | Ending::FiftyMoves
            | Ending::Agreement => winner.is_none(),
            Ending::Stalemate | Ending::Flag => true,
        };
        fits.then_some(Outcome { ending, winner })
    }

    /// The result as every chess record writes it: `1-0`, `0-1` or `1/2-1/2`.
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
