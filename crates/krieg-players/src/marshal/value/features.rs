//! The features of a board: their names, their indices, and the feature vector.
//!
//! Feature extraction fills the vector, the weight file names its entries, and the fit weighs them.

macro_rules! features {
    ($($(#[$doc:meta])* $id:ident [$($name:literal)+];)*) => {
        features!(@at 0; $($(#[$doc])* $id [$($name)+];)*);
        /// The name of every feature, by index.
        pub const NAMES: [&str; FEATURE_COUNT] = [$($($name),+),*];
    };
    (@at $at:expr; $(#[$doc:meta])* $id:ident [$($name:literal)+]; $($rest:tt)*) => {
        $(#[$doc])*
        pub const $id: usize = $at;
        features!(@at $at + [$($name),+].len(); $($rest)*);
    };
    (@at $at:expr;) => {
        /// Number of features.
        pub const FEATURE_COUNT: usize = $at;
    };
}

// Each feature is the player's amount minus the opponent's, unless its name says whose it is.
// "Points" are the classical piece values (pawn 1, queen 9), here divided by 9.
features! {
    /// Always 1: the value of being on the move.
    TEMPO ["tempo"];
    /// The chess engine's static evaluation, in units of four pawns.
    ENGINE_EVAL ["engine-eval"];
    /// The number of pawns (pawns that the opponent does not see promote more easily), and how far
    /// all of them have advanced (which gives space before the endgame).
    PAWNS ["pawns" "pawn-advance"];
    /// A side has no pawns.
    PAWNLESS ["pawnless"];
    /// Passed pawns, and how far they have advanced, squared.
    PASSED ["passed" "passed-advance"];
    /// More than one bishop, on squares of any colour.
    BISHOP_PAIR ["bishop-pair"];
    /// The other side has only its king left, and there is a queen or rook to mate it; or else a pawn
    /// that could promote.
    LONE_KING ["lone-king-major" "lone-king-pawn"];
    /// A passed pawn with a free path to promotion, by how far it has advanced.
    FREE_PATH ["passed-free-path"];
    /// How much nearer the player's king is to the path of a passed pawn than the opponent's, by how
    /// far the pawn has advanced.
    KING_ESCORT ["passed-king-escort"];
    /// Against a king that has only pawns left: how few squares it can go to, how near the edge it is,
    /// how near the other king is.
    WEAK_KING ["weak-king-confined" "weak-king-edge" "weak-king-near"];
    /// Attacked and undefended pieces in points. The player's own may be lost; the opponent's are not
    /// seen.
    OWN_HANGING ["own-hanging"];
    /// The opponent's attacked and undefended pieces, in points.
    OPPONENT_HANGING ["opponent-hanging"];
    /// What the opponent's best capture would win now by static exchange evaluation, in points; and
    /// what the player's best capture wins.
    BEST_CAPTURE ["opponent-best-capture" "own-best-capture"];
    /// Attacks by the opponent on the squares around the player's king.
    OWN_KING_ZONE ["own-king-zone"];
    /// Attacks by the player on the squares around the opponent's king.
    OPPONENT_KING_ZONE ["opponent-king-zone"];
    /// What a recapture wins by static exchange evaluation, in points.
    RECAPTURE ["recapture"];
    /// Whether there is a pawn try; and the value of the best piece that a pawn can capture, in points.
    PAWN_TRY ["pawn-try" "pawn-try-victim"];
    /// The material lead as a fraction of all material, times hundreds of plies without progress.
    STALLED_LEAD ["stalled-lead"];
}

/// The features of one board.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoardFeatures {
    /// One value per feature, in the order of [`NAMES`].
    pub values: [f32; FEATURE_COUNT],
    /// The game phase: 1 with all pieces on the board (middlegame), 0 with none (endgame).
    pub phase: f32,
}
