//! What the attacker's men do to the board of the lone king.

use cozy_chess::{
    get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use krieg_core::{BitBoard, Color, Piece, Square};

use crate::disposition::Disposition;

/// For one disposition, where the lone king may be and what the umpire says of him there.
///
/// All of it is a matter of sets of squares: attacks are made on a board without the lone king, so that a line goes on behind him and
/// he does not hide from a rook by stepping back.
#[derive(Debug, Clone)]
pub struct Ground {
    /// Squares of the attacker's men.
    pub occupied: u64,
    /// Where the lone king may be with the attacker to move, and where he may go: not occupied, not attacked.
    pub legal: u64,
    /// Helpers that nobody guards.
    pub loose: u64,
    /// Where the lone king may be with himself to move, unless that is stalemate.
    pub free: u64,
    /// The same squares by what the umpire says of a king there: those of which he says the same stand together.
    pub classes: Vec<u64>,
}

/// The squares on which the diagonal that rises to the right is the longer of the two.
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

/// By square, the squares above it to the right and below it to the left.
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

/// Squares with a neighbour in the set: where a king stands that can step into it.
///
/// ```
/// use krieg_tablebase::neighbours;
/// assert_eq!(neighbours(1), 0x302, "beside a1: b1, a2, b2");
/// ```
#[inline]
pub fn neighbours(set: u64) -> u64 {
    const A_FILE: u64 = 0x0101_0101_0101_0101;
    let beside = (set << 1 & !A_FILE) | (set >> 1 & !(A_FILE << 7));
    let row = set | beside;
    beside | row << 8 | row >> 8
}

impl Ground {
    /// Looks at a disposition.
    pub fn new(disposition: &Disposition) -> Self {
        let occupied = disposition.occupied();
        let by_king = get_king_moves(disposition.king()).0;
        let mut by_helpers = 0;
        // Rank, file, long diagonal, short diagonal, knight.
        let mut checks = [0_u64; 5];
        for (piece, square) in disposition.helpers() {
            for (direction, attacked) in attacks(piece, square, BitBoard(occupied)) {
                checks[direction] |= attacked;
                by_helpers |= attacked;
            }
        }
        let attacked = by_king | by_helpers;
        let legal = !(occupied | attacked);
        let king = 1 << disposition.king() as u64;
        let loose = occupied & !attacked & !king;
        let standing = !(occupied | by_king);
        let stalemated = standing & !by_helpers & !neighbours(legal | loose);
        let free = standing & !stalemated;
        Ground { occupied, legal, loose, free, classes: classes(free, checks) }
    }

    /// Of the squares where the lone king may be left to move, those from which he must go into `won`, or take nothing that is in `bad`.
    #[inline]
    pub fn driven_into(&self, won: u64, bad: u64) -> u64 {
        self.free & !neighbours((self.legal & !won) | bad)
    }

    /// Where a lone king on one of these squares may be after his move, captures apart.
    #[inline]
    pub fn after_moving(&self, kings: u64) -> u64 {
        neighbours(kings) & self.legal
    }
}

/// The squares among `free` by the checks said there: none, one direction, or two.
fn classes(free: u64, checks: [u64; 5]) -> Vec<u64> {
    let mut classes = vec![free];
    for direction in checks {
        let divided: Vec<u64> =
            classes.iter().flat_map(|class| [class & !direction, class & direction]).collect();
        classes = divided.into_iter().filter(|&class| class != 0).collect();
    }
    classes
}

/// What a helper attacks.
pub(crate) fn attacks_of(piece: Piece, from: Square, occupied: BitBoard) -> u64 {
    attacks(piece, from, occupied).fold(0, |all, (_, set)| all | set)
}

/// What a helper attacks, by direction as the umpire would name it to a king there.
fn attacks(piece: Piece, from: Square, occupied: BitBoard) -> impl Iterator<Item = (usize, u64)> {
    const RANK: usize = 0;
    const FILE: usize = 1;
    const LONG: usize = 2;
    const SHORT: usize = 3;
    const KNIGHT: usize = 4;
    let straight = || get_rook_moves(from, occupied).0;
    let oblique = || get_bishop_moves(from, occupied).0;
    let (lines, diagonals, hops) = match piece {
        Piece::Queen => (straight(), oblique(), 0),
        Piece::Rook => (straight(), 0, 0),
        Piece::Bishop => (0, oblique(), 0),
        Piece::Knight => (0, 0, get_knight_moves(from).0),
        Piece::Pawn => (0, get_pawn_attacks(from, Color::White).0, 0),
        Piece::King => (0, 0, 0),
    };
    let rank = from.rank().bitboard().0;
    let rising = diagonals & RISING[from as usize];
    let long = (rising & RISING_IS_LONG) | (diagonals & !rising & !RISING_IS_LONG);
    [
        (RANK, lines & rank),
        (FILE, lines & !rank),
        (LONG, long),
        (SHORT, diagonals & !long),
        (KNIGHT, hops),
    ]
    .into_iter()
    .filter(|&(_, set)| set != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Checks, DrawRules, Ending, Position, Ruleset, bitboard};

    fn ground(men: &[(Square, Piece)]) -> Ground {
        Ground::new(&Disposition::from_men(men).unwrap())
    }

    #[test]
    fn a_rook_and_a_king_leave_the_other_king_the_rest_of_the_board() {
        let ground = ground(&[(Square::C3, Piece::King), (Square::H7, Piece::Rook)]);
        let legal = bitboard! {
            X X X X X X X .
            . . . . . . . .
            X X X X X X X .
            X X X X X X X .
            X . . . X X X .
            X . . . X X X .
            X . . . X X X .
            X X X X X X X .
        };
        assert_eq!(BitBoard(ground.legal), legal);
        assert_eq!(ground.loose, Square::H7.bitboard().0);
        assert_eq!(ground.classes.len(), 3, "silence, rank and file");
    }

    /// The umpire himself, asked about every square, tells the same squares apart.
    #[test]
    fn the_umpire_says_the_same_of_the_squares_of_a_class() {
        let placements: [&[(Square, Piece)]; 7] = [
            &[(Square::C3, Piece::King), (Square::F6, Piece::Queen)],
            &[(Square::A1, Piece::King), (Square::D4, Piece::Bishop), (Square::E4, Piece::Knight)],
            &[(Square::C7, Piece::King), (Square::C4, Piece::Bishop), (Square::C5, Piece::Bishop)],
            &[(Square::F2, Piece::King), (Square::C5, Piece::Pawn)],
            &[(Square::B6, Piece::King), (Square::H7, Piece::Rook)],
            &[(Square::E6, Piece::King), (Square::D6, Piece::Queen), (Square::D7, Piece::Pawn)],
            &[(Square::B5, Piece::King), (Square::B1, Piece::Rook), (Square::C1, Piece::Rook)],
        ];
        for men in placements {
            let ground = ground(men);
            let mut said: Vec<(Checks, u64)> = Vec::new();
            let mut free = 0;
            for square in Square::ALL {
                let Some(board) = with_king(men, square, 'b') else { continue };
                let opening = board.opening(&Ruleset::ICC, DrawRules::NONE);
                let is_stalemate =
                    opening.end.is_some_and(|outcome| outcome.ending == Ending::Stalemate);
                if is_stalemate {
                    continue;
                }
                free |= square.bitboard().0;
                // The umpire says mate instead of check; the direction is there all the same.
                let checks = Checks::new(
                    board
                        .board()
                        .checkers()
                        .into_iter()
                        .map(|checker| krieg_core::Direction::between(square, checker)),
                );
                match said.iter_mut().find(|(known, _)| *known == checks) {
                    Some((_, set)) => *set |= square.bitboard().0,
                    None => said.push((checks, square.bitboard().0)),
                }
            }
            assert_eq!(BitBoard(free), BitBoard(ground.free), "{men:?}");
            let mut said: Vec<u64> = said.into_iter().map(|(_, set)| set).collect();
            let mut classes = ground.classes.clone();
            said.sort_unstable();
            classes.sort_unstable();
            assert_eq!(said, classes, "{men:?}");
            let legal: u64 = Square::ALL
                .into_iter()
                .filter(|&square| with_king(men, square, 'w').is_some())
                .fold(0, |set, square| set | square.bitboard().0);
            assert_eq!(BitBoard(legal), BitBoard(ground.legal), "{men:?}");
        }
    }

    fn with_king(men: &[(Square, Piece)], king: Square, turn: char) -> Option<Position> {
        if men.iter().any(|&(square, _)| square == king) {
            return None;
        }
        let board = krieg_core::placement::write(|square| {
            if square == king {
                return Some('k');
            }
            let man = men.iter().find(|(at, _)| *at == square)?;
            Some(char::from(man.1).to_ascii_uppercase())
        });
        Position::from_fen(&format!("{board} {turn} - - 0 1")).ok()
    }
}
