//! Things that nobody can guess: tokens, invitations, the names of games, seeds.

use sha2::{Digest, Sha256};

/// Letters and digits that are not mistaken for each other.
const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz123456789";

fn letters<const N: usize>() -> String {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
}

/// What a game is called.
pub fn game_id() -> String {
    letters::<12>()
}

/// The secret of an invitation.
pub fn invitation() -> String {
    letters::<20>()
}

/// What somebody shows to be who he is.
pub fn token() -> String {
    letters::<40>()
}

/// What is kept of a token: enough to know it again, not to make it.
pub fn digest(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}

/// Any number.
pub fn number() -> u64 {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    u64::from_le_bytes(bytes)
}
