//! Positions with the colours exchanged.

use krieg_core::Position;

/// The same position with the colours exchanged: each piece on the mirrored rank, and the other
/// side to move.
///
/// ```
/// use krieg_core::Position;
/// use krieg_testing::mirrored;
/// let position = Position::from_fen("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1")?;
/// assert_eq!(mirrored(&position).to_string(), "4k2r/8/8/8/3Pp3/8/8/4K3 b k d3 0 1");
/// assert_eq!(mirrored(&mirrored(&position)), position);
/// # Ok::<(), krieg_core::FenError>(())
/// ```
pub fn mirrored(position: &Position) -> Position {
    let text = position.to_string();
    let fields: Vec<&str> = text.split(' ').collect();
    let swap_case = |text: &str| -> String {
        let swap = |letter: char| match letter.is_ascii_uppercase() {
            true => letter.to_ascii_lowercase(),
            false => letter.to_ascii_uppercase(),
        };
        text.chars().map(swap).collect()
    };
    let ranks: Vec<String> = fields[0].split('/').rev().map(swap_case).collect();
    let turn = if fields[1] == "w" { "b" } else { "w" };
    let mut castling: Vec<char> = swap_case(fields[2]).chars().collect();
    castling.sort_unstable();
    let castling: String = castling.into_iter().collect();
    let en_passant: String = fields[3]
        .chars()
        .map(|letter| match letter {
            '3' => '6',
            '6' => '3',
            other => other,
        })
        .collect();
    let placement = ranks.join("/");
    let fen = format!("{placement} {turn} {castling} {en_passant} {} {}", fields[4], fields[5]);
    Position::from_fen(&fen).expect("a valid position is valid with exchanged colours")
}
