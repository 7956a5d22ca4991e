//! Boards drawn as text.

use krieg_core::{Color, File, PieceSet, Rank, Square};

/// Draws these pieces, seen from one side of the board.
pub fn draw(piece_sets: &[PieceSet], side: Color, ascii: bool) -> String {
    draw_letters(|square| piece_sets.iter().find_map(|set| set.letter(square)), side, ascii)
}

/// Draws a board from the FEN letter of the piece on each square.
pub fn draw_letters(
    letter_on: impl Fn(Square) -> Option<char>,
    side: Color,
    ascii: bool,
) -> String {
    let symbol = |letter: Option<char>| {
        if ascii { letter.unwrap_or('.') } else { piece_symbol(letter) }
    };
    draw_symbols(|square| symbol(letter_on(square)), side)
}

/// Draws a board from one symbol for each square.
pub fn draw_symbols(symbol_on: impl Fn(Square) -> char, side: Color) -> String {
    let mut ranks = Rank::ALL;
    let mut files = File::ALL;
    match side {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    let mut text = String::new();
    for rank in ranks {
        text.push(char::from(rank));
        for file in files {
            text.push(' ');
            text.push(symbol_on(Square::new(file, rank)));
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

/// The Unicode symbol of a piece given by its FEN letter.
pub fn piece_symbol(letter: Option<char>) -> char {
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
