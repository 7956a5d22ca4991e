//! Scores: centipawns, or mate and its distance.

use std::fmt;
use std::ops::Neg;

/// Maximum search depth, in plies from the root.
pub const MAX_PLY: usize = 120;

/// Largest absolute value of an evaluation; larger values are mates.
pub const MAX_EVAL: i32 = 20_000;

/// Value of mate on the board. A mate in `n` plies has the value `MATE - n`.
pub(crate) const MATE: i32 = 32_000;
/// Larger absolute values are forced mates.
pub(crate) const MATE_THRESHOLD: i32 = MATE - 1_000;
/// Larger than every value.
pub(crate) const INFINITE: i32 = 32_500;
/// Value of a draw.
pub(crate) const DRAW: i32 = 0;

/// The value of a position or a move, from the point of view of the side to move.
///
/// Scores are ordered by preference: a late defeat is better than an early one, and a mate is
/// better than any number of pawns.
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
    /// A draw.
    pub const DRAW: Score = Score(DRAW);

    /// A score in centipawns, limited to [`MAX_EVAL`].
    #[must_use]
    pub fn centipawns(value: i32) -> Self {
        Score(value.clamp(-MAX_EVAL, MAX_EVAL))
    }

    /// The side to move mates with its `moves`-th move.
    #[must_use]
    pub fn mate_in(moves: u32) -> Self {
        Score(MATE - 2 * moves.clamp(1, 400) as i32 + 1)
    }

    /// The side to move is mated after `moves` moves of its own; 0 is mate on the board.
    #[must_use]
    pub fn mated_in(moves: u32) -> Self {
        Score(-MATE + 2 * moves.min(400) as i32)
    }

    /// Number of moves to mate: positive if the side to move mates, zero or negative if it is
    /// mated. `None` if the score is not a mate.
    ///
    /// ```
    /// use krieg_chess::Score;
    /// assert_eq!(Score::mate_in(2).mate(), Some(2));
    /// assert_eq!(Score::mated_in(2).mate(), Some(-2));
    /// assert_eq!(Score::centipawns(100).mate(), None);
    /// ```
    #[must_use]
    pub fn mate(self) -> Option<i32> {
        if self.0 > MATE_THRESHOLD {
            Some((MATE - self.0 + 1) / 2)
        } else if self.0 < -MATE_THRESHOLD {
            Some(-(MATE + self.0) / 2)
        } else {
            None
        }
    }

    /// The score as one number: centipawns, with mates beyond [`MAX_EVAL`].
    #[must_use]
    pub fn value(self) -> i32 {
        self.0
    }

    /// Expected score of the game, from 0 to 1: the probability of a win plus half that of a draw.
    /// See [`expected_score`].
    ///
    /// ```
    /// use krieg_chess::Score;
    /// assert_eq!(Score::DRAW.expected_score(), 0.5);
    /// assert!(Score::centipawns(300).expected_score() > 0.8);
    /// ```
    #[must_use]
    pub fn expected_score(self) -> f64 {
        expected_score(f64::from(self.0))
    }

    pub(crate) fn from_value(value: i32) -> Self {
        Score(value)
    }
}

/// Scale of the logistic curve from centipawns to the expected score: a lead of this many
/// centipawns has an expected score of 10/11.
pub const LOGISTIC_SCALE: f64 = 400.0;

/// Expected score of a position with this evaluation in centipawns. The weights and the network
/// are fitted on the same curve.
#[must_use]
pub fn expected_score(value: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-value / LOGISTIC_SCALE))
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    /// As in the UCI protocol: `cp 25` or `mate 3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}
