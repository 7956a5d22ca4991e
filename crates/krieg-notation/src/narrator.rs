//! The point of view from which a game is written, and the notation of each try from there.

use krieg_core::{
    Audience, Color, Observation, PawnTryAnnouncement, PawnTryRule, PieceSet, Position, Record,
    Setup, Transcript, Try, Umpire, Verdict, View,
};

use crate::{SavedGame, san};

/// Follows a game from the point of view of the umpire or of one player, and writes each try as
/// that party would.
///
/// ```
/// use krieg_core::{Color, Game, Setup};
/// use krieg_notation::{Narrator, SavedGame};
/// let mut game = Game::new(Setup::default());
/// game.judge("g1f3".parse()?)?;
/// let saved = SavedGame::Transcript(Box::new(game.record().transcript(Color::Black)));
/// let mut narrator = Narrator::new(&saved);
/// for observation in saved.observations() {
///     assert_eq!(narrator.try_text(&observation), "??", "Black does not know White's move");
///     narrator.advance(&observation);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Narrator(Perspective);

#[derive(Debug, Clone)]
enum Perspective {
    Umpire(Box<Umpire>),
    Player(Box<View>),
}

impl Narrator {
    /// The narrator of this game, at its start.
    pub fn new(game: &SavedGame) -> Self {
        match game {
            SavedGame::Record(record) => Narrator::for_record(record),
            SavedGame::Transcript(transcript) => Narrator::for_transcript(transcript),
        }
    }

    pub(crate) fn for_record(record: &Record) -> Self {
        let Setup { ruleset, draws, start } = record.setup().clone();
        Narrator(Perspective::Umpire(Box::new(Umpire::with_draws(ruleset, draws, start))))
    }

    pub(crate) fn for_transcript(transcript: &Transcript) -> Self {
        let Setup { ruleset, start, .. } = &transcript.setup;
        let pieces = start.pieces(transcript.player);
        let view = View::new(*ruleset, pieces, &transcript.opening);
        Narrator(Perspective::Player(Box::new(view)))
    }

    /// Notation of the try of the next observation: a move in algebraic notation as the narrator
    /// would write it, `any?`, `??` for a try that the narrator does not know, or `nonsense` for an
    /// unknown try that was announced as nonsense.
    #[must_use]
    pub fn try_text(&self, observation: &Observation) -> String {
        let has_moved = observation.announcement.verdict == Verdict::Moved;
        match (&self.0, observation.tried) {
            (_, Some(Try::Any)) => Try::Any.to_string(),
            (_, None) if observation.announcement.verdict == Verdict::Nonsense => "nonsense".into(),
            (_, None) => "??".into(),
            (Perspective::Umpire(umpire), Some(Try::Move(mv))) if has_moved => {
                san::write_legal(umpire.position(), mv)
            }
            (Perspective::Umpire(umpire), Some(Try::Move(mv))) => {
                san::write_try(umpire.view(observation.announcement.by).pieces(), mv)
            }
            (Perspective::Player(view), Some(Try::Move(mv))) if has_moved => {
                san::write_own(view.pieces(), mv, &observation.announcement)
            }
            (Perspective::Player(view), Some(Try::Move(mv))) => san::write_try(view.pieces(), mv),
        }
    }

    /// Advances past an observation.
    pub fn advance(&mut self, observation: &Observation) {
        match &mut self.0 {
            Perspective::Umpire(umpire) => {
                if let Some(tried) = observation.tried {
                    umpire.judge(tried).expect("a record can be replayed");
                }
            }
            Perspective::Player(view) => view.observe(observation),
        }
    }

    /// The pieces that the narrator sees now: those of both sides (White first) for the umpire, the
    /// own ones for a player.
    #[must_use]
    pub fn piece_sets(&self) -> Vec<PieceSet> {
        match &self.0 {
            Perspective::Umpire(umpire) => {
                [Color::White, Color::Black].map(|c| *umpire.view(c).pieces()).to_vec()
            }
            Perspective::Player(view) => vec![*view.pieces()],
        }
    }

    /// The umpire's position, or `None` if the narrator is a player.
    #[must_use]
    pub fn position(&self) -> Option<&Position> {
        match &self.0 {
            Perspective::Umpire(umpire) => Some(umpire.position()),
            Perspective::Player(_) => None,
        }
    }

    /// Whether the umpire must have announced pawn tries with this move and the announcement is
    /// missing from the transcript.
    pub(crate) fn is_missing_pawn_tries(&self, observation: &Observation) -> bool {
        let Perspective::Player(view) = &self.0 else { return false };
        let are_announced =
            !matches!(view.ruleset().pawn_tries, PawnTryRule::Silent | PawnTryRule::Asked(_));
        are_announced
            && observation.announcement.verdict == Verdict::Moved
            && observation.announcement.end.is_none()
            && observation.announcement.pawn_tries == PawnTryAnnouncement::Silent
    }

    /// Whether refused tries of this player are hidden from the narrator.
    pub(crate) fn misses_refusals_of(&self, player: Color) -> bool {
        match &self.0 {
            Perspective::Umpire(_) => false,
            Perspective::Player(view) => {
                view.player() != player && view.ruleset().refusals == Audience::Mover
            }
        }
    }
}
