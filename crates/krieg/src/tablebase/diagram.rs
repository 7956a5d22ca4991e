//! A small SVG board for the browser: the attacker's pieces, and the possible kings half
//! transparent.

use std::fmt::Write as _;

use krieg_arena::report::html::escape;
use krieg_core::{Move, Square};
use krieg_notation::MultiKingFen;

use crate::board::piece_symbol;

/// The style sheet of diagrams, in addition to that of all pages.
pub const STYLE: &str = "\
.board { width: 11rem; border: 1px solid var(--rule); overflow: hidden; }
.board text { font-size: 9px; text-anchor: middle; fill: var(--ink); }
.board .ghost { opacity: .5; }
.board .dark { fill: var(--rule); }
.board path { stroke: var(--s1); stroke-width: 1.2; stroke-linecap: round; opacity: .8; }
.board circle { color: var(--s1); opacity: .8; }
";

/// The side of a square in SVG units.
const SIDE: usize = 10;

/// A metaposition as SVG, with an arrow for its first try.
pub fn draw(line: &MultiKingFen) -> String {
    let label = format!(
        "{}; the lone king is on one of {} squares",
        piece_list(line),
        line.king_squares().len()
    );
    let mut svg = format!(
        "<svg class=\"board\" viewBox=\"0 0 {side} {side}\" role=\"img\" aria-label=\"{}\">\n",
        escape(&label),
        side = 8 * SIDE
    );
    for square in Square::ALL {
        let (x, y) = corner(square);
        if (square as usize / 8 + square as usize).is_multiple_of(2) {
            let _ = writeln!(
                svg,
                "<rect class=\"dark\" x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\"/>"
            );
        }
    }
    let mut put = |square: Square, letter: char, class: &str| {
        let ((x, y), figure) = (centre(square), piece_symbol(Some(letter)));
        // The variation selector keeps browsers from showing the piece as an emoji.
        let _ = writeln!(svg, "<text{class} x=\"{x}\" y=\"{}\">{figure}\u{fe0e}</text>", y + 3);
    };
    for &(square, piece) in line.pieces() {
        put(square, char::from(piece).to_ascii_uppercase(), "");
    }
    for square in line.king_squares() {
        put(square, 'k', " class=\"ghost\"");
    }
    svg + &line.tries.first().map(arrow).unwrap_or_default() + "</svg>\n"
}

fn arrow(mv: &Move) -> String {
    let ((x, y), (to_x, to_y)) = (centre(mv.from), centre(mv.to));
    format!("<path d=\"M{x} {y}L{to_x} {to_y}\"/><circle cx=\"{to_x}\" cy=\"{to_y}\" r=\"1.6\"/>\n")
}

/// The attacker's pieces, the king first: `Kc1 Rh7`.
fn piece_list(line: &MultiKingFen) -> String {
    let name = |&(square, piece)| format!("{}{square}", char::from(piece).to_ascii_uppercase());
    let mut names: Vec<String> = line.pieces().iter().map(name).collect();
    names.sort_by_key(|name| !name.starts_with('K'));
    names.join(" ")
}

/// The top left corner of a square, with White at the bottom.
fn corner(square: Square) -> (usize, usize) {
    (square as usize % 8 * SIDE, (7 - square as usize / 8) * SIDE)
}

fn centre(square: Square) -> (usize, usize) {
    let (x, y) = corner(square);
    (x + SIDE / 2, y + SIDE / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pieces_and_possible_kings_are_drawn() {
        let line: MultiKingFen = "k7/8/8/8/kk6/8/8/2K4R 5 Rh1-h4".parse().unwrap();
        let svg = draw(&line);
        assert_eq!(svg.matches("class=\"dark\"").count(), 32);
        assert_eq!(svg.matches("class=\"ghost\"").count(), 3);
        assert!(svg.contains("aria-label=\"Kc1 Rh1; the lone king is on one of 3 squares\""));
        assert!(svg.contains("<text x=\"75\" y=\"78\">♖"));
        assert!(svg.contains("M75 75L75 45"));
        // h1 is a light square, a1 is a dark one.
        assert!(!svg.contains("x=\"70\" y=\"70\"") && svg.contains("x=\"0\" y=\"70\""));
    }
}
