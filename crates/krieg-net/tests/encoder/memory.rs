//! The memory of the network.

use krieg_core::{Piece, Setup};

use crate::*;

#[test]
fn memory_is_the_start_position_at_first() {
    for player in Color::ALL {
        let input = Encoder::new(player, &Setup::default()).encode(None);
        let expected = |index: usize, piece: Piece| {
            let square = Orientation::of(player).square(index);
            let letters = Setup::default().start.pieces(!player);
            if letters.piece_on(square) == Some(piece) { 255 } else { 0 }
        };
        for (index, bytes) in input.planes.iter().enumerate() {
            for piece in Piece::ALL {
                assert_eq!(bytes[42 + piece as usize], expected(index, piece));
            }
        }
    }
}

#[test]
fn memory_is_the_last_belief_rounded_and_without_own_squares() {
    let mut belief = [[0.0; 6]; 64];
    belief[12] = [1.0; 6];
    belief[63] = [0.0, 0.001, 0.002, 0.5, 0.999, 1.0];
    for player in Color::ALL {
        let mut encoder = Encoder::new(player, &Setup::default());
        encoder.remember(&belief);
        let input = encoder.encode(None);
        assert_eq!(input.planes[63][42..], [0, 0, 1, 128, 255, 255]);
        assert_eq!(input.planes[12][42..], [0; 6], "an own pawn stands there");
        assert_eq!(input.planes[60][42..], [0; 6], "the start position is forgotten");
    }
}

#[test]
fn memory_is_kept_when_an_own_piece_moves_later() {
    let mut game = game(
        krieg_core::Ruleset::ICC,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "",
    );
    let mut encoder = encoder(game.record(), Color::White);
    let mut belief = [[0.0; 6]; 64];
    belief[Square::E4 as usize][0] = 1.0;
    encoder.remember(&belief);
    game.judge("e2e4".parse().unwrap()).unwrap();
    encoder.observe(&game.record().transcript(Color::White).observations[0]);
    assert_eq!(encoder.encode(None).planes[Square::E4 as usize][42], 255);
}
