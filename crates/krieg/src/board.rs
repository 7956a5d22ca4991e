//! A board of text.

use krieg_core::{Color, File, Men, Piece, Rank, Square};

/// Draws these men, seen from one side of the board.
pub fn draw(men: &[Men], from: Color, ascii: bool) -> String {
    let mut ranks = Rank::ALL;
    let mut files = File::ALL;
    match from {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    let mut text = String::new();
    for rank in ranks {
        text.push(char::from(rank));
        for file in files {
            let square = Square::new(file, rank);
            let man = men.iter().find_map(|men| men.on(square).map(|piece| (piece, men.color())));
            text.push(' ');
            text.push(man.map_or(if ascii { '.' } else { '·' }, |man| symbol(man, ascii)));
        }
        text.push('\n');
    }
    text.push(' ');
    for file in files {
        text.push(' ');
        text.push(char::from(file));
    }
    text.push('\n');
    text
}

fn symbol((piece, color): (Piece, Color), ascii: bool) -> char {
    if ascii {
        let letter = char::from(piece);
        return if color == Color::White { letter.to_ascii_uppercase() } else { letter };
    }
    let (white, black) = match piece {
        Piece::Pawn => ('♙', '♟'),
        Piece::Knight => ('♘', '♞'),
        Piece::Bishop => ('♗', '♝'),
        Piece::Rook => ('♖', '♜'),
        Piece::Queen => ('♕', '♛'),
        Piece::King => ('♔', '♚'),
    };
    if color == Color::White { white } else { black }
}
