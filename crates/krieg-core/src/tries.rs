//! What a player may put to the umpire, and the list of what is sensible to put.

use std::fmt;
use std::str::FromStr;

use cozy_chess::{BitBoard, Square};

use crate::{Move, MoveError, Promotion};

/// Something submitted to the umpire: a move, or the question "are there any?".
///
/// ```
/// use krieg_core::Try;
/// assert_eq!(Try::Move("e2e4".parse()?).to_string(), "e2e4");
/// assert_eq!(Try::Any.to_string(), "any?");
/// # Ok::<(), krieg_core::MoveError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Try {
    /// A move, legal or not.
    Move(Move),
    /// "Any?": has one of my pawns a legal capture?
    Any,
}

impl fmt::Display for Try {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Try::Move(mv) => mv.fmt(f),
            Try::Any => f.write_str("any?"),
        }
    }
}

/// A move in coordinates, or `any?`.
impl FromStr for Try {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        if text == "any?" { Ok(Try::Any) } else { text.parse().map(Try::Move) }
    }
}

impl From<Move> for Try {
    fn from(mv: Move) -> Self {
        Try::Move(mv)
    }
}

/// All the moves of one man that end the same way. A pawn about to promote has four of these,
/// so that a refused promotion to queen leaves the one to knight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reach {
    to: BitBoard,
    from: Square,
    is_pawn: bool,
    promotion: Option<Promotion>,
}

impl Reach {
    const NOWHERE: Reach =
        Reach { to: BitBoard::EMPTY, from: Square::A1, is_pawn: false, promotion: None };

    fn pawn_captures(&self) -> BitBoard {
        if self.is_pawn { self.to & !self.from.file().bitboard() } else { BitBoard::EMPTY }
    }
}

/// The moves a player may sensibly try now.
///
/// Kept as one set of squares per man, in place and without allocating: this list is made anew
/// at every ply of every game.
///
/// ```
/// use krieg_core::{Color, Position, Ruleset, Umpire};
/// let umpire = Umpire::new(Ruleset::ICC, Position::start());
/// let tries = umpire.view(Color::White).tries();
/// assert_eq!(tries.len(), 20);
/// assert!(tries.contains("e2e4".parse()?));
/// assert_eq!(tries.iter().count(), 20);
/// # Ok::<(), krieg_core::MoveError>(())
/// ```
#[derive(Clone)]
pub struct Tries {
    reaches: [Reach; Tries::MOST_REACHES],
    used: usize,
    only_pawn_captures: bool,
}

impl Tries {
    /// Eight men and eight pawns about to promote in four ways each.
    const MOST_REACHES: usize = 8 + 8 * Promotion::ALL.len();

    pub(crate) fn none() -> Self {
        Tries { reaches: [Reach::NOWHERE; Self::MOST_REACHES], used: 0, only_pawn_captures: false }
    }

    pub(crate) fn clear(&mut self) {
        self.used = 0;
        self.only_pawn_captures = false;
    }

    pub(crate) fn add_man(&mut self, from: Square, to: BitBoard) {
        self.add(Reach { to, from, is_pawn: false, promotion: None });
    }

    pub(crate) fn add_pawn(&mut self, from: Square, to: BitBoard, promotion: Option<Promotion>) {
        self.add(Reach { to, from, is_pawn: true, promotion });
    }

    #[inline]
    fn add(&mut self, reach: Reach) {
        if !reach.to.is_empty() {
            self.reaches[self.used] = reach;
            self.used += 1;
        }
    }

    /// A refused try is not sensible again this turn.
    pub(crate) fn remove(&mut self, mv: Move) {
        for reach in &mut self.reaches[..self.used] {
            if reach.from == mv.from && reach.promotion == mv.promotion {
                reach.to &= !mv.to.bitboard();
            }
        }
    }

    /// "No" was the answer to "any?".
    pub(crate) fn remove_pawn_captures(&mut self) {
        for reach in &mut self.reaches[..self.used] {
            reach.to &= !reach.pawn_captures();
        }
    }

    /// "Yes" was the answer to "any?": now a pawn capture is owed, or no longer.
    pub(crate) fn set_only_pawn_captures(&mut self, only: bool) {
        self.only_pawn_captures = only;
    }

    pub(crate) fn only_pawn_captures(&self) -> bool {
        self.only_pawn_captures
    }

    fn open(&self, reach: &Reach) -> BitBoard {
        if self.only_pawn_captures { reach.pawn_captures() } else { reach.to }
    }

    /// How many moves may be tried. The four promotions of one step are four.
    pub fn len(&self) -> usize {
        self.reaches[..self.used].iter().map(|reach| self.open(reach).len() as usize).sum()
    }

    /// Whether nothing is left to try.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Umpire};
    /// let umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// assert!(umpire.view(Color::Black).tries().is_empty(), "it is White's turn");
    /// ```
    pub fn is_empty(&self) -> bool {
        self.reaches[..self.used].iter().all(|reach| self.open(reach).is_empty())
    }

    /// Whether this move may sensibly be tried.
    pub fn contains(&self, mv: Move) -> bool {
        self.reaches[..self.used].iter().any(|reach| {
            reach.from == mv.from && reach.promotion == mv.promotion && self.open(reach).has(mv.to)
        })
    }

    /// The `n`th move, counting from nought in the order of [`Tries::iter`]: draw a number
    /// below [`Tries::len`] and this is a fair choice.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Umpire};
    /// let umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// let tries = umpire.view(Color::White).tries();
    /// assert_eq!(tries.nth(7), tries.iter().nth(7));
    /// assert_eq!(tries.nth(20), None);
    /// ```
    pub fn nth(&self, mut n: usize) -> Option<Move> {
        for reach in &self.reaches[..self.used] {
            let mut open = self.open(reach);
            let size = open.len() as usize;
            if n < size {
                for _ in 0..n {
                    open.0 &= open.0 - 1;
                }
                let to = open.next_square()?;
                return Some(Move { from: reach.from, to, promotion: reach.promotion });
            }
            n -= size;
        }
        None
    }

    /// Every move that may be tried, man by man, in an order that depends on nothing hidden.
    pub fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.reaches[..self.used].iter().flat_map(|reach| {
            self.open(reach).into_iter().map(|to| Move {
                from: reach.from,
                to,
                promotion: reach.promotion,
            })
        })
    }
}

impl PartialEq for Tries {
    fn eq(&self, other: &Self) -> bool {
        self.only_pawn_captures == other.only_pawn_captures
            && self.reaches[..self.used] == other.reaches[..other.used]
    }
}

impl Eq for Tries {}

impl fmt::Debug for Tries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|mv| mv.to_string())).finish()
    }
}
