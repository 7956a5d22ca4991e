//! The network that comes with the program.

use krieg_core::{Color, Piece, Position, Setup, Square};
use krieg_net::{Encoder, Evaluation, Network, Workspace};

/// What the network says before White's first try, with White's encoder.
fn first_evaluation() -> (Encoder, Box<Evaluation>) {
    let encoder = Encoder::new(Color::White, &Setup::default());
    let evaluation = Network::embedded().evaluate(&encoder.encode(None), &mut Workspace::default());
    (encoder, evaluation)
}

#[test]
fn embedded_network_knows_the_start_position() {
    let (_, evaluation) = first_evaluation();
    let black = Position::start().pieces(Color::Black);
    for square in Square::ALL {
        let belief = evaluation.belief[square as usize];
        for (piece, probability) in Piece::ALL.into_iter().zip(belief) {
            let expected = if black.piece_on(square) == Some(piece) { 1.0 } else { 0.0 };
            assert!((probability - expected).abs() < 0.1, "{square}: {belief:?}");
        }
    }
    let score = evaluation.expected_score();
    assert!((0.2..0.8).contains(&score), "the game has only begun: {score}");
}

#[test]
fn embedded_network_prefers_some_tries() {
    let (encoder, evaluation) = first_evaluation();
    let policy = evaluation.policy(encoder.view(), 1.0);
    assert_eq!(policy.len(), 20);
    let best = policy.iter().map(|(_, probability)| *probability).fold(0.0, f32::max);
    assert!(best > 0.08, "an untrained network would give 0.05 to each try: {policy:?}");
}
