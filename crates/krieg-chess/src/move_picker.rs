//! The order in which moves are tried: the better the first, the less there is to search.

use cozy_chess::{BitBoard, Board, Move as BoardMove, Piece, Rank};

use crate::history::{History, PieceTo};
use crate::see;
use crate::threats::Threats;

/// Below all that history and danger can come to.
const LESSER_PROMOTION: i32 = -200_000;

/// Where pawns promote.
const LAST_RANKS: BitBoard = BitBoard(0xff00_0000_0000_00ff);

/// A move and how promising it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MoveListEntry {
    pub mv: BoardMove,
    score: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    TtMove,
    MakeCaptures,
    GoodCaptures,
    MakeQuiets,
    Quiets,
    BadCaptures,
    Done,
}

/// Hands out the legal moves of one position, the promising first, making them only as needed.
///
/// The moves themselves lie on a stack that all pickers of a search share; a picker owns the part
/// above `start`, and its user cuts the stack back to there.
#[derive(Debug)]
pub(crate) struct MovePicker {
    stage: Stage,
    tt_move: Option<BoardMove>,
    before: [PieceTo; 2],
    killers: [Option<BoardMove>; 2],
    counter: Option<BoardMove>,
    /// Captures that lose the exchange are put aside here, and tried last if at all.
    bad: std::ops::Range<usize>,
    next: usize,
    start: usize,
    only_captures: bool,
}

impl MovePicker {
    /// Every legal move.
    pub fn all(
        stack: &[MoveListEntry],
        history: &History,
        tt_move: Option<BoardMove>,
        before: [PieceTo; 2],
        ply: usize,
    ) -> Self {
        MovePicker {
            killers: history.killers(ply),
            counter: history.counter(before[0]),
            before,
            ..MovePicker::captures(stack, tt_move)
        }
        .with_quiets()
    }

    /// Captures that do not lose the exchange, and promotions to a queen.
    pub fn captures(stack: &[MoveListEntry], tt_move: Option<BoardMove>) -> Self {
        MovePicker {
            stage: Stage::TtMove,
            tt_move,
            before: [PieceTo::NONE; 2],
            killers: [None; 2],
            counter: None,
            bad: stack.len()..stack.len(),
            next: stack.len(),
            start: stack.len(),
            only_captures: true,
        }
    }

    fn with_quiets(mut self) -> Self {
        self.only_captures = false;
        self
    }

    /// Where the stack stood before this picker.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Whether what is left are captures that lose the exchange.
    pub fn is_at_bad_captures(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    /// No more quiet moves, please.
    pub fn skip_quiets(&mut self) {
        if matches!(self.stage, Stage::MakeQuiets | Stage::Quiets) {
            self.stage = Stage::BadCaptures;
            self.next = self.bad.start;
        }
    }

    /// The next move.
    pub fn next(
        &mut self,
        board: &Board,
        history: &History,
        stack: &mut Vec<MoveListEntry>,
    ) -> Option<BoardMove> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::MakeCaptures;
                    self.tt_move = self.tt_move.filter(|&mv| board.is_legal(mv));
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::MakeCaptures => {
                    self.push_captures(board, history, stack);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.best(stack) {
                    Some(mv) if see::see_ge(board, mv, 0) => return Some(mv),
                    Some(_) => {
                        // Everything before `next` has been handed out, so there is room.
                        stack.swap(self.bad.end, self.next - 1);
                        self.bad.end += 1;
                    }
                    None if self.only_captures => self.stage = Stage::Done,
                    None => self.stage = Stage::MakeQuiets,
                },
                Stage::MakeQuiets => {
                    stack.truncate(self.bad.end);
                    self.next = self.bad.end;
                    self.push_quiets(board, history, stack);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.best(stack) {
                    Some(mv) => return Some(mv),
                    None => {
                        self.stage = Stage::BadCaptures;
                        self.next = self.bad.start;
                    }
                },
                Stage::BadCaptures => {
                    if self.next < self.bad.end {
                        self.next += 1;
                        return Some(stack[self.next - 1].mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Takes the best of what is left on the stack.
    fn best(&mut self, stack: &mut [MoveListEntry]) -> Option<BoardMove> {
        let rest = &stack[self.next..];
        let (mut at, mut score) = (0, i32::MIN);
        for (i, scored) in rest.iter().enumerate() {
            if scored.score > score {
                (at, score) = (i, scored.score);
            }
        }
        if rest.is_empty() {
            return None;
        }
        stack.swap(self.next, self.next + at);
        self.next += 1;
        Some(stack[self.next - 1].mv)
    }

    fn push_captures(&self, board: &Board, history: &History, stack: &mut Vec<MoveListEntry>) {
        let opponents = board.colors(!board.side_to_move());
        board.generate_moves(|mut moves| {
            if moves.piece == Piece::Pawn {
                // Straight steps stay out, unless they make a queen.
                moves.to &= opponents | LAST_RANKS | !moves.from.file().bitboard();
            } else {
                moves.to &= opponents;
            }
            let man = moves.piece;
            for mv in moves {
                if Some(mv) == self.tt_move || is_lesser_promotion(mv) {
                    continue;
                }
                let victim = board.piece_on(mv.to);
                let piece_to = PieceTo::new(board.side_to_move(), man, mv.to);
                let mut score = history.capture(piece_to, victim.unwrap_or(Piece::Pawn)) / 16;
                score += victim.map_or(0, |piece| see::SEE_VALUES[piece as usize] * 8);
                if mv.promotion.is_some() {
                    score += 8_000;
                }
                stack.push(MoveListEntry { mv, score });
            }
            false
        });
    }

    fn push_quiets(&self, board: &Board, history: &History, stack: &mut Vec<MoveListEntry>) {
        let opponents = board.colors(!board.side_to_move());
        let color = board.side_to_move();
        let danger = Threats::of(board);
        board.generate_moves(|mut moves| {
            moves.to &= !opponents;
            let man = moves.piece;
            let is_pawn = man == Piece::Pawn;
            for mv in moves {
                // Promotions to a queen and captures in passing went with the captures.
                let went_before = is_pawn
                    && (mv.promotion == Some(Piece::Queen)
                        || (mv.promotion.is_none() && mv.from.file() != mv.to.file()));
                if Some(mv) == self.tt_move || went_before {
                    continue;
                }
                let score = if mv.promotion.is_some() {
                    LESSER_PROMOTION
                } else if Some(mv) == self.killers[0] {
                    1_000_000
                } else if Some(mv) == self.killers[1] {
                    900_000
                } else if Some(mv) == self.counter {
                    800_000
                } else {
                    history.quiet(color, mv, PieceTo::new(color, man, mv.to), self.before)
                        + danger.escape(man, mv)
                };
                stack.push(MoveListEntry { mv, score });
            }
            false
        });
        // Captures that make a lesser man are the last thing anybody wants, but they are legal.
        let seventh = Rank::Seventh.relative_to(color).bitboard();
        let pawns = board.colored_pieces(color, Piece::Pawn) & seventh;
        if !pawns.is_empty() {
            board.generate_moves_for(pawns, |mut moves| {
                moves.to &= opponents;
                for mv in moves {
                    if is_lesser_promotion(mv) && Some(mv) != self.tt_move {
                        stack.push(MoveListEntry { mv, score: LESSER_PROMOTION - 1 });
                    }
                }
                false
            });
        }
    }
}

fn is_lesser_promotion(mv: BoardMove) -> bool {
    mv.promotion.is_some_and(|piece| piece != Piece::Queen)
}

/// Whether a legal move takes something or makes a queen: whether it is not quiet.
pub fn is_tactical(board: &Board, mv: BoardMove) -> bool {
    is_capture(board, mv) || mv.promotion == Some(Piece::Queen)
}

/// Whether a legal move takes something.
pub(crate) fn is_capture(board: &Board, mv: BoardMove) -> bool {
    board.colors(!board.side_to_move()).has(mv.to)
        || (mv.from.file() != mv.to.file() && board.piece_on(mv.from) == Some(Piece::Pawn))
}

/// Every legal move, in the order the board makes them.
pub(crate) fn legal_moves(board: &Board) -> Vec<BoardMove> {
    let mut moves = Vec::with_capacity(48);
    board.generate_moves(|of_one_man| {
        moves.extend(of_one_man);
        false
    });
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_legal_move_is_handed_out_once() {
        let history = History::new();
        for board in crate::testing::boards(500, 3) {
            let mut legal = legal_moves(&board);
            // Any move will do for the table's: a legal one comes first, another is passed over.
            let tt_move = legal.first().copied();
            let mut stack = Vec::new();
            let mut picker = MovePicker::all(&stack, &history, tt_move, [PieceTo::NONE; 2], 0);
            let mut picked = Vec::new();
            while let Some(mv) = picker.next(&board, &history, &mut stack) {
                picked.push(mv);
            }
            assert_eq!(picked.first().copied(), tt_move);
            let key = |mv: &BoardMove| (mv.from as u8, mv.to as u8, mv.promotion.map(|p| p as u8));
            picked.sort_by_key(key);
            legal.sort_by_key(key);
            assert_eq!(picked, legal, "{board}");
        }
    }

    #[test]
    fn a_pawn_takes_the_queen_before_the_queen_takes_the_pawn() {
        let board: Board = "4k3/8/4p3/3q4/2P1P3/8/8/3QK3 w - - 0 1".parse().unwrap();
        let history = History::new();
        let mut stack = Vec::new();
        let mut picker = MovePicker::captures(&stack, None);
        let first = picker.next(&board, &history, &mut stack).unwrap();
        assert_eq!(board.piece_on(first.to), Some(Piece::Queen));
    }
}
