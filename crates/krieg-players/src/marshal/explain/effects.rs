//! The immediate effects of a try, as probabilities over boards sampled from the belief.

use krieg_belief::{OpponentContext, OpponentPolicy};
use krieg_chess::static_exchange_value;
use krieg_core::{Ending, Move, Piece, Position};

use crate::marshal::search::Simulator;

/// The probability that a try is legal, and what it does where it is. All values but the first are
/// conditional on legality, and 0 if the try is legal on no board.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct TryEffects {
    /// Probability that the try is legal.
    pub legal: f64,
    /// Probability of capturing each kind of piece, from the pawn to the king (always 0).
    pub victims: [f64; Piece::NUM],
    /// Probability of check or mate.
    pub checks: f64,
    /// Probability of mate.
    pub mates: f64,
    /// Probability that the opponent captures the moved piece in reply, under the opponent model.
    pub recaptured: f64,
    /// Mean static exchange evaluation on the target square, in pawns.
    pub exchange: f64,
}

impl TryEffects {
    /// The probability of any capture.
    ///
    /// ```
    /// use krieg_core::Piece;
    /// use krieg_players::marshal::TryEffects;
    /// let mut effects = TryEffects::default();
    /// effects.victims[Piece::Pawn as usize] = 0.25;
    /// effects.victims[Piece::Queen as usize] = 0.5;
    /// assert_eq!((effects.captures(), effects.victim()), (0.75, Some(Piece::Queen)));
    /// ```
    #[must_use]
    pub fn captures(&self) -> f64 {
        self.victims.iter().sum()
    }

    /// The most probable victim of a capture; `None` if the try captures on no board.
    #[must_use]
    pub fn victim(&self) -> Option<Piece> {
        let probability = |piece: &Piece| self.victims[*piece as usize];
        let likeliest =
            Piece::ALL.into_iter().max_by(|a, b| probability(a).total_cmp(&probability(b)));
        likeliest.filter(|piece| probability(piece) > 0.0)
    }

    /// The effects of a try over equally likely boards, each with what the opponent knows there.
    pub(super) fn over_boards<M: OpponentPolicy>(
        boards: &[(Position, OpponentContext)],
        mv: Move,
        simulator: &mut Simulator<M>,
    ) -> Self {
        let mut sums = TryEffects::default();
        for (board, context) in boards {
            if board.is_legal(mv) {
                sums.add(board, *context, mv, simulator);
            }
        }
        sums.into_means(boards.len())
    }

    fn add<M: OpponentPolicy>(
        &mut self,
        board: &Position,
        mut context: OpponentContext,
        mv: Move,
        simulator: &mut Simulator<M>,
    ) {
        self.legal += 1.0;
        self.exchange +=
            f64::from(static_exchange_value(board.board(), board.board_move(mv))) / 100.0;
        if let Some(victim) = victim_of(board, mv) {
            self.victims[victim as usize] += 1.0;
        }
        let mut after = board.clone();
        let announcement = simulator.play_own_move(&mut after, mv, &mut context);
        self.checks += f64::from(u8::from(!after.board().checkers().is_empty()));
        if let Some(outcome) = announcement.end {
            self.mates += f64::from(u8::from(outcome.ending == Ending::Checkmate));
            return;
        }
        let (replies, weights) = simulator.replies(&after, &context);
        let (mut recaptures, mut all) = (0.0, 0.0);
        for (reply, weight) in replies.iter().zip(weights) {
            let reply = after.player_move(*reply);
            all += weight;
            // Only the pawn that has just moved can be captured en passant.
            if reply.to == mv.to || is_en_passant(&after, reply) {
                recaptures += weight;
            }
        }
        self.recaptured += if all > 0.0 { recaptures / all } else { 0.0 };
    }

    /// Divides the sums by the number of boards.
    fn into_means(mut self, boards: usize) -> Self {
        let legal = self.legal.max(1.0);
        let TryEffects { victims, checks, mates, recaptured, exchange, .. } = &mut self;
        for sum in victims.iter_mut().chain([checks, mates, recaptured, exchange]) {
            *sum /= legal;
        }
        self.legal /= boards.max(1) as f64;
        self
    }
}

/// The piece that a legal move captures.
fn victim_of(board: &Position, mv: Move) -> Option<Piece> {
    let is_opponent = board.board().colors(!board.turn()).has(mv.to);
    let victim = if is_opponent { board.board().piece_on(mv.to) } else { None };
    victim.or_else(|| is_en_passant(board, mv).then_some(Piece::Pawn))
}

/// Whether a legal move captures en passant.
fn is_en_passant(board: &Position, mv: Move) -> bool {
    let board = board.board();
    board.piece_on(mv.from) == Some(Piece::Pawn)
        && mv.from.file() != mv.to.file()
        && board.piece_on(mv.to).is_none()
}
