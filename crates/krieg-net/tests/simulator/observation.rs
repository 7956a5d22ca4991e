//! The bytes of an observation, and where two of them differ.

use krieg_core::Color;
use krieg_net::{Encoder, MASK_WORDS, Orientation, SCALARS, SQUARE_PLANES};

/// The first plane of memory. The simulator knows no network, so its memory is 0.
const MEMORY: usize = 42;
/// Number of bytes of the planes.
const PLANES: usize = 64 * SQUARE_PLANES;

/// Planes without memory, scalars, and mask words in little-endian order.
pub fn observation_bytes(encoder: &Encoder) -> Vec<u8> {
    let mut input = encoder.encode(None);
    for square in &mut input.planes {
        square[MEMORY..].fill(0);
    }
    let mut bytes = input.planes.as_flattened().to_vec();
    bytes.extend(input.scalars);
    bytes.extend(encoder.mask().into_iter().flat_map(u64::to_le_bytes));
    bytes
}

/// Names the first byte that differs. `hex` is the simulator's observation.
pub fn describe_difference(hex: &str, expected: &[u8], player: Color) -> String {
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let pairs = hex.as_bytes().chunks(2);
    let Some(found) = pairs.map(byte).collect::<Option<Vec<u8>>>() else {
        return format!("observe full: the simulator replied {hex:?}");
    };
    let differs = |index: &usize| found.get(*index) != expected.get(*index);
    let count = (0..expected.len().max(found.len())).filter(differs).count();
    let Some(index) = (0..expected.len()).find(differs) else {
        return format!("{} bytes, not {}", found.len(), expected.len());
    };
    let simulator = found.get(index).map_or("none".into(), u8::to_string);
    let place = place_of(index, player);
    let encoder = expected[index];
    format!(
        "{count} bytes of the observation differ, the first at {place}: the simulator has \
         {simulator}, the encoder {encoder}"
    )
}

/// Which byte of an observation this is.
fn place_of(index: usize, player: Color) -> String {
    let square = |number: usize| Orientation::of(player).square(number);
    if index < PLANES {
        let (number, plane) = (index / SQUARE_PLANES, index % SQUARE_PLANES);
        let evidence = match plane {
            12..MEMORY => format!(" (evidence {})", (plane - 12) / 2),
            _ => String::new(),
        };
        return format!("plane {plane}{evidence} of {}, seen by {player:?}", square(number));
    }
    match index - PLANES {
        scalar @ 0..SCALARS => format!("scalar {scalar}"),
        rest => match (rest - SCALARS) / 8 {
            word if word == MASK_WORDS - 1 => "the mask of \"any?\"".into(),
            word => format!("the mask of {}", square(word)),
        },
    }
}
