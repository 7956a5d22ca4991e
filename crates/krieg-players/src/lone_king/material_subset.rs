//! Mating with a part of the men: where there is no table for all of them, there is one for some.
//!
//! What a table says of some of the men is not sure where others stand about: a man may be in the way, or leave the king without a move. But it is a way to
//! mate, and whoever looks a move ahead with all men on the board sees in time where it is barred.

use krieg_core::{BitBoard, Piece, PieceSet};

/// Tables that a part of these men, and of what their pawns may become, is looked up in.
pub(crate) fn endgames(men: &PieceSet) -> Vec<&'static str> {
    let has = |piece| !men.pieces(piece).is_empty();
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
        names.extend(is_pair(men.pieces(Piece::Bishop)).then_some("kbbk"));
        names.extend((has(Piece::Bishop) && has(Piece::Knight)).then_some("kbnk"));
    }
    names
}

/// The king with as few of his men as can mate, in every way that one of these tables knows: a queen, or else a rook, or else a pawn or two lesser men.
pub(crate) fn each_that_mates(men: &PieceSet) -> Vec<PieceSet> {
    let with = |helpers: BitBoard| {
        let kept = helpers | men.pieces(Piece::King);
        let squares = Piece::ALL.map(|piece| men.pieces(piece) & kept);
        PieceSet::new(men.color(), squares, (false, false))
    };
    let alone = |piece| men.pieces(piece).into_iter().map(|man| man.bitboard()).collect();
    for heavy in [Piece::Queen, Piece::Rook] {
        let each: Vec<BitBoard> = alone(heavy);
        if !each.is_empty() {
            return each.into_iter().map(with).collect();
        }
    }
    let (bishops, knights) = (men.pieces(Piece::Bishop), men.pieces(Piece::Knight));
    let mut parts: Vec<BitBoard> = alone(Piece::Pawn);
    for bishop in bishops {
        let others = bishops.into_iter().filter(|&other| bishop < other);
        let pairs = others.map(|other| bishop.bitboard() | other.bitboard());
        parts.extend(pairs.filter(|pair| is_pair(*pair)));
        parts.extend(knights.into_iter().map(|knight| bishop.bitboard() | knight.bitboard()));
    }
    parts.into_iter().map(with).collect()
}

/// Whether there are bishops on squares of both colours.
pub(crate) fn is_pair(bishops: BitBoard) -> bool {
    !bishops.is_disjoint(BitBoard::DARK_SQUARES) && !bishops.is_disjoint(BitBoard::LIGHT_SQUARES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Color, Position};

    /// How many ways there are, and the tables.
    fn ways(board: &str) -> (usize, Vec<&'static str>) {
        let men = Position::from_fen(&format!("{board} w - - 0 1")).unwrap().pieces(Color::White);
        let parts = each_that_mates(&men);
        let king = men.pieces(Piece::King);
        assert!(parts.iter().all(|part| part.pieces(Piece::King) == king));
        assert!(parts.iter().all(|part| part.all().is_subset(men.all())));
        (parts.len(), endgames(&men))
    }

    #[test]
    fn the_strongest_men_mate_alone_and_the_lesser_ones_by_twos() {
        assert_eq!(ways("4k3/8/8/8/8/8/RQQP4/K7"), (2, vec!["kqk", "krk"]));
        assert_eq!(ways("4k3/8/8/8/8/8/RR1P4/K7"), (2, vec!["kqk", "krk"]));
        // Both bishops with the knight, the two of them, and a pawn.
        let all = vec!["kqk", "krk", "kpk", "kbbk", "kbnk"];
        assert_eq!(ways("4k3/8/8/8/8/8/BBNP4/K7"), (4, all));
        assert_eq!(ways("4k3/8/8/8/8/B7/1B1N4/K7"), (2, vec!["kbnk"]), "both on dark squares");
        assert_eq!(ways("4k3/8/8/8/8/8/3NN3/K7"), (0, vec![]));
    }
}
