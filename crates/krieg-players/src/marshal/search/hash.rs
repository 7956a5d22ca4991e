//! A fast hash for keys that no adversary chooses.

use std::hash::{Hash, Hasher};

/// A multiply-rotate hasher.
#[derive(Debug, Clone, Copy, Default)]
pub struct FastHasher(u64);

impl FastHasher {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for FastHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.mix(u64::from(number) + 1);
    }

    fn write_u32(&mut self, number: u32) {
        self.mix(u64::from(number) + 1);
    }

    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    fn write_isize(&mut self, number: isize) {
        self.mix(number as u64 + 1);
    }
}

/// The hash of a value.
pub fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = FastHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}
