//! Tries: what a player can submit to the umpire, and the set of sensible moves.

use std::fmt;
use std::str::FromStr;

use cozy_chess::{BitBoard, Square};

use crate::{Move, MoveError, Promotion};

/// What a player submits to the umpire: a move, or the question "any?".
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
    /// "Any?": does one of my pawns have a legal capture?
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

/// Parses a move in coordinate notation, or `any?`.
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

/// The target squares of one piece, with one promotion. A pawn on its seventh rank has four of
/// these, so that a refused promotion to a queen does not remove the promotion to a knight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Targets {
    to: BitBoard,
    from: Square,
    is_pawn: bool,
    promotion: Option<Promotion>,
}

impl Targets {
    const NONE: Targets =
        Targets { to: BitBoard::EMPTY, from: Square::A1, is_pawn: false, promotion: None };

    fn pawn_captures(&self) -> BitBoard {
        if self.is_pawn { self.to & !self.from.file().bitboard() } else { BitBoard::EMPTY }
    }
}

/// The set of moves that are sensible for a player to try now.
///
/// Stored as one bitboard of target squares per piece, in place and without allocation, because
/// the set is rebuilt at every ply of every game.
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
    targets: [Targets; Tries::MAX_TARGETS],
    used: usize,
    only_pawn_captures: bool,
}

impl Tries {
    /// Maximum number of [`Targets`]: eight pieces, and eight pawns with four promotions each.
    const MAX_TARGETS: usize = 8 + 8 * Promotion::ALL.len();

    pub(crate) fn none() -> Self {
        Tries { targets: [Targets::NONE; Self::MAX_TARGETS], used: 0, only_pawn_captures: false }
    }

    pub(crate) fn clear(&mut self) {
        self.used = 0;
        self.only_pawn_captures = false;
    }

    pub(crate) fn add_piece(&mut self, from: Square, to: BitBoard) {
        self.add(Targets { to, from, is_pawn: false, promotion: None });
    }

    pub(crate) fn add_pawn(&mut self, from: Square, to: BitBoard, promotion: Option<Promotion>) {
        self.add(Targets { to, from, is_pawn: true, promotion });
    }

    #[inline]
    fn add(&mut self, targets: Targets) {
        if !targets.to.is_empty() {
            self.targets[self.used] = targets;
            self.used += 1;
        }
    }

    /// Removes a refused move: it is not sensible again in this turn.
    pub(crate) fn remove(&mut self, mv: Move) {
        for targets in &mut self.targets[..self.used] {
            if targets.from == mv.from && targets.promotion == mv.promotion {
                targets.to &= !mv.to.bitboard();
            }
        }
    }

    /// Removes all pawn captures, after the answer "no" to "any?".
    pub(crate) fn remove_pawn_captures(&mut self) {
        for targets in &mut self.targets[..self.used] {
            targets.to &= !targets.pawn_captures();
        }
    }

    /// Restricts the set to pawn captures, after the answer "yes" to "any?", or lifts the
    /// restriction.
    pub(crate) fn set_only_pawn_captures(&mut self, only: bool) {
        self.only_pawn_captures = only;
    }

    pub(crate) fn only_pawn_captures(&self) -> bool {
        self.only_pawn_captures
    }

    fn allowed(&self, targets: &Targets) -> BitBoard {
        if self.only_pawn_captures { targets.pawn_captures() } else { targets.to }
    }

    /// The number of moves. The four promotions of one pawn move count as four.
    pub fn len(&self) -> usize {
        self.targets[..self.used].iter().map(|targets| self.allowed(targets).len() as usize).sum()
    }

    /// Whether there is no sensible move.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Umpire};
    /// let umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// assert!(umpire.view(Color::Black).tries().is_empty(), "it is White's turn");
    /// ```
    pub fn is_empty(&self) -> bool {
        self.targets[..self.used].iter().all(|targets| self.allowed(targets).is_empty())
    }

    /// Whether this move is sensible to try.
    pub fn contains(&self, mv: Move) -> bool {
        self.targets[..self.used].iter().any(|targets| {
            targets.from == mv.from
                && targets.promotion == mv.promotion
                && self.allowed(targets).has(mv.to)
        })
    }

    /// The move at index `n` in the order of [`Tries::iter`]. A uniform random index below
    /// [`Tries::len`] gives a uniform random move.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Umpire};
    /// let umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// let tries = umpire.view(Color::White).tries();
    /// assert_eq!(tries.nth(7), tries.iter().nth(7));
    /// assert_eq!(tries.nth(20), None);
    /// ```
    pub fn nth(&self, mut n: usize) -> Option<Move> {
        for targets in &self.targets[..self.used] {
            let mut allowed = self.allowed(targets);
            let size = allowed.len() as usize;
            if n < size {
                for _ in 0..n {
                    allowed.0 &= allowed.0 - 1;
                }
                let to = allowed.next_square()?;
                return Some(Move { from: targets.from, to, promotion: targets.promotion });
            }
            n -= size;
        }
        None
    }

    /// All moves, piece by piece, in an order that does not depend on hidden information.
    pub fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.targets[..self.used].iter().flat_map(|targets| {
            self.allowed(targets).into_iter().map(|to| Move {
                from: targets.from,
                to,
                promotion: targets.promotion,
            })
        })
    }
}

impl PartialEq for Tries {
    fn eq(&self, other: &Self) -> bool {
        self.only_pawn_captures == other.only_pawn_captures
            && self.targets[..self.used] == other.targets[..other.used]
    }
}

impl Eq for Tries {}

impl fmt::Debug for Tries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|mv| mv.to_string())).finish()
    }
}
