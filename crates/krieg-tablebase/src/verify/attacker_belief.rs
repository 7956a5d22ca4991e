//! The attacker's belief during a game, as one board per possible square of the lone king.

use krieg_core::{Announcement, BitBoard, Color, Move, Piece, PieceSet, Position, Square};

use super::umpired_tries::{DRAWS, RULES, lone_king};
use crate::metaposition::Metaposition;
use crate::placement::Placement;

/// All boards that agree with the attacker's observations. They change only by the attacker's own
/// tries and by announcements.
#[derive(Debug, Clone)]
pub struct AttackerBelief {
    color: Color,
    boards: Vec<Position>,
}

impl AttackerBelief {
    /// The boards of a metaposition.
    pub fn new(start: &Metaposition) -> Self {
        let color = start.attacker();
        let boards = start.kings().into_iter().filter_map(|king| board(start, king)).collect();
        AttackerBelief { color, boards }
    }

    /// The possible squares of the lone king.
    pub fn kings(&self) -> BitBoard {
        self.boards.iter().map(|board| board.board().king(!self.color)).collect()
    }

    /// The metaposition with the attacker to move. The error says why there is none.
    pub fn metaposition(&self) -> Result<Metaposition, String> {
        let board = self.boards.first().ok_or("no board agrees with the observations")?;
        Metaposition::from_pieces(&board.pieces(self.color), self.kings())
    }

    /// Updates the belief with the answer to an own try.
    pub fn observe_answer(&mut self, mv: Move, announcement: &Announcement) {
        self.boards.retain_mut(|board| board.answer(mv, &RULES, DRAWS) == *announcement);
    }

    /// The belief after this announcement about the reply.
    pub fn after_reply(&self, announcement: &Announcement) -> AttackerBelief {
        let mut boards: Vec<Position> = Vec::new();
        let mut kings = BitBoard::EMPTY;
        for before in &self.boards {
            for reply in before.legal_moves() {
                let mut after = before.clone();
                if !kings.has(reply.to) && after.answer(reply, &RULES, DRAWS) == *announcement {
                    kings |= reply.to.bitboard();
                    boards.push(after);
                }
            }
        }
        AttackerBelief { color: self.color, boards }
    }
}

/// The board of a metaposition with the lone king on this square; `None` if it is not legal.
pub fn board(start: &Metaposition, king: Square) -> Option<Position> {
    let mut squares = [BitBoard::EMPTY; Piece::NUM];
    for (piece, square) in start.placement().pieces() {
        squares[piece as usize] |= start.to_board(square.bitboard().0);
    }
    let attacker = start.attacker();
    let pieces = PieceSet::new(attacker, squares, (false, false));
    let lone = lone_king(!attacker, king);
    let (white, black) = if attacker == Color::White { (&pieces, &lone) } else { (&lone, &pieces) };
    Position::from_pieces(white, black, attacker, None)
}

/// Converts a square between White's orientation and that of an attacker of this colour. Black's
/// pawns move down the board.
pub fn orient(attacker: Color, square: Square) -> Square {
    match attacker {
        Color::White => square,
        Color::Black => square.flip_rank(),
    }
}

/// The metaposition of a placement and its kings for an attacker of this colour. The error says why
/// it is not valid.
pub fn metaposition_for(
    attacker: Color,
    placement: &Placement,
    kings: u64,
) -> Result<Metaposition, String> {
    let pieces: Vec<(Square, Piece)> =
        placement.pieces().map(|(piece, square)| (orient(attacker, square), piece)).collect();
    let kings: BitBoard = BitBoard(kings).into_iter().map(|king| orient(attacker, king)).collect();
    Metaposition::new(attacker, &pieces, kings)
}
