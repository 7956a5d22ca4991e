//! The draws that the umpire declares, each of which a game may do without.

use cozy_chess::{BitBoard, Board, Piece};

use crate::PawnTries;

/// Which draw rules a game is played with. They belong to a game, not to a ruleset.
///
/// ```
/// use krieg_core::DrawRules;
/// assert_eq!(DrawRules::default(), DrawRules::ALL);
/// let long_games = DrawRules { fifty_moves: false, ..DrawRules::ALL };
/// assert!(long_games.threefold);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DrawRules {
    /// A hundred plies without a capture or a pawn's move.
    pub fifty_moves: bool,
    /// The same position for the third time.
    pub threefold: bool,
    /// Neither side has the men to mate.
    pub insufficient_material: bool,
}

impl DrawRules {
    /// All of them.
    pub const ALL: DrawRules =
        DrawRules { fifty_moves: true, threefold: true, insufficient_material: true };

    /// None of them: only mate, stalemate and the players end the game.
    pub const NONE: DrawRules =
        DrawRules { fifty_moves: false, threefold: false, insufficient_material: false };
}

impl Default for DrawRules {
    fn default() -> Self {
        DrawRules::ALL
    }
}

/// Neither side has the men to mate: bare kings; a single knight besides; or bishops that all walk on
/// squares of one colour.
///
/// ```
/// use krieg_core::{Position, is_insufficient};
/// assert!(is_insufficient(Position::from_fen("8/8/4k3/8/8/3K3N/8/8 w - - 0 1")?.board()));
/// assert!(!is_insufficient(Position::from_fen("8/8/4k3/8/8/3K3R/8/8 w - - 0 1")?.board()));
/// # Ok::<(), krieg_core::FenError>(())
/// ```
pub fn is_insufficient(board: &Board) -> bool {
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

/// A number that is equal for positions which the laws of chess hold to be the same. A double step is
/// part of the position only if somebody may really capture in passing.
///
/// ```
/// use krieg_core::{Position, repetition_key};
/// let key = |fen: &str| Position::from_fen(fen).map(|position| repetition_key(position.board()));
/// let men = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
/// assert_eq!(key(&format!("{men} e3 0 1"))?, key(&format!("{men} - 4 9"))?);
/// # Ok::<(), krieg_core::FenError>(())
/// ```
pub fn repetition_key(board: &Board) -> u64 {
    let in_passing = board.en_passant().is_some() && PawnTries::on(board).en_passant;
    if in_passing { board.hash() } else { board.hash_without_ep() }
}

/// The positions since the last capture or pawn move, as keys: what came before cannot return.
#[derive(Debug)]
pub(crate) struct Repetitions {
    keys: Vec<u64>,
}

/// A copy has the same room, so that it allocates as little as the original from there on.
impl Clone for Repetitions {
    fn clone(&self) -> Self {
        let mut keys = Vec::with_capacity(self.keys.len().max(Self::ROOM));
        keys.extend_from_slice(&self.keys);
        Repetitions { keys }
    }
}

impl Repetitions {
    /// Room for what fifty moves leave, so that a game does not allocate while it runs.
    const ROOM: usize = 104;

    pub fn starting_at(board: &Board) -> Self {
        let mut repetitions = Repetitions { keys: Vec::with_capacity(Self::ROOM) };
        repetitions.note(board);
        repetitions
    }

    /// Notes the position and says how often it has now stood.
    pub fn note(&mut self, board: &Board) -> usize {
        if board.halfmove_clock() == 0 {
            self.keys.clear();
        }
        let key = repetition_key(board);
        self.keys.push(key);
        // The side to move is part of the key, so only every second position can be the same.
        self.keys.iter().rev().step_by(2).filter(|&&earlier| earlier == key).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_mate_nobody() {
        let insufficient = |men: &str| {
            let fen = format!("{men} w - - 0 1");
            is_insufficient(&fen.parse().unwrap())
        };
        assert!(insufficient("4k3/8/8/8/8/8/8/4K3"), "bare kings");
        assert!(insufficient("4k3/8/8/8/8/8/8/4KN2"), "one knight");
        assert!(insufficient("4kb2/8/8/8/8/8/8/2B1K3"), "bishops on dark squares, one each");
        assert!(!insufficient("2b1k3/8/8/8/8/8/8/2B1K3"), "bishops on different colours");
        assert!(!insufficient("4k1n1/8/8/8/8/8/8/4KN2"), "knight against knight");
        assert!(!insufficient("4k3/8/8/8/8/8/8/3NKN2"), "two knights");
        assert!(!insufficient("4k3/8/8/8/8/8/4P3/4K3"), "a pawn");
    }
}
