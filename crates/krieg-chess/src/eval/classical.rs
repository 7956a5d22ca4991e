//! The hand-made evaluation: counted features, tuned weights.

use std::fmt;
use std::sync::Arc;

use cozy_chess::{BitBoard, Board, Color, Move as BoardMove, Piece, Square};

use super::board_delta::{BoardDelta, PlacedPiece};
use super::feature_sink::{FeatureCounts, FeatureSink, WeightedSum};
use super::pawns::{self, PawnHashTable};
use super::weights::{GROUPS, MATERIAL, TEMPO, WEIGHT_COUNT, Weights, from_side, square_weight};
use super::{Evaluate, TaperedValue, endgames, pieces};
use crate::score::MAX_EVAL;

/// How much each man belongs to the middlegame; all men together make [`OPENING`].
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const OPENING: i32 = 24;

/// The evaluation that ships with the engine.
#[derive(Debug, Clone)]
pub struct Classical {
    weights: Arc<Weights>,
    /// Material and square together, by colour, man and square: White's are positive.
    placed: Arc<[[[TaperedValue; 64]; 6]; 2]>,
    pawns: PawnHashTable,
}

/// What [`Classical`] keeps up to date: material, squares and the phase of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClassicalState {
    sum: TaperedValue,
    phase: i32,
}

impl Classical {
    /// An evaluation with these weights.
    pub fn new(weights: Weights) -> Self {
        let mut placed = [[[TaperedValue::default(); 64]; 6]; 2];
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in Square::ALL {
                    let mut sum = WeightedSum::new(&weights.0);
                    place(color, piece, square, &mut sum);
                    placed[color as usize][piece as usize][square as usize] = sum.total;
                }
            }
        }
        let pawns = PawnHashTable::new(&weights);
        Classical { weights: Arc::new(weights), placed: Arc::new(placed), pawns }
    }

    /// The weights in use.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    fn put(&self, state: &mut ClassicalState, man: PlacedPiece) {
        state.sum += self.placed[man.color as usize][man.piece as usize][man.square as usize];
        state.phase += PHASE[man.piece as usize];
    }

    fn take(&self, state: &mut ClassicalState, man: PlacedPiece) {
        state.sum -= self.placed[man.color as usize][man.piece as usize][man.square as usize];
        state.phase -= PHASE[man.piece as usize];
    }

    /// What each group of features adds, for White and for Black.
    pub fn break_down(&self, board: &Board) -> Breakdown {
        let features = Features::of(board);
        let rows = GROUPS
            .iter()
            .map(|group| {
                let total = (group.start..group.start + group.len)
                    .map(|at| self.weights.0[at] * i32::from(features.counts[at]))
                    .fold(TaperedValue::default(), |a, b| a + b);
                (group.name, total)
            })
            .filter(|(_, total)| *total != TaperedValue::default())
            .collect();
        let mut fresh = self.clone();
        let state = fresh.refresh(board);
        let value = fresh.evaluate(board, &state);
        let white = if board.side_to_move() == Color::White { value } else { -value };
        Breakdown { rows, phase: state.phase.min(OPENING), white }
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
                    self.put(&mut state, PlacedPiece { color, piece, square });
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
        let changes = BoardDelta::of(before, mv);
        for man in changes.gone.iter() {
            self.take(&mut next, man);
        }
        for man in changes.come.iter() {
            self.put(&mut next, man);
        }
        next
    }

    fn evaluate(&mut self, board: &Board, state: &ClassicalState) -> i32 {
        let pawns = Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn));
        let (facts, structure) = self.pawns.look_up(pawns, &self.weights);
        let mut sum = WeightedSum::new(&self.weights.0);
        pieces::count(board, &facts, &mut sum);
        sum.add(board.side_to_move(), TEMPO, 1);
        let white = mix(board, state.sum + structure + sum.total, state.phase);
        let own = if board.side_to_move() == Color::White { white } else { -white };
        endgames::fade(board, own).clamp(-MAX_EVAL, MAX_EVAL)
    }
}

/// From a middlegame and an endgame value to one, for White.
fn mix(board: &Board, total: TaperedValue, phase: i32) -> i32 {
    let phase = phase.min(OPENING);
    let stronger = if total.endgame() >= 0 { Color::White } else { Color::Black };
    let end = total.endgame() * endgames::scale(board, stronger) / endgames::FULL;
    let mixed = (total.middlegame() * phase + end * (OPENING - phase)) / OPENING;
    match endgames::mop_up(board) {
        Some((Color::White, driven)) => mixed + driven,
        Some((Color::Black, driven)) => mixed - driven,
        None => mixed,
    }
}

fn place<T: FeatureSink>(color: Color, piece: Piece, square: Square, tally: &mut T) {
    if piece != Piece::King {
        tally.add(color, MATERIAL + piece as usize, 1);
    }
    tally.add(color, square_weight(piece, from_side(square, color)), 1);
}

/// How often each feature occurs on a board, and how its values are mixed: what a tuner needs.
pub struct Features {
    /// How often each feature occurs: White's minus Black's.
    pub counts: Box<[i8; WEIGHT_COUNT]>,
    /// The share of the middlegame value.
    pub middlegame_share: f32,
    /// The share of the endgame value, for White ahead and for Black ahead.
    pub endgame_shares: [f32; 2],
}

impl Features {
    /// The features of a board.
    pub fn of(board: &Board) -> Self {
        let mut counts = FeatureCounts::new();
        let mut phase = 0;
        for color in Color::ALL {
            for piece in Piece::ALL {
                let pieces: BitBoard = board.colored_pieces(color, piece);
                phase += PHASE[piece as usize] * pieces.len() as i32;
                for square in pieces {
                    place(color, piece, square, &mut counts);
                }
            }
        }
        let pawns = Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn));
        let facts = pawns::count(pawns, &mut counts);
        pieces::count(board, &facts, &mut counts);
        counts.add(board.side_to_move(), TEMPO, 1);
        let middle = phase.min(OPENING) as f32 / OPENING as f32;
        let end = Color::ALL.map(|color| {
            (1.0 - middle) * endgames::scale(board, color) as f32 / endgames::FULL as f32
        });
        Features { counts: counts.0, middlegame_share: middle, endgame_shares: end }
    }
}

/// An evaluation taken apart, for people.
#[derive(Debug, Clone)]
pub struct Breakdown {
    /// Each group and what it adds, White's minus Black's.
    pub rows: Vec<(&'static str, TaperedValue)>,
    /// From 0, the ending, to 24, the opening.
    pub phase: i32,
    /// The whole, for White.
    pub white: i32,
}

impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<18}{:>10}{:>10}", "for White", "opening", "ending")?;
        for (name, pair) in &self.rows {
            writeln!(f, "{name:<18}{:>10}{:>10}", pair.middlegame(), pair.endgame())?;
        }
        writeln!(f, "phase {} of {OPENING}", self.phase)?;
        write!(f, "value {} hundredths of a pawn for White", self.white)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::move_picker::legal_moves;
    use crate::testing::{boards, turned};

    fn value(board: &Board) -> i32 {
        let mut eval = Classical::default();
        eval.evaluate(board, &eval.refresh(board))
    }

    #[test]
    fn both_colours_are_valued_alike() {
        for board in boards(300, 1) {
            assert_eq!(value(&board), value(&turned(&board)), "{board}");
        }
    }

    #[test]
    fn what_is_updated_is_what_would_be_computed() {
        let eval = Classical::default();
        for board in boards(300, 2) {
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
    fn the_cache_changes_no_value() {
        let mut used = Classical::default();
        for board in boards(300, 3) {
            let state = used.refresh(&board);
            assert_eq!(used.evaluate(&board, &state), value(&board));
        }
    }

    #[test]
    fn the_tuner_sees_what_the_engine_adds_up() {
        let weights = Weights::tuned();
        for board in boards(300, 4) {
            let has_bare_king = Color::ALL.into_iter().any(|color| board.colors(color).len() == 1);
            if has_bare_king {
                continue; // driving it is not tuned
            }
            let features = Features::of(&board);
            let total = (0..WEIGHT_COUNT)
                .map(|at| weights.0[at] * i32::from(features.counts[at]))
                .fold(TaperedValue::default(), |a, b| a + b);
            let end = features.endgame_shares[usize::from(total.endgame() < 0)];
            let mixed = total.middlegame() as f32 * features.middlegame_share
                + total.endgame() as f32 * end;
            let mut calm = board.clone();
            calm.set_halfmove_clock(0);
            let own = value(&calm);
            let white = if board.side_to_move() == Color::White { own } else { -own };
            assert!((mixed - white as f32).abs() <= 2.0, "{board}: {mixed} {white}");
        }
    }
}
