//! One own turn and the opponent's turn after it, as they were heard: enough to live through them again on another board.

use cozy_chess::{Color, Move as BoardMove, Piece};
use krieg_core::{Announcement, PieceSet, Position, Try};

use crate::{
    MoveFilter, ObservationModel, OpponentBoard, OpponentContext, OpponentPolicy, OpponentTurn,
};

/// The own part of an exchange: the tries of one turn that told something.
#[derive(Debug, Clone)]
pub struct OwnTurn {
    /// The own men as the turn began.
    pub men: PieceSet,
    pub turn: Color,
    pub tries: Vec<(Try, Announcement)>,
}

impl OwnTurn {
    pub fn new(men: PieceSet, turn: Color) -> Self {
        OwnTurn { men, turn, tries: Vec::new() }
    }

    /// The board after the turn, as far as it went, if everything would have been answered so.
    pub fn replay(&self, board: &OpponentBoard, rules: &ObservationModel) -> Option<Position> {
        let mut position = board.position(&self.men, self.turn)?;
        for (tried, said) in &self.tries {
            position = rules.after_own_try(&position, *tried, said)?;
        }
        Some(position)
    }

    /// What the opponent knows as his turn begins: what he knew before, `memory`, and what he heard of this one.
    pub fn heard_by_opponent(
        &self,
        enemy: &OpponentTurn,
        memory: OpponentContext,
    ) -> OpponentContext {
        // Where the own man stands who captured: in passing, that is not where the pawn was that he took.
        let lost_on = match self.tries.last() {
            Some((Try::Move(mv), answer)) if answer.capture.is_some() => Some(mv.to),
            _ => None,
        };
        let mut situation = memory;
        situation.begin_turn(lost_on, enemy.has_pawn_try());
        situation
    }
}

/// An own turn, which may be nothing at the beginning, and the opponent's turn after it.
#[derive(Debug, Clone)]
pub struct TurnPair {
    pub own: OwnTurn,
    pub enemy: OpponentTurn,
    pub said: Announcement,
    pub situation: OpponentContext,
}

impl TurnPair {
    /// What the opponent knew before is `memory`; what he heard of the own turn is added.
    pub fn new(
        own: OwnTurn,
        enemy: OpponentTurn,
        said: Announcement,
        memory: OpponentContext,
    ) -> Self {
        let situation = own.heard_by_opponent(&enemy, memory);
        TurnPair { own, enemy, said, situation }
    }

    /// What the opponent knew before this exchange and has learned in it, but for his move.
    pub fn memory(&self) -> OpponentContext {
        let mut situation = self.situation;
        situation.record_move(None, self.said.capture.map(|capture| capture.square));
        situation
    }
}

/// A move of the opponent's that may have been played, and the board after it.
#[derive(Debug, Clone, Copy)]
pub struct Successor {
    pub mv: BoardMove,
    pub board: OpponentBoard,
    /// How likely he plays it.
    pub chance: f64,
    /// How much it counts for: that chance, or more where it stands for others that were not looked at.
    pub share: f64,
}

/// A board on which it is the opponent's turn, and the move of his that led there, if it is known.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'a> {
    pub board: &'a Position,
    pub last: Option<BoardMove>,
}

/// Room for lists that are made for each of thousands of boards.
#[derive(Debug, Default)]
pub struct ExpansionBuffer {
    moves: Vec<BoardMove>,
    weights: Vec<f64>,
    /// The numbers of the moves that a clue allows, with their chances.
    possible: Vec<(usize, f64)>,
    /// Moves that may have been played, once [`ExpansionBuffer::look`] has found them.
    pub found: Vec<Successor>,
    /// The same: which of the legal moves these are, and how many of them each stands for.
    pub fitting: Vec<(usize, f64)>,
    /// How many boards were made and looked at.
    pub looked_at: usize,
}

impl ExpansionBuffer {
    /// Lists the opponent's legal moves on a board, with the chance of each, and of these what a clue allows.
    fn list(
        &mut self,
        turn: Turn,
        rules: &ObservationModel,
        exchange: &TurnPair,
        model: &mut dyn OpponentPolicy,
    ) {
        let Turn { board, last } = turn;
        self.moves.clear();
        self.weights.clear();
        self.possible.clear();
        self.found.clear();
        self.fitting.clear();
        self.looked_at += 1;
        if !exchange.enemy.is_possible(board, &rules.ruleset) {
            return;
        }
        let ExpansionBuffer { moves, weights, possible, .. } = self;
        board.board().generate_moves(|of_one_man| {
            moves.extend(of_one_man);
            false
        });
        model.weigh_moves(
            board,
            &OpponentContext { last_move: last, ..exchange.situation },
            moves,
            weights,
        );
        let clue = MoveFilter::new(board, &rules.ruleset, &exchange.enemy, &exchange.said);
        let open = moves.iter().zip(weights.iter()).filter(|(mv, _)| clue.is_permitted(**mv));
        let sum: f64 = open.map(|(_, weight)| weight).sum();
        let king = board.board().king(board.turn());
        let [by_king, by_others] = [Piece::King, Piece::Pawn].map(|piece| clue.destinations(piece));
        for ((number, mv), weight) in (0..).zip(moves).zip(weights) {
            let landing = if mv.from == king { by_king } else { by_others };
            if landing.has(mv.to) && clue.is_consistent(*mv) {
                possible.push((number, *weight / sum));
            }
        }
    }

    /// Finds moves of the opponent's that may have been played on this board, each with the chance of it: all of them if
    /// there are no more than `most`, else that many drawn by chance, so that on the average it is the same. Says whether it was all.
    pub fn look(
        &mut self,
        turn: Turn,
        rules: &ObservationModel,
        exchange: &TurnPair,
        model: &mut dyn OpponentPolicy,
        most: usize,
        mut draw: impl FnMut() -> f64,
    ) -> bool {
        let board = turn.board;
        self.list(turn, rules, exchange, model);
        let thinned = self.possible.len() > most;
        let sum: f64 = self.possible.iter().map(|(_, chance)| chance).sum();
        let step = sum / most as f64;
        // At equal distances along all chances, beginning anywhere: whoever is passed by is looked at.
        let mut at = if thinned { draw() * step } else { 0.0 };
        for &(number, chance) in &self.possible {
            let mv = self.moves[number];
            let share = if thinned {
                at -= chance;
                if at >= 0.0 {
                    continue;
                }
                let passed = (-at / step).floor() + 1.0;
                at += passed * step;
                passed * step
            } else {
                chance
            };
            self.looked_at += 1;
            let mut after = board.clone();
            after.play_legal(mv);
            if rules.is_consistent(&after, &exchange.said) {
                self.fitting.push((number, share / chance));
                self.found.push(Successor {
                    mv,
                    board: OpponentBoard::of(&after, board.turn()),
                    chance,
                    share,
                });
            }
        }
        !thinned
    }

    /// How likely what was heard was to be heard: the chance that one of the moves found was played.
    pub fn seen(&self) -> f64 {
        self.found.iter().map(|next| next.share).sum()
    }

    /// One of the moves found, as likely as it should be. `at` is drawn from 0 to 1.
    pub fn draw(&self, at: f64) -> Option<Successor> {
        let mut at = at * self.seen();
        let passes = |next: &&Successor| {
            at -= next.share;
            at < 0.0
        };
        // Rounding may leave a little over.
        self.found.iter().find(passes).or(self.found.last()).copied()
    }

    /// If this move is legal, fits, and leads to a board that fits: that board, and the chance of it.
    pub fn follow(
        &mut self,
        turn: Turn,
        rules: &ObservationModel,
        exchange: &TurnPair,
        model: &mut dyn OpponentPolicy,
        mv: BoardMove,
    ) -> Option<Successor> {
        let board = turn.board;
        if !board.board().is_legal(mv) {
            return None;
        }
        self.list(turn, rules, exchange, model);
        let chance = self.possible.iter().find(|(number, _)| self.moves[*number] == mv)?.1;
        self.looked_at += 1;
        let mut after = board.clone();
        after.play_legal(mv);
        let next =
            Successor { mv, board: OpponentBoard::of(&after, board.turn()), chance, share: chance };
        rules.is_consistent(&after, &exchange.said).then_some(next)
    }
}
