//! The rules at one placement as sets of squares: where the lone king may be, where it may move,
//! and which squares the umpire's announcement distinguishes.

use krieg_core::{BitBoard, Color, Piece, Square};

use crate::king_squares::{KingSquares, piece_attacks};
use crate::placement::Placement;

/// The squares that a placement attacks, occupies and leaves to the lone king.
///
/// Attacks are computed on a board without the lone king. A line therefore continues behind it, and
/// it cannot escape a rook by stepping back along the line.
///
/// ```
/// use krieg_core::{BitBoard, bitboard};
/// use krieg_tablebase::{AttackMap, Placement};
/// let map = AttackMap::new(&"Kc3 Rh7".parse::<Placement>()?);
/// assert_eq!(BitBoard(map.undefended), bitboard! {
///     . . . . . . . .
///     . . . . . . . X
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// });
/// # Ok::<(), krieg_tablebase::InvalidPlacement>(())
/// ```
#[derive(Debug, Clone)]
pub struct AttackMap {
    /// Squares of the attacker's pieces.
    pub occupied: u64,
    /// Squares that are neither occupied nor attacked: where the lone king may be with the attacker
    /// to move, and where it may move to.
    pub safe: u64,
    /// Squares of non-king pieces that no other piece defends, so that the lone king may capture
    /// them.
    pub undefended: u64,
    /// Where the lone king may be with the defender to move, stalemates excluded.
    pub defender_to_move: u64,
    /// A partition of `defender_to_move` by the checks that the umpire announces there.
    pub announcement_classes: Vec<u64>,
}

/// The squares on which the diagonal parallel to a1–h8 is the long diagonal.
const RISING_IS_LONG: u64 = {
    let mut set = 0;
    let mut index: i32 = 0;
    while index < 64 {
        let (file, rank) = (index & 7, index >> 3);
        if (file - rank).abs() < (file + rank - 7).abs() {
            set |= 1 << index;
        }
        index += 1;
    }
    set
};

/// For each square, the squares above and to the right, and below and to the left of it.
const RISING: [u64; 64] = {
    let mut sets = [0; 64];
    let mut pair = 0;
    while pair < 64 * 64 {
        let (from, to) = (pair >> 6, pair & 63);
        if ((to & 7) > (from & 7)) == (to >> 3 > from >> 3) {
            sets[from] |= 1 << to;
        }
        pair += 1;
    }
    sets
};

/// All squares adjacent to a square of the set: from where a king can step into it.
///
/// ```
/// use krieg_tablebase::neighbours;
/// assert_eq!(neighbours(1), 0x302, "next to a1: b1, a2, b2");
/// ```
#[inline]
pub fn neighbours(set: u64) -> u64 {
    const A_FILE: u64 = 0x0101_0101_0101_0101;
    let beside = (set << 1 & !A_FILE) | (set >> 1 & !(A_FILE << 7));
    let row = set | beside;
    beside | row << 8 | row >> 8
}

impl AttackMap {
    /// Computes the map of a placement.
    pub fn new(placement: &Placement) -> Self {
        let occupied = BitBoard(placement.occupied());
        let king = placement.king();
        let mut attacked = piece_attacks(Piece::King, Color::White, king, occupied);
        // The squares in check by direction: rank, file, long diagonal, short diagonal, knight.
        let mut checks = [0_u64; 5];
        for (piece, square) in placement.non_king_pieces() {
            let by_piece = piece_attacks(piece, Color::White, square, occupied);
            attacked |= by_piece;
            for (all, set) in checks.iter_mut().zip(by_direction(piece, square, by_piece.0)) {
                *all |= set;
            }
        }
        let squares = KingSquares::from_attacks(occupied, king.bitboard(), attacked);
        let defender_to_move = (squares.possible & !squares.stalemated()).0;
        AttackMap {
            occupied: occupied.0,
            safe: squares.safe.0,
            undefended: squares.undefended.0,
            defender_to_move,
            announcement_classes: announcement_classes(defender_to_move, checks),
        }
    }

    /// Squares of the lone king, with the defender to move, from which every non-capturing move
    /// leads into `won` and no piece of `forbidden_captures` can be captured.
    #[inline]
    pub fn forced_into(&self, won: u64, forbidden_captures: u64) -> u64 {
        self.defender_to_move & !neighbours((self.safe & !won) | forbidden_captures)
    }

    /// Where a lone king on one of these squares may be after a non-capturing move.
    #[inline]
    pub fn successors(&self, kings: u64) -> u64 {
        neighbours(kings) & self.safe
    }
}

/// Partitions squares by the announced checks: none, one direction, or two.
fn announcement_classes(squares: u64, checks: [u64; 5]) -> Vec<u64> {
    let mut classes = vec![squares];
    for direction in checks {
        let refined: Vec<u64> =
            classes.iter().flat_map(|class| [class & !direction, class & direction]).collect();
        classes = refined.into_iter().filter(|&class| class != 0).collect();
    }
    classes
}

/// Divides the squares that a non-king piece attacks by the direction in which the umpire would
/// announce the check to a king there: rank, file, long diagonal, short diagonal, knight.
fn by_direction(piece: Piece, from: Square, attacked: u64) -> [u64; 5] {
    if piece == Piece::Knight {
        return [0, 0, 0, 0, attacked];
    }
    let (rank, file) = (from.rank().bitboard().0, from.file().bitboard().0);
    let diagonals = attacked & !rank & !file;
    let rising = diagonals & RISING[from as usize];
    let long = (rising & RISING_IS_LONG) | (diagonals & !rising & !RISING_IS_LONG);
    [attacked & rank, attacked & file, long, diagonals & !long, 0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{
        Checks, Direction, DrawRules, Ending, Position, Ruleset, bitboard, placement,
    };

    fn map(pieces: &[(Square, Piece)]) -> AttackMap {
        AttackMap::new(&Placement::from_pieces(pieces).unwrap())
    }

    #[test]
    fn king_and_rook_leave_the_lone_king_the_unattacked_squares() {
        let map = map(&[(Square::C3, Piece::King), (Square::H7, Piece::Rook)]);
        let safe = bitboard! {
            X X X X X X X .
            . . . . . . . .
            X X X X X X X .
            X X X X X X X .
            X . . . X X X .
            X . . . X X X .
            X . . . X X X .
            X X X X X X X .
        };
        assert_eq!(BitBoard(map.safe), safe);
        assert_eq!(map.undefended, Square::H7.bitboard().0);
        assert_eq!(map.announcement_classes.len(), 3, "no check, rank and file");
    }

    /// Asks the umpire about every square and compares the partition.
    #[test]
    fn the_umpire_announces_the_same_on_all_squares_of_a_class() {
        let placements: [&[(Square, Piece)]; 7] = [
            &[(Square::C3, Piece::King), (Square::F6, Piece::Queen)],
            &[(Square::A1, Piece::King), (Square::D4, Piece::Bishop), (Square::E4, Piece::Knight)],
            &[(Square::C7, Piece::King), (Square::C4, Piece::Bishop), (Square::C5, Piece::Bishop)],
            &[(Square::F2, Piece::King), (Square::C5, Piece::Pawn)],
            &[(Square::B6, Piece::King), (Square::H7, Piece::Rook)],
            &[(Square::E6, Piece::King), (Square::D6, Piece::Queen), (Square::D7, Piece::Pawn)],
            &[(Square::B5, Piece::King), (Square::B1, Piece::Rook), (Square::C1, Piece::Rook)],
        ];
        for pieces in placements {
            let map = map(pieces);
            let mut by_announcement: Vec<(Checks, u64)> = Vec::new();
            let mut defender_to_move = 0;
            for square in Square::ALL {
                let Some(position) = with_lone_king(pieces, square, 'b') else { continue };
                let opening = position.opening(&Ruleset::ICC, DrawRules::NONE);
                let is_stalemate =
                    opening.end.is_some_and(|outcome| outcome.ending == Ending::Stalemate);
                if is_stalemate {
                    continue;
                }
                defender_to_move |= square.bitboard().0;
                // The umpire announces mate instead of check, so the direction is computed here.
                let checkers = position.board().checkers().into_iter();
                let checks =
                    Checks::new(checkers.map(|checker| Direction::between(square, checker)));
                match by_announcement.iter_mut().find(|(known, _)| *known == checks) {
                    Some((_, set)) => *set |= square.bitboard().0,
                    None => by_announcement.push((checks, square.bitboard().0)),
                }
            }
            assert_eq!(BitBoard(defender_to_move), BitBoard(map.defender_to_move), "{pieces:?}");
            let mut announced: Vec<u64> = by_announcement.into_iter().map(|(_, set)| set).collect();
            let mut classes = map.announcement_classes.clone();
            announced.sort_unstable();
            classes.sort_unstable();
            assert_eq!(announced, classes, "{pieces:?}");
            let safe: u64 = Square::ALL
                .into_iter()
                .filter(|&square| with_lone_king(pieces, square, 'w').is_some())
                .fold(0, |set, square| set | square.bitboard().0);
            assert_eq!(BitBoard(safe), BitBoard(map.safe), "{pieces:?}");
        }
    }

    fn with_lone_king(pieces: &[(Square, Piece)], king: Square, turn: char) -> Option<Position> {
        if pieces.iter().any(|&(square, _)| square == king) {
            return None;
        }
        let board = placement::write(|square| {
            if square == king {
                return Some('k');
            }
            let (_, piece) = pieces.iter().find(|(at, _)| *at == square)?;
            Some(char::from(*piece).to_ascii_uppercase())
        });
        Position::from_fen(&format!("{board} {turn} - - 0 1")).ok()
    }
}
