//! The moves that players chose in recorded games, with what they knew.

use cozy_chess::{Color, Move as BoardMove, Square};
use krieg_core::{Position, Record, Try, Verdict};

use crate::{OpponentContext, OpponentTurn};

/// A move that a player made, with its circumstances: a sample for training an opponent model.
#[derive(Debug, Clone)]
pub struct Decision {
    /// The position before the move. The player saw only a part of it.
    pub position: Position,
    /// What the player knew.
    pub context: OpponentContext,
    /// The move.
    pub chosen: BoardMove,
}

impl Decision {
    /// Calls `visit` for each decision of a game, with the colour of the player.
    ///
    /// The context is computed as [`ParticleFilter`](crate::ParticleFilter) computes it for an
    /// opponent, so a feature has the same meaning in training and in a game.
    pub fn for_each(record: &Record, mut visit: impl FnMut(Color, Decision)) {
        let mut game = record.replay(0);
        let mut contexts = [OpponentContext::default(); Color::NUM];
        let mut turn = OpponentTurn::after(record.opening());
        let mut lost_on: Option<Square> = None;
        for entry in record.entries() {
            let position = game.umpire().position().clone();
            // The tries of a record were judged by the same rules before, so this succeeds.
            let _ = game.judge(entry.tried);
            let announcement = &entry.announcement;
            let (Try::Move(mv), Verdict::Moved) = (entry.tried, announcement.verdict) else {
                turn.observe(announcement);
                continue;
            };
            let context = &mut contexts[announcement.by as usize];
            context.begin_turn(lost_on, turn.has_pawn_try());
            let chosen = position.board_move(mv);
            visit(announcement.by, Decision { position, context: *context, chosen });
            let captured_on = announcement.capture.map(|capture| capture.square);
            context.record_move(Some(chosen), captured_on);
            lost_on = announcement.capture.map(|_| mv.to);
            turn = OpponentTurn::after(announcement);
        }
    }

    /// The legal moves, and the index of the chosen one.
    pub fn moves(&self) -> (Vec<BoardMove>, usize) {
        let mut moves = Vec::new();
        self.position.board().generate_moves(|piece_moves| {
            moves.extend(piece_moves);
            false
        });
        let chosen = moves.iter().position(|mv| *mv == self.chosen);
        // The chosen move was legal, so it is found.
        (moves, chosen.unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Game, Setup};

    #[test]
    fn context_holds_losses_captures_and_pawn_tries() {
        let mut game = Game::new(Setup::default());
        // White captures on d5 and Black recaptures. The refused try e4-e6 is not a decision.
        for mv in ["e2e4", "d7d5", "e4e6", "e4d5", "d8d5", "b1c3"] {
            game.judge(mv.parse().unwrap()).unwrap();
        }
        let mut decisions = Vec::new();
        Decision::for_each(game.record(), |color, decision| decisions.push((color, decision)));
        assert_eq!(decisions.len(), 5);
        let (color, capture) = &decisions[2];
        assert_eq!(*color, Color::White);
        assert!(capture.context.has_pawn_try && capture.context.lost_on().is_none());
        assert_eq!(capture.context.last_move, Some("e2e4".parse().unwrap()));
        let (_, recapture) = &decisions[3];
        assert_eq!(recapture.context.lost_on(), Some(Square::D5));
        let (moves, chosen) = recapture.moves();
        assert_eq!(moves[chosen], recapture.chosen);
        let (_, last) = &decisions[4];
        assert_eq!(last.context.captured_on, Some(Square::D5));
        assert_eq!(last.context.lost_on(), Some(Square::D5));
        assert_eq!(last.context.move_count, 2);
    }
}
