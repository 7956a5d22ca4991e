//! A checksum that identifies content and detects accidental damage.

/// FNV-1a offset basis, 64 bits.
const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
/// FNV-1a prime, 64 bits.
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// The 64-bit FNV-1a hash of `bytes`.
///
/// It tells files apart and detects accidental damage. It is not cryptographic: it gives no
/// protection against deliberate changes.
///
/// ```
/// use krieg_core::checksum;
/// assert_ne!(checksum(b"e2e4"), checksum(b"e2e5"));
/// ```
#[must_use]
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(OFFSET_BASIS, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}
