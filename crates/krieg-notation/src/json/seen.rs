//! A player's view as a JSON object.

use krieg_core::{Color, View, placement};
use serde::Serialize;

use super::{End, PawnTriesSaid, Side};

/// What a player sees and has heard.
///
/// ```
/// use krieg_core::{Color, Position, Ruleset, Umpire};
/// use krieg_notation::json::Seen;
/// let umpire = Umpire::new(Ruleset::ICC, Position::start());
/// let seen = serde_json::to_value(Seen::from(umpire.view(Color::White)))?;
/// assert_eq!(seen["men"], "8/8/8/8/8/8/PPPPPPPP/RNBQKBNR");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Seen {
    player: Side,
    /// Nobody's, when the game is over.
    turn: Option<Side>,
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

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct TakenJson {
    pawns: u8,
    pieces: u8,
    untold: u8,
}

impl From<&View> for Seen {
    fn from(view: &View) -> Self {
        let taken = view.taken();
        Seen {
            player: view.player().into(),
            turn: view.outcome().is_none().then(|| view.turn().into()),
            ply: view.ply(),
            men: placement::write(|square| view.men().letter(square)),
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

fn castling(view: &View) -> String {
    let letters = match view.player() {
        Color::White => ["K", "Q"],
        Color::Black => ["k", "q"],
    };
    match view.men().castling() {
        (false, false) => "-".into(),
        (true, false) => letters[0].into(),
        (false, true) => letters[1].into(),
        (true, true) => letters.concat(),
    }
}
