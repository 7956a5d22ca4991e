//! The piece placement field of FEN: the squares rank by rank, from the eighth to the first.

use cozy_chess::{File, Rank, Square};

/// Writes a placement field. `letter_on` gives the letter of each square, or `None` if the square
/// is empty.
///
/// ```
/// use krieg_core::{Square, placement};
/// let text = placement::write(|square| (square == Square::C7).then_some('k'));
/// assert_eq!(text, "8/2k5/8/8/8/8/8/8");
/// ```
pub fn write(letter_on: impl Fn(Square) -> Option<char>) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            let letter = letter_on(Square::new(file, rank));
            if letter.is_some() && empty > 0 {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            match letter {
                Some(letter) => text.push(letter),
                None => empty += 1,
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        if rank != Rank::First {
            text.push('/');
        }
    }
    text
}

/// Reads a placement field and calls `place` with each letter and its square. The error is the
/// reason why the field is malformed.
///
/// ```
/// use krieg_core::{Square, placement};
/// let mut found = Vec::new();
/// placement::read("8/2k5/8/8/8/8/8/8", |square, letter| {
///     found.push((square, letter));
///     Ok(())
/// })?;
/// assert_eq!(found, [(Square::C7, 'k')]);
/// assert_eq!(
///     placement::read("8/8", |_, _| Ok(())),
///     Err("has 2 ranks, not eight".to_string()),
/// );
/// # Ok::<(), String>(())
/// ```
pub fn read(
    text: &str,
    mut place: impl FnMut(Square, char) -> Result<(), String>,
) -> Result<(), String> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != Rank::NUM {
        return Err(format!("has {} ranks, not eight", rows.len()));
    }
    for (row, rank) in rows.into_iter().zip(Rank::ALL.into_iter().rev()) {
        let mut file = 0;
        let mut after_number = false;
        for letter in row.chars() {
            let is_number = matches!(letter, '1'..='8');
            if is_number && after_number {
                return Err(format!("rank {row:?} has two numbers in a row"));
            }
            after_number = is_number;
            if is_number {
                file += letter as usize - '0' as usize;
                continue;
            }
            let Some(here) = File::try_index(file) else {
                return Err(format!("rank {row:?} is too long"));
            };
            place(Square::new(here, rank), letter)?;
            file += 1;
        }
        if file != File::NUM {
            return Err(format!("rank {row:?} has {file} squares, not eight"));
        }
    }
    Ok(())
}
