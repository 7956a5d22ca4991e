//! Which men are left: `krk`, `kbnk`, `kqpk`.

use std::fmt;
use std::str::FromStr;

use krieg_core::{Piece, excerpt};
use thiserror::Error;

/// The most men that may help the attacking king.
pub const MOST_HELPERS: usize = 3;

/// The kinds a helper can be, in the order in which an endgame names them.
const KINDS: [Piece; 5] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];

/// A king and his helpers against a lone king.
///
/// ```
/// use krieg_tablebase::Endgame;
/// let endgame: Endgame = "KNBK".parse()?;
/// assert_eq!(endgame.to_string(), "kbnk");
/// assert_eq!(Endgame::with_men(4).len(), 15);
/// # Ok::<(), krieg_tablebase::UnknownEndgame>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Endgame {
    /// Positions in `KINDS`, in ascending order.
    helpers: [u8; MOST_HELPERS],
    len: u8,
}

/// Nobody computes tables for this.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{0:?} is no endgame with tables: name a king, one to three of q r b n p, and the lone king, as in krk or kbnk"
)]
pub struct UnknownEndgame(pub String);

impl Endgame {
    /// The endgame with these helpers, in any order; `None` if there is none, too many, or a king.
    pub fn new(helpers: impl IntoIterator<Item = Piece>) -> Option<Self> {
        let mut endgame = Endgame { helpers: [0; MOST_HELPERS], len: 0 };
        for piece in helpers {
            let kind = KINDS.iter().position(|&known| known == piece)?;
            *endgame.helpers.get_mut(usize::from(endgame.len))? = kind as u8;
            endgame.len += 1;
        }
        endgame.helpers[..usize::from(endgame.len)].sort_unstable();
        (endgame.len > 0).then_some(endgame)
    }

    /// Every endgame with so many men on the board, both kings among them.
    pub fn with_men(men: usize) -> Vec<Endgame> {
        if men > MOST_HELPERS + 2 {
            return Vec::new();
        }
        let mut all: Vec<Vec<Piece>> = vec![vec![]];
        for _ in 2..men {
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

    /// The helpers: queens first, pawns last.
    pub fn helpers(&self) -> impl DoubleEndedIterator<Item = Piece> + ExactSizeIterator + use<> {
        let this = *self;
        (0..usize::from(this.len)).map(move |i| KINDS[usize::from(this.helpers[i])])
    }

    /// How many helpers there are.
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Never: an endgame has a helper.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many men are on the board, both kings among them.
    pub fn men(&self) -> usize {
        self.len() + 2
    }

    /// Whether a pawn is among the helpers, so that up and down are not alike.
    pub fn has_pawns(&self) -> bool {
        self.helpers().any(|piece| piece == Piece::Pawn)
    }

    /// What is left when a helper is lost; `None` if that was the last.
    pub fn without(&self, lost: Piece) -> Option<Endgame> {
        let mut is_lost = false;
        Endgame::new(self.helpers().filter(|&piece| {
            let this_one = piece == lost && !is_lost;
            is_lost |= this_one;
            !this_one
        }))
    }

    /// The endgames that a loss or a promotion leads to at once, each of them once.
    pub fn next(&self) -> Vec<Endgame> {
        let mut next: Vec<Endgame> =
            self.helpers().filter_map(|piece| self.without(piece)).collect();
        if self.has_pawns() {
            let others: Vec<Piece> =
                self.without(Piece::Pawn).map(|left| left.helpers().collect()).unwrap_or_default();
            next.extend(
                KINDS[..4]
                    .iter()
                    .filter_map(|&kind| Endgame::new(others.iter().copied().chain([kind]))),
            );
        }
        next.sort_unstable();
        next.dedup();
        next
    }

    /// These endgames and all that they lead to, each after those it leads to.
    pub fn with_all_needed(wanted: &[Endgame]) -> Vec<Endgame> {
        fn add(endgame: Endgame, order: &mut Vec<Endgame>) {
            if order.contains(&endgame) {
                return;
            }
            for next in endgame.next() {
                add(next, order);
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
        for piece in self.helpers() {
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
        let helpers: Option<Vec<Piece>> =
            inner.ok_or_else(unknown)?.chars().map(|letter| Piece::try_from(letter).ok()).collect();
        helpers.and_then(Endgame::new).ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(endgames: &[Endgame]) -> Vec<String> {
        endgames.iter().map(Endgame::to_string).collect()
    }

    #[test]
    fn there_are_five_endgames_of_three_men_and_fifteen_of_four() {
        assert_eq!(names(&Endgame::with_men(3)), ["kqk", "krk", "kbk", "knk", "kpk"]);
        assert_eq!(Endgame::with_men(4).len(), 15);
        assert_eq!(Endgame::with_men(5).len(), 35);
        assert!(Endgame::with_men(2).is_empty());
        assert!(Endgame::with_men(6).is_empty());
    }

    #[test]
    fn what_an_endgame_leads_to_comes_before_it() {
        let order = names(&Endgame::with_all_needed(&["kbpk".parse().unwrap()]));
        let place = |name: &str| order.iter().position(|known| known == name).unwrap();
        for earlier in ["kbk", "kpk", "kqbk", "krbk", "kbbk", "kbnk"] {
            assert!(place(earlier) < place("kbpk"), "{order:?}");
        }
        assert!(place("kqk") < place("kpk"));
        assert_eq!(order.len(), 10);
    }

    #[test]
    fn strange_names_are_refused() {
        for name in ["", "k", "kk", "kxk", "kkk", "qrk", "kqqqqk", "krkr", "♔♖♔"] {
            let error = name.parse::<Endgame>().unwrap_err();
            assert!(error.to_string().contains("krk"), "{error}");
        }
    }
}
