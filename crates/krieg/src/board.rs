//! A board of text.

use krieg_core::{Color, File, PieceSet, Rank, Square};

/// Draws these men, seen from one side of the board.
pub fn draw(men: &[PieceSet], from: Color, ascii: bool) -> String {
    draw_letters(|square| men.iter().find_map(|men| men.letter(square)), from, ascii)
}

/// Draws what stands on each square, by its letter in a FEN.
pub fn draw_letters(
    letter_on: impl Fn(Square) -> Option<char>,
    from: Color,
    ascii: bool,
) -> String {
    let sign = |letter: Option<char>| if ascii { letter.unwrap_or('.') } else { figure(letter) };
    draw_signs(|square| sign(letter_on(square)), from)
}

/// Draws a sign for each square.
pub fn draw_signs(sign_on: impl Fn(Square) -> char, from: Color) -> String {
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
            text.push(' ');
            text.push(sign_on(Square::new(file, rank)));
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

/// A letter of FEN as a chessman.
pub fn figure(letter: Option<char>) -> char {
    match letter {
        Some('K') => '♔',
        Some('Q') => '♕',
        Some('R') => '♖',
        Some('B') => '♗',
        Some('N') => '♘',
        Some('P') => '♙',
        Some('k') => '♚',
        Some('q') => '♛',
        Some('r') => '♜',
        Some('b') => '♝',
        Some('n') => '♞',
        Some('p') => '♟',
        _ => '·',
    }
}
