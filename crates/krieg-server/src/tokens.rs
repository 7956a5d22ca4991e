//! Random tokens: session tokens, invitations, game ids and seeds.

use sha2::{Digest, Sha256};

/// Letters and digits that cannot be confused with each other.
const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz123456789";

fn random_text<const N: usize>() -> String {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system provides random numbers");
    bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

/// The id of a new game.
pub fn game_id() -> String {
    random_text::<12>()
}

/// An invitation token.
pub fn invitation() -> String {
    random_text::<20>()
}

/// A session token.
pub fn session() -> String {
    random_text::<40>()
}

/// The digest of a session token. The database stores it instead of the token.
pub fn digest(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}

/// A random number.
pub fn number() -> u64 {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).expect("the system provides random numbers");
    u64::from_le_bytes(bytes)
}
