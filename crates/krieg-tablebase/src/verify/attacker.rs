//! What the attacker knows while he plays, kept as boards that he imagines.

use krieg_core::{Announcement, BitBoard, Color, Move, Piece, PieceSet, Position, Square};

use super::scene::{DRAWS, RULES, lone_king};
use crate::disposition::Disposition;
use crate::metaposition::Metaposition;

/// The attacker's memory: one board for each square on which the lone king may be. Nothing reaches it but his own tries and the umpire's words.
#[derive(Debug, Clone)]
pub struct Attacker {
    color: Color,
    boards: Vec<Position>,
}

impl Attacker {
    /// Knows what the metaposition tells.
    pub fn new(start: &Metaposition) -> Self {
        let color = start.attacker();
        let boards = start.kings().into_iter().filter_map(|king| board(start, king)).collect();
        Attacker { color, boards }
    }

    /// Where the lone king may be.
    pub fn kings(&self) -> BitBoard {
        self.boards.iter().map(|board| board.board().king(!self.color)).collect()
    }

    /// All of it as a metaposition, with the attacker to move. The words say why it is none.
    pub fn metaposition(&self) -> Result<Metaposition, String> {
        let board = self.boards.first().ok_or("no board agrees with what was heard")?;
        Metaposition::of_men(&board.pieces(self.color), self.kings())
    }

    /// Hears the answer to his own try.
    pub fn hear_answer(&mut self, mv: Move, said: &Announcement) {
        self.boards.retain_mut(|board| board.answer(mv, &RULES, DRAWS) == *said);
    }

    /// What he knows after hearing this of the reply.
    pub fn hearing(&self, said: &Announcement) -> Attacker {
        let mut boards: Vec<Position> = Vec::new();
        let mut kings = BitBoard::EMPTY;
        for before in &self.boards {
            for reply in before.legal_moves() {
                let mut after = before.clone();
                if !kings.has(reply.to) && after.answer(reply, &RULES, DRAWS) == *said {
                    kings |= reply.to.bitboard();
                    boards.push(after);
                }
            }
        }
        Attacker { color: self.color, boards }
    }
}

/// The real board behind a metaposition if the lone king is here; `None` if he cannot be.
pub fn board(start: &Metaposition, king: Square) -> Option<Position> {
    let mut squares = [BitBoard::EMPTY; Piece::NUM];
    for (piece, square) in start.disposition().men() {
        squares[piece as usize] |= start.on_board(square.bitboard().0);
    }
    let attacker = start.attacker();
    let men = PieceSet::new(attacker, squares, (false, false));
    let lone = lone_king(!attacker, king);
    let (white, black) = if attacker == Color::White { (&men, &lone) } else { (&lone, &men) };
    Position::from_pieces(white, black, attacker, None)
}

/// A square of White's board as the attacker of this colour sees it, and back: Black goes down the board where White goes up.
pub fn seat(attacker: Color, square: Square) -> Square {
    match attacker {
        Color::White => square,
        Color::Black => square.flip_rank(),
    }
}

/// A metaposition of White's as it looks if the attacker is of this colour. The words say why it cannot be.
pub fn seated(
    disposition: &Disposition,
    kings: u64,
    attacker: Color,
) -> Result<Metaposition, String> {
    let men: Vec<(Square, Piece)> =
        disposition.men().map(|(piece, square)| (seat(attacker, square), piece)).collect();
    let kings: BitBoard = BitBoard(kings).into_iter().map(|king| seat(attacker, king)).collect();
    Metaposition::new(attacker, &men, kings)
}
