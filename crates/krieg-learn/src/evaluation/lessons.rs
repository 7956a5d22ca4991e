//! The quiet positions of games, kept small: what networks are trained on.

use cozy_chess::{Color, Piece, Square};

use super::GameLine;
use super::games::quiet_positions;
use krieg_chess::eval::{INPUT_FEATURES, Perspective, feature_index, output_bucket};
use krieg_chess::expected_score;

/// A quiet position in 32 bytes, seen as if White were to move, and what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lesson {
    occupied: u64,
    /// Four bits for each man, from a1 on: the kind, and 8 for those of the side that waits.
    men: [u8; 16],
    /// What the search thought, in hundredths of a pawn.
    searched: i16,
    /// What the mover got in the end, in half points.
    result: u8,
}

/// The most men on a board.
pub(super) const MEN: usize = 32;

/// The inputs that are on, as the side to move sees them and as the other does.
pub(super) struct Inputs {
    pub count: usize,
    pub own: [u16; MEN],
    pub other: [u16; MEN],
}

impl Lesson {
    /// The inputs it turns on.
    pub(super) fn inputs(&self) -> Inputs {
        let men = self.men();
        let king = |color| {
            let is_king = |man: &&(Color, Piece, Square)| man.0 == color && man.1 == Piece::King;
            men.iter().flatten().find(is_king).map_or(Square::E1, |man| man.2)
        };
        let own = Perspective::with_king(Color::White, king(Color::White));
        let other = Perspective::with_king(Color::Black, king(Color::Black));
        let mut inputs = Inputs { count: 0, own: [0; MEN], other: [0; MEN] };
        for &(color, piece, square) in men.iter().flatten() {
            inputs.own[inputs.count] = feature_index(own, color, piece, square) as u16;
            inputs.other[inputs.count] = feature_index(other, color, piece, square) as u16;
            inputs.count += 1;
        }
        debug_assert!(inputs.own.iter().all(|&at| usize::from(at) < INPUT_FEATURES));
        inputs
    }

    fn men(&self) -> [Option<(Color, Piece, Square)>; MEN] {
        let mut men = [None; MEN];
        let mut left = self.occupied;
        for (at, place) in men.iter_mut().enumerate() {
            if left == 0 {
                break;
            }
            let code = self.men[at / 2] >> (at % 2 * 4) & 15;
            let color = if code & 8 == 0 { Color::White } else { Color::Black };
            let piece = Piece::index(usize::from(code & 7));
            *place = Some((color, piece, Square::index(left.trailing_zeros() as usize)));
            left &= left - 1;
        }
        men
    }

    /// Which output weights it asks for.
    pub(super) fn bucket(&self) -> usize {
        output_bucket(self.occupied.count_ones() as usize)
    }

    /// What the mover should be taught to expect, if the game's result counts so much.
    pub(super) fn wanted(&self, blend: f32) -> f32 {
        let searched = expected_score(f64::from(self.searched)) as f32;
        f32::from(self.result) / 2.0 * blend + searched * (1.0 - blend)
    }
}

/// The quiet positions of a game.
pub fn lessons(game: &GameLine) -> Vec<Lesson> {
    quiet_positions(game)
        .map(|quiet| {
            let board = quiet.position.board();
            let mover = board.side_to_move();
            let turn = if mover == Color::Black { 56 } else { 0 };
            let mut lesson = Lesson {
                occupied: 0,
                men: [0; 16],
                searched: quiet.value.clamp(-30_000, 30_000) as i16,
                result: if mover == Color::White { game.white } else { 2 - game.white },
            };
            let mut men: Vec<(u8, u8)> = board
                .occupied()
                .into_iter()
                .filter_map(|square| {
                    let side = if board.color_on(square)? == mover { 0 } else { 8 };
                    Some((square as u8 ^ turn, board.piece_on(square)? as u8 | side))
                })
                .collect();
            men.sort_unstable();
            for (at, (square, code)) in men.into_iter().enumerate() {
                lesson.occupied |= 1 << square;
                lesson.men[at / 2] |= code << (at % 2 * 4);
            }
            lesson
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Position, Setup};
    use krieg_testing::random_game;

    #[test]
    fn a_lesson_turns_on_what_the_engine_does() {
        let mut seen = 0;
        for seed in 0..300 {
            let game = random_game(Setup::default(), seed, 4 + seed as usize % 116);
            let start: Position = game.umpire().position().clone();
            let board = start.board();
            let moves = start.legal_moves().into_iter().map(|mv| (mv, 7));
            let games =
                moves.map(|mv| GameLine { start: start.clone(), moves: vec![mv], white: 2 });
            let Some(lesson) = games.flat_map(|game| lessons(&game)).next() else { continue };
            let mover = board.side_to_move();
            let expected = |who: Color| {
                let on = board.occupied().into_iter().map(|square| {
                    let (color, piece) = (board.color_on(square), board.piece_on(square));
                    feature_index(
                        Perspective::of(board, who),
                        color.unwrap(),
                        piece.unwrap(),
                        square,
                    ) as u16
                });
                let mut on: Vec<u16> = on.collect();
                on.sort_unstable();
                on
            };
            let Inputs { count, mut own, mut other } = lesson.inputs();
            own[..count].sort_unstable();
            other[..count].sort_unstable();
            assert_eq!(own[..count], expected(mover), "{board}");
            assert_eq!(other[..count], expected(!mover), "{board}");
            let won = if mover == Color::White { 1.0 } else { 0.0 };
            assert_eq!(lesson.wanted(1.0), won);
            seen += 1;
        }
        assert!(seen > 100, "{seen}");
    }
}
