//! The material of an endgame: `krk`, `kbnk`, `kqpk`.

use std::fmt;
use std::str::FromStr;

use krieg_core::{Piece, excerpt};
use thiserror::Error;

/// Maximum number of pieces that the attacker has besides the king.
pub const MAX_NON_KING_PIECES: usize = 3;

/// The kinds of non-king pieces, in the order in which the name of an endgame lists them.
const KINDS: [Piece; 5] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];

/// The material of an endgame: a king and one to three other pieces against a lone king.
///
/// ```
/// use krieg_tablebase::Endgame;
/// let endgame: Endgame = "KNBK".parse()?;
/// assert_eq!(endgame.to_string(), "kbnk");
/// assert_eq!(Endgame::with_pieces(4).len(), 15);
/// # Ok::<(), krieg_tablebase::UnknownEndgame>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Endgame {
    /// Indices into `KINDS`, in ascending order.
    kinds: [u8; MAX_NON_KING_PIECES],
    len: u8,
}

/// The text is not the name of an endgame that can have a table.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{0:?} is not an endgame with a table: name a king, one to three of q r b n p, and the lone \
     king, as in krk or kbnk"
)]
pub struct UnknownEndgame(pub String);

impl Endgame {
    /// The endgame with these pieces besides the attacker's king, in any order.
    ///
    /// Returns `None` if there is no piece, too many pieces, or a king among them.
    pub fn new(non_king_pieces: impl IntoIterator<Item = Piece>) -> Option<Self> {
        let mut endgame = Endgame { kinds: [0; MAX_NON_KING_PIECES], len: 0 };
        for piece in non_king_pieces {
            let kind = KINDS.iter().position(|&known| known == piece)?;
            *endgame.kinds.get_mut(usize::from(endgame.len))? = kind as u8;
            endgame.len += 1;
        }
        endgame.kinds[..usize::from(endgame.len)].sort_unstable();
        (endgame.len > 0).then_some(endgame)
    }

    /// All endgames with this number of pieces on the board, both kings included.
    pub fn with_pieces(piece_count: usize) -> Vec<Endgame> {
        if piece_count > MAX_NON_KING_PIECES + 2 {
            return Vec::new();
        }
        let mut all: Vec<Vec<Piece>> = vec![vec![]];
        for _ in 2..piece_count {
            all = all
                .iter()
                .flat_map(|chosen| {
                    let from = chosen
                        .last()
                        .map_or(0, |last| KINDS.iter().position(|kind| kind == last).unwrap_or(0));
                    KINDS[from..].iter().map(move |&kind| [chosen.as_slice(), &[kind]].concat())
                })
                .collect();
        }
        all.into_iter().filter_map(Endgame::new).collect()
    }

    /// The attacker's pieces besides the king: queens first, pawns last.
    pub fn non_king_pieces(
        &self,
    ) -> impl DoubleEndedIterator<Item = Piece> + ExactSizeIterator + use<> {
        let this = *self;
        (0..usize::from(this.len)).map(move |i| KINDS[usize::from(this.kinds[i])])
    }

    /// Number of the attacker's pieces besides the king; at least 1.
    pub fn non_king_count(&self) -> usize {
        usize::from(self.len)
    }

    /// Number of pieces on the board, both kings included.
    pub fn piece_count(&self) -> usize {
        self.non_king_count() + 2
    }

    /// Whether the attacker has a pawn, so that reflecting the ranks is not a symmetry.
    pub fn has_pawns(&self) -> bool {
        self.non_king_pieces().any(|piece| piece == Piece::Pawn)
    }

    /// The endgame after the capture of one piece of this kind; `None` if no piece is left.
    pub fn without(&self, captured: Piece) -> Option<Endgame> {
        let mut is_removed = false;
        Endgame::new(self.non_king_pieces().filter(|&piece| {
            let is_this_one = piece == captured && !is_removed;
            is_removed |= is_this_one;
            !is_this_one
        }))
    }

    /// The endgames that one capture or promotion leads to, without duplicates.
    pub fn successors(&self) -> Vec<Endgame> {
        let mut successors: Vec<Endgame> =
            self.non_king_pieces().filter_map(|piece| self.without(piece)).collect();
        if self.has_pawns() {
            let others: Vec<Piece> = self
                .without(Piece::Pawn)
                .map(|left| left.non_king_pieces().collect())
                .unwrap_or_default();
            successors.extend(
                KINDS[..4]
                    .iter()
                    .filter_map(|&kind| Endgame::new(others.iter().copied().chain([kind]))),
            );
        }
        successors.sort_unstable();
        successors.dedup();
        successors
    }

    /// These endgames and all that captures and promotions lead to, in build order: each endgame
    /// follows its successors.
    pub fn with_dependencies(wanted: &[Endgame]) -> Vec<Endgame> {
        fn add(endgame: Endgame, order: &mut Vec<Endgame>) {
            if order.contains(&endgame) {
                return;
            }
            for successor in endgame.successors() {
                add(successor, order);
            }
            order.push(endgame);
        }
        let mut order = Vec::new();
        for &endgame in wanted {
            add(endgame, &mut order);
        }
        order
    }
}

impl fmt::Display for Endgame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("k")?;
        for piece in self.non_king_pieces() {
            write!(f, "{piece}")?;
        }
        f.write_str("k")
    }
}

impl FromStr for Endgame {
    type Err = UnknownEndgame;

    fn from_str(text: &str) -> Result<Self, UnknownEndgame> {
        let unknown = || UnknownEndgame(excerpt(text));
        let lower = text.to_ascii_lowercase();
        let inner = lower.strip_prefix('k').and_then(|rest| rest.strip_suffix('k'));
        let pieces: Option<Vec<Piece>> =
            inner.ok_or_else(unknown)?.chars().map(|letter| Piece::try_from(letter).ok()).collect();
        pieces.and_then(Endgame::new).ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(endgames: &[Endgame]) -> Vec<String> {
        endgames.iter().map(Endgame::to_string).collect()
    }

    #[test]
    fn there_are_five_three_piece_and_fifteen_four_piece_endgames() {
        assert_eq!(names(&Endgame::with_pieces(3)), ["kqk", "krk", "kbk", "knk", "kpk"]);
        assert_eq!(Endgame::with_pieces(4).len(), 15);
        assert_eq!(Endgame::with_pieces(5).len(), 35);
        assert!(Endgame::with_pieces(2).is_empty());
        assert!(Endgame::with_pieces(6).is_empty());
    }

    #[test]
    fn dependencies_come_before_the_endgame() {
        let order = names(&Endgame::with_dependencies(&["kbpk".parse().unwrap()]));
        let place = |name: &str| order.iter().position(|known| known == name).unwrap();
        for earlier in ["kbk", "kpk", "kqbk", "krbk", "kbbk", "kbnk"] {
            assert!(place(earlier) < place("kbpk"), "{order:?}");
        }
        assert!(place("kqk") < place("kpk"));
        assert_eq!(order.len(), 10);
    }

    #[test]
    fn invalid_names_are_rejected() {
        for name in ["", "k", "kk", "kxk", "kkk", "qrk", "kqqqqk", "krkr", "♔♖♔"] {
            let error = name.parse::<Endgame>().unwrap_err();
            assert!(error.to_string().contains("krk"), "{error}");
        }
    }
}
