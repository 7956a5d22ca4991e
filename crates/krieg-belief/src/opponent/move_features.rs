//! Extraction of move features: who attacks and defends what, and how a move changes that.

use cozy_chess::{
    BitBoard, Board, Color, Move as BoardMove, Piece, Rank, Square, get_bishop_moves,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};

use super::feature_groups as f;
use crate::OpponentContext;

#[cfg(test)]
mod tests;

/// Move counts at which the second, third and fourth stage of a game begin.
const STAGES: [u16; 3] = [6, 15, 40];
/// Number of moves of each side that belong to the opening.
const OPENING_MOVES: u16 = 12;
/// With fewer pieces than this on the board, [`f::CLOSER_TO_KING`] uses its second half.
const FEW_PIECES: u32 = 12;

/// What all moves on a board have in common, computed once: attacks, defences and values.
///
/// The player to move does not see the pieces of the other side. They are part of the features all
/// the same: a player with a good belief plays as if a part of them were visible, and training
/// finds how large that part is.
pub struct MoveFeatures<'a> {
    board: &'a Board,
    context: &'a OpponentContext,
    color: Color,
    own: BitBoard,
    other: BitBoard,
    stage: usize,
    /// The squares that the own piece on each square attacks.
    own_attacks: [BitBoard; Square::NUM],
    /// Squares attacked by at least one, two and three own pieces.
    defended: [BitBoard; 3],
    /// Squares attacked by any piece of the other side.
    attacked: BitBoard,
    /// For each own piece type, the squares attacked by a less valuable piece of the other side.
    attacked_by_lesser: [BitBoard; Piece::NUM],
    /// For each own piece type, the pieces that are more valuable.
    more_valuable: [BitBoard; Piece::NUM],
    /// The piece type on each occupied square.
    piece_on: [Piece; Square::NUM],
    checkers: BitBoard,
    other_king: Square,
    /// The least valuable own piece that can recapture.
    least_valuable_recapture: Option<Piece>,
    /// Offset in [`f::CLOSER_TO_KING`] by the number of pieces on the board.
    few_pieces_offset: usize,
}

/// The squares that a piece attacks.
pub fn attacks(piece: Piece, square: Square, color: Color, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => get_pawn_attacks(square, color),
        Piece::Knight => get_knight_moves(square),
        Piece::Bishop => get_bishop_moves(square, occupied),
        Piece::Rook => get_rook_moves(square, occupied),
        Piece::Queen => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
        Piece::King => get_king_moves(square),
    }
}

/// 1 or 0. Adding a feature 0 times is faster than a branch that is often mispredicted.
fn indicator(condition: bool) -> i16 {
    i16::from(condition)
}

/// The distance in king's steps.
fn distance(a: Square, b: Square) -> i32 {
    let files = a.file() as i32 - b.file() as i32;
    let ranks = a.rank() as i32 - b.rank() as i32;
    files.abs().max(ranks.abs())
}

impl<'a> MoveFeatures<'a> {
    /// Analyses a board with these legal moves.
    pub fn new(board: &'a Board, context: &'a OpponentContext, moves: &[BoardMove]) -> Self {
        let color = board.side_to_move();
        let (own, other) = (board.colors(color), board.colors(!color));
        let occupied = board.occupied();
        let mut own_attacks = [BitBoard::EMPTY; Square::NUM];
        let mut defended = [BitBoard::EMPTY; 3];
        let mut attacked = [BitBoard::EMPTY; Piece::NUM];
        let mut piece_on = [Piece::Pawn; Square::NUM];
        for piece in Piece::ALL {
            let pieces = board.pieces(piece);
            for square in pieces & own {
                piece_on[square as usize] = piece;
                let attacks = attacks(piece, square, color, occupied);
                own_attacks[square as usize] = attacks;
                defended[2] |= defended[1] & attacks;
                defended[1] |= defended[0] & attacks;
                defended[0] |= attacks;
            }
            for square in pieces & other {
                piece_on[square as usize] = piece;
                attacked[piece as usize] |= attacks(piece, square, !color, occupied);
            }
        }
        let [pawns, knights, bishops, rooks, queens, king] = attacked;
        let (minors, none) = (knights | bishops, BitBoard::EMPTY);
        let less_than_queen = pawns | minors | rooks;
        let queen = board.pieces(Piece::Queen);
        let major = queen | board.pieces(Piece::Rook);
        let minor = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop);
        let recaptures = |square| moves.iter().filter(move |mv| mv.to == square);
        let least_valuable = |square| recaptures(square).map(|mv| piece_on[mv.from as usize]).min();
        MoveFeatures {
            board,
            context,
            color,
            own,
            other,
            stage: STAGES.iter().filter(|first| context.move_count >= **first).count(),
            own_attacks,
            defended,
            attacked: less_than_queen | queens | king,
            attacked_by_lesser: [none, pawns, pawns, pawns | minors, less_than_queen, none],
            more_valuable: [major | minor, major, major, queen, none, none],
            piece_on,
            checkers: board.checkers(),
            other_king: board.king(!color),
            least_valuable_recapture: context.lost_on().and_then(least_valuable),
            few_pieces_offset: usize::from(occupied.len() < FEW_PIECES) * Piece::NUM,
        }
    }

    /// Calls `visit` with the index and the count of each feature of a move. Counts may be 0.
    #[inline(always)]
    pub fn for_each_feature(&self, mv: BoardMove, mut visit: impl FnMut(usize, i16)) {
        let piece = self.piece_on[mv.from as usize];
        let kind = piece as usize;
        visit(f::MOVED_PIECE + self.stage * Piece::NUM + kind, 1);
        // Castling is written as the king capturing its own rook.
        if self.own.has(mv.to) {
            let is_long = mv.to.file() < mv.from.file();
            return visit(f::CASTLING + usize::from(is_long), 1);
        }
        visit(f::to(piece, mv.to, self.color), 1);
        if self.context.move_count < OPENING_MOVES {
            visit(f::opening_to(piece, mv.to, self.color), 1);
        }
        visit(f::from(piece, mv.from, self.color), 1);
        self.visit_movement(mv, piece, &mut visit);
        self.visit_history(mv, kind, &mut visit);
        let victim = self.visit_capture(mv, piece, &mut visit);
        self.visit_attacks(mv, piece, victim, &mut visit);
    }

    /// Direction, length, promotion, and castling rights.
    #[inline(always)]
    fn visit_movement(&self, mv: BoardMove, piece: Piece, visit: &mut impl FnMut(usize, i16)) {
        let kind = piece as usize;
        let rank = |square: Square| square.rank().relative_to(self.color) as i32;
        let forward = rank(mv.to) - rank(mv.from);
        visit(f::RETREAT + kind, indicator(forward < 0));
        match piece {
            Piece::Pawn => {
                if forward == 2 {
                    visit(f::DOUBLE_STEP, 1);
                }
                match mv.promotion {
                    Some(Piece::Queen) => visit(f::PROMOTION, 1),
                    Some(_) => visit(f::PROMOTION + 1, 1),
                    None => {}
                }
                let file = mv.from.file();
                let ahead = (file.adjacent() | file.bitboard()) & self.ranks_beyond(mv.from.rank());
                if (ahead & self.other & self.board.pieces(Piece::Pawn)).is_empty() {
                    visit(f::PASSED_PAWN, 1);
                }
            }
            Piece::Bishop | Piece::Rook | Piece::Queen => {
                let steps = distance(mv.from, mv.to);
                let feature = f::SLIDE_LENGTH + 3 * usize::from(steps > 3) + kind - 2;
                visit(feature, indicator(steps > 1));
            }
            Piece::Knight | Piece::King => {}
        }
        let rights = self.board.castle_rights(self.color);
        if piece == Piece::King && (rights.short.is_some() || rights.long.is_some()) {
            visit(f::CASTLING_RIGHTS_LOST, 1);
        }
        if piece == Piece::Rook && mv.from.rank() == Rank::First.relative_to(self.color) {
            let file = Some(mv.from.file());
            if rights.short == file || rights.long == file {
                visit(f::CASTLING_RIGHTS_LOST + 1, 1);
            }
        }
    }

    /// The ranks in front of this one.
    fn ranks_beyond(&self, rank: Rank) -> BitBoard {
        match self.color {
            Color::White => BitBoard((!0u64 << 8) << (8 * rank as u32)),
            Color::Black => BitBoard((!0u64 >> 8) >> (8 * (7 - rank as u32))),
        }
    }

    /// The last own move, and earlier losses.
    #[inline(always)]
    fn visit_history(&self, mv: BoardMove, kind: usize, visit: &mut impl FnMut(usize, i16)) {
        let context = self.context;
        if let Some(last) = context.last_move
            && last.to == mv.from
        {
            visit(f::SAME_PIECE + kind, 1);
            if last.from == mv.to {
                visit(f::REVERSAL + kind, 1);
            }
        }
        if context.captured_on == Some(mv.from) {
            visit(f::CAPTURER_MOVES_ON, 1);
        }
        for (turn, lost) in context.losses.iter().skip(1).enumerate() {
            if *lost == Some(mv.to) {
                let is_empty = !self.other.has(mv.to);
                visit(f::TO_EARLIER_LOSS + turn + 3 * usize::from(is_empty), 1);
            }
        }
    }

    /// Captures and check evasions. Returns the captured piece.
    #[inline(always)]
    fn visit_capture(
        &self,
        mv: BoardMove,
        piece: Piece,
        visit: &mut impl FnMut(usize, i16),
    ) -> Option<Piece> {
        let kind = piece as usize;
        let by_pawn = piece == Piece::Pawn && mv.from.file() != mv.to.file();
        if by_pawn {
            visit(f::PAWN_CAPTURE + usize::from(!self.context.has_pawn_try), 1);
        }
        if self.context.lost_on() == Some(mv.to) {
            visit(f::RECAPTURE + kind, 1);
            if self.least_valuable_recapture == Some(piece) {
                visit(f::LEAST_VALUABLE_RECAPTURE, 1);
            }
        }
        // En passant, the destination is empty.
        let victim = self.other.has(mv.to).then(|| self.piece_on[mv.to as usize]);
        let victim = victim.or(by_pawn.then_some(Piece::Pawn));
        if let Some(victim) = victim {
            if self.context.lost_on() != Some(mv.to) {
                visit(f::CAPTURE + kind * 5 + (victim as usize).min(4), 1);
            }
            if self.attacked.has(mv.to) {
                let is_loss = victim < piece;
                visit(f::CAPTURE_OF_DEFENDED + if is_loss { 1 + kind } else { 0 }, 1);
            }
        }
        if !self.checkers.is_empty() {
            let evasion = match (piece, self.checkers.has(mv.to)) {
                (Piece::King, _) => 0,
                (_, true) => 1,
                (_, false) => 2,
            };
            visit(f::CHECK_EVASION + evasion, 1);
        }
        victim
    }

    /// Attacks and defences before and after the move.
    #[inline(always)]
    fn visit_attacks(
        &self,
        mv: BoardMove,
        piece: Piece,
        victim: Option<Piece>,
        visit: &mut impl FnMut(usize, i16),
    ) {
        let kind = piece as usize;
        let before = self.own_attacks[mv.from as usize];
        let moved = mv.promotion.unwrap_or(piece);
        let occupied = (self.board.occupied() ^ mv.from.bitboard()) | mv.to.bitboard();
        let after = attacks(moved, mv.to, self.color, occupied);
        let defenders = |square: Square, except_one: bool| {
            let count = self.defended.iter().filter(|set| set.has(square)).count();
            count - usize::from(except_one && count > 0)
        };
        let is_attacked = self.attacked.has(mv.to);
        if piece != Piece::King {
            // A piece that attacks its destination does not defend itself there. A pawn that steps
            // forward does not attack its destination.
            let count = defenders(mv.to, before.has(mv.to));
            visit(
                f::DEFENDED_DESTINATION + kind + 5 * usize::from(count > 1),
                indicator(count > 0),
            );
            // For captures this is in `CAPTURE_OF_DEFENDED`.
            let is_exposed = is_attacked && victim.is_none();
            visit(
                f::ATTACKED_DESTINATION + kind + 5 * usize::from(count > 0),
                indicator(is_exposed),
            );
            visit(
                f::ATTACKED_BY_LESSER + kind,
                indicator(self.attacked_by_lesser[kind].has(mv.to)),
            );
            if self.attacked.has(mv.from) {
                let is_defended = defenders(mv.from, false) > 0;
                visit(f::LEAVES_ATTACK + kind + 5 * usize::from(is_defended), 1);
                let by_lesser = self.attacked_by_lesser[kind].has(mv.from);
                visit(f::LEAVES_ATTACK + 10 + kind, indicator(by_lesser));
            }
        }
        let pawns = self.board.pieces(Piece::Pawn);
        let others = self.own - mv.from.bitboard() - self.board.pieces(Piece::King);
        let mut visit_counts = |feature: usize, pieces: BitBoard| {
            visit(feature, (pieces & pawns).len() as i16);
            visit(feature + 1, (pieces - pawns).len() as i16);
        };
        visit_counts(f::LEAVES_UNDEFENDED, (before - after) & (others - self.defended[1]));
        visit_counts(f::DEFENDS, after & (others - self.defended[0]));
        let threatened = (after - before) & (self.other - mv.to.bitboard());
        visit(f::THREAT + kind, (threatened - self.attacked).len() as i16);
        let defended_threats = threatened & self.attacked & self.more_valuable[kind];
        visit(f::THREAT + Piece::NUM + kind, defended_threats.len() as i16);
        if threatened.has(self.other_king) {
            visit(f::GIVES_CHECK + kind + Piece::NUM * usize::from(is_attacked), 1);
            // Checks are rare, so there is time for a test for checkmate.
            visit(f::CHECKMATE, indicator(is_checkmate(self.board, mv)));
        }
        let attacks_loss =
            |lost: &Option<Square>| lost.is_some_and(|square| after.has(square) && square != mv.to);
        let [just_lost, earlier @ ..] = &self.context.losses;
        visit(f::ATTACKS_LOSS + kind, indicator(attacks_loss(just_lost)));
        visit(f::ATTACKS_LOSS + Piece::NUM + kind, indicator(earlier.iter().any(attacks_loss)));
        let mobility = after.len() as i16 - before.len() as i16;
        visit(f::MOBILITY + kind, (mobility + 2) >> 2);
        let closer = distance(mv.from, self.other_king) - distance(mv.to, self.other_king);
        visit(f::CLOSER_TO_KING + self.few_pieces_offset + kind, closer as i16);
    }
}

/// Whether the other side has no legal move after this check.
fn is_checkmate(board: &Board, mv: BoardMove) -> bool {
    let mut after = board.clone();
    after.play_unchecked(mv);
    !after.generate_moves(|_| true)
}
