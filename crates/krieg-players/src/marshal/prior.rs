//! What is expected of a try before it is looked at.

use krieg_chess::exchange_gain;
use krieg_core::{Men, Move, Piece, Position, Promotion, Square, View};

use super::tree::Arm;

/// What the player has just heard, as far as it bears on what to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Call {
    /// Where he has just lost a man.
    pub lost_on: Option<Square>,
    /// Whether he was told that a pawn of his can capture.
    pub has_pawn_try: bool,
}

/// How much a pawn won by an exchange adds to what is expected.
const OF_A_PAWN: f32 = 0.6;
/// What is added for castling: a king in the middle is found sooner than one in his corner.
const CASTLING: f32 = 2.5;
/// What is added if a try is legal on none of the boards.
const REFUSED: f32 = -6.0;
/// No exchange counts for more pawns than this.
const LARGEST: f32 = 9.0;

/// How tempting a try is to somebody who sees only his own men; of 1 more it is 2.7 times as tempting.
fn temptation(men: &Men, mv: Move, call: Call) -> f32 {
    let Some(piece) = men.on(mv.from) else { return 0.0 };
    let mut sum = match piece {
        Piece::Pawn => 0.2,
        Piece::Knight | Piece::Bishop => 0.3,
        Piece::Rook => 0.0,
        Piece::Queen => -0.2,
        Piece::King => -0.6,
    };
    if piece == Piece::King && (mv.from.file() as i32 - mv.to.file() as i32).abs() > 1 {
        sum += CASTLING;
    }
    let takes = piece != Piece::Pawn || men.is_pawn_capture(mv);
    if takes && call.lost_on == Some(mv.to) {
        // The least man first.
        sum += 4.0 - 0.3 * piece as u8 as f32;
    }
    if piece == Piece::Pawn {
        let is_capture = men.is_pawn_capture(mv);
        if is_capture && call.has_pawn_try {
            sum += 3.0;
        } else if is_capture {
            sum -= 0.5;
        }
        let rank = mv.to.rank().relative_to(men.color()) as usize;
        sum += [0.0, 0.0, 0.0, 0.0, 0.1, 0.4, 0.8, 2.0][rank];
        sum += match mv.promotion {
            None => 0.0,
            Some(Promotion::Queen) => 2.0,
            Some(Promotion::Knight) => -2.0,
            Some(_) => -4.0,
        };
    }
    sum
}

/// The tries of a view, with what is expected of each by somebody who sees only his own men.
pub fn blind(view: &View, call: Call) -> Vec<Arm> {
    let men = view.men();
    let arms = view.tries().iter().map(|mv| Arm::new(mv, temptation(men, mv, call)));
    share(arms.collect())
}

/// The same by somebody who can imagine some boards: what exchanges win on the average where a try is legal counts as well.
pub fn imagined<'a>(
    view: &View,
    call: Call,
    boards: impl Iterator<Item = &'a Position> + Clone,
) -> Vec<Arm> {
    let men = view.men();
    let arms = view.tries().iter().map(|mv| {
        let (mut sum, mut count) = (0.0, 0.0);
        for board in boards.clone() {
            let on_board = board.board_move(mv);
            if board.board().is_legal(on_board) {
                count += 1.0;
                sum += (exchange_gain(board.board(), on_board) as f32 / 100.0)
                    .clamp(-LARGEST, LARGEST);
            }
        }
        // What is legal nowhere, as far as one can see, would only be refused.
        let gain = if count > 0.0 { OF_A_PAWN * sum / count } else { REFUSED };
        Arm::new(mv, temptation(men, mv, call) + gain)
    });
    share(arms.collect())
}

/// From temptations to shares of a whole.
fn share(mut arms: Vec<Arm>) -> Vec<Arm> {
    let highest = arms.iter().map(|arm| arm.prior).fold(f32::MIN, f32::max);
    arms.iter_mut().for_each(|arm| arm.prior = (arm.prior - highest).exp());
    let sum: f32 = arms.iter().map(|arm| arm.prior).sum();
    arms.iter_mut().for_each(|arm| arm.prior /= sum);
    arms.sort_by(|a, b| b.prior.total_cmp(&a.prior));
    arms
}
