//! Move ordering: a staged move picker.
//!
//! Alpha-beta visits fewer nodes the sooner the best move is tried. The order is: the move of the
//! transposition table, good captures, quiet moves (killers and the countermove first), bad
//! captures.

use std::ops::Range;

use cozy_chess::{BitBoard, Board, Move as BoardMove, Piece, Rank};

use crate::history::{History, PieceTo};
use crate::moves::is_underpromotion;
use crate::see::{SEE_VALUES, see_ge};
use crate::threats::Threats;

/// Score of an underpromotion: below every sum of history and threat scores.
const UNDERPROMOTION_SCORE: i32 = -200_000;

/// The ranks on which pawns promote.
const LAST_RANKS: BitBoard = BitBoard(0xff00_0000_0000_00ff);

/// A move and its move-ordering score.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MoveListEntry {
    mv: BoardMove,
    score: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    TtMove,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    Done,
}

/// Yields the legal moves of one position in order, generating each kind only when it is needed.
///
/// The moves are in a list that all pickers of a search thread share as a stack. A picker owns the
/// part from `start` on; its caller truncates the list to `start` afterwards.
#[derive(Debug)]
pub(crate) struct MovePicker {
    stage: Stage,
    tt_move: Option<BoardMove>,
    previous: [PieceTo; 2],
    killers: [Option<BoardMove>; 2],
    countermove: Option<BoardMove>,
    /// Captures that lose material by static exchange evaluation, in the order found.
    bad_captures: Range<usize>,
    next: usize,
    start: usize,
    captures_only: bool,
}

impl MovePicker {
    /// Yields every legal move.
    pub fn all_moves(
        list: &[MoveListEntry],
        history: &History,
        tt_move: Option<BoardMove>,
        previous: [PieceTo; 2],
        ply: usize,
    ) -> Self {
        MovePicker {
            killers: history.killers(ply),
            countermove: history.countermove(previous[0]),
            previous,
            captures_only: false,
            ..MovePicker::good_captures(list, tt_move)
        }
    }

    /// Yields captures that do not lose material, and promotions to a queen.
    pub fn good_captures(list: &[MoveListEntry], tt_move: Option<BoardMove>) -> Self {
        MovePicker {
            stage: Stage::TtMove,
            tt_move,
            previous: [PieceTo::NONE; 2],
            killers: [None; 2],
            countermove: None,
            bad_captures: list.len()..list.len(),
            next: list.len(),
            start: list.len(),
            captures_only: true,
        }
    }

    /// Length of the shared list below this picker's moves.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Whether only bad captures are left.
    pub fn is_at_bad_captures(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    /// Skips the remaining quiet moves.
    pub fn skip_quiets(&mut self) {
        if matches!(self.stage, Stage::GenerateQuiets | Stage::Quiets) {
            self.stage = Stage::BadCaptures;
            self.next = self.bad_captures.start;
        }
    }

    /// The next move.
    pub fn next(
        &mut self,
        board: &Board,
        history: &History,
        list: &mut Vec<MoveListEntry>,
    ) -> Option<BoardMove> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateCaptures;
                    self.tt_move = self.tt_move.filter(|&mv| board.is_legal(mv));
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateCaptures => {
                    self.generate_captures(board, history, list);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.pick_best(list) {
                    Some(mv) if see_ge(board, mv, 0) => return Some(mv),
                    Some(_) => {
                        // Moves before `next` have been returned, so their places are free.
                        list.swap(self.bad_captures.end, self.next - 1);
                        self.bad_captures.end += 1;
                    }
                    None if self.captures_only => self.stage = Stage::Done,
                    None => self.stage = Stage::GenerateQuiets,
                },
                Stage::GenerateQuiets => {
                    list.truncate(self.bad_captures.end);
                    self.next = self.bad_captures.end;
                    self.generate_quiets(board, history, list);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.pick_best(list) {
                    Some(mv) => return Some(mv),
                    None => {
                        self.stage = Stage::BadCaptures;
                        self.next = self.bad_captures.start;
                    }
                },
                Stage::BadCaptures => {
                    if self.next < self.bad_captures.end {
                        self.next += 1;
                        return Some(list[self.next - 1].mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Selection sort: moves the best remaining entry to the front and returns it.
    fn pick_best(&mut self, list: &mut [MoveListEntry]) -> Option<BoardMove> {
        let rest = &list[self.next..];
        let (mut best, mut best_score) = (0, i32::MIN);
        for (index, entry) in rest.iter().enumerate() {
            if entry.score > best_score {
                (best, best_score) = (index, entry.score);
            }
        }
        if rest.is_empty() {
            return None;
        }
        list.swap(self.next, self.next + best);
        self.next += 1;
        Some(list[self.next - 1].mv)
    }

    /// Generates captures and promotions to a queen, scored by MVV (most valuable victim) and
    /// capture history.
    fn generate_captures(&self, board: &Board, history: &History, list: &mut Vec<MoveListEntry>) {
        let opponents = board.colors(!board.side_to_move());
        board.generate_moves(|mut moves| {
            if moves.piece == Piece::Pawn {
                // All diagonal pawn moves, including en passant, and promotions.
                moves.to &= opponents | LAST_RANKS | !moves.from.file().bitboard();
            } else {
                moves.to &= opponents;
            }
            let piece = moves.piece;
            for mv in moves {
                if Some(mv) == self.tt_move || is_underpromotion(mv) {
                    continue;
                }
                let victim = board.piece_on(mv.to);
                let piece_to = PieceTo::new(board.side_to_move(), piece, mv.to);
                let mut score = history.capture_score(piece_to, victim.unwrap_or(Piece::Pawn)) / 16;
                score += victim.map_or(0, |piece| SEE_VALUES[piece as usize] * 8);
                if mv.promotion.is_some() {
                    score += 8_000;
                }
                list.push(MoveListEntry { mv, score });
            }
            false
        });
    }

    /// Generates quiet moves, scored by killers, countermove, history and threats, and all
    /// underpromotions.
    fn generate_quiets(&self, board: &Board, history: &History, list: &mut Vec<MoveListEntry>) {
        let opponents = board.colors(!board.side_to_move());
        let color = board.side_to_move();
        let threats = Threats::of(board);
        board.generate_moves(|mut moves| {
            moves.to &= !opponents;
            let piece = moves.piece;
            let is_pawn = piece == Piece::Pawn;
            for mv in moves {
                // Promotions to a queen and en passant are generated as captures.
                let is_tactical = is_pawn
                    && (mv.promotion == Some(Piece::Queen)
                        || (mv.promotion.is_none() && mv.from.file() != mv.to.file()));
                if Some(mv) == self.tt_move || is_tactical {
                    continue;
                }
                let score = if mv.promotion.is_some() {
                    UNDERPROMOTION_SCORE
                } else if Some(mv) == self.killers[0] {
                    1_000_000
                } else if Some(mv) == self.killers[1] {
                    900_000
                } else if Some(mv) == self.countermove {
                    800_000
                } else {
                    let piece_to = PieceTo::new(color, piece, mv.to);
                    history.quiet_score(color, mv, piece_to, self.previous)
                        + threats.escape_bonus(piece, mv)
                };
                list.push(MoveListEntry { mv, score });
            }
            false
        });
        // Captures with underpromotion come last.
        let seventh = Rank::Seventh.relative_to(color).bitboard();
        let pawns = board.colored_pieces(color, Piece::Pawn) & seventh;
        if !pawns.is_empty() {
            board.generate_moves_for(pawns, |mut moves| {
                moves.to &= opponents;
                for mv in moves {
                    if is_underpromotion(mv) && Some(mv) != self.tt_move {
                        list.push(MoveListEntry { mv, score: UNDERPROMOTION_SCORE - 1 });
                    }
                }
                false
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::legal_moves;

    #[test]
    fn every_legal_move_is_picked_once() {
        let history = History::new();
        for board in crate::testing::random_boards(500, 3) {
            let mut legal = legal_moves(&board);
            let tt_move = legal.first().copied();
            let mut list = Vec::new();
            let mut picker = MovePicker::all_moves(&list, &history, tt_move, [PieceTo::NONE; 2], 0);
            let mut picked = Vec::new();
            while let Some(mv) = picker.next(&board, &history, &mut list) {
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
    fn the_most_valuable_victim_is_captured_first() {
        let board: Board = "4k3/8/4p3/3q4/2P1P3/8/8/3QK3 w - - 0 1".parse().unwrap();
        let history = History::new();
        let mut list = Vec::new();
        let mut picker = MovePicker::good_captures(&list, None);
        let first = picker.next(&board, &history, &mut list).unwrap();
        assert_eq!(board.piece_on(first.to), Some(Piece::Queen));
    }
}
