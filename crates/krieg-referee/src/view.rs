//! A player's view as JSON.

use krieg_core::{Color, File, Piece, Rank, Square, View};
use krieg_notation::json::{End, PawnTriesSaid, Side};
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct ViewJson {
    player: Side,
    turn: Side,
    ply: u32,
    men: String,
    castling: String,
    tries: Vec<String>,
    may_ask: bool,
    owes_pawn_capture: bool,
    pawn_tries: Option<PawnTriesSaid>,
    checks: Vec<String>,
    any: Option<bool>,
    refusals: u16,
    taken: TakenJson,
    end: Option<End>,
}

#[derive(Serialize)]
struct TakenJson {
    pawns: u8,
    pieces: u8,
    untold: u8,
}

impl From<&View> for ViewJson {
    fn from(view: &View) -> Self {
        let taken = view.taken();
        ViewJson {
            player: view.player().into(),
            turn: view.turn().into(),
            ply: view.ply(),
            men: placement(view),
            castling: castling(view),
            tries: view.tries().iter().map(|mv| mv.to_string()).collect(),
            may_ask: view.may_ask(),
            owes_pawn_capture: view.owes_a_pawn_capture(),
            pawn_tries: PawnTriesSaid::of(view.pawns()),
            checks: view.checks().iter().map(|direction| direction.to_string()).collect(),
            any: view.any_answer(),
            refusals: view.refusals(),
            taken: TakenJson { pawns: taken.pawns, pieces: taken.pieces, untold: taken.untold },
            end: view.outcome().map(End::from),
        }
    }
}

fn in_case(player: Color, letter: char) -> char {
    match player {
        Color::White => letter.to_ascii_uppercase(),
        Color::Black => letter.to_ascii_lowercase(),
    }
}

/// The own men in the first field of a FEN.
fn placement(view: &View) -> String {
    let rows: Vec<String> = Rank::ALL
        .into_iter()
        .rev()
        .map(|rank| {
            let mut row = String::new();
            let mut gap = 0;
            for file in File::ALL {
                match view.men().on(Square::new(file, rank)) {
                    None => gap += 1,
                    Some(piece) => {
                        push_gap(&mut row, &mut gap);
                        row.push(in_case(view.player(), char::from(piece)));
                    }
                }
            }
            push_gap(&mut row, &mut gap);
            row
        })
        .collect();
    rows.join("/")
}

fn push_gap(row: &mut String, gap: &mut u32) {
    if *gap > 0 {
        row.push_str(&gap.to_string());
        *gap = 0;
    }
}

fn castling(view: &View) -> String {
    let (short, long) = view.men().castling();
    let rights = [(short, Piece::King), (long, Piece::Queen)];
    let text: String = rights
        .into_iter()
        .filter(|(right, _)| *right)
        .map(|(_, side)| in_case(view.player(), char::from(side)))
        .collect();
    if text.is_empty() { "-".into() } else { text }
}
