//! Beliefs that give each of their boards a weight.

use cozy_chess::{Move as BoardMove, Square};
use krieg_core::{Move, Position, View};
use rand::{Rng, RngExt, seq::SliceRandom};

use crate::{Belief, OpponentBoard, OpponentContext, OpponentMixture};

/// A belief that stores boards, each with its probability.
///
/// A tree search needs more than random boards: it asks what the opponent knows, which types of
/// opponents are still plausible, and what a move does on all boards together. Only
/// [`view`](Self::view), [`weighted_boards`](Self::weighted_boards) and
/// [`is_complete`](Self::is_complete) must be written; a belief that knows more overrides the rest.
/// The trait is object safe: a player that is generic over its belief may hold a
/// `Box<dyn WeightedBelief>`.
///
/// ```
/// use krieg_belief::{Belief, BoardSet, WeightedBelief};
/// use krieg_core::{Color, Game, Observation, Setup};
///
/// let setup = Setup::default();
/// let mut game = Game::new(setup.clone());
/// let mut belief: Box<dyn WeightedBelief> =
///     Box::new(BoardSet::new(&setup, Color::White, 1_000, 1));
/// for (mv, is_own) in [("e2e4", true), ("e7e5", false)] {
///     let announcement = game.judge(mv.parse()?)?;
///     let tried = if is_own { Some(mv.parse()?) } else { None };
///     belief.observe(&Observation { tried, announcement, spent_ms: None })?;
/// }
/// // 18 of Black's 20 first moves give White no pawn try. One of them is e7-e5.
/// assert_eq!(belief.weighted_boards().count(), 18);
/// let legal = belief.legal_probability("e4e5".parse()?).unwrap();
/// assert!((legal - 17.0 / 18.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait WeightedBelief: Belief {
    /// The player's view: their own pieces, and whose turn it is.
    fn view(&self) -> &View;

    /// The boards with their weights, which sum to 1. Empty if no board is known.
    fn weighted_boards(&self) -> Box<dyn Iterator<Item = (OpponentBoard, f64)> + '_>;

    /// Whether no consistent board was ever left out. Then the true board is among them.
    fn is_complete(&self) -> bool;

    /// Draws up to `count` boards by weight, each with the opponent's last move there, if it is
    /// known. The result is shorter than `count` only if a board is invalid or none is known.
    fn sample_with_last_moves(
        &self,
        count: usize,
        rng: &mut dyn Rng,
    ) -> Vec<(Position, Option<BoardMove>)> {
        let (own, turn) = (self.view().pieces(), self.view().turn());
        systematic_sample(self.weighted_boards(), count, rng, |board| {
            board.position(own, turn).map(|position| (position, None))
        })
    }

    /// The probability that this move is legal, on the player's turn. `None` if no board is known.
    fn legal_probability(&self, mv: Move) -> Option<f64> {
        let (own, turn) = (self.view().pieces(), self.view().turn());
        let (mut legal, mut all) = (0.0, 0.0);
        for (board, weight) in self.weighted_boards() {
            let Some(position) = board.position(own, turn) else { continue };
            all += weight;
            if position.is_legal(mv) {
                legal += weight;
            }
        }
        (all > 0.0).then(|| legal / all)
    }

    /// What the opponent knew before the player's present turn, without the opponent's last move,
    /// which differs from board to board.
    fn opponent_context(&self) -> OpponentContext {
        OpponentContext::default()
    }

    /// What the opponent knows on their turn, without their last move. `None` if it is unknown, or
    /// if the opponent has already tried something in this turn: not every board fits that.
    fn opponent_context_to_move(&self) -> Option<OpponentContext> {
        None
    }

    /// The probability of each square as the destination of the opponent's next move, at the start
    /// of their turn. Castling counts for the square of the rook. `None` if no board is known, the
    /// opponent cannot move on any, or the belief has no opponent model.
    fn destination_probabilities(&mut self) -> Option<[f64; Square::NUM]> {
        None
    }

    /// The posterior over the types of opponents, if the belief has one.
    fn opponent_mixture(&self) -> Option<&OpponentMixture> {
        None
    }
}

impl<B: WeightedBelief + ?Sized> WeightedBelief for Box<B> {
    fn view(&self) -> &View {
        (**self).view()
    }

    fn weighted_boards(&self) -> Box<dyn Iterator<Item = (OpponentBoard, f64)> + '_> {
        (**self).weighted_boards()
    }

    fn is_complete(&self) -> bool {
        (**self).is_complete()
    }

    fn sample_with_last_moves(
        &self,
        count: usize,
        rng: &mut dyn Rng,
    ) -> Vec<(Position, Option<BoardMove>)> {
        (**self).sample_with_last_moves(count, rng)
    }

    fn legal_probability(&self, mv: Move) -> Option<f64> {
        (**self).legal_probability(mv)
    }

    fn opponent_context(&self) -> OpponentContext {
        (**self).opponent_context()
    }

    fn opponent_context_to_move(&self) -> Option<OpponentContext> {
        (**self).opponent_context_to_move()
    }

    fn destination_probabilities(&mut self) -> Option<[f64; Square::NUM]> {
        (**self).destination_probabilities()
    }

    fn opponent_mixture(&self) -> Option<&OpponentMixture> {
        (**self).opponent_mixture()
    }
}

/// Systematic sampling: draws at equal distances along the weights, so that each item is drawn
/// about as often as its weight says, and shuffles what was drawn. Weights must sum to 1.
pub(crate) fn systematic_sample<T, D>(
    weighted: impl Iterator<Item = (T, f64)>,
    count: usize,
    rng: &mut dyn Rng,
    make: impl Fn(&T) -> Option<D>,
) -> Vec<D> {
    let step = 1.0 / count.max(1) as f64;
    let mut at = rng.random::<f64>() * step;
    let mut drawn = Vec::with_capacity(count);
    for (item, weight) in weighted {
        at -= weight;
        while at < 0.0 && drawn.len() < count {
            drawn.extend(make(&item));
            at += step;
        }
    }
    drawn.shuffle(rng);
    drawn
}
