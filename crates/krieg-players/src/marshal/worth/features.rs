//! What is noticed on a board, by name: the list that the eye fills in, the file writes down and the lessons weigh.

macro_rules! features {
    ($($(#[$doc:meta])* $id:ident [$($name:literal)+];)*) => {
        features!(@at 0; $($(#[$doc])* $id [$($name)+];)*);
        /// The name of every feature, in the order of the list.
        pub(super) const NAMES: [&str; FEATURES] = [$($($name),+),*];
    };
    (@at $at:expr; $(#[$doc:meta])* $id:ident [$($name:literal)+]; $($rest:tt)*) => {
        $(#[$doc])*
        pub(super) const $id: usize = $at;
        features!(@at $at + [$($name),+].len(); $($rest)*);
    };
    (@at $at:expr;) => {
        /// How many features there are.
        pub(super) const FEATURES: usize = $at;
    };
}

// All are the player's own less the enemy's, unless their name says whose they are.
features! {
    /// Always one: to be on the move is worth something.
    TURN ["turn"];
    /// What the chess engine makes of the board at a glance, in units of four pawns.
    CHESS ["chess"];
    /// Pawns, beyond what they are worth in chess: unseen, they run through. And how far all of them have come, which gives room before the ending.
    PAWNS ["pawns" "pawns-come"];
    /// There are none.
    PAWNLESS ["pawnless"];
    /// Passed pawns, and how far they have come, squared.
    PASSED ["passed" "passed-come"];
    /// More than one bishop, on whatever squares.
    BISHOPS ["bishop-pair"];
    /// The other side has nothing but its king, and there is a queen or rook to mate him with; or else a pawn.
    BARED ["bared-by-heavy" "bared-by-pawn"];
    /// A passed pawn whose way is free, by how far it has come.
    FREE_WAY ["free-way"];
    /// How much nearer the own king is to the way of a passed pawn than the enemy's, by how far it has come.
    ESCORT ["escort"];
    /// Against a king who has only pawns left: his want of room, how near the edge he is, how near the own king is to him.
    HUNT ["hunt-room" "hunt-edge" "hunt-near"];
    /// In points: attacked and unguarded men. The own ones may be lost; the enemy's are not seen.
    OWN_LOOSE ["own-loose"];
    ENEMY_LOOSE ["enemy-loose"];
    /// What the other side's best capture would win now, by exchanges and in points; and what the own best one wins.
    EXPOSED ["own-exposed" "enemy-exposed"];
    /// Attacks on the squares about the king.
    OWN_SIEGE ["own-siege"];
    ENEMY_SIEGE ["enemy-siege"];
    /// What taking back wins, in points.
    TAKE_BACK ["take-back"];
    /// There is a pawn try; and what the best victim of one is worth, in points.
    PAWN_TRY ["pawn-try" "pawn-victim"];
    /// The lead as a part of all, times hundreds of plies without progress.
    STANDSTILL ["standstill"];
}

/// All that was noticed on one board, and how much of the middle game is left in it, from nought to one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Noticed {
    pub features: [f32; FEATURES],
    pub middle: f32,
}
