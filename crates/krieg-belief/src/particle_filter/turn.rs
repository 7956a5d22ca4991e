//! An own turn and the opponent's turn after it, with their announcements: everything that is
//! needed to replay both on another board.

use cozy_chess::{Color, Move as BoardMove, Piece};
use krieg_core::{Announcement, PieceSet, Position, Try};

use crate::{
    MoveFilter, ObservationModel, OpponentBoard, OpponentContext, OpponentPolicy, OpponentTurn,
};

/// The player's turn: the tries whose answers depend on the board.
#[derive(Debug, Clone)]
pub struct OwnTurn {
    /// The player's pieces at the start of the turn.
    pub pieces: PieceSet,
    /// The colour to move at the start of the turn.
    pub to_move: Color,
    pub tries: Vec<(Try, Announcement)>,
}

impl OwnTurn {
    pub fn new(pieces: PieceSet, to_move: Color) -> Self {
        OwnTurn { pieces, to_move, tries: Vec::new() }
    }

    /// The position after the tries so far, if they would have had the same answers on this board.
    pub fn replay(&self, board: &OpponentBoard, rules: &ObservationModel) -> Option<Position> {
        let mut position = board.position(&self.pieces, self.to_move)?;
        for (tried, announcement) in &self.tries {
            position = rules.after_own_try(&position, *tried, announcement)?;
        }
        Some(position)
    }

    /// What the opponent knows at the start of their turn: what they knew before, `context`, and
    /// what they observed of this turn.
    pub fn opponent_context(
        &self,
        opponent_turn: &OpponentTurn,
        mut context: OpponentContext,
    ) -> OpponentContext {
        // The square of the capturing piece. After en passant it is not the captured pawn's square.
        let lost_on = match self.tries.last() {
            Some((Try::Move(mv), answer)) if answer.capture.is_some() => Some(mv.to),
            _ => None,
        };
        context.begin_turn(lost_on, opponent_turn.has_pawn_try());
        context
    }
}

/// An own turn, which is empty if the opponent moves first, and the opponent's turn after it.
#[derive(Debug, Clone)]
pub struct TurnPair {
    pub own: OwnTurn,
    pub opponent: OpponentTurn,
    /// The announcement of the opponent's move.
    pub announcement: Announcement,
    /// What the opponent knew before that move.
    pub context: OpponentContext,
}

impl TurnPair {
    /// `context` is what the opponent knew before the own turn.
    pub fn new(
        own: OwnTurn,
        opponent: OpponentTurn,
        announcement: Announcement,
        context: OpponentContext,
    ) -> Self {
        let context = own.opponent_context(&opponent, context);
        TurnPair { own, opponent, announcement, context }
    }

    /// What the opponent knows after this pair of turns, without their last move.
    pub fn next_context(&self) -> OpponentContext {
        let mut context = self.context;
        context.record_move(None, self.announcement.capture.map(|capture| capture.square));
        context
    }
}

/// A possible move of the opponent, and the board after it.
#[derive(Debug, Clone, Copy)]
pub struct Successor {
    pub mv: BoardMove,
    pub board: OpponentBoard,
    /// The probability of the move.
    pub probability: f64,
    /// The weight of the successor: that probability, or more if the successor also stands for
    /// moves that were not sampled.
    pub weight: f64,
}

/// A position in which the opponent is to move, and the opponent's last move before it, if known.
#[derive(Debug, Clone, Copy)]
pub struct TurnStart<'a> {
    pub position: &'a Position,
    pub last_move: Option<BoardMove>,
}

/// Lists that are reused for thousands of boards.
#[derive(Debug, Default)]
pub struct ExpansionBuffer {
    moves: Vec<BoardMove>,
    weights: Vec<f64>,
    /// Indices of the moves that pass the move filter, with their probabilities.
    possible: Vec<(usize, f64)>,
    /// The consistent successors that [`ExpansionBuffer::expand`] found.
    pub successors: Vec<Successor>,
    /// For each of them, the index of its move among the legal moves, and how many moves it stands
    /// for.
    pub consistent: Vec<(usize, f64)>,
    /// Number of boards that were generated and examined.
    pub examined: usize,
}

impl ExpansionBuffer {
    /// Lists the opponent's legal moves with their probabilities, and those among them that pass
    /// the move filter.
    fn list_moves(
        &mut self,
        start: TurnStart,
        rules: &ObservationModel,
        turns: &TurnPair,
        model: &mut dyn OpponentPolicy,
    ) {
        let TurnStart { position, last_move } = start;
        self.moves.clear();
        self.weights.clear();
        self.possible.clear();
        self.successors.clear();
        self.consistent.clear();
        self.examined += 1;
        if !turns.opponent.is_possible(position, &rules.ruleset) {
            return;
        }
        let ExpansionBuffer { moves, weights, possible, .. } = self;
        position.board().generate_moves(|piece_moves| {
            moves.extend(piece_moves);
            false
        });
        let context = OpponentContext { last_move, ..turns.context };
        model.weigh_moves(position, &context, moves, weights);
        let filter =
            MoveFilter::new(position, &rules.ruleset, &turns.opponent, &turns.announcement);
        let permitted =
            moves.iter().zip(weights.iter()).filter(|(mv, _)| filter.is_permitted(**mv));
        let sum: f64 = permitted.map(|(_, weight)| weight).sum();
        let king = position.board().king(position.turn());
        let [of_king, of_others] =
            [Piece::King, Piece::Pawn].map(|piece| filter.destinations(piece));
        for ((index, mv), weight) in (0..).zip(moves).zip(weights) {
            let destinations = if mv.from == king { of_king } else { of_others };
            if destinations.has(mv.to) && filter.is_consistent(*mv) {
                possible.push((index, *weight / sum));
            }
        }
    }

    /// Finds the successors of a board that are consistent with the announcement. If more than
    /// `max_moves` moves pass the move filter, that many are drawn by systematic sampling, and
    /// their weights make up for the others in expectation. Returns whether all moves were
    /// examined.
    pub fn expand(
        &mut self,
        start: TurnStart,
        rules: &ObservationModel,
        turns: &TurnPair,
        model: &mut dyn OpponentPolicy,
        max_moves: usize,
        mut draw: impl FnMut() -> f64,
    ) -> bool {
        let position = start.position;
        self.list_moves(start, rules, turns, model);
        let is_sampled = self.possible.len() > max_moves;
        let sum: f64 = self.possible.iter().map(|(_, probability)| probability).sum();
        let step = sum / max_moves as f64;
        let mut at = if is_sampled { draw() * step } else { 0.0 };
        for &(index, probability) in &self.possible {
            let mv = self.moves[index];
            let weight = if is_sampled {
                at -= probability;
                if at >= 0.0 {
                    continue;
                }
                let steps = (-at / step).floor() + 1.0;
                at += steps * step;
                steps * step
            } else {
                probability
            };
            self.examined += 1;
            let mut after = position.clone();
            after.play_legal(mv);
            if rules.is_consistent(&after, &turns.announcement) {
                self.consistent.push((index, weight / probability));
                let board = OpponentBoard::of(&after, position.turn());
                self.successors.push(Successor { mv, board, probability, weight });
            }
        }
        !is_sampled
    }

    /// The likelihood of the announcement: the probability that one of the successors was reached.
    pub fn likelihood(&self) -> f64 {
        self.successors.iter().map(|next| next.weight).sum()
    }

    /// One of the successors, drawn by weight. `at` is uniform in 0..1.
    pub fn draw(&self, at: f64) -> Option<Successor> {
        let mut at = at * self.likelihood();
        let is_drawn = |next: &&Successor| {
            at -= next.weight;
            at < 0.0
        };
        // Rounding errors may leave a remainder.
        self.successors.iter().find(is_drawn).or(self.successors.last()).copied()
    }

    /// The successor by this move, if the move is legal and consistent with the announcement.
    pub fn follow(
        &mut self,
        start: TurnStart,
        rules: &ObservationModel,
        turns: &TurnPair,
        model: &mut dyn OpponentPolicy,
        mv: BoardMove,
    ) -> Option<Successor> {
        let position = start.position;
        if !position.board().is_legal(mv) {
            return None;
        }
        self.list_moves(start, rules, turns, model);
        let probability = self.possible.iter().find(|(index, _)| self.moves[*index] == mv)?.1;
        self.examined += 1;
        let mut after = position.clone();
        after.play_legal(mv);
        let board = OpponentBoard::of(&after, position.turn());
        let next = Successor { mv, board, probability, weight: probability };
        rules.is_consistent(&after, &turns.announcement).then_some(next)
    }
}
