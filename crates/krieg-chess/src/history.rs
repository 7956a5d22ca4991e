//! History heuristics for move ordering: butterfly (quiet) history, continuation history, capture
//! history, countermoves and killer moves.

use cozy_chess::{Board, Color, Move as BoardMove, Piece, Square};

use crate::score::MAX_PLY;

/// Largest absolute value of a history entry.
pub(crate) const MAX_HISTORY: i32 = 16_384;

/// A coloured piece and its target square, by which continuation histories are indexed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    /// No move: before the root, or a null move. The index would be that of a white pawn moving to
    /// a1, which cannot happen.
    pub const NONE: PieceTo = PieceTo(0);
    const COUNT: usize = 12 * 64;

    pub fn of(board: &Board, mv: BoardMove) -> Self {
        let piece = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
        PieceTo::new(board.side_to_move(), piece, mv.to)
    }

    #[inline(always)]
    pub fn new(color: Color, piece: Piece, to: Square) -> Self {
        PieceTo(((color as usize * 6 + piece as usize) * 64 + to as usize) as u16)
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The move-ordering statistics of one search thread.
#[derive(Debug, Clone)]
pub(crate) struct History {
    /// Butterfly history of quiet moves, by colour, origin and target square.
    butterfly: Box<[[[i16; 64]; 64]; 2]>,
    /// Continuation history: of a move, after one of the two moves before it.
    continuation: Box<[[i16; PieceTo::COUNT]]>,
    /// The rows of `continuation` that are not all zero. Clearing the whole megabyte would dominate
    /// the cost of small searches.
    used_rows: Box<[bool; PieceTo::COUNT]>,
    /// Capture history, by coloured piece, target square and captured piece.
    capture: Box<[[[i16; 6]; 64]; 12]>,
    /// Countermove heuristic: the last refutation of each move.
    countermoves: Box<[Option<BoardMove>]>,
    /// Killer moves: the last two quiet moves that caused a cutoff at each ply.
    killers: Box<[[Option<BoardMove>; 2]]>,
}

impl History {
    pub fn new() -> Self {
        History {
            butterfly: Box::new([[[0; 64]; 64]; 2]),
            continuation: vec![[0; PieceTo::COUNT]; PieceTo::COUNT].into_boxed_slice(),
            used_rows: Box::new([false; PieceTo::COUNT]),
            capture: Box::new([[[0; 6]; 64]; 12]),
            countermoves: vec![None; PieceTo::COUNT].into_boxed_slice(),
            killers: vec![[None; 2]; MAX_PLY + 4].into_boxed_slice(),
        }
    }

    pub fn clear(&mut self) {
        self.butterfly.iter_mut().flatten().for_each(|row| row.fill(0));
        for (row, used) in self.continuation.iter_mut().zip(self.used_rows.iter_mut()) {
            if std::mem::take(used) {
                row.fill(0);
            }
        }
        self.capture.iter_mut().flatten().for_each(|row| row.fill(0));
        self.countermoves.fill(None);
        self.killers.fill([None; 2]);
    }

    /// Ages the statistics between two searches of a game: killers are cleared, because plies have
    /// shifted, and the butterfly history is halved.
    pub fn age(&mut self) {
        self.killers.fill([None; 2]);
        self.butterfly.iter_mut().flatten().flatten().for_each(|value| *value /= 2);
    }

    pub fn killers(&self, ply: usize) -> [Option<BoardMove>; 2] {
        self.killers[ply]
    }

    /// Clears the killers of a ply, because they belong to another part of the tree.
    pub fn clear_killers(&mut self, ply: usize) {
        self.killers[ply] = [None; 2];
    }

    pub fn restore_killers(&mut self, ply: usize, killers: [Option<BoardMove>; 2]) {
        self.killers[ply] = killers;
    }

    pub fn countermove(&self, last: PieceTo) -> Option<BoardMove> {
        self.countermoves[last.index()]
    }

    /// History score of a quiet move: butterfly history plus the continuation histories of the two
    /// previous moves.
    #[inline(always)]
    pub fn quiet_score(
        &self,
        color: Color,
        mv: BoardMove,
        piece_to: PieceTo,
        previous: [PieceTo; 2],
    ) -> i32 {
        i32::from(self.butterfly[color as usize][mv.from as usize][mv.to as usize])
            + i32::from(self.continuation[previous[0].index()][piece_to.index()])
            + i32::from(self.continuation[previous[1].index()][piece_to.index()])
    }

    pub fn capture_score(&self, piece_to: PieceTo, victim: Piece) -> i32 {
        let index = piece_to.index();
        i32::from(self.capture[index / 64][index % 64][victim as usize])
    }

    /// Updates the statistics after the quiet move `best` caused a beta cutoff. `failed` are the
    /// quiet moves searched before it.
    pub fn update_quiets(
        &mut self,
        board: &Board,
        best: BoardMove,
        failed: impl Iterator<Item = BoardMove>,
        previous: [PieceTo; 2],
        ply: usize,
        depth: i32,
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
        if previous[0] != PieceTo::NONE {
            self.countermoves[previous[0].index()] = Some(best);
        }
        let bonus = bonus(depth);
        self.add_quiet_bonus(board, best, previous, bonus);
        for mv in failed {
            self.add_quiet_bonus(board, mv, previous, -bonus);
        }
    }

    fn add_quiet_bonus(
        &mut self,
        board: &Board,
        mv: BoardMove,
        previous: [PieceTo; 2],
        bonus: i32,
    ) {
        let index = PieceTo::of(board, mv).index();
        let color = board.side_to_move() as usize;
        add_bonus(&mut self.butterfly[color][mv.from as usize][mv.to as usize], bonus, MAX_HISTORY);
        for last in previous {
            if last != PieceTo::NONE {
                add_bonus(&mut self.continuation[last.index()][index], bonus, MAX_HISTORY);
                self.used_rows[last.index()] = true;
            }
        }
    }

    /// Updates the capture history of a tactical move, which did or did not cause a beta cutoff.
    pub fn update_capture(&mut self, board: &Board, mv: BoardMove, depth: i32, is_cutoff: bool) {
        let index = PieceTo::of(board, mv).index();
        let victim = board.piece_on(mv.to).unwrap_or(Piece::Pawn);
        let bonus = if is_cutoff { bonus(depth) } else { -bonus(depth) };
        let entry = &mut self.capture[index / 64][index % 64][victim as usize];
        add_bonus(entry, bonus, MAX_HISTORY);
    }
}

fn bonus(depth: i32) -> i32 {
    (16 * depth * depth + 32 * depth).min(1_600)
}

/// History gravity: adds a bonus that shrinks as the entry approaches its limit, so that the entry
/// never exceeds it.
pub(crate) fn add_bonus(entry: &mut i16, bonus: i32, limit: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / limit) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clear_resets_all_statistics() {
        let board = Board::default();
        let mv = |text: &str| text.parse::<BoardMove>().unwrap();
        let previous = ["b8c6", "b1c3"].map(|text| PieceTo::of(&board, mv(text)));
        let mut history = History::new();
        let score = |history: &History| {
            let piece_to = PieceTo::of(&board, mv("e2e4"));
            history.quiet_score(Color::White, mv("e2e4"), piece_to, previous)
        };
        history.update_quiets(&board, mv("e2e4"), [mv("d2d4")].into_iter(), previous, 0, 6);
        assert!(score(&history) > 0);
        assert_eq!(history.killers(0)[0], Some(mv("e2e4")));
        history.clear();
        assert_eq!(score(&history), 0);
        assert_eq!((history.killers(0)[0], history.countermove(previous[0])), (None, None));
    }

    #[test]
    fn history_stays_within_its_limit() {
        let mut entry = 0;
        for _ in 0..10_000 {
            add_bonus(&mut entry, 1_600, MAX_HISTORY);
        }
        assert!(i32::from(entry) <= MAX_HISTORY && entry > 10_000);
        for _ in 0..10_000 {
            add_bonus(&mut entry, -1_600, MAX_HISTORY);
        }
        assert!(i32::from(entry) >= -MAX_HISTORY && entry < -10_000);
    }
}
