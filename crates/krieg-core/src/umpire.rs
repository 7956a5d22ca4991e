//! The umpire: judges tries, announces the answers, and declares the end of the game.

use cozy_chess::Color;
use thiserror::Error;

use crate::draws::Repetitions;
use crate::{
    Announcement, Audience, DrawRules, Ending, Move, Outcome, Position, Ruleset, Try, Verdict, View,
};

/// Why the umpire did not judge a try. The game has not changed, and nothing was announced.
///
/// ```
/// use krieg_core::{Position, Ruleset, Try, TryError, Umpire};
/// let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
/// assert_eq!(umpire.judge(Try::Any), Err(TryError::AnyNotAllowed));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum TryError {
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// The try is impossible for the player's own pieces, or was refused before in this turn.
    #[error("the try is impossible, or was refused before in this turn")]
    Senseless,
    /// The answer to "any?" was "yes", and the player must try a pawn capture.
    #[error("after \"yes\" to \"any?\" only pawn captures can be tried")]
    PawnCaptureRequired,
    /// The ruleset has no "any?", or the question was already answered in this turn.
    #[error("\"any?\" cannot be asked now")]
    AnyNotAllowed,
}

/// The umpire of one game.
///
/// The umpire takes a [`Try`] from the side to move and returns an [`Announcement`] with its
/// audience, until the game is over. It reads no clock and draws no random number, so the same
/// tries always give the same game.
///
/// ```
/// use krieg_core::{Audience, Color, Position, Ruleset, Umpire, Verdict};
/// let start = Position::from_fen("4k3/8/8/8/8/8/3r4/R3K3 w - - 0 1")?;
/// let mut umpire = Umpire::new(Ruleset::ICC, start);
///
/// // White does not see the rook that controls the d-file.
/// let announcement = umpire.judge("e1d1".parse()?)?;
/// assert_eq!(announcement.verdict, Verdict::Refused);
/// assert_eq!(announcement.audience, Audience::Mover);
///
/// let announcement = umpire.judge("e1d2".parse()?)?;
/// assert_eq!(announcement.to_string(), "White moved. Piece on d2 captured. No pawn tries.");
/// assert_eq!(umpire.turn(), Color::Black);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Umpire {
    pub(crate) position: Position,
    pub(crate) ruleset: Ruleset,
    pub(crate) draws: DrawRules,
    pub(crate) views: [View; Color::NUM],
    pub(crate) repetitions: Repetitions,
    opening: Announcement,
    pub(crate) outcome: Option<Outcome>,
}

impl Umpire {
    /// An umpire for a game under `ruleset` from position `start`, with all draw rules.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Umpire};
    /// let umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// assert_eq!(umpire.turn(), Color::White);
    /// ```
    pub fn new(ruleset: Ruleset, start: Position) -> Self {
        Umpire::with_draws(ruleset, DrawRules::ALL, start)
    }

    /// An umpire for a game with these draw rules. Both players know the start position.
    ///
    /// ```
    /// use krieg_core::{DrawRules, Position, Ruleset, Umpire};
    /// let kings = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1")?;
    /// assert!(Umpire::new(Ruleset::ICC, kings.clone()).outcome().is_some());
    /// assert!(Umpire::with_draws(Ruleset::ICC, DrawRules::NONE, kings).outcome().is_none());
    /// # Ok::<(), krieg_core::FenError>(())
    /// ```
    pub fn with_draws(ruleset: Ruleset, draws: DrawRules, start: Position) -> Self {
        let opening = start.opening(&ruleset, draws);
        let repetitions = Repetitions::starting_at(start.board());
        let outcome = opening.end;
        let views = [Color::White, Color::Black]
            .map(|player| View::new(ruleset, start.pieces(player), &opening));
        Umpire { position: start, ruleset, draws, views, repetitions, opening, outcome }
    }

    /// The announcement at the start of the game: the checks on, and the pawn tries of, the first
    /// side to move.
    pub fn opening(&self) -> Announcement {
        self.opening
    }

    /// Judges a try of the side to move.
    ///
    /// ```
    /// use krieg_core::{Position, Ruleset, Try, Umpire};
    /// let start = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")?;
    /// let mut umpire = Umpire::new(Ruleset::ENGLISH, start);
    /// assert_eq!(umpire.judge(Try::Any)?.to_string(), "Any? Yes.");
    /// assert_eq!(umpire.judge("e4f5".parse()?)?.to_string(), "Illegal.");
    /// assert_eq!(umpire.judge("e4d5".parse()?)?.to_string(), "White moved. Capture on d5.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn judge(&mut self, tried: Try) -> Result<Announcement, TryError> {
        if self.outcome.is_some() {
            return Err(TryError::GameOver);
        }
        let announcement = match tried {
            Try::Any => self.answer_any()?,
            Try::Move(mv) if self.view(self.turn()).is_sensible(tried) => self.judge_sensible(mv),
            Try::Move(mv) => self.answer_senseless(mv)?,
        };
        self.update_views(tried, &announcement);
        Ok(announcement)
    }

    /// The end of a game in which a position has occurred for the third time.
    pub(crate) const THREEFOLD: Outcome = Outcome { ending: Ending::Threefold, winner: None };

    pub(crate) fn answer_senseless(&self, mv: Move) -> Result<Announcement, TryError> {
        let verdict = self.view(self.turn()).answer_to_senseless(mv)?;
        Ok(Announcement::plain(self.turn(), verdict, self.ruleset.refusals))
    }

    pub(crate) fn answer_any(&self) -> Result<Announcement, TryError> {
        let mover = self.turn();
        if !self.view(mover).can_ask_any() {
            return Err(TryError::AnyNotAllowed);
        }
        let yes = self.position.pawn_tries().count > 0;
        Ok(Announcement::plain(mover, Verdict::Any(yes), Audience::Both))
    }

    fn judge_sensible(&mut self, mv: Move) -> Announcement {
        let mut announcement = self.position.answer(mv, &self.ruleset, self.draws);
        if announcement.verdict == Verdict::Moved {
            // Without the rule no positions are stored: in a game without end they would fill the
            // memory.
            if self.draws.threefold
                && self.repetitions.push(self.position.board()) >= 3
                && announcement.end.is_none()
            {
                announcement.end_with(Umpire::THREEFOLD);
            }
            self.outcome = announcement.end;
        }
        announcement
    }

    /// Ends the game because `player` resigns.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Umpire};
    /// let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// let announcement = umpire.resign(Color::White)?;
    /// assert_eq!(announcement.end.unwrap().winner, Some(Color::Black));
    /// assert!(umpire.resign(Color::Black).is_err(), "the game is over");
    /// # Ok::<(), krieg_core::TryError>(())
    /// ```
    pub fn resign(&mut self, player: Color) -> Result<Announcement, TryError> {
        self.end(player, Outcome { ending: Ending::Resignation, winner: Some(!player) })
    }

    /// Ends the game because the players agree to a draw.
    ///
    /// ```
    /// use krieg_core::{Position, Ruleset, Umpire};
    /// let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// assert_eq!(umpire.agree_to_draw()?.end.unwrap().result(), "1/2-1/2");
    /// # Ok::<(), krieg_core::TryError>(())
    /// ```
    pub fn agree_to_draw(&mut self) -> Result<Announcement, TryError> {
        self.end(self.turn(), Outcome { ending: Ending::Agreement, winner: None })
    }

    /// Ends the game because the time of `player` ran out. The game is lost, or drawn if the
    /// opponent has a bare king.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Umpire};
    /// let start = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")?;
    /// let mut umpire = Umpire::new(Ruleset::ICC, start);
    /// assert_eq!(umpire.flag(Color::White)?.end.unwrap().winner, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn flag(&mut self, player: Color) -> Result<Announcement, TryError> {
        let winner = if self.has_bare_king(!player) { None } else { Some(!player) };
        self.end(player, Outcome { ending: Ending::Flag, winner })
    }

    /// Ends the game because `player` left.
    ///
    /// ```
    /// use krieg_core::{Color, Ending, Position, Ruleset, Umpire};
    /// let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// assert_eq!(umpire.abandon(Color::Black)?.end.unwrap().ending, Ending::Abandonment);
    /// # Ok::<(), krieg_core::TryError>(())
    /// ```
    pub fn abandon(&mut self, player: Color) -> Result<Announcement, TryError> {
        self.end(player, Outcome { ending: Ending::Abandonment, winner: Some(!player) })
    }

    fn end(&mut self, by: Color, outcome: Outcome) -> Result<Announcement, TryError> {
        if self.outcome.is_some() {
            return Err(TryError::GameOver);
        }
        self.outcome = Some(outcome);
        let mut announcement = Announcement::plain(by, Verdict::Ended, Audience::Both);
        announcement.end = self.outcome;
        for view in &mut self.views {
            view.observe_announcement(&announcement);
        }
        Ok(announcement)
    }

    /// Whether `player` has only the king left.
    pub(crate) fn has_bare_king(&self, player: Color) -> bool {
        self.view(player).pieces().all().len() == 1
    }

    /// The full position. It must not be shown to a player.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The view of a player.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Umpire};
    /// let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// umpire.judge("e2e4".parse()?)?;
    /// assert!(umpire.view(Color::Black).is_my_turn());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn view(&self, player: Color) -> &View {
        &self.views[player as usize]
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    /// The ruleset.
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// The draw rules.
    pub fn draws(&self) -> DrawRules {
        self.draws
    }

    /// The outcome, once the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
}
