//! Endgame knowledge: drawish material, and driving a lone king to the edge (mop-up evaluation).

use cozy_chess::{BitBoard, Board, Color, Piece, Square};

use super::bitboards;

/// Endgame scale of a position without drawish material. Scales are in sixty-fourths.
pub(crate) const FULL_SCALE: i32 = 64;

/// Scale of the endgame value, in sixty-fourths: how much of the advantage of `stronger` remains
/// with this material.
pub(crate) fn scale(board: &Board, stronger: Color) -> i32 {
    let weaker = !stronger;
    let pawns = board.colored_pieces(stronger, Piece::Pawn).len();
    let material = |color| {
        let count = |piece| board.colored_pieces(color, piece).len() as i32;
        3 * (count(Piece::Knight) + count(Piece::Bishop))
            + 5 * count(Piece::Rook)
            + 9 * count(Piece::Queen)
    };
    if pawns == 0 {
        let lead = material(stronger) - material(weaker);
        if material(stronger) < 5 {
            return 0;
        }
        if lead <= 3 {
            return 12;
        }
    }
    let bishops = board.pieces(Piece::Bishop);
    let single_bishop_is_light = |color| {
        let own = bishops & board.colors(color);
        (own.len() == 1).then(|| BitBoard::LIGHT_SQUARES.is_superset(own))
    };
    // Opposite-coloured bishops.
    if let (Some(one), Some(other)) =
        (single_bishop_is_light(stronger), single_bishop_is_light(weaker))
        && one != other
    {
        return if material(stronger) == 3 && material(weaker) == 3 { 28 } else { 48 };
    }
    FULL_SCALE
}

/// Scales an evaluation down as the fifty-move rule comes nearer.
pub(crate) fn scale_by_halfmove_clock(board: &Board, value: i32) -> i32 {
    value * (220 - i32::from(board.halfmove_clock())) / 220
}

/// Adjusts the output of a network, for the side to move, in endgames that its training games lack:
/// scales advantages without pawns, of which there were few, and adds the mop-up evaluation for
/// lone kings, of which there were none.
pub(crate) fn adjust_network_output(board: &Board, value: i32) -> i32 {
    let mover = board.side_to_move();
    let stronger = if value >= 0 { mover } else { !mover };
    let mut value = value;
    if board.colored_pieces(stronger, Piece::Pawn).is_empty() {
        value = value * scale(board, stronger) / FULL_SCALE;
    }
    value += match mop_up(board) {
        Some((attacker, bonus)) if attacker == mover => bonus,
        Some((_, bonus)) => -bonus,
        None => 0,
    };
    scale_by_halfmove_clock(board, value)
}

/// Mop-up evaluation: if one side has only its king and the other has mating material, the
/// attacking side and its bonus for driving the lone king to the edge and approaching it.
pub(crate) fn mop_up(board: &Board) -> Option<(Color, i32)> {
    let lone = Color::ALL.into_iter().find(|&color| board.colors(color).len() == 1)?;
    let attacker = !lone;
    let count = |piece| board.colored_pieces(attacker, piece).len();
    let (knights, bishops) = (count(Piece::Knight), board.colored_pieces(attacker, Piece::Bishop));
    let has_bishops_of_both_colours = !(bishops & BitBoard::LIGHT_SQUARES).is_empty()
        && !(bishops & !BitBoard::LIGHT_SQUARES).is_empty();
    let can_mate = count(Piece::Queen) + count(Piece::Rook) > 0
        || has_bishops_of_both_colours
        || (!bishops.is_empty() && knights > 0)
        || knights > 2;
    if !can_mate {
        return None;
    }
    let king = board.king(lone);
    let proximity = 7 - bitboards::distance(king, board.king(attacker)) as i32;
    let mut edge_bonus = centre_distance(king) * 20;
    let only_bishop_and_knight =
        board.colors(attacker).len() == 3 && bishops.len() == 1 && knights == 1;
    if only_bishop_and_knight {
        // Bishop and knight mate only in a corner of the bishop's colour.
        let corners = if BitBoard::LIGHT_SQUARES.is_superset(bishops) {
            [Square::A8, Square::H1]
        } else {
            [Square::A1, Square::H8]
        };
        let corner =
            corners.into_iter().map(|corner| manhattan_distance(king, corner)).min().unwrap_or(0);
        edge_bonus += (14 - corner) * 30;
    }
    Some((attacker, 400 + edge_bonus + proximity * 15))
}

/// Manhattan distance from the four centre squares, 0 to 6.
fn centre_distance(square: Square) -> i32 {
    let distance = |index: usize| (index as i32 * 2 - 7).abs() / 2;
    distance(square.file() as usize) + distance(square.rank() as usize)
}

fn manhattan_distance(a: Square, b: Square) -> i32 {
    (a.file() as i32 - b.file() as i32).abs() + (a.rank() as i32 - b.rank() as i32).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bonus(fen: &str) -> i32 {
        mop_up(&fen.parse().unwrap()).unwrap().1
    }

    #[test]
    fn the_bonus_is_highest_with_the_lone_king_in_the_corner() {
        let centre = bonus("8/8/8/3k4/8/3K4/8/7R w - - 0 1");
        let edge = bonus("3k4/8/3K4/8/8/8/8/7R w - - 0 1");
        let corner = bonus("k7/8/1K6/8/8/8/8/7R w - - 0 1");
        assert!(centre < edge && edge < corner);
    }

    #[test]
    fn bishop_and_knight_drive_to_the_corner_of_the_bishops_colour() {
        let wrong = bonus("k7/8/1K6/8/8/8/3N4/2B5 w - - 0 1");
        let right = bonus("7k/8/6K1/8/8/8/3N4/2B5 w - - 0 1");
        assert!(right > wrong);
    }

    #[test]
    fn network_outputs_are_adjusted_for_lone_kings_and_drawish_material() {
        let adjusted = |fen: &str, value| adjust_network_output(&fen.parse().unwrap(), value);
        assert!(adjusted("8/8/8/3k4/8/3K4/P7/6Q1 w - - 0 1", 900) > 1_300);
        assert!(adjusted("8/8/8/3k4/8/3K4/P7/6Q1 b - - 0 1", -900) < -1_300);
        assert_eq!(adjusted("8/8/8/3k4/4n3/8/8/K6R b - - 0 1", -64), -12);
        assert_eq!(adjusted("8/8/8/3kp3/8/3K4/8/7N w - - 0 1", 64), 0);
        assert_eq!(adjusted("8/8/8/3kp3/8/3K4/8/7N w - - 0 1", -64), -64);
        assert_eq!(adjusted("8/8/8/3kp3/8/3K4/8/7N w - - 55 1", -64), -48);
    }

    #[test]
    fn two_knights_are_not_mating_material() {
        assert_eq!(mop_up(&"8/8/8/3k4/8/3K4/8/6NN w - - 0 1".parse().unwrap()), None);
    }
}
