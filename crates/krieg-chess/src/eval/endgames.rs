//! Endings that counting gets wrong: bare kings to be driven, and leads that do not win.

use cozy_chess::{BitBoard, Board, Color, Piece, Square};

use super::bitboards;

/// The weight of the endgame value is counted in sixty-fourths.
pub(crate) const FULL: i32 = 64;

/// How many sixty-fourths of a lead in the endgame `stronger` can hope to turn into a win.
pub(crate) fn scale(board: &Board, stronger: Color) -> i32 {
    let weaker = !stronger;
    let pawns = board.colored_pieces(stronger, Piece::Pawn).len();
    let worth = |color| {
        let count = |piece| board.colored_pieces(color, piece).len() as i32;
        3 * (count(Piece::Knight) + count(Piece::Bishop))
            + 5 * count(Piece::Rook)
            + 9 * count(Piece::Queen)
    };
    if pawns == 0 {
        let lead = worth(stronger) - worth(weaker);
        if worth(stronger) < 5 {
            return 0;
        }
        if lead <= 3 {
            return 12;
        }
    }
    let bishops = board.pieces(Piece::Bishop);
    let opposite = |color| {
        let own = bishops & board.colors(color);
        (own.len() == 1).then(|| BitBoard::LIGHT_SQUARES.is_superset(own))
    };
    if let (Some(one), Some(other)) = (opposite(stronger), opposite(weaker))
        && one != other
    {
        return if worth(stronger) == 3 && worth(weaker) == 3 { 28 } else { 48 };
    }
    FULL
}

/// A lead that makes no progress is worth less and less.
pub(crate) fn fade(board: &Board, value: i32) -> i32 {
    value * (220 - i32::from(board.halfmove_clock())) / 220
}

/// What a network must be told: which leads without pawns win nothing, for it saw few of them, and
/// that a bare king is to be driven, for it saw none. `value` is the mover's, and so is what comes back.
pub(crate) fn correct(board: &Board, value: i32) -> i32 {
    let mover = board.side_to_move();
    let stronger = if value >= 0 { mover } else { !mover };
    let mut value = value;
    if board.colored_pieces(stronger, Piece::Pawn).is_empty() {
        value = value * scale(board, stronger) / FULL;
    }
    value += match mop_up(board) {
        Some((driver, driven)) if driver == mover => driven,
        Some((_, driven)) => -driven,
        None => 0,
    };
    fade(board, value)
}

/// If one side has nothing but its king and the other can mate: which side is driving, and how
/// far it has got.
pub(crate) fn mop_up(board: &Board) -> Option<(Color, i32)> {
    let bare = Color::ALL.into_iter().find(|&color| board.colors(color).len() == 1)?;
    let driver = !bare;
    let count = |piece| board.colored_pieces(driver, piece).len();
    let (knights, bishops) = (count(Piece::Knight), board.colored_pieces(driver, Piece::Bishop));
    let both_shades = !(bishops & BitBoard::LIGHT_SQUARES).is_empty()
        && !(bishops & !BitBoard::LIGHT_SQUARES).is_empty();
    let can_mate = count(Piece::Queen) + count(Piece::Rook) > 0
        || both_shades
        || (!bishops.is_empty() && knights > 0)
        || knights > 2;
    if !can_mate {
        return None;
    }
    let prey = board.king(bare);
    let near = 7 - bitboards::distance(prey, board.king(driver)) as i32;
    let mut driven = from_centre(prey) * 20;
    let only_bishop_and_knight =
        board.colors(driver).len() == 3 && bishops.len() == 1 && knights == 1;
    if only_bishop_and_knight {
        // Mate is given only in a corner of the bishop's colour.
        let corners = if BitBoard::LIGHT_SQUARES.is_superset(bishops) {
            [Square::A8, Square::H1]
        } else {
            [Square::A1, Square::H8]
        };
        let corner = corners.into_iter().map(|corner| steps(prey, corner)).min().unwrap_or(0);
        driven += (14 - corner) * 30;
    }
    Some((driver, 400 + driven + near * 15))
}

/// Rook's steps from the four centre squares, 0 to 6.
fn from_centre(square: Square) -> i32 {
    let off = |index: usize| (index as i32 * 2 - 7).abs() / 2;
    off(square.file() as usize) + off(square.rank() as usize)
}

/// Files and ranks between two squares, added.
fn steps(a: Square, b: Square) -> i32 {
    (a.file() as i32 - b.file() as i32).abs() + (a.rank() as i32 - b.rank() as i32).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn driven(fen: &str) -> i32 {
        mop_up(&fen.parse().unwrap()).unwrap().1
    }

    #[test]
    fn a_bare_king_is_better_driven_in_the_corner() {
        let centre = driven("8/8/8/3k4/8/3K4/8/7R w - - 0 1");
        let edge = driven("3k4/8/3K4/8/8/8/8/7R w - - 0 1");
        let corner = driven("k7/8/1K6/8/8/8/8/7R w - - 0 1");
        assert!(centre < edge && edge < corner);
    }

    #[test]
    fn bishop_and_knight_want_the_bishops_corner() {
        let wrong = driven("k7/8/1K6/8/8/8/3N4/2B5 w - - 0 1");
        let right = driven("7k/8/6K1/8/8/8/3N4/2B5 w - - 0 1");
        assert!(right > wrong);
    }

    #[test]
    fn a_network_is_told_of_bare_kings_and_hopeless_leads() {
        let corrected = |fen: &str, value| correct(&fen.parse().unwrap(), value);
        assert!(corrected("8/8/8/3k4/8/3K4/P7/6Q1 w - - 0 1", 900) > 1_300);
        assert!(corrected("8/8/8/3k4/8/3K4/P7/6Q1 b - - 0 1", -900) < -1_300);
        assert_eq!(corrected("8/8/8/3k4/4n3/8/8/K6R b - - 0 1", -64), -12);
        assert_eq!(corrected("8/8/8/3kp3/8/3K4/8/7N w - - 0 1", 64), 0);
        assert_eq!(corrected("8/8/8/3kp3/8/3K4/8/7N w - - 0 1", -64), -64);
        assert_eq!(corrected("8/8/8/3kp3/8/3K4/8/7N w - - 55 1", -64), -48);
    }

    #[test]
    fn two_knights_drive_nobody() {
        assert_eq!(mop_up(&"8/8/8/3k4/8/3K4/8/6NN w - - 0 1".parse().unwrap()), None);
    }
}
