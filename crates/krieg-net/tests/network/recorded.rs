//! A network against the outputs that the trainer recorded for it with `krieg_learning.record`, on
//! positions of real games. It is small and has random weights, so that the recorded file stays
//! valid when the embedded network is trained further.

use krieg_net::{Input, Network, SCALARS, SQUARE_PLANES, Workspace};

use crate::plain::softmax;

/// Largest accepted difference of a logit or a probability.
const TOLERANCE: f64 = 2e-3;

/// One position: the input, and the exact outputs.
struct Position {
    input: Input,
    pair: Vec<f64>,
    promotion: Vec<f64>,
    any: f64,
    value: Vec<f64>,
    belief: Vec<f64>,
}

/// The part of the file that was not yet read.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let (bytes, rest) = self.0.split_first_chunk().expect("the file is complete");
        self.0 = rest;
        *bytes
    }

    fn numbers(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| f64::from(f32::from_le_bytes(self.bytes()))).collect()
    }

    fn position(&mut self) -> Position {
        let planes = std::array::from_fn(|_| self.bytes::<SQUARE_PLANES>());
        Position {
            input: Input { planes, scalars: self.bytes::<SCALARS>() },
            pair: self.numbers(64 * 64),
            promotion: self.numbers(64 * 4),
            any: self.numbers(1)[0],
            value: self.numbers(3),
            belief: self.numbers(64 * 7),
        }
    }
}

/// All positions of the file.
fn positions() -> Vec<Position> {
    let file = include_bytes!("../recorded.bin");
    let end = file.iter().position(|&byte| byte == b'\n').expect("the header is a line");
    let header: serde_json::Value = serde_json::from_slice(&file[..end]).unwrap();
    assert_eq!(header["format"], "KRIEGNET outputs");
    assert_eq!(header["version"], 1);
    let mut reader = Reader(&file[end + 1..]);
    let count = header["positions"].as_u64().unwrap();
    let positions = (0..count).map(|_| reader.position()).collect();
    assert!(reader.0.is_empty(), "the header tells the number of positions");
    positions
}

fn assert_close(found: f32, expected: f64, what: &str) {
    let error = (f64::from(found) - expected).abs();
    assert!(error < TOLERANCE, "{what}: {found}, but the trainer computed {expected}");
}

#[test]
fn network_computes_what_the_trainer_computes() {
    let network = Network::read(include_bytes!("../recorded.net")).unwrap();
    let mut workspace = Workspace::default();
    let positions = positions();
    assert!(positions.len() >= 4);
    for position in positions {
        let evaluation = network.evaluate(&position.input, &mut workspace);
        for (&found, &expected) in evaluation.pair_logits.as_flattened().iter().zip(&position.pair)
        {
            assert_close(found, expected, "pair");
        }
        let promotions = evaluation.promotion_logits.as_flattened();
        for (&found, &expected) in promotions.iter().zip(&position.promotion) {
            assert_close(found, expected, "promotion");
        }
        assert_close(evaluation.any_logit, position.any, "any");
        for (&found, expected) in evaluation.value.iter().zip(softmax(&position.value)) {
            assert_close(found, expected, "value");
        }
        for (square, logits) in position.belief.chunks(7).enumerate() {
            let is_own = position.input.planes[square][..6].contains(&255);
            let contents = if is_own { vec![0.0; 7] } else { softmax(logits) };
            for (&found, &expected) in evaluation.belief[square].iter().zip(&contents[1..]) {
                assert_close(found, expected, "belief");
            }
        }
    }
}

#[test]
fn recorded_positions_differ() {
    let positions = positions();
    for (at, position) in positions.iter().enumerate() {
        assert!(positions[..at].iter().all(|other| other.input != position.input));
        assert!(position.input.planes.as_flattened().contains(&255), "there are own pieces");
    }
}
