//! What players chose in games that were recorded, and what they knew as they did.

use cozy_chess::{Color, Move as BoardMove, Square};
use krieg_core::{Position, Record, Try, Verdict};

use crate::{OpponentContext, OpponentTurn};

/// A move that was made, with all that bore on it.
#[derive(Debug, Clone)]
pub struct Decision {
    /// The board before it, which the player did not see.
    pub position: Position,
    /// What he knew.
    pub context: OpponentContext,
    /// What he played.
    pub chosen: BoardMove,
}

impl Decision {
    /// Every decision of a game, with who made it. What each player knew is told as [`ParticleFilter`](crate::ParticleFilter) imagine it of an opponent, so that
    /// what is learned here means the same there.
    pub fn for_each(record: &Record, mut tell: impl FnMut(Color, Decision)) {
        let mut game = record.replay(0);
        let mut knows = [OpponentContext::default(); Color::NUM];
        let mut turn = OpponentTurn::after(record.opening());
        let mut lost_on: Option<Square> = None;
        for entry in record.entries() {
            let board = game.umpire().position().clone();
            // What a record holds was umpired once, by the same rules.
            let _ = game.judge(entry.tried);
            let said = &entry.announcement;
            let (Try::Move(mv), Verdict::Moved) = (entry.tried, said.verdict) else {
                turn.observe(said);
                continue;
            };
            let situation = &mut knows[said.by as usize];
            situation.begin_turn(lost_on, turn.has_pawn_try());
            let chosen = board.board_move(mv);
            tell(said.by, Decision { position: board, context: *situation, chosen });
            situation.record_move(Some(chosen), said.capture.map(|capture| capture.square));
            lost_on = said.capture.map(|_| mv.to);
            turn = OpponentTurn::after(said);
        }
    }

    /// His legal moves, and which of them he chose.
    pub fn moves(&self) -> (Vec<BoardMove>, usize) {
        let mut moves = Vec::new();
        self.position.board().generate_moves(|of_one_man| {
            moves.extend(of_one_man);
            false
        });
        let chosen = moves.iter().position(|mv| *mv == self.chosen);
        // What was played was legal.
        (moves, chosen.unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Game, Setup};

    #[test]
    fn a_player_remembers_what_he_lost_and_what_he_took() {
        let mut game = Game::new(Setup::default());
        // White takes on d5 and is taken back; a refused try between is no decision.
        for mv in ["e2e4", "d7d5", "e4e6", "e4d5", "d8d5", "b1c3"] {
            game.judge(mv.parse().unwrap()).unwrap();
        }
        let mut told = Vec::new();
        Decision::for_each(game.record(), |color, decision| told.push((color, decision)));
        assert_eq!(told.len(), 5);
        let (color, taking) = &told[2];
        assert_eq!(*color, Color::White);
        assert!(taking.context.has_pawn_try && taking.context.lost_on().is_none());
        assert_eq!(taking.context.last_move, Some("e2e4".parse().unwrap()));
        let (_, taking_back) = &told[3];
        assert_eq!(taking_back.context.lost_on(), Some(Square::D5));
        let (moves, chosen) = taking_back.moves();
        assert_eq!(moves[chosen], taking_back.chosen);
        let (_, last) = &told[4];
        assert_eq!(last.context.captured_on, Some(Square::D5));
        assert_eq!(last.context.lost_on(), Some(Square::D5));
        assert_eq!(last.context.move_count, 2);
    }
}
