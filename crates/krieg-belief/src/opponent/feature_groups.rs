//! The list of move features, in named groups.
//!
//! Extraction, training and the text format share one flat list. To add a feature, add its group
//! here and count it in [`move_features`](super::move_features).
//!
//! "By piece" means one feature for each piece type, in the order pawn, knight, bishop, rook,
//! queen, king. Groups of five or a multiple of five leave out the king. Squares are seen from the
//! side of the player to move, with a1 first.

use cozy_chess::{Color, Piece, Square};

krieg_core::feature_groups! {
    /// All groups, in the order of the list.
    groups FEATURE_GROUPS;
    /// Number of move features.
    count MOVE_FEATURES;

    /// The piece that moves, by stage of the game and by piece.
    MOVED_PIECE "moved-piece" 24;
    /// The destination square of a pawn.
    TO "to-pawn" 64;
    /// The destination square of a knight.
    TO_KNIGHT "to-knight" 64;
    /// The destination square of a bishop.
    TO_BISHOP "to-bishop" 64;
    /// The destination square of a rook.
    TO_ROOK "to-rook" 64;
    /// The destination square of a queen.
    TO_QUEEN "to-queen" 64;
    /// The destination square of the king.
    TO_KING "to-king" 64;
    /// The destination square of a pawn in the opening.
    OPENING_TO "opening-to-pawn" 64;
    /// The destination square of a knight in the opening.
    OPENING_TO_KNIGHT "opening-to-knight" 64;
    /// The destination square of a bishop in the opening.
    OPENING_TO_BISHOP "opening-to-bishop" 64;
    /// The destination square of a rook in the opening.
    OPENING_TO_ROOK "opening-to-rook" 64;
    /// The destination square of a queen in the opening.
    OPENING_TO_QUEEN "opening-to-queen" 64;
    /// The destination square of the king in the opening.
    OPENING_TO_KING "opening-to-king" 64;
    /// The square that a pawn leaves.
    FROM "from-pawn" 64;
    /// The square that a knight leaves.
    FROM_KNIGHT "from-knight" 64;
    /// The square that a bishop leaves.
    FROM_BISHOP "from-bishop" 64;
    /// The square that a rook leaves.
    FROM_ROOK "from-rook" 64;
    /// The square that a queen leaves.
    FROM_QUEEN "from-queen" 64;
    /// The square that the king leaves.
    FROM_KING "from-king" 64;
    /// The piece moves towards its own side, by piece.
    RETREAT "retreat" 6;
    /// A bishop, rook or queen moves two or three squares; more than three squares.
    SLIDE_LENGTH "slide-length" 6;
    /// The piece also made the player's last move, by piece.
    SAME_PIECE "same-piece-again" 6;
    /// The move reverses the player's last move, by piece.
    REVERSAL "reversal" 6;
    /// The piece captured in the player's last turn, and moves on.
    CAPTURER_MOVES_ON "capturer-moves-on";
    /// Castles short; castles long.
    CASTLING "castling" 2;
    /// Castling rights are lost by a move of the king; of a rook.
    CASTLING_RIGHTS_LOST "castling-rights-lost" 2;
    /// Promotion to a queen; to another piece.
    PROMOTION "promotion" 2;
    /// A pawn's double step.
    DOUBLE_STEP "double-step";
    /// A passed pawn moves.
    PASSED_PAWN "passed-pawn";
    /// Captures where the player has just lost a piece, by piece.
    RECAPTURE "recapture" 6;
    /// The same, with the least valuable piece that can recapture.
    LEAST_VALUABLE_RECAPTURE "least-valuable-recapture";
    /// Moves to where the player lost a piece one, two or three turns ago: captures there; finds
    /// the square empty.
    TO_EARLIER_LOSS "to-earlier-loss" 6;
    /// Attacks, from the new square, where the player has just lost a piece, by piece; where the
    /// player lost one in the three turns before, by piece.
    ATTACKS_LOSS "attacks-loss" 12;
    /// A pawn captures after a pawn try was announced; without such an announcement.
    PAWN_CAPTURE "pawn-capture" 2;
    /// The piece that is captured, pawn to queen, by capturing piece; without recaptures.
    CAPTURE "capture" 30;
    /// The captured piece is defended: and worth at least as much as the capturing piece; worth
    /// less, by capturing piece.
    CAPTURE_OF_DEFENDED "capture-of-defended" 7;
    /// In check: the king moves; the checking piece is captured; a piece is put in between.
    CHECK_EVASION "check-evasion" 3;
    /// Gives check on a square that is not attacked; on an attacked square, by piece.
    GIVES_CHECK "gives-check" 12;
    /// The destination is defended by one other piece; by more, by piece.
    DEFENDED_DESTINATION "defended-destination" 10;
    /// The destination is attacked and not defended; attacked and defended, by piece.
    ATTACKED_DESTINATION "attacked-destination" 10;
    /// The destination is attacked by a less valuable piece, by piece.
    ATTACKED_BY_LESSER "attacked-by-lesser" 5;
    /// The piece was attacked: and not defended; and defended; by a less valuable piece. By piece.
    LEAVES_ATTACK "leaves-attack" 15;
    /// Pawns that lose their only defender; other pieces that do.
    LEAVES_UNDEFENDED "leaves-undefended" 2;
    /// Pawns that were not defended and now are; other pieces.
    DEFENDS "defends" 2;
    /// Newly attacked pieces that are not defended; that are defended, but worth more than the
    /// attacking piece. By attacking piece.
    THREAT "threat" 12;
    /// Additional squares that the piece attacks, divided by four, by piece.
    MOBILITY "mobility" 6;
    /// Steps closer to the other king, by piece: with many pieces on the board; with few.
    CLOSER_TO_KING "closer-to-king" 12;
    /// Checkmate. Players that search find it more often than the other features predict, although
    /// they do not see the king.
    CHECKMATE "checkmate";
}

/// The offset of a piece on a square in a group with 64 squares for each piece.
fn piece_square(piece: Piece, square: Square, color: Color) -> usize {
    piece as usize * Square::NUM + square.relative_to(color) as usize
}

/// The feature of a piece that moves to a square.
pub fn to(piece: Piece, square: Square, color: Color) -> usize {
    TO + piece_square(piece, square, color)
}

/// The feature of a piece that moves to a square in the opening.
pub fn opening_to(piece: Piece, square: Square, color: Color) -> usize {
    OPENING_TO + piece_square(piece, square, color)
}

/// The feature of a piece that leaves a square.
pub fn from(piece: Piece, square: Square, color: Color) -> usize {
    FROM + piece_square(piece, square, color)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_consecutive() {
        let mut next = 0;
        for group in FEATURE_GROUPS {
            assert_eq!(group.start, next, "{}", group.name);
            next += group.len;
        }
        assert_eq!(next, MOVE_FEATURES);
    }

    #[test]
    fn squares_are_relative_to_the_player_to_move() {
        let for_white = to(Piece::Knight, Square::F3, Color::White);
        assert_eq!(for_white, to(Piece::Knight, Square::F6, Color::Black));
        assert!((TO_KNIGHT..TO_BISHOP).contains(&for_white));
        assert_eq!(from(Piece::King, Square::A8, Color::Black), FROM_KING);
    }
}
