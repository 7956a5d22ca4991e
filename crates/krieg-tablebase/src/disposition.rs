//! Where the attacker's men stand, and the number under which that is filed.

use std::fmt;
use std::str::FromStr;

use krieg_core::{Piece, Square, excerpt};
use thiserror::Error;

use crate::endgame::{Endgame, MOST_HELPERS};
use crate::symmetry::Symmetry;

/// A way to place the attacker's king and his helpers. The attacker is White here, his pawns go up.
///
/// ```
/// use krieg_tablebase::Disposition;
/// let men: Disposition = "Kd4 Re4".parse()?;
/// assert_eq!(men.endgame().to_string(), "krk");
/// assert_eq!("Ke5 Re4".parse::<Disposition>()?.filed().0, men);
/// assert!("Kd4 Rd4".parse::<Disposition>().is_err());
/// # Ok::<(), krieg_tablebase::UnknownDisposition>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Disposition {
    endgame: Endgame,
    king: Square,
    /// In the order of the endgame; like men in the order of their squares.
    helpers: [Square; MOST_HELPERS],
}

impl Disposition {
    /// These men, each on a square of its own, the helpers in the order of the endgame; `None` if two stand on one square or a pawn
    /// where no pawn can.
    pub fn new(endgame: Endgame, king: Square, helpers: &[Square]) -> Option<Self> {
        if helpers.len() != endgame.len() {
            return None;
        }
        let mut taken = king.bitboard();
        for (piece, &square) in endgame.helpers().zip(helpers) {
            let is_pawn_astray =
                piece == Piece::Pawn && (square as usize <= 7 || square as usize >= 56);
            if taken.has(square) || is_pawn_astray {
                return None;
            }
            taken |= square.bitboard();
        }
        Some(Self::sorted(endgame, king, helpers))
    }

    /// The same, where all that is known to be right.
    fn sorted(endgame: Endgame, king: Square, helpers: &[Square]) -> Self {
        let mut all = [Square::A1; MOST_HELPERS];
        all[..helpers.len()].copy_from_slice(helpers);
        let kinds: [Piece; MOST_HELPERS] = {
            let mut kinds = [Piece::King; MOST_HELPERS];
            for (slot, kind) in kinds.iter_mut().zip(endgame.helpers()) {
                *slot = kind;
            }
            kinds
        };
        // At most three: exchanging neighbours is sorting.
        for _ in 1..helpers.len() {
            for i in 1..helpers.len() {
                if kinds[i - 1] == kinds[i] && all[i - 1] as u8 > all[i] as u8 {
                    all.swap(i - 1, i);
                }
            }
        }
        Disposition { endgame, king, helpers: all }
    }

    /// The attacker's men from a list with exactly one king; `None` if they are no endgame.
    pub fn from_men(men: &[(Square, Piece)]) -> Option<Self> {
        let mut kings = men.iter().filter(|(_, piece)| *piece == Piece::King);
        let (king, _) = kings.next()?;
        if kings.next().is_some() {
            return None;
        }
        let mut others: Vec<(Square, Piece)> =
            men.iter().copied().filter(|(_, piece)| *piece != Piece::King).collect();
        let endgame = Endgame::new(others.iter().map(|&(_, piece)| piece))?;
        let order: Vec<Piece> = endgame.helpers().collect();
        others.sort_by_key(|&(square, piece)| (order.iter().position(|&p| p == piece), square));
        let squares: Vec<Square> = others.iter().map(|&(square, _)| square).collect();
        Disposition::new(endgame, *king, &squares)
    }

    /// Which men these are.
    pub fn endgame(&self) -> Endgame {
        self.endgame
    }

    /// Where the king stands.
    pub fn king(&self) -> Square {
        self.king
    }

    /// The helpers and where they stand.
    pub fn helpers(&self) -> impl ExactSizeIterator<Item = (Piece, Square)> + use<> {
        let this = *self;
        this.endgame.helpers().enumerate().map(move |(i, piece)| (piece, this.helpers[i]))
    }

    /// All men and where they stand, the king first.
    pub fn men(&self) -> impl Iterator<Item = (Piece, Square)> + use<> {
        std::iter::once((Piece::King, self.king)).chain(self.helpers())
    }

    /// The squares on which a man stands.
    pub fn occupied(&self) -> u64 {
        self.men().fold(0, |set, (_, square)| set | 1 << square as u64)
    }

    /// The king on another square.
    pub(crate) fn with_king(&self, to: Square) -> Self {
        Disposition { king: to, ..*self }
    }

    /// One of the helpers on another square.
    pub(crate) fn with_helper(&self, which: usize, to: Square) -> Self {
        let mut helpers = self.helpers;
        helpers[which] = to;
        Self::sorted(self.endgame, self.king, &helpers[..self.endgame.len()])
    }

    /// A helper has become another man, elsewhere.
    pub(crate) fn promoted(&self, which: usize, to: Square, becomes: Piece) -> Option<Self> {
        let men: Vec<(Square, Piece)> = std::iter::once((self.king, Piece::King))
            .chain(self.helpers().enumerate().map(|(i, (piece, square))| {
                if i == which { (to, becomes) } else { (square, piece) }
            }))
            .collect();
        Disposition::from_men(&men)
    }

    /// The helper on this square is lost; `None` if nobody is left to help.
    pub(crate) fn without(&self, lost: Square) -> Option<Self> {
        let men: Vec<(Square, Piece)> = self
            .men()
            .filter(|&(_, square)| square != lost)
            .map(|(piece, square)| (square, piece))
            .collect();
        Disposition::from_men(&men)
    }

    /// The same under a symmetry.
    pub fn turned(&self, symmetry: Symmetry) -> Self {
        let len = self.endgame.len();
        let mut helpers = self.helpers;
        for helper in &mut helpers[..len] {
            *helper = symmetry.square(*helper);
        }
        Self::sorted(self.endgame, symmetry.square(self.king), &helpers[..len])
    }

    /// Of all dispositions that are alike but for turning and mirroring the one that is filed, and the way there.
    ///
    /// Its king stands on one of the ten squares of the triangle a1, d1, d4; on its long side, the diagonal, the helpers decide. With pawns he
    /// stands on the files a to d.
    pub fn filed(&self) -> (Disposition, Symmetry) {
        let mut way = Symmetry::NONE;
        if self.king.file() as usize > 3 {
            way = way.and(Symmetry::LEFT_RIGHT);
        }
        if self.endgame.has_pawns() {
            return (self.turned(way), way);
        }
        if self.king.rank() as usize > 3 {
            way = way.and(Symmetry::UP_DOWN);
        }
        let king = way.square(self.king);
        let (file, rank) = (king.file() as usize, king.rank() as usize);
        if rank > file {
            way = way.and(Symmetry::TRANSPOSED);
        }
        let turned = self.turned(way);
        if rank == file {
            let mirrored = turned.turned(Symmetry::TRANSPOSED);
            if mirrored.helpers < turned.helpers {
                return (mirrored, way.and(Symmetry::TRANSPOSED));
            }
        }
        (turned, way)
    }

    /// How many dispositions with a king on the ten squares (or thirty-two, with pawns) are filed as this one: two, if it has a twin across the diagonal.
    ///
    /// This is the counting of the literature (Favini 2010, section 7.2), which mirrors no further when the king is on the diagonal.
    pub fn twins(&self) -> u64 {
        let on_the_diagonal = self.king.file() as usize == self.king.rank() as usize;
        let mirrored = self.turned(Symmetry::TRANSPOSED);
        if !self.endgame.has_pawns() && on_the_diagonal && mirrored != *self { 2 } else { 1 }
    }
}

impl fmt::Display for Disposition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (piece, square)) in self.men().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{}{square}", char::from(piece).to_ascii_uppercase())?;
        }
        Ok(())
    }
}

/// PieceSet that no table knows.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{0:?} is no disposition: name a king and one to three others with their squares, as in `Kd4 Re4` or `Ka1 Nb1 Pc2`"
)]
pub struct UnknownDisposition(pub String);

impl FromStr for Disposition {
    type Err = UnknownDisposition;

    fn from_str(text: &str) -> Result<Self, UnknownDisposition> {
        let man = |word: &str| {
            let letter = word.chars().next()?;
            let square = word[letter.len_utf8()..].parse().ok()?;
            let piece = Piece::try_from(letter.to_ascii_lowercase()).ok()?;
            letter.is_ascii_uppercase().then_some((square, piece))
        };
        let men: Option<Vec<(Square, Piece)>> = text.split_whitespace().map(man).collect();
        men.and_then(|men| Disposition::from_men(&men))
            .ok_or_else(|| UnknownDisposition(excerpt(text)))
    }
}

/// The dispositions of an endgame that are filed, numbered.
#[derive(Debug, Clone)]
pub struct Catalogue {
    endgame: Endgame,
    /// By key, the number, or `NOBODY`.
    numbers: Vec<u32>,
    /// By number, the key.
    keys: Vec<u32>,
}

const NOBODY: u32 = u32::MAX;

impl Catalogue {
    /// Numbers all dispositions of an endgame.
    pub fn new(endgame: Endgame) -> Self {
        let room = king_slots(endgame) << (6 * endgame.len());
        let mut catalogue = Catalogue { endgame, numbers: vec![NOBODY; room], keys: Vec::new() };
        for key in 0..room as u32 {
            let Some(disposition) = catalogue.at_key(key) else { continue };
            if disposition.filed().0 == disposition && catalogue.key(&disposition) == key {
                catalogue.numbers[key as usize] = catalogue.keys.len() as u32;
                catalogue.keys.push(key);
            }
        }
        catalogue
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are none, which no endgame is the cause of.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The endgame.
    pub fn endgame(&self) -> Endgame {
        self.endgame
    }

    /// The disposition of this number.
    pub fn disposition(&self, number: usize) -> Option<Disposition> {
        self.at_key(*self.keys.get(number)?)
    }

    /// The number under which a disposition is filed, and how it is turned for that.
    pub fn number(&self, disposition: &Disposition) -> (usize, Symmetry) {
        let (filed, way) = disposition.filed();
        (self.numbers[self.key(&filed) as usize] as usize, way)
    }

    fn key(&self, filed: &Disposition) -> u32 {
        let slot = if self.endgame.has_pawns() {
            (filed.king.rank() as u32) * 4 + filed.king.file() as u32
        } else {
            u32::from(TRIANGLE[filed.king as usize])
        };
        let squares = &filed.helpers[..self.endgame.len()];
        squares.iter().fold(slot, |key, &square| key << 6 | square as u32)
    }

    fn at_key(&self, key: u32) -> Option<Disposition> {
        let len = self.endgame.len();
        let slot = (key >> (6 * len)) as usize;
        let king = if self.endgame.has_pawns() {
            Square::index(slot / 4 * 8 + slot % 4)
        } else {
            Square::index(TRIANGLE.iter().position(|&known| usize::from(known) == slot)?)
        };
        let mut helpers = [Square::A1; MOST_HELPERS];
        for (i, helper) in helpers[..len].iter_mut().enumerate() {
            *helper = Square::index((key >> (6 * (len - 1 - i)) & 63) as usize);
        }
        Disposition::new(self.endgame, king, &helpers[..len])
    }
}

fn king_slots(endgame: Endgame) -> usize {
    if endgame.has_pawns() { 32 } else { 10 }
}

/// By square, its number in the triangle a1, d1, d4; other squares have none.
const TRIANGLE: [u8; 64] = {
    let mut numbers = [u8::MAX; 64];
    let mut next = 0;
    let mut rank = 0;
    while rank < 4 {
        let mut file = rank;
        while file < 4 {
            numbers[rank * 8 + file] = next;
            next += 1;
            file += 1;
        }
        rank += 1;
    }
    numbers
};

#[cfg(test)]
mod tests {
    use super::*;

    fn endgame(name: &str) -> Endgame {
        name.parse().unwrap()
    }

    #[test]
    fn the_literature_counts_630_dispositions_of_king_and_rook() {
        let catalogue = Catalogue::new(endgame("krk"));
        let all = (0..catalogue.len()).map(|n| catalogue.disposition(n).unwrap());
        assert_eq!(all.map(|disposition| disposition.twins()).sum::<u64>(), 630);
        // Six squares with 63 places for the rook; four on the diagonal, where 56 of the 63 come in pairs.
        assert_eq!(catalogue.len(), 6 * 63 + 4 * (7 + 28));
    }

    #[test]
    fn every_disposition_is_found_however_it_is_turned() {
        for name in ["krk", "kbnk", "knnk", "kpk"] {
            let catalogue = Catalogue::new(endgame(name));
            for number in 0..catalogue.len() {
                let disposition = catalogue.disposition(number).unwrap();
                let ways = if name == "kpk" { &Symmetry::ALL[..2] } else { &Symmetry::ALL };
                for &way in ways {
                    let turned = disposition.turned(way);
                    let (found, back) = catalogue.number(&turned);
                    assert_eq!(found, number, "{turned}");
                    assert_eq!(turned.turned(back), disposition);
                }
            }
        }
    }

    #[test]
    fn pawns_stand_where_pawns_can_and_nobody_stands_on_another() {
        let kpk = endgame("kpk");
        assert!(Disposition::new(kpk, Square::A1, &[Square::A2]).is_some());
        assert!(Disposition::new(kpk, Square::A1, &[Square::B1]).is_none());
        assert!(Disposition::new(kpk, Square::A1, &[Square::B8]).is_none());
        assert!(Disposition::new(endgame("krk"), Square::A1, &[Square::A1]).is_none());
    }
}
