//! The input of the network. `learning/OBSERVATION.md` describes each byte.

/// Number of bytes per square.
pub const SQUARE_PLANES: usize = 48;

/// Number of bytes that do not belong to a square.
pub const SCALARS: usize = 64;

/// The input of the network: what a player has observed, in the orientation of the player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The bytes of each square.
    pub planes: [[u8; SQUARE_PLANES]; 64],
    /// The other bytes.
    pub scalars: [u8; SCALARS],
}

/// The kinds of opponents that the network was trained against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OpponentKind {
    /// The network itself, or an earlier one.
    Network,
    /// A player like `random`.
    Random,
    /// A player like `semi-random`.
    SemiRandom,
    /// A player like `greedy`.
    Greedy,
    /// A network that recaptures whenever it can.
    Recaptures,
    /// A network that never recaptures.
    NeverRecaptures,
    /// A network that prefers pawn moves.
    PawnMoves,
    /// A network that prefers its own half of the board.
    Hides,
}

impl OpponentKind {
    /// Every kind, in the order of their scalars.
    pub const ALL: [OpponentKind; 8] = [
        OpponentKind::Network,
        OpponentKind::Random,
        OpponentKind::SemiRandom,
        OpponentKind::Greedy,
        OpponentKind::Recaptures,
        OpponentKind::NeverRecaptures,
        OpponentKind::PawnMoves,
        OpponentKind::Hides,
    ];
}
