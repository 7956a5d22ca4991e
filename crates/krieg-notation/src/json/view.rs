//! A player's view as a JSON object.

use krieg_core::{Color, Move, View, placement};
use serde::{Serialize, Serializer};

use super::{ColorJson, OutcomeJson, PawnTriesJson};

/// A player's view as JSON: the own pieces and what follows from the announcements.
///
/// ```
/// use krieg_core::{Color, Position, Ruleset, Umpire};
/// use krieg_notation::json::ViewJson;
/// let umpire = Umpire::new(Ruleset::ICC, Position::start());
/// let view = serde_json::to_value(ViewJson::from(umpire.view(Color::White)))?;
/// assert_eq!(view["pieces"], "8/8/8/8/8/8/PPPPPPPP/RNBQKBNR");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ViewJson {
    player: ColorJson,
    /// `None` when the game is over.
    turn: Option<ColorJson>,
    ply: u32,
    pieces: String,
    castling: String,
    tries: Vec<MoveJson>,
    may_ask: bool,
    owes_pawn_capture: bool,
    pawn_tries: Option<PawnTriesJson>,
    checks: Vec<String>,
    any: Option<bool>,
    refusals: u16,
    captured: CapturedJson,
    end: Option<OutcomeJson>,
}

/// A move in coordinate notation.
#[derive(Debug, Clone, PartialEq, Eq)]
struct MoveJson(Move);

impl Serialize for MoveJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct CapturedJson {
    pawns: u8,
    pieces: u8,
    unknown: u8,
}

impl From<&View> for ViewJson {
    fn from(view: &View) -> Self {
        let captured = view.captured();
        ViewJson {
            player: view.player().into(),
            turn: view.outcome().is_none().then(|| view.turn().into()),
            ply: view.ply(),
            pieces: placement::write(|square| view.pieces().letter(square)),
            castling: castling(view),
            tries: view.tries().iter().map(MoveJson).collect(),
            may_ask: view.can_ask_any(),
            owes_pawn_capture: view.must_capture_with_pawn(),
            pawn_tries: PawnTriesJson::new(view.pawn_tries()),
            checks: view.checks().iter().map(|direction| direction.to_string()).collect(),
            any: view.any_answer(),
            refusals: view.refusals(),
            captured: CapturedJson {
                pawns: captured.pawns,
                pieces: captured.pieces,
                unknown: captured.unknown,
            },
            end: view.outcome().map(OutcomeJson::from),
        }
    }
}

fn castling(view: &View) -> String {
    let letters = match view.player() {
        Color::White => ["K", "Q"],
        Color::Black => ["k", "q"],
    };
    match view.pieces().castling() {
        (false, false) => "-".into(),
        (true, false) => letters[0].into(),
        (false, true) => letters[1].into(),
        (true, true) => letters.concat(),
    }
}
