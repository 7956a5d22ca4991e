//! What the search remembers about moves, so that good ones are tried first.

use cozy_chess::{Board, Color, Move as BoardMove, Piece, Square};

use crate::score::MAX_PLY;

/// No history goes beyond this.
pub(crate) const MOST: i32 = 16_384;

/// A man and the square it went to: what a move is remembered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    /// No move: the root, or a passed turn.
    pub const NONE: PieceTo = PieceTo(0);
    const COUNT: usize = 12 * 64;

    pub fn of(board: &Board, mv: BoardMove) -> Self {
        let man = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
        PieceTo::new(board.side_to_move(), man, mv.to)
    }

    #[inline(always)]
    pub fn new(color: Color, man: Piece, to: Square) -> Self {
        PieceTo(((color as usize * 6 + man as usize) * 64 + to as usize) as u16)
    }
}

/// One thread's memory of moves.
#[derive(Debug, Clone)]
pub(crate) struct History {
    /// By colour, from, to.
    quiet: Box<[[[i16; 64]; 64]; 2]>,
    /// By the man and square of the move before, then of this one.
    after: Box<[[i16; PieceTo::COUNT]]>,
    /// Which rows of `after` hold anything: clearing a megabyte for every small search would cost more
    /// than it is worth.
    used: Box<[bool; PieceTo::COUNT]>,
    /// By man, square, victim.
    capture: Box<[[[i16; 6]; 64]; 12]>,
    counter: Box<[Option<BoardMove>]>,
    killers: Box<[[Option<BoardMove>; 2]]>,
}

impl History {
    pub fn new() -> Self {
        History {
            quiet: Box::new([[[0; 64]; 64]; 2]),
            after: vec![[0; PieceTo::COUNT]; PieceTo::COUNT].into_boxed_slice(),
            used: Box::new([false; PieceTo::COUNT]),
            capture: Box::new([[[0; 6]; 64]; 12]),
            counter: vec![None; PieceTo::COUNT].into_boxed_slice(),
            killers: vec![[None; 2]; MAX_PLY + 4].into_boxed_slice(),
        }
    }

    pub fn clear(&mut self) {
        self.quiet.iter_mut().flatten().for_each(|row| row.fill(0));
        for (row, used) in self.after.iter_mut().zip(self.used.iter_mut()) {
            if std::mem::take(used) {
                row.fill(0);
            }
        }
        self.capture.iter_mut().flatten().for_each(|row| row.fill(0));
        self.counter.fill(None);
        self.killers.fill([None; 2]);
    }

    /// Between two searches of a game: killers belong to a line, and what was good a move ago counts half.
    pub fn fade(&mut self) {
        self.killers.fill([None; 2]);
        self.quiet.iter_mut().flatten().flatten().for_each(|value| *value /= 2);
    }

    pub fn killers(&self, ply: usize) -> [Option<BoardMove>; 2] {
        self.killers[ply]
    }

    /// Killers of the line two plies on are killers of another line now.
    pub fn clear_killers(&mut self, ply: usize) {
        self.killers[ply] = [None; 2];
    }

    pub fn restore_killers(&mut self, ply: usize, killers: [Option<BoardMove>; 2]) {
        self.killers[ply] = killers;
    }

    pub fn counter(&self, last: PieceTo) -> Option<BoardMove> {
        self.counter[usize::from(last.0)]
    }

    /// How well a quiet move has done, alone and after the two moves before it.
    #[inline(always)]
    pub fn quiet(&self, color: Color, mv: BoardMove, this: PieceTo, before: [PieceTo; 2]) -> i32 {
        let at = usize::from(this.0);
        i32::from(self.quiet[color as usize][mv.from as usize][mv.to as usize])
            + i32::from(self.after[usize::from(before[0].0)][at])
            + i32::from(self.after[usize::from(before[1].0)][at])
    }

    pub fn capture(&self, this: PieceTo, victim: Piece) -> i32 {
        let at = usize::from(this.0);
        i32::from(self.capture[at / 64][at % 64][victim as usize])
    }

    /// A quiet move proved too good for the enemy; the ones tried before it did not.
    pub fn update_quiet(
        &mut self,
        board: &Board,
        best: BoardMove,
        failed: impl Iterator<Item = BoardMove>,
        before: [PieceTo; 2],
        ply: usize,
        depth: i32,
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
        if before[0] != PieceTo::NONE {
            self.counter[usize::from(before[0].0)] = Some(best);
        }
        let bonus = bonus(depth);
        self.adjust_quiet(board, best, before, bonus);
        for mv in failed {
            self.adjust_quiet(board, mv, before, -bonus);
        }
    }

    fn adjust_quiet(&mut self, board: &Board, mv: BoardMove, before: [PieceTo; 2], by: i32) {
        let at = usize::from(PieceTo::of(board, mv).0);
        let color = board.side_to_move() as usize;
        adjust(&mut self.quiet[color][mv.from as usize][mv.to as usize], by);
        for last in before {
            if last != PieceTo::NONE {
                adjust(&mut self.after[usize::from(last.0)][at], by);
                self.used[usize::from(last.0)] = true;
            }
        }
    }

    /// A capture did well or badly.
    pub fn update_capture(&mut self, board: &Board, mv: BoardMove, depth: i32, is_good: bool) {
        let at = usize::from(PieceTo::of(board, mv).0);
        let victim = board.piece_on(mv.to).unwrap_or(Piece::Pawn);
        let by = if is_good { bonus(depth) } else { -bonus(depth) };
        adjust(&mut self.capture[at / 64][at % 64][victim as usize], by);
    }
}

fn bonus(depth: i32) -> i32 {
    (16 * depth * depth + 32 * depth).min(1_600)
}

fn adjust(value: &mut i16, by: i32) {
    apply_gravity(value, by, MOST);
}

/// Moves a value towards its limit, the less the nearer it is.
pub(crate) fn apply_gravity(value: &mut i16, by: i32, most: i32) {
    let old = i32::from(*value);
    *value = (old + by - old * by.abs() / most) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_remembered_once_it_is_cleared() {
        let board = Board::default();
        let mv = |text: &str| text.parse::<BoardMove>().unwrap();
        let before = ["b8c6", "b1c3"].map(|text| PieceTo::of(&board, mv(text)));
        let mut history = History::new();
        let value = |history: &History| {
            let this = PieceTo::of(&board, mv("e2e4"));
            history.quiet(Color::White, mv("e2e4"), this, before)
        };
        history.update_quiet(&board, mv("e2e4"), [mv("d2d4")].into_iter(), before, 0, 6);
        assert!(value(&history) > 0);
        assert_eq!(history.killers(0)[0], Some(mv("e2e4")));
        history.clear();
        assert_eq!(value(&history), 0);
        assert_eq!((history.killers(0)[0], history.counter(before[0])), (None, None));
    }

    #[test]
    fn no_history_outgrows_its_limit() {
        let mut value = 0;
        for _ in 0..10_000 {
            adjust(&mut value, 1_600);
        }
        assert!(i32::from(value) <= MOST && value > 10_000);
        for _ in 0..10_000 {
            adjust(&mut value, -1_600);
        }
        assert!(i32::from(value) >= -MOST && value < -10_000);
    }
}
