//! The squares that the attacker's pieces leave to a lone king, divided by the umpire's
//! announcements.

use cozy_chess::{get_bishop_moves, get_knight_moves, get_pawn_attacks, get_rook_moves};
use krieg_core::{BitBoard, Checks, Direction, Piece, PieceSet, Square};
use krieg_tablebase::KingSquares;

/// The squares that the attacker's pieces, of any number, leave to a lone king, and the
/// announcements there.
#[derive(Debug, Clone)]
pub(crate) struct Containment {
    pieces: PieceSet,
    /// The squares, by what a lone king may do there.
    pub squares: KingSquares,
}

impl Containment {
    pub fn new(pieces: &PieceSet) -> Self {
        Containment { pieces: *pieces, squares: KingSquares::of(pieces) }
    }

    /// The checks that the umpire announces to a lone king on this square; `None` if three pieces
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

    /// The squares on which a lone king may be on its turn without being mated or stalemated.
    fn ongoing(&self) -> BitBoard {
        self.squares.possible & self.squares.with_moves()
    }

    /// Of these squares, those on which the umpire announces these checks to a lone king on its
    /// turn and the game is not over.
    pub fn consistent(&self, kings: BitBoard, checks: Checks) -> BitBoard {
        let kings = kings & self.ongoing();
        if checks.is_empty() {
            return kings & self.squares.safe;
        }
        (kings & !self.squares.safe)
            .into_iter()
            .filter(|&king| self.checks(king) == Some(checks))
            .collect()
    }

    /// These squares without those on which the game is over, divided by the announcement that the
    /// umpire makes there.
    pub fn announcement_classes(&self, kings: BitBoard) -> Vec<BitBoard> {
        let kings = kings & self.ongoing();
        let mut classes = Vec::new();
        if !kings.is_disjoint(self.squares.safe) {
            classes.push(kings & self.squares.safe);
        }
        let mut checked: Vec<(Checks, BitBoard)> = Vec::new();
        for king in kings & !self.squares.safe {
            let Some(checks) = self.checks(king) else { continue };
            match checked.iter_mut().find(|(known, _)| *known == checks) {
                Some((_, set)) => *set |= king.bitboard(),
                None => checked.push((checks, king.bitboard())),
            }
        }
        classes.extend(checked.into_iter().map(|(_, set)| set));
        classes
    }

    /// The squares that a lone king can reach from these in any number of moves if the attacker
    /// does not move.
    pub fn reachable(&self, kings: BitBoard) -> BitBoard {
        let mut reached = kings;
        loop {
            let further = reached | self.squares.successors(reached);
            if further == reached {
                return reached;
            }
            reached = further;
        }
    }
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
            let (mated, stalemated) =
                (containment.squares.mated(), containment.squares.stalemated());
            for king in Square::ALL {
                let on_attackers_turn = position_with_king(&pieces, king, pieces.color());
                let is_safe = containment.squares.safe.has(king);
                assert_eq!(is_safe, on_attackers_turn.is_some(), "{placement}, {king}");
                let Some(position) = position_with_king(&pieces, king, !pieces.color()) else {
                    // A position in which three pieces give check is rejected.
                    let is_possible = containment.squares.possible.has(king);
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
            assert_eq!(containment.squares.safe.0, map.safe);
            assert_eq!(containment.squares.undefended.0, map.undefended);
            let classes = containment.announcement_classes(BitBoard::FULL);
            let mut classes: Vec<u64> = classes.into_iter().map(|class| class.0).collect();
            let with_moves = containment.squares.with_moves().0;
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
}
