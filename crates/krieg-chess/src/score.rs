//! Scores: hundredths of a pawn, or a mate and its distance.

use std::fmt;

/// The deepest line the search follows, in plies.
pub const MAX_PLY: usize = 120;

/// No evaluation goes beyond this; larger values are mates.
pub const MAX_EVAL: i32 = 20_000;

/// Mate on the board. A mate `n` plies away is worth `n` less.
pub(crate) const MATE: i32 = 32_000;
/// Values beyond this are mates that have been seen.
pub(crate) const MATE_THRESHOLD: i32 = MATE - 1_000;
/// Beyond every value.
pub(crate) const INFINITE: i32 = 32_500;
pub(crate) const DRAW: i32 = 0;

/// What a position or a move is worth to the side that is to move.
///
/// Scores are ordered as a player would: being mated late is better than being mated soon, and
/// any mate is better than any number of pawns.
///
/// ```
/// use krieg_chess::Score;
/// assert!(Score::mate_in(1) > Score::mate_in(2));
/// assert!(Score::mate_in(9) > Score::centipawns(900));
/// assert!(Score::mated_in(3) > Score::mated_in(2));
/// assert_eq!(Score::mate_in(3).to_string(), "mate 3");
/// assert_eq!((-Score::centipawns(20)).to_string(), "cp -20");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    /// A dead draw.
    pub const DRAW: Score = Score(DRAW);

    /// So many hundredths of a pawn.
    pub fn centipawns(value: i32) -> Self {
        Score(value.clamp(-MAX_EVAL, MAX_EVAL))
    }

    /// The side to move mates with its `moves`-th move.
    pub fn mate_in(moves: u32) -> Self {
        Score(MATE - 2 * moves.clamp(1, 400) as i32 + 1)
    }

    /// The side to move is mated after `moves` moves of its own; 0 is mate on the board.
    pub fn mated_in(moves: u32) -> Self {
        Score(-MATE + 2 * moves.min(400) as i32)
    }

    /// Moves until mate: positive if the side to move gives it, negative or zero if it suffers it.
    ///
    /// ```
    /// use krieg_chess::Score;
    /// assert_eq!(Score::mate_in(2).mate(), Some(2));
    /// assert_eq!(Score::mated_in(2).mate(), Some(-2));
    /// assert_eq!(Score::centipawns(100).mate(), None);
    /// ```
    pub fn mate(self) -> Option<i32> {
        if self.0 > MATE_THRESHOLD {
            Some((MATE - self.0 + 1) / 2)
        } else if self.0 < -MATE_THRESHOLD {
            Some(-(MATE + self.0) / 2)
        } else {
            None
        }
    }

    /// One number that orders all scores, mates far beyond the rest.
    pub fn value(self) -> i32 {
        self.0
    }

    /// The chance, from 0 to 1, that a game stands to be won from here, drawn games counted half.
    /// The scale is that of the tuner.
    ///
    /// ```
    /// use krieg_chess::Score;
    /// assert_eq!(Score::DRAW.expected_score(), 0.5);
    /// assert!(Score::centipawns(300).expected_score() > 0.8);
    /// ```
    pub fn expected_score(self) -> f64 {
        expected_score(f64::from(self.0))
    }

    pub(crate) fn from_value(value: i32) -> Self {
        Score(value)
    }
}

/// Hundredths of a pawn that make ten wins out of eleven.
pub const LOGISTIC_SCALE: f64 = 400.0;

/// The chance of winning with so many hundredths of a pawn.
pub fn expected_score(value: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-value / LOGISTIC_SCALE))
}

impl std::ops::Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}
