//! Boards drawn from the belief of the network.
//!
//! The belief is a probability for each square and piece. A board has one king and as many other
//! pieces as the opponent has left. The king's square is drawn by its probabilities. The other
//! squares are drawn one after another with weights in proportion to their odds, which is close to
//! drawing each square independently given the number of pieces. A board that does not fit the
//! announcements since the start of the turn is rejected.

use krieg_belief::{OpponentBoard, OpponentMap, draw_index};
use krieg_core::{BitBoard, Piece, PieceSet, Position, Rank, Square};
use rand::Rng;

use super::Game;
use crate::draw_guard::MAX_STALEMATE_PIECES;

/// Number of boards that are drawn for a decision, and the maximum number of attempts, which limits
/// the time of the decision.
const BOARDS: (usize, usize) = (100, 400);
/// The same if stalemate is possible: a stalemate that is hardly probable must be among them.
const BOARDS_WITH_FEW_PIECES: (usize, usize) = (2_000, 3_000);
/// Probabilities are cut off at this distance from 1, so that all odds are finite.
const MIN_DOUBT: f64 = 1e-6;

/// The kinds of pieces that a board may have several of.
const OTHER_PIECES: [Piece; 5] =
    [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

impl Game {
    /// Boards that are possible by the belief and fit the announcements of this turn; few or none
    /// if hardly any of the boards that were drawn fit. Against a lone king they are all that are
    /// possible.
    pub(super) fn boards(&self, map: &OpponentMap, rng: &mut impl Rng) -> Vec<Position> {
        if let Some(squares) = self.king_tracker.squares() {
            let board = |king: Square| {
                let mut pieces = [BitBoard::EMPTY; Piece::NUM];
                pieces[Piece::King as usize] = king.bitboard();
                self.position(pieces)
            };
            return squares.into_iter().filter_map(board).collect();
        }
        let weights = Weights::new(map, self.view.pieces());
        let count = self.opponent_pieces_left();
        let (boards, attempts) = match count {
            0..=MAX_STALEMATE_PIECES => BOARDS_WITH_FEW_PIECES,
            _ => BOARDS,
        };
        (0..attempts)
            .filter_map(|_| self.position(weights.draw(count, rng)?))
            .filter(|board| self.fits(board))
            .take(boards)
            .collect()
    }

    /// The position with these pieces of the opponent, if it is valid.
    fn position(&self, opponent: [BitBoard; Piece::NUM]) -> Option<Position> {
        let player = self.view.player();
        let opponent = PieceSet::new(!player, opponent, (false, false));
        OpponentBoard::new(&opponent).position(self.view.pieces(), player)
    }

    /// Whether the board fits the announcements since the start of the turn.
    fn fits(&self, board: &Position) -> bool {
        self.refused.iter().all(|&mv| !board.is_legal(mv))
            && self.announced.is_none_or(|last| self.rules.is_consistent(board, &last))
    }
}

/// The weights of the squares, and of the pieces on each.
struct Weights {
    king: [f64; Square::NUM],
    /// The odds that another piece stands on the square.
    others: [f64; Square::NUM],
    /// In the order of [`OTHER_PIECES`].
    pieces: [[f64; OTHER_PIECES.len()]; Square::NUM],
}

impl Weights {
    fn new(map: &OpponentMap, own: &PieceSet) -> Self {
        let mut weights = Weights {
            king: [0.0; Square::NUM],
            others: [0.0; Square::NUM],
            pieces: [[0.0; OTHER_PIECES.len()]; Square::NUM],
        };
        for square in !own.all() {
            let at = square as usize;
            weights.king[at] = map.probability(Piece::King, square);
            weights.pieces[at] = OTHER_PIECES.map(|piece| map.probability(piece, square));
            // There are no pawns on the first and last rank.
            if matches!(square.rank(), Rank::First | Rank::Eighth) {
                weights.pieces[at][0] = 0.0;
            }
            let sum: f64 = weights.pieces[at].iter().sum();
            weights.others[at] = sum / (1.0 - sum).max(MIN_DOUBT);
        }
        weights
    }

    /// Places a king and other pieces, `count` in all.
    fn draw(&self, count: u32, rng: &mut impl Rng) -> Option<[BitBoard; Piece::NUM]> {
        let mut board = [BitBoard::EMPTY; Piece::NUM];
        let king = draw_index(&self.king, rng)?;
        board[Piece::King as usize] = Square::index(king).bitboard();
        let mut free = self.others;
        free[king] = 0.0;
        for _ in 1..count {
            let square = draw_index(&free, rng)?;
            let piece = OTHER_PIECES[draw_index(&self.pieces[square], rng)?];
            board[piece as usize] |= Square::index(square).bitboard();
            free[square] = 0.0;
        }
        Some(board)
    }
}
