//! What may come of a try at once, over boards that may be the true one.

use krieg_belief::{MoveModel, Situation};
use krieg_chess::exchange_gain;
use krieg_core::{Ending, Move, Piece, Position};

use super::simulate::Simulator;

/// How likely a try is legal, and what it is likely to do where it is. All chances are from 0 to 1; all but the first are
/// over the boards on which the try is legal, and nought where there are none.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Outlook {
    /// That the umpire lets it stand.
    pub legal: f64,
    /// That it captures a man of each kind, from the pawn to the king, who is never captured.
    pub victims: [f64; Piece::NUM],
    /// That it gives check, or mate.
    pub checks: f64,
    /// That it mates.
    pub mates: f64,
    /// That the opponent takes the man at once, as he is thought to choose.
    pub taken: f64,
    /// What an exchange on its square wins on the average, in pawns, if both take back there as long as it pays.
    pub exchange: f64,
}

impl Outlook {
    /// How likely it captures somebody.
    ///
    /// ```
    /// use krieg_core::Piece;
    /// use krieg_players::marshal::Outlook;
    /// let mut outlook = Outlook::default();
    /// outlook.victims[Piece::Pawn as usize] = 0.25;
    /// outlook.victims[Piece::Queen as usize] = 0.5;
    /// assert_eq!((outlook.captures(), outlook.victim()), (0.75, Some(Piece::Queen)));
    /// ```
    pub fn captures(&self) -> f64 {
        self.victims.iter().sum()
    }

    /// Whom it captures, if anybody: the likeliest.
    pub fn victim(&self) -> Option<Piece> {
        let chance = |piece: &Piece| self.victims[*piece as usize];
        let likeliest = Piece::ALL.into_iter().max_by(|a, b| chance(a).total_cmp(&chance(b)));
        likeliest.filter(|piece| chance(piece) > 0.0)
    }

    /// Looks at a try on boards that are equally likely, each with what the opponent knows there.
    pub(super) fn over<M: MoveModel>(
        worlds: &[(Position, Situation)],
        mv: Move,
        simulator: &mut Simulator<M>,
    ) -> Self {
        let mut sum = Outlook::default();
        for (board, situation) in worlds {
            if board.is_legal(mv) {
                sum.add(board, *situation, mv, simulator);
            }
        }
        sum.over_all(worlds.len())
    }

    fn add<M: MoveModel>(
        &mut self,
        board: &Position,
        mut situation: Situation,
        mv: Move,
        simulator: &mut Simulator<M>,
    ) {
        self.legal += 1.0;
        self.exchange += f64::from(exchange_gain(board.board(), board.board_move(mv))) / 100.0;
        if let Some(victim) = victim(board, mv) {
            self.victims[victim as usize] += 1.0;
        }
        let mut after = board.clone();
        let said = simulator.own_move(&mut after, mv, &mut situation);
        self.checks += f64::from(u8::from(!after.board().checkers().is_empty()));
        if let Some(outcome) = said.end {
            self.mates += f64::from(u8::from(outcome.ending == Ending::Checkmate));
            return;
        }
        let (replies, weights) = simulator.replies(&after, &situation);
        let (mut taken, mut all) = (0.0, 0.0);
        for (reply, weight) in replies.iter().zip(weights) {
            let reply = after.player_move(*reply);
            all += weight;
            // In passing only the pawn can be taken that has just moved.
            if reply.to == mv.to || passes_by(&after, reply) {
                taken += weight;
            }
        }
        self.taken += if all > 0.0 { taken / all } else { 0.0 };
    }

    /// From sums to chances.
    fn over_all(mut self, boards: usize) -> Self {
        let legal = self.legal.max(1.0);
        let Outlook { victims, checks, mates, taken, exchange, .. } = &mut self;
        for part in victims.iter_mut().chain([checks, mates, taken, exchange]) {
            *part /= legal;
        }
        self.legal /= boards.max(1) as f64;
        self
    }
}

/// Whom a legal move captures.
fn victim(board: &Position, mv: Move) -> Option<Piece> {
    let is_enemy = board.board().colors(!board.turn()).has(mv.to);
    let there = if is_enemy { board.board().piece_on(mv.to) } else { None };
    there.or_else(|| passes_by(board, mv).then_some(Piece::Pawn))
}

/// Whether a legal move captures in passing.
fn passes_by(board: &Position, mv: Move) -> bool {
    let board = board.board();
    board.piece_on(mv.from) == Some(Piece::Pawn)
        && mv.from.file() != mv.to.file()
        && board.piece_on(mv.to).is_none()
}
