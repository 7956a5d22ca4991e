//! One placement on the umpire's boards: the answer to every try, for every square of the lone
//! king, and the announcement of every reply.

use krieg_core::{
    Announcement, BitBoard, Color, DrawRules, Ending, Move, Piece, PieceSet, Position, Ruleset,
    Square, Verdict,
};

use crate::placement::Placement;

/// The ruleset of the verification. Against a lone king, no ruleset announces less.
pub const RULES: Ruleset = Ruleset::ICC;
/// The draws that follow from the board alone. Fifty moves and repetition are excluded.
pub const DRAWS: DrawRules = DrawRules { insufficient_material: true, ..DrawRules::NONE };

/// The outcomes of all tries at one placement, with White to move.
#[derive(Debug)]
pub struct UmpiredTries {
    /// The legal squares of the lone king.
    pub legal: u64,
    /// White's tries, in the order in which tables number them.
    pub tries: Vec<UmpiredTry>,
}

/// The outcomes of one try, by the square of the lone king.
#[derive(Debug)]
pub struct UmpiredTry {
    /// The try.
    pub mv: Move,
    /// Kings for which the try is refused.
    pub refused: u64,
    /// Kings that are mated.
    pub mated: u64,
    /// Kings that have a draw, at once or by their reply.
    pub drawn: u64,
    /// What White may observe otherwise.
    pub branches: Vec<ReplyBranch>,
}

/// One possible observation: the answer to the try and the announcement of the reply.
#[derive(Debug)]
pub struct ReplyBranch {
    announcements: (Announcement, Announcement),
    /// White's placement after the reply.
    pub placement: Placement,
    /// Kings for which White may observe this.
    pub kings: u64,
    /// The possible squares after the reply, by square before the try.
    next: Box<[u64; 64]>,
}

impl ReplyBranch {
    /// The possible squares of the lone king after this observation, if it was on one of `kings`.
    pub fn kings_after(&self, kings: u64) -> u64 {
        BitBoard(kings & self.kings).into_iter().fold(0, |all, king| all | self.next[king as usize])
    }
}

impl UmpiredTries {
    /// Sets up all boards and asks the umpire.
    pub fn of(placement: &Placement) -> UmpiredTries {
        let pieces = white_pieces(placement);
        let boards: Vec<(Square, Position)> = Square::ALL
            .into_iter()
            .filter_map(|king| Some((king, board(&pieces, king)?)))
            .collect();
        let legal = boards.iter().fold(0, |set, (king, _)| set | king.bitboard().0);
        let tries = tries(placement, &pieces);
        let tries = tries.into_iter().map(|mv| UmpiredTry::new(mv, &boards)).collect();
        UmpiredTries { legal, tries }
    }
}

impl UmpiredTry {
    fn new(mv: Move, boards: &[(Square, Position)]) -> UmpiredTry {
        let mut tried = UmpiredTry { mv, refused: 0, mated: 0, drawn: 0, branches: Vec::new() };
        for (king, board) in boards {
            let here = king.bitboard().0;
            let mut board = board.clone();
            let answer = board.answer(mv, &RULES, DRAWS);
            match (answer.verdict, answer.end) {
                (Verdict::Moved, Some(end)) if end.ending == Ending::Checkmate => {
                    tried.mated |= here;
                }
                (Verdict::Moved, Some(_)) => tried.drawn |= here,
                (Verdict::Moved, None) => tried.add_replies(*king, answer, &board),
                _ => tried.refused |= here,
            }
        }
        tried
    }

    fn add_replies(&mut self, king: Square, answer: Announcement, board: &Position) {
        for reply in board.legal_moves() {
            let mut after = board.clone();
            let announcement = after.answer(reply, &RULES, DRAWS);
            // A lone king cannot mate: if its reply ends the game, the game is drawn.
            let branch = match announcement.end {
                None => self.branch((answer, announcement), &after),
                Some(_) => None,
            };
            let Some(branch) = branch else {
                self.drawn |= king.bitboard().0;
                continue;
            };
            branch.kings |= king.bitboard().0;
            branch.next[king as usize] |= reply.to.bitboard().0;
        }
    }

    /// The branch for these announcements; `None` if White has only a king left.
    fn branch(
        &mut self,
        announcements: (Announcement, Announcement),
        after: &Position,
    ) -> Option<&mut ReplyBranch> {
        let known = self.branches.iter().position(|branch| branch.announcements == announcements);
        let index = match known {
            Some(index) => index,
            None => {
                let placement = placement_of(after)?;
                let next = Box::new([0; 64]);
                self.branches.push(ReplyBranch { announcements, placement, kings: 0, next });
                self.branches.len() - 1
            }
        };
        self.branches.get_mut(index)
    }
}

/// The pieces of a placement, as White's.
pub fn white_pieces(placement: &Placement) -> PieceSet {
    let mut squares = [BitBoard::EMPTY; Piece::NUM];
    for (piece, square) in placement.pieces() {
        squares[piece as usize] |= square.bitboard();
    }
    PieceSet::new(Color::White, squares, (false, false))
}

/// A piece set with only a king.
pub fn lone_king(color: Color, square: Square) -> PieceSet {
    let mut squares = [BitBoard::EMPTY; Piece::NUM];
    squares[Piece::King as usize] = square.bitboard();
    PieceSet::new(color, squares, (false, false))
}

/// White's pieces and a lone king with White to move; `None` if the position is not legal.
fn board(pieces: &PieceSet, king: Square) -> Option<Position> {
    Position::from_pieces(pieces, &lone_king(Color::Black, king), Color::White, None)
}

/// The legal squares of the lone king, according to the umpire's boards.
pub fn legal_kings(placement: &Placement) -> u64 {
    let pieces = white_pieces(placement);
    let is_legal = |king: &Square| board(&pieces, *king).is_some();
    Square::ALL.into_iter().filter(is_legal).fold(0, |set, king| set | king.bitboard().0)
}

/// White's placement on a board; `None` if White has only a king.
fn placement_of(board: &Position) -> Option<Placement> {
    let pieces = board.pieces(Color::White);
    let list: Vec<(Square, Piece)> = pieces
        .all()
        .into_iter()
        .filter_map(|square| Some((square, pieces.piece_on(square)?)))
        .collect();
    Placement::from_pieces(&list)
}

/// White's tries, in the order in which tables number them: by piece with the king first, then by
/// destination. Pawn captures are left out: a king that a pawn attacks would be in check with White
/// to move.
fn tries(placement: &Placement, pieces: &PieceSet) -> Vec<Move> {
    let piece_number = |from: Square| placement.pieces().position(|(_, square)| square == from);
    let mut tries: Vec<Move> =
        pieces.tries().iter().filter(|&mv| !pieces.is_pawn_capture(mv)).collect();
    tries.sort_by_key(|mv| (piece_number(mv.from), mv.to, mv.promotion));
    tries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::placement_index::PlacementIndex;

    fn umpired(pieces: &[(Square, Piece)]) -> UmpiredTries {
        UmpiredTries::of(&Placement::from_pieces(pieces).unwrap())
    }

    fn find<'a>(umpired: &'a UmpiredTries, mv: &str) -> &'a UmpiredTry {
        umpired.tries.iter().find(|tried| tried.mv.to_string() == mv).unwrap()
    }

    #[test]
    fn mates_stalemates_and_refusals_are_distinguished() {
        let umpired = umpired(&[(Square::F7, Piece::King), (Square::G1, Piece::Queen)]);
        assert_eq!(find(&umpired, "g1g6").drawn, Square::H8.bitboard().0, "stalemate");
        for mv in ["g1h1", "g1h2", "g1g7"] {
            let mated = BitBoard(find(&umpired, mv).mated);
            assert_eq!(mated, Square::H7.bitboard() | Square::H8.bitboard(), "{mv}");
        }
        assert!(umpired.legal & Square::D7.bitboard().0 != 0);
        assert!(find(&umpired, "f7e7").refused & Square::D7.bitboard().0 != 0);
    }

    #[test]
    fn a_captured_piece_is_missing_from_the_placement() {
        let umpired = umpired(&[
            (Square::A1, Piece::King),
            (Square::E4, Piece::Bishop),
            (Square::H1, Piece::Rook),
        ]);
        let branches = &find(&umpired, "a1a2").branches;
        let capture = branches
            .iter()
            .find(|branch| branch.placement.endgame().to_string() == "krk")
            .expect("the bishop is undefended");
        assert_eq!(capture.kings_after(umpired.legal), Square::E4.bitboard().0);
        let quiet =
            branches.iter().find(|branch| branch.placement.endgame().piece_count() == 4).unwrap();
        assert!(quiet.kings_after(umpired.legal) & Square::E4.bitboard().0 == 0);
    }

    /// The numbering of tries is all that the verifier and the analysis have in common.
    #[test]
    fn tries_are_numbered_as_in_tables() {
        for name in ["krk", "kqk", "kbnk", "knnk", "kpk", "kppk"] {
            let index = PlacementIndex::new(name.parse().unwrap());
            for number in (0..index.len()).step_by(97) {
                let placement = index.placement(number).unwrap();
                let umpired = tries(&placement, &white_pieces(&placement));
                let expected: Vec<Move> =
                    placement.tries().into_iter().map(|tried| tried.mv).collect();
                assert_eq!(umpired, expected, "{placement}");
            }
        }
    }
}
