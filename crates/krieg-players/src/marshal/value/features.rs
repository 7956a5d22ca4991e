//! The features of a board: their names, their indices, and the feature vector.
//!
//! Feature extraction fills the vector, the weight file names its entries, and the fit weighs them.

// Each feature is the player's amount minus the opponent's, unless its name says whose it is.
// "Points" are the classical piece values (pawn 1, queen 9), here divided by 9.
krieg_core::feature_groups! {
    /// All features; each is a group of its own.
    groups FEATURES;
    /// Number of features.
    count FEATURE_COUNT;

    /// Always 1: the value of being on the move.
    TEMPO "tempo";
    /// The chess engine's static evaluation, in units of four pawns.
    ENGINE_EVAL "engine-eval";
    /// The number of pawns: pawns that the opponent does not see promote more easily.
    PAWNS "pawns";
    /// How far all pawns have advanced, which gives space before the endgame.
    PAWN_ADVANCE "pawn-advance";
    /// A side has no pawns.
    PAWNLESS "pawnless";
    /// Passed pawns.
    PASSED "passed";
    /// How far passed pawns have advanced, squared.
    PASSED_ADVANCE "passed-advance";
    /// More than one bishop, on squares of any colour.
    BISHOP_PAIR "bishop-pair";
    /// The other side has only its king left, and there is a queen or rook to mate it.
    LONE_KING_MAJOR "lone-king-major";
    /// The other side has only its king left, and there is no queen or rook but a pawn that could
    /// promote.
    LONE_KING_PAWN "lone-king-pawn";
    /// A passed pawn with a free path to promotion, by how far it has advanced.
    FREE_PATH "passed-free-path";
    /// How much nearer the player's king is to the path of a passed pawn than the opponent's, by
    /// how far the pawn has advanced.
    KING_ESCORT "passed-king-escort";
    /// Against a king that has only pawns left: how few squares it can go to.
    WEAK_KING_CONFINED "weak-king-confined";
    /// Against a king that has only pawns left: how near the edge it is.
    WEAK_KING_EDGE "weak-king-edge";
    /// Against a king that has only pawns left: how near the other king is.
    WEAK_KING_NEAR "weak-king-near";
    /// The player's attacked and undefended pieces, in points: they may be lost.
    OWN_HANGING "own-hanging";
    /// The opponent's attacked and undefended pieces, in points: the player does not see them.
    OPPONENT_HANGING "opponent-hanging";
    /// What the opponent's best capture would win now by static exchange evaluation, in points.
    OPPONENT_BEST_CAPTURE "opponent-best-capture";
    /// What the player's best capture wins by static exchange evaluation, in points.
    OWN_BEST_CAPTURE "own-best-capture";
    /// Attacks by the opponent on the squares around the player's king.
    OWN_KING_ZONE "own-king-zone";
    /// Attacks by the player on the squares around the opponent's king.
    OPPONENT_KING_ZONE "opponent-king-zone";
    /// What a recapture wins by static exchange evaluation, in points.
    RECAPTURE "recapture";
    /// Whether there is a pawn try.
    PAWN_TRY "pawn-try";
    /// The value of the best piece that a pawn can capture if there is a pawn try, in points.
    PAWN_TRY_VICTIM "pawn-try-victim";
    /// The material lead as a fraction of all material, times hundreds of plies without progress.
    STALLED_LEAD "stalled-lead";
}

/// The features of one board.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoardFeatures {
    /// One value per feature, in the order of [`FEATURES`].
    pub values: [f32; FEATURE_COUNT],
    /// The game phase: 1 with all pieces on the board (middlegame), 0 with none (endgame).
    pub phase: f32,
}
