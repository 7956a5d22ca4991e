//! The squares that the attacker's pieces leave to a lone king, and what the umpire announces
//! there.

use cozy_chess::{
    get_between_rays, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};
use krieg_core::{BitBoard, Checks, Direction, Move, Piece, PieceSet, Square};

use super::material_subset::is_bishop_pair;

/// The squares that the attacker's pieces, of any number, leave to a lone king.
///
/// Attacks are computed on a board without the lone king, so they continue behind it: the king
/// cannot escape from a rook by stepping back along its line.
#[derive(Debug, Clone)]
pub(crate) struct Containment {
    pieces: PieceSet,
    /// Neither occupied nor attacked: the lone king may be there on the attacker's turn, and may
    /// move there.
    pub safe: BitBoard,
    /// The attacker's undefended pieces, without the king: the lone king may capture them.
    pub undefended: BitBoard,
    /// Squares on which the lone king may be on its own turn, in check or not.
    possible: BitBoard,
}

impl Containment {
    pub fn new(pieces: &PieceSet) -> Self {
        let attacked = attacked_squares(pieces, pieces.all());
        let kings = pieces.pieces(Piece::King);
        Containment {
            pieces: *pieces,
            safe: !(pieces.all() | attacked),
            undefended: pieces.all() & !attacked & !kings,
            possible: !(pieces.all() | neighbours(kings)),
        }
    }

    /// The squares on which a lone king has a legal move.
    pub fn with_moves(&self) -> BitBoard {
        neighbours(self.safe | self.undefended)
    }

    /// The squares on which a lone king is mated.
    pub fn mated(&self) -> BitBoard {
        self.possible & !self.with_moves() & !self.safe
    }

    /// The squares on which a lone king is stalemated.
    pub fn stalemated(&self) -> BitBoard {
        self.possible & !self.with_moves() & self.safe
    }

    /// The checks that the umpire announces to a lone king on this square; nothing if three pieces
    /// give check, which is impossible in a game.
    fn checks(&self, square: Square) -> Option<Checks> {
        let (pieces, all) = (&self.pieces, self.pieces.all());
        let queens = pieces.pieces(Piece::Queen);
        let checkers = get_rook_moves(square, all) & (pieces.pieces(Piece::Rook) | queens)
            | get_bishop_moves(square, all) & (pieces.pieces(Piece::Bishop) | queens)
            | get_knight_moves(square) & pieces.pieces(Piece::Knight)
            | get_pawn_attacks(square, !pieces.color()) & pieces.pieces(Piece::Pawn);
        let directions = checkers.into_iter().map(|checker| Direction::between(square, checker));
        (checkers.len() <= 2).then(|| Checks::new(directions))
    }

    /// Of these squares, those on which the umpire announces these checks to a lone king on its
    /// turn and the game is not over.
    pub fn consistent(&self, kings: BitBoard, checks: Checks) -> BitBoard {
        let kings = kings & self.possible & self.with_moves();
        if checks.is_empty() {
            return kings & self.safe;
        }
        (kings & !self.safe).into_iter().filter(|&king| self.checks(king) == Some(checks)).collect()
    }

    /// These squares without those on which the game is over, divided by the announcement that the
    /// umpire makes there.
    pub fn announcement_classes(&self, kings: BitBoard) -> Vec<BitBoard> {
        let kings = kings & self.possible & self.with_moves();
        let mut classes = Vec::new();
        if !kings.is_disjoint(self.safe) {
            classes.push(kings & self.safe);
        }
        let mut checked: Vec<(Checks, BitBoard)> = Vec::new();
        for king in kings & !self.safe {
            let Some(checks) = self.checks(king) else { continue };
            match checked.iter_mut().find(|(known, _)| *known == checks) {
                Some((_, set)) => *set |= king.bitboard(),
                None => checked.push((checks, king.bitboard())),
            }
        }
        classes.extend(checked.into_iter().map(|(_, set)| set));
        classes
    }

    /// The squares on which a lone king may be after a move from one of these squares that captures
    /// nothing.
    pub fn after_king_move(&self, kings: BitBoard) -> BitBoard {
        neighbours(kings) & self.safe
    }

    /// The squares that a lone king can reach from these in any number of moves if the attacker
    /// does not move.
    pub fn reachable(&self, kings: BitBoard) -> BitBoard {
        let mut reached = kings;
        loop {
            let further = reached | self.after_king_move(reached);
            if further == reached {
                return reached;
            }
            reached = further;
        }
    }
}

/// The squares next to any of these.
pub(crate) fn neighbours(squares: BitBoard) -> BitBoard {
    BitBoard(krieg_tablebase::neighbours(squares.0))
}

/// The squares that these pieces attack, given the occupied squares.
pub(crate) fn attacked_squares(pieces: &PieceSet, occupied: BitBoard) -> BitBoard {
    let mut attacked = BitBoard::EMPTY;
    for piece in Piece::ALL {
        for from in pieces.pieces(piece) {
            attacked |= match piece {
                Piece::Pawn => get_pawn_attacks(from, pieces.color()),
                Piece::Knight => get_knight_moves(from),
                Piece::Bishop => get_bishop_moves(from, occupied),
                Piece::Rook => get_rook_moves(from, occupied),
                Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
                Piece::King => get_king_moves(from),
            };
        }
    }
    attacked
}

/// The squares of a lone king that make this try illegal: next to the target of a king move or to
/// the path of castling, or in the way of a pawn. It cannot block a queen, rook or bishop, because
/// it would have been in check on the attacker's turn.
pub(crate) fn refusing_squares(pieces: &PieceSet, mv: Move) -> BitBoard {
    let path = get_between_rays(mv.from, mv.to) | mv.to.bitboard();
    match pieces.piece_on(mv.from) {
        Some(Piece::King) => neighbours(path),
        Some(Piece::Pawn) if mv.from.file() == mv.to.file() => path,
        _ => BitBoard::EMPTY,
    }
}

/// The pieces after one of their moves that captures nothing.
pub(crate) fn after_move(pieces: &PieceSet, mv: Move) -> PieceSet {
    let mut pieces = *pieces;
    pieces.play(mv);
    pieces
}

/// The pieces without the one on this square.
pub(crate) fn without_piece(pieces: &PieceSet, square: Square) -> PieceSet {
    let mut pieces = *pieces;
    pieces.remove_captured(square);
    pieces
}

/// Whether these pieces can mate a lone king at all.
pub(crate) fn has_mating_material(pieces: &PieceSet) -> bool {
    let (bishops, knights) = (pieces.pieces(Piece::Bishop), pieces.pieces(Piece::Knight));
    let strong = [Piece::Queen, Piece::Rook, Piece::Pawn];
    let has_strong = strong.into_iter().any(|piece| !pieces.pieces(piece).is_empty());
    let has_both_minors = !bishops.is_empty() && !knights.is_empty();
    has_strong || is_bishop_pair(bishops) || has_both_minors || knights.len() > 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Color, DrawRules, Ending, Position, Ruleset};
    use krieg_tablebase::{AttackMap, Placement};

    /// Pieces of either colour, some with more helpers than there are tables for.
    const PLACEMENTS: [&str; 7] = [
        "8/8/8/8/3Q4/2K5/8/8",
        "8/8/8/2BB4/8/8/1K6/8",
        "8/8/1K6/7R/8/8/5P2/8",
        "8/3P4/3QK3/8/8/8/8/8",
        "8/8/2kr4/8/5p2/2q4p/p7/8",
        "8/2n5/1r1k4/8/4b3/8/pp4r1/8",
        "8/3N4/1K2P1P1/8/2B2N2/8/8/8",
    ];

    fn pieces_of(placement: &str) -> PieceSet {
        let letters = |upper: bool| {
            placement
                .chars()
                .filter(move |c| c.is_alphabetic() && c.is_uppercase() == upper)
                .count()
        };
        let color = if letters(true) > letters(false) { Color::White } else { Color::Black };
        let mut squares = [BitBoard::EMPTY; Piece::NUM];
        krieg_core::placement::read(placement, |square, letter| {
            if letter.is_uppercase() == (color == Color::White) {
                let piece = Piece::try_from(letter.to_ascii_lowercase()).unwrap();
                squares[piece as usize] |= square.bitboard();
            }
            Ok::<(), String>(())
        })
        .unwrap();
        PieceSet::new(color, squares, (false, false))
    }

    /// The position with these pieces and a lone king on this square, if it is possible.
    fn position_with_king(pieces: &PieceSet, king: Square, turn: Color) -> Option<Position> {
        if pieces.all().has(king) {
            return None;
        }
        let lone = if pieces.color() == Color::White { 'k' } else { 'K' };
        let board = krieg_core::placement::write(|square| {
            if square == king { Some(lone) } else { pieces.letter(square) }
        });
        let turn = if turn == Color::White { 'w' } else { 'b' };
        Position::from_fen(&format!("{board} {turn} - - 0 1")).ok()
    }

    #[test]
    fn the_umpire_agrees_on_every_square() {
        for placement in PLACEMENTS {
            let pieces = pieces_of(placement);
            let containment = Containment::new(&pieces);
            let (mated, stalemated) = (containment.mated(), containment.stalemated());
            for king in Square::ALL {
                let on_attackers_turn = position_with_king(&pieces, king, pieces.color());
                let is_safe = containment.safe.has(king);
                assert_eq!(is_safe, on_attackers_turn.is_some(), "{placement}, {king}");
                let Some(position) = position_with_king(&pieces, king, !pieces.color()) else {
                    // A position in which three pieces give check is rejected.
                    let is_possible = containment.possible.has(king);
                    assert!(!is_possible || !is_safe, "{placement}, {king}");
                    continue;
                };
                let announcement = position.opening(&Ruleset::BERKELEY, DrawRules::NONE);
                let ending = announcement.end.map(|outcome| outcome.ending);
                let is_mate = ending == Some(Ending::Checkmate);
                assert_eq!(mated.has(king), is_mate, "{placement} {king}");
                let is_stalemate = ending == Some(Ending::Stalemate);
                assert_eq!(stalemated.has(king), is_stalemate, "{placement} {king}");
                if ending.is_none() {
                    let consistent = containment.consistent(BitBoard::FULL, announcement.checks);
                    assert!(consistent.has(king), "{placement} {king}");
                }
            }
        }
    }

    #[test]
    fn containment_of_few_pieces_agrees_with_the_tablebase() {
        for placement in &PLACEMENTS[..4] {
            let pieces = pieces_of(placement);
            let containment = Containment::new(&pieces);
            let list: Vec<_> = pieces
                .all()
                .into_iter()
                .map(|square| (square, pieces.piece_on(square).unwrap()))
                .collect();
            let map = AttackMap::new(&Placement::from_pieces(&list).unwrap());
            assert_eq!(containment.safe.0, map.safe);
            assert_eq!(containment.undefended.0, map.undefended);
            let classes = containment.announcement_classes(BitBoard::FULL);
            let mut classes: Vec<u64> = classes.into_iter().map(|class| class.0).collect();
            let with_moves = containment.with_moves().0;
            let mut expected: Vec<u64> = map
                .announcement_classes
                .iter()
                .map(|class| class & with_moves)
                .filter(|&class| class != 0)
                .collect();
            classes.sort_unstable();
            expected.sort_unstable();
            assert_eq!(classes, expected, "{placement}");
        }
    }

    #[test]
    fn pieces_move_castle_promote_and_are_captured() {
        let start = Position::from_fen("8/P7/8/6k1/8/8/8/R3K2R w KQ - 0 1").unwrap();
        for tried in ["e1g1", "e1c1", "a7a8q", "a7a8r", "h1h3", "a1d1", "e1d2"] {
            let mut board = start.clone();
            let mv = tried.parse().unwrap();
            let expected = after_move(&board.pieces(Color::White), mv);
            let announcement = board.answer(mv, &Ruleset::ICC, DrawRules::NONE);
            assert_eq!(announcement.verdict, krieg_core::Verdict::Moved, "{tried}");
            assert_eq!(expected, board.pieces(Color::White), "{tried}");
        }
        let left = without_piece(&start.pieces(Color::White), Square::H1);
        assert_eq!((left.all().len(), left.castling()), (3, (false, true)));
    }

    #[test]
    fn mating_material_is_recognised() {
        for (placement, can_mate) in [
            ("8/8/8/8/8/8/1K6/N7", false),
            ("8/8/8/8/8/8/1K6/NN6", false),
            ("8/8/8/8/8/8/1K6/B1B5", false),
            ("8/8/8/8/8/8/1K6/BB6", true),
            ("8/8/8/8/8/8/1K6/BN6", true),
            ("8/8/8/8/8/P7/1K6/8", true),
            ("8/8/8/8/8/8/1K6/R7", true),
        ] {
            assert_eq!(has_mating_material(&pieces_of(placement)), can_mate, "{placement}");
        }
    }
}
