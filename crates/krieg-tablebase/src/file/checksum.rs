//! The checksum by which damaged files are detected.

/// Adds one 64-bit word to a checksum.
pub fn add_word(checksum: u64, word: u64) -> u64 {
    let mixed = (checksum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 32
}

/// The checksum of some bytes. It reads eight bytes at a time, since a probe may compute one.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut words = bytes.chunks_exact(8);
    let mut checksum = bytes.len() as u64;
    for word in &mut words {
        checksum = add_word(checksum, u64::from_le_bytes(word.try_into().unwrap_or_default()));
    }
    let rest = words.remainder().iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    add_word(checksum, rest)
}
