//! The output of the network against a plain computation, and between instruction sets.

use krieg_core::checksum;
use krieg_net::{Evaluation, Input, InstructionSet, Network, Workspace};
use krieg_testing::{cases, random_network_file};
use proptest::prelude::*;

use crate::plain::{Logits, logits, softmax};
use crate::random_input;

/// Compares all outputs with the plain computation.
fn assert_close(evaluation: &Evaluation, expected: &Logits, input: &Input) {
    let close = |found: f32, expected: f64, what: &str| {
        let error = (f64::from(found) - expected).abs();
        assert!(error < 1e-4 * (1.0 + expected.abs()), "{what}: {found}, not {expected}");
    };
    for from in 0..64 {
        for to in 0..64 {
            close(evaluation.pair_logits[from][to], expected.pair[from][to], "pair");
        }
        for piece in 0..4 {
            let found = evaluation.promotion_logits[from][piece];
            close(found, expected.promotion[from][piece], "promotion");
        }
        let is_own = input.planes[from][..6].iter().any(|&own| own != 0);
        let belief = softmax(&expected.belief[from]);
        for piece in 0..6 {
            let probability = if is_own { 0.0 } else { belief[1 + piece] };
            close(evaluation.belief[from][piece], probability, "belief");
        }
    }
    close(evaluation.any_logit, expected.any, "any");
    for (&found, expected) in evaluation.value.iter().zip(softmax(&expected.value)) {
        close(found, expected, "value");
    }
}

/// All bits of an output.
fn bits(evaluation: &Evaluation) -> Vec<u32> {
    let Evaluation { pair_logits, promotion_logits, any_logit, value, belief } = evaluation;
    let squares = promotion_logits.as_flattened().iter().chain(belief.as_flattened());
    let numbers = pair_logits.as_flattened().iter().chain(squares).chain(value).chain([any_logit]);
    numbers.map(|number| number.to_bits()).collect()
}

/// Evaluates with each available instruction set, compares the bits, and returns the output.
fn evaluate_with_all(network: &Network, input: &Input) -> Box<Evaluation> {
    let mut workspace = Workspace::default();
    let evaluation = network.evaluate(input, &mut workspace);
    for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        let other = network.evaluate_with(set, input, &mut workspace);
        assert!(bits(&other) == bits(&evaluation), "{set} gives other bits");
    }
    evaluation
}

#[test]
fn output_equals_a_plain_computation() {
    let file = random_network_file(7, 128, 4, 4);
    let network = Network::read(&file).unwrap();
    for seed in 0..3 {
        let input = random_input(seed);
        let evaluation = evaluate_with_all(&network, &input);
        assert_close(&evaluation, &logits(&file, 128, 4, 4, &input), &input);
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn networks_of_all_shapes_are_computed(
        seed in any::<u64>(),
        sixteenths in 1_usize..=6,
        layers in 1_usize..=3,
        heads in 1_usize..=8,
    ) {
        let width = 16 * sixteenths;
        prop_assume!(width % (4 * heads) == 0);
        let file = random_network_file(seed, width, layers, heads);
        let network = Network::read(&file).unwrap();
        let input = random_input(seed);
        let evaluation = evaluate_with_all(&network, &input);
        assert_close(&evaluation, &logits(&file, width, layers, heads, &input), &input);
    }
}

#[test]
fn bits_are_the_same_on_every_machine() {
    let network = Network::read(&random_network_file(11, 64, 2, 4)).unwrap();
    let evaluation = network.evaluate(&random_input(12), &mut Workspace::default());
    let bytes: Vec<u8> = bits(&evaluation).into_iter().flat_map(u32::to_le_bytes).collect();
    // As computed on x86-64. It changes with the random numbers of `krieg_testing`, and with
    // nothing else.
    assert_eq!(checksum(&bytes), 0xf563_ad54_b4e2_2c18);
}

#[test]
fn workspace_serves_networks_of_different_sizes() {
    let input = random_input(5);
    let large = Network::read(&random_network_file(1, 64, 2, 4)).unwrap();
    let small = Network::read(&random_network_file(2, 16, 1, 2)).unwrap();
    let mut workspace = Workspace::default();
    for network in [&large, &small, &large] {
        let fresh = network.evaluate(&input, &mut Workspace::default());
        assert_eq!(network.evaluate(&input, &mut workspace), fresh);
    }
}

#[test]
fn every_part_of_the_input_counts() {
    let network = Network::read(&random_network_file(3, 32, 1, 2)).unwrap();
    let mut workspace = Workspace::default();
    let input = random_input(6);
    let evaluation = network.evaluate(&input, &mut workspace);
    let changed = |change: &dyn Fn(&mut Input)| {
        let mut other = input.clone();
        change(&mut other);
        network.evaluate(&other, &mut Workspace::default()) != evaluation
    };
    assert!((0..48).all(|plane| changed(&|input| input.planes[9][plane] ^= 0x80)));
    assert!((0..64).all(|square| changed(&|input| input.planes[square][20] ^= 0x80)));
    assert!((0..64).all(|scalar| changed(&|input| input.scalars[scalar] ^= 0x80)));
}
