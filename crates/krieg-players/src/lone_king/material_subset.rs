//! Subsets of the attacker's pieces that can mate by themselves.
//!
//! If there is no table for all pieces, there is one for some of them. A win of a subset is not
//! certain on the real board: another piece may block a line, or may take the king's last move and
//! stalemate it. But it is a plan, and a search one move ahead with all pieces sees in time where
//! it fails.

use krieg_core::{BitBoard, Piece, PieceSet};

/// The endgames in which the mating subsets of these pieces are looked up, with what the pawns may
/// promote to.
pub(crate) fn subset_endgames(pieces: &PieceSet) -> Vec<&'static str> {
    let has = |piece| !pieces.pieces(piece).is_empty();
    let has_pawns = has(Piece::Pawn);
    let mut names = Vec::new();
    if has(Piece::Queen) || has_pawns {
        names.push("kqk");
    }
    if has(Piece::Rook) || has_pawns {
        names.push("krk");
    }
    if !has(Piece::Queen) && !has(Piece::Rook) {
        names.extend(has_pawns.then_some("kpk"));
        names.extend(is_bishop_pair(pieces.pieces(Piece::Bishop)).then_some("kbbk"));
        names.extend((has(Piece::Bishop) && has(Piece::Knight)).then_some("kbnk"));
    }
    names
}

/// Every minimal subset that can mate and has a table: the king with one queen; without queens, one
/// rook; without either, one pawn, a bishop pair, or a bishop and a knight.
pub(crate) fn mating_subsets(pieces: &PieceSet) -> Vec<PieceSet> {
    let with = |helpers: BitBoard| {
        let kept = helpers | pieces.pieces(Piece::King);
        let by_piece = Piece::ALL.map(|piece| pieces.pieces(piece) & kept);
        PieceSet::new(pieces.color(), by_piece, (false, false))
    };
    let singles =
        |piece| pieces.pieces(piece).into_iter().map(|square| square.bitboard()).collect();
    for major in [Piece::Queen, Piece::Rook] {
        let each: Vec<BitBoard> = singles(major);
        if !each.is_empty() {
            return each.into_iter().map(with).collect();
        }
    }
    let (bishops, knights) = (pieces.pieces(Piece::Bishop), pieces.pieces(Piece::Knight));
    let mut subsets: Vec<BitBoard> = singles(Piece::Pawn);
    for bishop in bishops {
        let others = bishops.into_iter().filter(|&other| bishop < other);
        let pairs = others.map(|other| bishop.bitboard() | other.bitboard());
        subsets.extend(pairs.filter(|pair| is_bishop_pair(*pair)));
        subsets.extend(knights.into_iter().map(|knight| bishop.bitboard() | knight.bitboard()));
    }
    subsets.into_iter().map(with).collect()
}

/// Whether there are bishops on squares of both colours.
pub(crate) fn is_bishop_pair(bishops: BitBoard) -> bool {
    !bishops.is_disjoint(BitBoard::DARK_SQUARES) && !bishops.is_disjoint(BitBoard::LIGHT_SQUARES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Color, Position};

    /// The number of subsets, and their tables.
    fn subsets(board: &str) -> (usize, Vec<&'static str>) {
        let position = Position::from_fen(&format!("{board} w - - 0 1")).unwrap();
        let pieces = position.pieces(Color::White);
        let subsets = mating_subsets(&pieces);
        let king = pieces.pieces(Piece::King);
        assert!(subsets.iter().all(|subset| subset.pieces(Piece::King) == king));
        assert!(subsets.iter().all(|subset| subset.all().is_subset(pieces.all())));
        (subsets.len(), subset_endgames(&pieces))
    }

    #[test]
    fn major_pieces_mate_alone_and_minor_pieces_in_pairs() {
        assert_eq!(subsets("4k3/8/8/8/8/8/RQQP4/K7"), (2, vec!["kqk", "krk"]));
        assert_eq!(subsets("4k3/8/8/8/8/8/RR1P4/K7"), (2, vec!["kqk", "krk"]));
        // Each bishop with the knight, the two bishops, and the pawn.
        let all = vec!["kqk", "krk", "kpk", "kbbk", "kbnk"];
        assert_eq!(subsets("4k3/8/8/8/8/8/BBNP4/K7"), (4, all));
        let dark = subsets("4k3/8/8/8/8/B7/1B1N4/K7");
        assert_eq!(dark, (2, vec!["kbnk"]), "both bishops are on dark squares");
        assert_eq!(subsets("4k3/8/8/8/8/8/3NN3/K7"), (0, vec![]));
    }
}
