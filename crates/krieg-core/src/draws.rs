//! The draw rules that the umpire applies. Each can be switched off for a game.

use cozy_chess::{BitBoard, Board, Piece};

use crate::PawnTries;

/// The draw rules of a game. They are independent of its ruleset.
///
/// ```
/// use krieg_core::DrawRules;
/// assert_eq!(DrawRules::default(), DrawRules::ALL);
/// let long_games = DrawRules { fifty_moves: false, ..DrawRules::ALL };
/// assert!(long_games.threefold);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DrawRules {
    /// A draw after fifty moves of each side without a capture or a pawn move.
    pub fifty_moves: bool,
    /// A draw when the same position occurs for the third time.
    pub threefold: bool,
    /// A draw when neither side has enough material to mate.
    pub insufficient_material: bool,
}

impl DrawRules {
    /// All draw rules.
    pub const ALL: DrawRules =
        DrawRules { fifty_moves: true, threefold: true, insufficient_material: true };

    /// No draw rules: only checkmate, stalemate, the players and the clock end the game.
    pub const NONE: DrawRules =
        DrawRules { fifty_moves: false, threefold: false, insufficient_material: false };
}

impl Default for DrawRules {
    fn default() -> Self {
        DrawRules::ALL
    }
}

/// Whether neither side has enough material to mate: there are only kings, or kings and one
/// knight, or kings and bishops that all move on squares of one colour.
///
/// ```
/// use krieg_core::{Position, is_insufficient_material};
/// let knight = Position::from_fen("8/8/4k3/8/8/3K3N/8/8 w - - 0 1")?;
/// assert!(is_insufficient_material(knight.board()));
/// let rook = Position::from_fen("8/8/4k3/8/8/3K3R/8/8 w - - 0 1")?;
/// assert!(!is_insufficient_material(rook.board()));
/// # Ok::<(), krieg_core::FenError>(())
/// ```
pub fn is_insufficient_material(board: &Board) -> bool {
    let heavy = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    if !heavy.is_empty() {
        return false;
    }
    let knights = board.pieces(Piece::Knight);
    let bishops = board.pieces(Piece::Bishop);
    if !knights.is_empty() {
        return knights.len() == 1 && bishops.is_empty();
    }
    bishops.is_subset(BitBoard::DARK_SQUARES) || bishops.is_subset(BitBoard::LIGHT_SQUARES)
}

/// A Zobrist key that is equal for positions that count as repetitions of each other. As in the
/// laws of chess, the en passant square is part of it only if an en passant capture is legal.
///
/// ```
/// use krieg_core::{Position, repetition_key};
/// let key = |fen: &str| Position::from_fen(fen).map(|position| repetition_key(position.board()));
/// let fields = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
/// assert_eq!(key(&format!("{fields} e3 0 1"))?, key(&format!("{fields} - 4 9"))?);
/// # Ok::<(), krieg_core::FenError>(())
/// ```
pub fn repetition_key(board: &Board) -> u64 {
    let has_en_passant = board.en_passant().is_some() && PawnTries::on(board).en_passant;
    if has_en_passant { board.hash() } else { board.hash_without_ep() }
}

/// The keys of the positions since the last capture or pawn move. Earlier positions cannot occur
/// again.
#[derive(Debug)]
pub(crate) struct Repetitions {
    keys: Vec<u64>,
}

/// A clone reserves the same capacity, so that playing on does not allocate.
impl Clone for Repetitions {
    fn clone(&self) -> Self {
        let mut keys = Vec::with_capacity(self.keys.len().max(Self::CAPACITY));
        keys.extend_from_slice(&self.keys);
        Repetitions { keys }
    }
}

impl Repetitions {
    /// Reserved number of keys: enough for the hundred plies of the fifty-move rule, so that a
    /// game with that rule does not allocate while it runs.
    const CAPACITY: usize = 104;

    pub fn starting_at(board: &Board) -> Self {
        let mut repetitions = Repetitions { keys: Vec::with_capacity(Self::CAPACITY) };
        repetitions.push(board);
        repetitions
    }

    /// Adds the position and returns how often it has occurred.
    pub fn push(&mut self, board: &Board) -> usize {
        if board.halfmove_clock() == 0 {
            self.keys.clear();
        }
        let key = repetition_key(board);
        self.keys.push(key);
        // The side to move is part of the key, so only every second position can be equal.
        self.keys.iter().rev().step_by(2).filter(|&&earlier| earlier == key).count()
    }

    /// What [`push`](Repetitions::push) would return for the position.
    pub fn count_with(&self, board: &Board) -> usize {
        if board.halfmove_clock() == 0 {
            return 1;
        }
        let key = repetition_key(board);
        let earlier = self.keys.iter().rev().skip(1).step_by(2);
        1 + earlier.filter(|&&earlier| earlier == key).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insufficient_material_is_recognised() {
        let is_insufficient = |pieces: &str| {
            let fen = format!("{pieces} w - - 0 1");
            is_insufficient_material(&fen.parse().unwrap())
        };
        assert!(is_insufficient("4k3/8/8/8/8/8/8/4K3"), "bare kings");
        assert!(is_insufficient("4k3/8/8/8/8/8/8/4KN2"), "one knight");
        assert!(is_insufficient("4kb2/8/8/8/8/8/8/2B1K3"), "bishops on dark squares, one each");
        assert!(!is_insufficient("2b1k3/8/8/8/8/8/8/2B1K3"), "bishops on different colours");
        assert!(!is_insufficient("4k1n1/8/8/8/8/8/8/4KN2"), "knight against knight");
        assert!(!is_insufficient("4k3/8/8/8/8/8/8/3NKN2"), "two knights");
        assert!(!is_insufficient("4k3/8/8/8/8/8/4P3/4K3"), "a pawn");
    }
}
