//! What can be noticed about a move: a list of features with names, each of which a kind of player feature_weights or dislikes.
//!
//! The features, the file and whoever fits them share one flat list, so a feature is added in one place: here, with its name, and in
//! `sight.rs`, where it is noticed.

use cozy_chess::{Color, Piece, Square};

krieg_core::feature_groups! {
    /// Every group, in the order of the list.
    groups FEATURE_GROUPS;
    /// Number of move features.
    count MOVE_FEATURES;

    /// Which man moves, by stage of the game; pawn to king within a stage.
    MOVED_PIECE "man" 24;
    /// Where he goes, seen from his side, a1 first.
    TO "to-pawn" 64;
    TO_KNIGHT "to-knight" 64;
    TO_BISHOP "to-bishop" 64;
    TO_ROOK "to-rook" 64;
    TO_QUEEN "to-queen" 64;
    TO_KING "to-king" 64;
    /// The same, in the opening.
    EARLY "early-to-pawn" 64;
    EARLY_KNIGHT "early-to-knight" 64;
    EARLY_BISHOP "early-to-bishop" 64;
    EARLY_ROOK "early-to-rook" 64;
    EARLY_QUEEN "early-to-queen" 64;
    EARLY_KING "early-to-king" 64;
    /// Where he comes from.
    FROM "from-pawn" 64;
    FROM_KNIGHT "from-knight" 64;
    FROM_BISHOP "from-bishop" 64;
    FROM_ROOK "from-rook" 64;
    FROM_QUEEN "from-queen" 64;
    FROM_KING "from-king" 64;
    /// He goes back towards his own side, by man.
    RETREATS "retreats" 6;
    /// A bishop, rook or queen goes two or three squares; more.
    FAR "far" 6;
    /// The man that moved last moves again, by man.
    AGAIN "again" 6;
    /// And takes that move back, by man.
    UNDOES "undoes" 6;
    /// The man that has just taken one moves on.
    TOOK "took" 1;
    /// Castles short; long.
    CASTLES "castles" 2;
    /// A king who could castle moves, and a rook.
    LOSES_CASTLING "loses-castling" 2;
    /// To a queen; to anything less.
    PROMOTES "promotes" 2;
    /// A pawn's double step.
    DOUBLE_STEP "double-step" 1;
    /// A pawn that no pawn of the other side can stop steps on.
    PASSED "passed" 1;
    /// He takes where he has just lost a man, by man.
    TAKES_BACK "takes-back" 6;
    /// With the least of those who can.
    LEAST "takes-back-with-the-least" 1;
    /// He goes where he lost a man one, two, three turns ago: and takes, or finds nobody there.
    OLD_LOSS "goes-to-old-losses" 6;
    /// From the new square he aims at where he has just lost a man, by man; where he lost one in the three turns before.
    AIMS "aims-at-losses" 12;
    /// A pawn captures: he was told that one can; he was not.
    PAWN_CAPTURE "pawn-captures" 2;
    /// What is taken, pawn to queen, by man; but for what is taken back.
    TAKES "takes" 30;
    /// What is taken is guarded: and worth at least as much as who takes it; worth less, by man.
    TAKES_GUARDED "takes-guarded" 7;
    /// In check: the king goes, the man that checks is taken, something comes between.
    CHECKED "checked" 3;
    /// Gives check where nobody can take; where somebody can, by man.
    CHECKS "checks" 12;
    /// Guarded there by one other man; by more, by man.
    GUARDED "guarded" 10;
    /// The other side can take there, and nobody guards; somebody guards, by man.
    EXPOSED "exposed" 10;
    /// The other side can take there with something less, by man.
    TO_LESSER "exposed-to-lesser" 5;
    /// The man could have been taken, and nobody guarded it; somebody did; by something less. By man.
    LEAVES "leaves-danger" 15;
    /// Pawns, and other men, that lose their only guard.
    UNGUARDS "unguards" 2;
    /// Pawns, and other men, that are guarded at last.
    GUARDS "guards" 2;
    /// PieceSet whom he aims at and did not before: not guarded; guarded, but worth more than he. By man.
    THREATENS "threatens" 12;
    /// How many squares more he aims at, in fours, by man.
    FREEDOM "freedom" 6;
    /// Adam nearer to the other king, by man: with many men, with few.
    NEARER "nearer-to-the-king" 12;
    /// Mates at once: whoever looks ahead finds that more often than by habit, though he does not see the king.
    MATES "mates" 1;
}

/// A man on a square, as this player sees it: so many squares for each kind of man.
fn of_man(piece: Piece, square: Square, color: Color) -> usize {
    piece as usize * Square::NUM + square.relative_to(color) as usize
}

/// The feature of a man who goes there.
pub fn to(piece: Piece, square: Square, color: Color) -> usize {
    TO + of_man(piece, square, color)
}

/// The feature of a man who goes there in the opening.
pub fn early_to(piece: Piece, square: Square, color: Color) -> usize {
    EARLY + of_man(piece, square, color)
}

/// The feature of a man who comes from there.
pub fn from(piece: Piece, square: Square, color: Color) -> usize {
    FROM + of_man(piece, square, color)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_follow_each_other_and_squares_are_seen_from_the_players_side() {
        let mut next = 0;
        for group in FEATURE_GROUPS {
            assert_eq!(group.start, next, "{}", group.name);
            next += group.len;
        }
        assert_eq!(next, MOVE_FEATURES);
        let of_white = to(Piece::Knight, Square::F3, Color::White);
        assert_eq!(of_white, to(Piece::Knight, Square::F6, Color::Black));
        assert!((TO_KNIGHT..TO_BISHOP).contains(&of_white));
        assert_eq!(from(Piece::King, Square::A8, Color::Black), FROM_KING);
    }
}
