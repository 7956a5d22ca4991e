//! The classical evaluation: counted features with tuned weights, tapered between middlegame and
//! endgame.

use std::fmt;
use std::sync::Arc;

use cozy_chess::{BitBoard, Board, Color, Move as BoardMove, Piece, Square};

use super::board_delta::{BoardDelta, PlacedPiece};
use super::feature_sink::{FeatureCounts, FeatureSink, WeightedSum};
use super::pawns::{self, PawnHashTable};
use super::weights::{
    GROUPS, MATERIAL, TEMPO, WEIGHT_COUNT, Weights, relative_square, square_weight,
};
use super::{Evaluate, TaperedValue, endgames, pieces};
use crate::score::MAX_EVAL;

/// Contribution of each piece type to the game phase; the initial position has [`MAX_PHASE`].
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const MAX_PHASE: i32 = 24;

/// The classical evaluation.
#[derive(Debug, Clone)]
pub struct Classical {
    weights: Arc<Weights>,
    /// Material and piece-square values, by colour, piece type and square; Black's are negative.
    piece_square: Arc<[[[TaperedValue; 64]; 6]; 2]>,
    pawns: PawnHashTable,
}

/// The incrementally updated state of [`Classical`]: material and piece-square values, and the game
/// phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClassicalState {
    piece_square: TaperedValue,
    phase: i32,
}

impl Classical {
    /// An evaluation with these weights.
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        let mut piece_square = [[[TaperedValue::default(); 64]; 6]; 2];
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in Square::ALL {
                    let mut sum = WeightedSum::new(&weights.0);
                    count_piece_square(color, piece, square, &mut sum);
                    piece_square[color as usize][piece as usize][square as usize] = sum.total;
                }
            }
        }
        let pawns = PawnHashTable::new(&weights);
        Classical { weights: Arc::new(weights), piece_square: Arc::new(piece_square), pawns }
    }

    /// The weights.
    #[must_use]
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    fn piece_square_value(&self, placed: PlacedPiece) -> TaperedValue {
        let PlacedPiece { color, piece, square } = placed;
        self.piece_square[color as usize][piece as usize][square as usize]
    }

    fn add_piece(&self, state: &mut ClassicalState, placed: PlacedPiece) {
        state.piece_square += self.piece_square_value(placed);
        state.phase += PHASE[placed.piece as usize];
    }

    fn remove_piece(&self, state: &mut ClassicalState, placed: PlacedPiece) {
        state.piece_square -= self.piece_square_value(placed);
        state.phase -= PHASE[placed.piece as usize];
    }

    /// The contribution of each group of features to the evaluation.
    #[must_use]
    pub fn break_down(&self, board: &Board) -> Breakdown {
        let features = Features::of(board);
        let rows = GROUPS
            .iter()
            .map(|group| {
                let total = group
                    .range()
                    .map(|index| self.weights.0[index] * i32::from(features.counts[index]))
                    .fold(TaperedValue::default(), |a, b| a + b);
                (group.name, total)
            })
            .filter(|(_, total)| *total != TaperedValue::default())
            .collect();
        let mut evaluation = self.clone();
        let state = evaluation.refresh(board);
        let value = evaluation.evaluate(board, &state);
        let white = if board.side_to_move() == Color::White { value } else { -value };
        Breakdown { rows, phase: state.phase.min(MAX_PHASE), white }
    }
}

impl Default for Classical {
    fn default() -> Self {
        Classical::new(Weights::tuned())
    }
}

impl Evaluate for Classical {
    type State = ClassicalState;

    fn refresh(&self, board: &Board) -> ClassicalState {
        let mut state = ClassicalState::default();
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in board.colored_pieces(color, piece) {
                    self.add_piece(&mut state, PlacedPiece { color, piece, square });
                }
            }
        }
        state
    }

    fn update(
        &self,
        state: &ClassicalState,
        before: &Board,
        mv: BoardMove,
        _: &Board,
    ) -> ClassicalState {
        let mut next = *state;
        let delta = BoardDelta::of(before, mv);
        for placed in delta.removed.iter() {
            self.remove_piece(&mut next, placed);
        }
        for placed in delta.added.iter() {
            self.add_piece(&mut next, placed);
        }
        next
    }

    fn evaluate(&mut self, board: &Board, state: &ClassicalState) -> i32 {
        let pawns = Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn));
        let (structure, pawn_value) = self.pawns.look_up(pawns, &self.weights);
        let mut sum = WeightedSum::new(&self.weights.0);
        pieces::count(board, &structure, &mut sum);
        sum.add(board.side_to_move(), TEMPO, 1);
        let total = state.piece_square + pawn_value + sum.total;
        let white = taper(board, total, state.phase);
        let own = if board.side_to_move() == Color::White { white } else { -white };
        endgames::scale_by_halfmove_clock(board, own).clamp(-MAX_EVAL, MAX_EVAL)
    }
}

/// Tapered evaluation: interpolates between the middlegame and the endgame value, for White.
fn taper(board: &Board, total: TaperedValue, phase: i32) -> i32 {
    let phase = phase.min(MAX_PHASE);
    let stronger = if total.endgame() >= 0 { Color::White } else { Color::Black };
    let endgame = total.endgame() * endgames::scale(board, stronger) / endgames::FULL_SCALE;
    let value = (total.middlegame() * phase + endgame * (MAX_PHASE - phase)) / MAX_PHASE;
    match endgames::mop_up(board) {
        Some((Color::White, bonus)) => value + bonus,
        Some((Color::Black, bonus)) => value - bonus,
        None => value,
    }
}

/// Counts the material and piece-square features of one piece.
fn count_piece_square<T: FeatureSink>(color: Color, piece: Piece, square: Square, sink: &mut T) {
    if piece != Piece::King {
        sink.add(color, MATERIAL + piece as usize, 1);
    }
    sink.add(color, square_weight(piece, relative_square(square, color)), 1);
}

/// The feature counts of a board and the shares of its middlegame and endgame values, for tuning.
pub struct Features {
    /// Count of each feature, White's minus Black's.
    pub counts: Box<[i8; WEIGHT_COUNT]>,
    /// Share of the middlegame value in the evaluation.
    pub middlegame_share: f32,
    /// Share of the endgame value if White has the advantage, and if Black has it.
    pub endgame_shares: [f32; 2],
}

impl Features {
    /// Counts the features of a board.
    #[must_use]
    pub fn of(board: &Board) -> Self {
        let mut counts = FeatureCounts::new();
        let mut phase = 0;
        for color in Color::ALL {
            for piece in Piece::ALL {
                let squares: BitBoard = board.colored_pieces(color, piece);
                phase += PHASE[piece as usize] * squares.len() as i32;
                for square in squares {
                    count_piece_square(color, piece, square, &mut counts);
                }
            }
        }
        let pawns = Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn));
        let structure = pawns::count(pawns, &mut counts);
        pieces::count(board, &structure, &mut counts);
        counts.add(board.side_to_move(), TEMPO, 1);
        let middlegame_share = phase.min(MAX_PHASE) as f32 / MAX_PHASE as f32;
        let endgame_shares = Color::ALL.map(|color| {
            (1.0 - middlegame_share) * endgames::scale(board, color) as f32
                / endgames::FULL_SCALE as f32
        });
        Features { counts: counts.0, middlegame_share, endgame_shares }
    }
}

/// The contributions of the feature groups to a classical evaluation, for display.
#[derive(Debug, Clone)]
pub struct Breakdown {
    /// Name and contribution of each group, White's minus Black's.
    pub rows: Vec<(&'static str, TaperedValue)>,
    /// Game phase, from 0 (endgame) to 24 (opening).
    pub phase: i32,
    /// The evaluation for White, in centipawns.
    pub white: i32,
}

impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<18}{:>10}{:>10}", "for White", "middlegame", "endgame")?;
        for (name, value) in &self.rows {
            writeln!(f, "{name:<18}{:>10}{:>10}", value.middlegame(), value.endgame())?;
        }
        writeln!(f, "phase {} of {MAX_PHASE}", self.phase)?;
        write!(f, "value {} centipawns for White", self.white)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::legal_moves;
    use crate::testing::{colors_swapped, random_boards};

    fn value(board: &Board) -> i32 {
        let mut eval = Classical::default();
        eval.evaluate(board, &eval.refresh(board))
    }

    #[test]
    fn the_evaluation_is_symmetric_in_colours() {
        for board in random_boards(300, 1) {
            assert_eq!(value(&board), value(&colors_swapped(&board)), "{board}");
        }
    }

    #[test]
    fn incremental_updates_agree_with_refresh() {
        let eval = Classical::default();
        for board in random_boards(300, 2) {
            let state = eval.refresh(&board);
            for mv in legal_moves(&board) {
                let mut after = board.clone();
                after.play_unchecked(mv);
                assert_eq!(
                    eval.update(&state, &board, mv, &after),
                    eval.refresh(&after),
                    "{board} {mv}"
                );
            }
        }
    }

    #[test]
    fn the_pawn_hash_table_changes_no_value() {
        let mut reused = Classical::default();
        for board in random_boards(300, 3) {
            let state = reused.refresh(&board);
            assert_eq!(reused.evaluate(&board, &state), value(&board));
        }
    }

    #[test]
    fn feature_counts_reproduce_the_evaluation() {
        let weights = Weights::tuned();
        for board in random_boards(300, 4) {
            let has_lone_king = Color::ALL.into_iter().any(|color| board.colors(color).len() == 1);
            if has_lone_king {
                continue; // the mop-up evaluation is not tuned
            }
            let features = Features::of(&board);
            let total = (0..WEIGHT_COUNT)
                .map(|index| weights.0[index] * i32::from(features.counts[index]))
                .fold(TaperedValue::default(), |a, b| a + b);
            let endgame_share = features.endgame_shares[usize::from(total.endgame() < 0)];
            let counted = total.middlegame() as f32 * features.middlegame_share
                + total.endgame() as f32 * endgame_share;
            let mut clock_reset = board.clone();
            clock_reset.set_halfmove_clock(0);
            let own = value(&clock_reset);
            let white = if board.side_to_move() == Color::White { own } else { -own };
            assert!((counted - white as f32).abs() <= 2.0, "{board}: {counted} {white}");
        }
    }
}
