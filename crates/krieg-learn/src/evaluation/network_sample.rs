//! The training samples of the network: quiet positions in compact form.

use cozy_chess::{Color, Piece, Square};
use krieg_chess::eval::{INPUT_FEATURES, Perspective, feature_index, output_bucket};
use krieg_chess::expected_score;

use super::GameLine;
use super::game_line::quiet_positions;
use crate::training_set::blended_target;

/// A quiet position in 32 bytes, mirrored so that White is to move, with its value and the outcome
/// of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NetworkSample {
    occupied: u64,
    /// Four bits per piece, from a1 on: the kind, plus 8 for pieces of the side not to move.
    pieces: [u8; 16],
    /// The value found by the search, in centipawns, for the side to move.
    searched: i16,
    /// The result of the side to move, in half points.
    half_points: u8,
}

/// Maximum number of pieces on a board.
pub(super) const MAX_PIECES: usize = 32;
/// Values are clipped to this number of centipawns.
const MAX_VALUE: i32 = 30_000;

/// The active input features, from the perspective of the side to move and of the other side.
pub(super) struct ActiveFeatures {
    pub count: usize,
    pub own: [u16; MAX_PIECES],
    pub other: [u16; MAX_PIECES],
}

impl NetworkSample {
    /// The active input features of the position.
    pub(super) fn features(&self) -> ActiveFeatures {
        let pieces = self.pieces();
        let king = |color| {
            let is_king =
                |piece: &&(Color, Piece, Square)| (piece.0, piece.1) == (color, Piece::King);
            pieces.iter().flatten().find(is_king).map_or(Square::E1, |piece| piece.2)
        };
        let own = Perspective::with_king(Color::White, king(Color::White));
        let other = Perspective::with_king(Color::Black, king(Color::Black));
        let mut features =
            ActiveFeatures { count: 0, own: [0; MAX_PIECES], other: [0; MAX_PIECES] };
        for &(color, piece, square) in pieces.iter().flatten() {
            features.own[features.count] = feature_index(own, color, piece, square) as u16;
            features.other[features.count] = feature_index(other, color, piece, square) as u16;
            features.count += 1;
        }
        debug_assert!(features.own.iter().all(|&index| usize::from(index) < INPUT_FEATURES));
        features
    }

    fn pieces(&self) -> [Option<(Color, Piece, Square)>; MAX_PIECES] {
        let mut pieces = [None; MAX_PIECES];
        let mut left = self.occupied;
        for (index, piece) in pieces.iter_mut().enumerate() {
            if left == 0 {
                break;
            }
            let code = self.pieces[index / 2] >> (index % 2 * 4) & 15;
            let color = if code & 8 == 0 { Color::White } else { Color::Black };
            let kind = Piece::index(usize::from(code & 7));
            *piece = Some((color, kind, Square::index(left.trailing_zeros() as usize)));
            left &= left - 1;
        }
        pieces
    }

    /// The output bucket of the position.
    pub(super) fn bucket(&self) -> usize {
        output_bucket(self.occupied.count_ones() as usize)
    }

    /// The target for the side to move, with this weight of the outcome of the game.
    pub(super) fn target(&self, outcome_weight: f32) -> f32 {
        let searched = expected_score(f64::from(self.searched)) as f32;
        blended_target(f32::from(self.half_points) / 2.0, searched, outcome_weight)
    }
}

/// The samples of a game: its quiet positions.
#[must_use]
pub fn network_samples(game: &GameLine) -> Vec<NetworkSample> {
    quiet_positions(game)
        .map(|quiet| {
            let board = quiet.position.board();
            let mover = board.side_to_move();
            let mirror = if mover == Color::Black { 56 } else { 0 };
            let white = game.white_half_points;
            let mut sample = NetworkSample {
                occupied: 0,
                pieces: [0; 16],
                searched: quiet.value.clamp(-MAX_VALUE, MAX_VALUE) as i16,
                half_points: if mover == Color::White { white } else { 2 - white },
            };
            let mut pieces: Vec<(u8, u8)> = board
                .occupied()
                .into_iter()
                .filter_map(|square| {
                    let side = if board.color_on(square)? == mover { 0 } else { 8 };
                    Some((square as u8 ^ mirror, board.piece_on(square)? as u8 | side))
                })
                .collect();
            pieces.sort_unstable();
            for (index, (square, code)) in pieces.into_iter().enumerate() {
                sample.occupied |= 1 << square;
                sample.pieces[index / 2] |= code << (index % 2 * 4);
            }
            sample
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Position, Setup};
    use krieg_testing::random_game;

    #[test]
    fn a_sample_activates_the_same_features_as_the_engine() {
        let mut compared = 0;
        for seed in 0..300 {
            let game = random_game(Setup::default(), seed, 4 + seed as usize % 116);
            let start: Position = game.umpire().position().clone();
            let board = start.board();
            let moves = start.legal_moves().into_iter().map(|mv| (mv, 7));
            let games = moves.map(|mv| GameLine {
                start: start.clone(),
                moves: vec![mv],
                white_half_points: 2,
            });
            let Some(sample) = games.flat_map(|game| network_samples(&game)).next() else {
                continue;
            };
            let mover = board.side_to_move();
            let expected = |side: Color| {
                let perspective = Perspective::of(board, side);
                let features = board.occupied().into_iter().map(|square| {
                    let (color, piece) = (board.color_on(square), board.piece_on(square));
                    feature_index(perspective, color.unwrap(), piece.unwrap(), square) as u16
                });
                let mut features: Vec<u16> = features.collect();
                features.sort_unstable();
                features
            };
            let ActiveFeatures { count, mut own, mut other } = sample.features();
            own[..count].sort_unstable();
            other[..count].sort_unstable();
            assert_eq!(own[..count], expected(mover), "{board}");
            assert_eq!(other[..count], expected(!mover), "{board}");
            let won = if mover == Color::White { 1.0 } else { 0.0 };
            assert_eq!(sample.target(1.0), won);
            compared += 1;
        }
        assert!(compared > 100, "{compared}");
    }
}
