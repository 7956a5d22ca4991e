//! Damaged and unsuitable files.

use krieg_core::checksum;
use krieg_net::{Network, NetworkError, Shape};
use krieg_testing::{cases, random_network_file};
use proptest::prelude::*;

const SMALL: Shape = Shape { width: 16, layers: 1, heads: 2 };

/// A valid file.
fn small_file() -> Vec<u8> {
    random_network_file(1, SMALL.width, SMALL.layers, SMALL.heads)
}

/// The file with this header and these bytes of tensors, and a correct checksum.
fn file_with(header: &str, tensors: &[u8]) -> Vec<u8> {
    let mut bytes = b"KRIEGNET\x01\0\0\0".to_vec();
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(tensors);
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

fn error(bytes: &[u8]) -> NetworkError {
    Network::read(bytes).unwrap_err()
}

#[test]
fn valid_file_is_read() {
    let file = small_file();
    assert_eq!(Network::read(&file).unwrap().shape(), SMALL);
    let header = r#"{"heads": 2, "training": {"tries": [1, 2]}, "layers": 1, "width": 16}"#;
    let other = file_with(header, &vec![0; 2 * SMALL.weights()]);
    assert_eq!(Network::read(&other).unwrap().shape(), SMALL);
}

#[test]
fn damaged_header_is_rejected() {
    let file = small_file();
    for at in 0..120 {
        for bit in 0..8 {
            let mut damaged = file.clone();
            damaged[at] ^= 1 << bit;
            let expected = match at {
                0..8 => matches!(error(&damaged), NetworkError::NotANetwork),
                8..12 => matches!(error(&damaged), NetworkError::OtherVersion(_)),
                _ => error(&damaged) == NetworkError::Damaged,
            };
            assert!(expected, "byte {at}: {}", error(&damaged));
        }
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn damaged_file_is_rejected(at in any::<prop::sample::Index>(), change in 1_u8..) {
        let mut file = small_file();
        let at = at.index(file.len());
        file[at] ^= change;
        prop_assert!(Network::read(&file).is_err());
    }

    #[test]
    fn truncated_file_is_rejected(length in any::<prop::sample::Index>()) {
        let file = small_file();
        prop_assert!(Network::read(&file[..length.index(file.len())]).is_err());
    }

    #[test]
    fn arbitrary_bytes_are_rejected(bytes: Vec<u8>) {
        prop_assert!(Network::read(&bytes).is_err());
        let file = [b"KRIEGNET\x01\0\0\0", &bytes[..]].concat();
        prop_assert!(Network::read(&file).is_err());
        let summed = [&file[..], &checksum(&file).to_le_bytes()].concat();
        prop_assert!(Network::read(&summed).is_err());
    }
}

#[test]
fn short_files_are_rejected() {
    let file = small_file();
    for length in 0..120 {
        let expected = if length < 8 { NetworkError::NotANetwork } else { NetworkError::Damaged };
        assert_eq!(error(&file[..length]), expected, "{length} bytes");
    }
}

#[test]
fn wrong_length_is_rejected() {
    let header = r#"{"width": 16, "layers": 1, "heads": 2}"#;
    let tensors = vec![0; 2 * SMALL.weights()];
    for wrong in [&tensors[2..], &[&tensors[..], &[0, 0]].concat(), &tensors[1..], &[]] {
        let file = file_with(header, wrong);
        let expected = file_with(header, &tensors).len();
        assert_eq!(error(&file), NetworkError::Length { expected, found: file.len() });
    }
}

#[test]
fn unsupported_header_is_rejected() {
    for header in ["", "{}", "[]", r#"{"width": -16, "layers": 1, "heads": 2}"#, "\u{fe}"] {
        assert!(matches!(error(&file_with(header, &[])), NetworkError::Header(_)), "{header}");
    }
    for (width, layers, heads) in [
        (0, 1, 1),
        (8, 1, 1),
        (24, 1, 1),
        (528, 1, 4),
        (16, 0, 1),
        (16, 17, 1),
        (16, 1, 0),
        (16, 1, 8),
        (32, 1, 3),
        (usize::MAX - 15, 1, 1),
        (16, 1, usize::MAX),
    ] {
        let header = format!(r#"{{"width": {width}, "layers": {layers}, "heads": {heads}}}"#);
        let shape = Shape { width, layers, heads };
        assert_eq!(error(&file_with(&header, &[])), NetworkError::Shape(shape));
    }
}

#[test]
fn infinite_weight_is_rejected() {
    let header = r#"{"width": 16, "layers": 1, "heads": 2}"#;
    for half in [0x7c00_u16, 0xfc00, 0x7e01] {
        for at in [0, SMALL.weights() / 2, SMALL.weights() - 1] {
            let mut tensors = vec![0; 2 * SMALL.weights()];
            tensors[2 * at..2 * at + 2].copy_from_slice(&half.to_le_bytes());
            assert_eq!(error(&file_with(header, &tensors)), NetworkError::NotFinite);
        }
    }
}

#[test]
fn errors_are_sentences() {
    let shape = Shape { width: 24, layers: 1, heads: 2 };
    for error in [
        NetworkError::NotANetwork,
        NetworkError::OtherVersion(2),
        NetworkError::Damaged,
        NetworkError::Header("EOF".to_string()),
        NetworkError::Shape(shape),
        NetworkError::Length { expected: 2, found: 1 },
        NetworkError::NotFinite,
    ] {
        let text = error.to_string();
        assert!(text.starts_with("Th") && text.ends_with('.') && text.contains(": "), "{text}");
    }
}
