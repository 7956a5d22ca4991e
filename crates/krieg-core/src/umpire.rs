//! The umpire: hears tries, answers them, and declares the end.

use cozy_chess::Color;
use thiserror::Error;

use crate::draws::Repetitions;
use crate::{
    Announcement, Audience, DrawRules, Ending, Move, Outcome, Position, Ruleset, Try, Verdict, View,
};

/// The umpire did not take the try. Nothing has changed, and nobody heard anything.
///
/// ```
/// use krieg_core::{NotAccepted, Position, Ruleset, Try, Umpire};
/// let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
/// assert_eq!(umpire.judge(Try::Any), Err(NotAccepted::NoAny));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
pub enum NotAccepted {
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// The try makes no sense on the player's own board, or was refused before.
    #[error("the try makes no sense, or was refused before")]
    Senseless,
    /// The player heard "yes" and owes a pawn capture.
    #[error("after \"yes\" only pawn captures count")]
    PawnCaptureOwed,
    /// "Any?" is not part of the ruleset, or was answered this turn.
    #[error("\"any?\" is not to be asked now")]
    NoAny,
}

/// One game, umpired.
///
/// The umpire is a machine of two states, "somebody is to try" and "it is over". It takes a
/// [`Try`] from the side to move and returns an [`Announcement`] with its audience. Nothing here
/// reads a clock or draws a random number, so the same tries always give the same game.
///
/// ```
/// use krieg_core::{Audience, Color, Position, Ruleset, Umpire, Verdict};
/// let mut umpire = Umpire::new(Ruleset::ICC, Position::from_fen("4k3/8/8/8/8/8/3r4/R3K3 w - - 0 1")?);
///
/// // White does not know what guards the d-file.
/// let said = umpire.judge("e1d1".parse()?)?;
/// assert_eq!((said.verdict, said.audience), (Verdict::Refused, Audience::Mover));
///
/// let said = umpire.judge("e1d2".parse()?)?;
/// assert_eq!(said.to_string(), "White moved. Piece on d2 captured. No pawn tries.");
/// assert_eq!(umpire.turn(), Color::Black);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Umpire {
    position: Position,
    ruleset: Ruleset,
    draws: DrawRules,
    views: [View; Color::NUM],
    repetitions: Repetitions,
    opening: Announcement,
    outcome: Option<Outcome>,
}

impl Umpire {
    /// A game under this ruleset from this position, with all draw rules.
    pub fn new(ruleset: Ruleset, start: Position) -> Self {
        Umpire::with_draws(ruleset, DrawRules::ALL, start)
    }

    /// A game with a choice of draw rules. Both players know the start.
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
            .map(|player| View::new(ruleset, start.men(player), &opening));
        Umpire { position: start, ruleset, draws, views, repetitions, opening, outcome }
    }

    /// What is said as the game begins: the checks and the pawn tries of the first to move.
    pub fn opening(&self) -> Announcement {
        self.opening
    }

    /// Answers a try of the side to move.
    ///
    /// ```
    /// use krieg_core::{Position, Ruleset, Try, Umpire};
    /// let start = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")?;
    /// let mut umpire = Umpire::new(Ruleset::ENGLISH, start);
    /// assert_eq!(umpire.judge(Try::Any)?.to_string(), "Any? Yes.");
    /// assert_eq!(umpire.judge("e4f5".parse()?)?.to_string(), "Illegal.");
    /// assert_eq!(umpire.judge("e4d5".parse()?)?.to_string(), "White moved. Man on d5 captured.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn judge(&mut self, tried: Try) -> Result<Announcement, NotAccepted> {
        if self.outcome.is_some() {
            return Err(NotAccepted::GameOver);
        }
        let mover = self.turn();
        let said = match tried {
            Try::Any => self.answer_any()?,
            Try::Move(mv) if self.view(mover).is_sensible(tried) => self.judge_sensible(mv),
            Try::Move(mv) => {
                let verdict = self.view(mover).verdict_on_senseless(mv)?;
                Announcement::plain(mover, verdict, self.ruleset.refusals)
            }
        };
        self.views[mover as usize].answered(tried, &said);
        if said.audience == Audience::Both {
            self.views[!mover as usize].heard(&said);
        }
        Ok(said)
    }

    fn answer_any(&self) -> Result<Announcement, NotAccepted> {
        let mover = self.turn();
        if !self.view(mover).may_ask() {
            return Err(NotAccepted::NoAny);
        }
        let yes = self.position.pawn_tries().count > 0;
        Ok(Announcement::plain(mover, Verdict::Any(yes), Audience::Both))
    }

    fn judge_sensible(&mut self, mv: Move) -> Announcement {
        let mut said = self.position.answer(mv, &self.ruleset, self.draws);
        if said.verdict == Verdict::Moved {
            // Without the rule nothing is remembered, or a game without end would fill the memory.
            if self.draws.threefold
                && self.repetitions.note(self.position.board()) >= 3
                && said.end.is_none()
            {
                said.end_with(Outcome { ending: Ending::Threefold, winner: None });
            }
            self.outcome = said.end;
        }
        said
    }

    /// A player gives up.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Umpire};
    /// let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// let said = umpire.resign(Color::White)?;
    /// assert_eq!(said.end.unwrap().winner, Some(Color::Black));
    /// assert!(umpire.resign(Color::Black).is_err(), "it is over");
    /// # Ok::<(), krieg_core::NotAccepted>(())
    /// ```
    pub fn resign(&mut self, player: Color) -> Result<Announcement, NotAccepted> {
        self.end(player, Outcome { ending: Ending::Resignation, winner: Some(!player) })
    }

    /// The players agree to a draw.
    ///
    /// ```
    /// use krieg_core::{Position, Ruleset, Umpire};
    /// let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// assert_eq!(umpire.agree_to_draw()?.end.unwrap().result(), "1/2-1/2");
    /// # Ok::<(), krieg_core::NotAccepted>(())
    /// ```
    pub fn agree_to_draw(&mut self) -> Result<Announcement, NotAccepted> {
        self.end(self.turn(), Outcome { ending: Ending::Agreement, winner: None })
    }

    /// A player's time ran out. He loses, unless the opponent has only his king.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Umpire};
    /// let start = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")?;
    /// let mut umpire = Umpire::new(Ruleset::ICC, start);
    /// assert_eq!(umpire.flag(Color::White)?.end.unwrap().winner, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn flag(&mut self, player: Color) -> Result<Announcement, NotAccepted> {
        let opponent_is_bare = self.view(!player).men().all().len() == 1;
        let winner = if opponent_is_bare { None } else { Some(!player) };
        self.end(player, Outcome { ending: Ending::Flag, winner })
    }

    /// A player left the game.
    ///
    /// ```
    /// use krieg_core::{Color, Ending, Position, Ruleset, Umpire};
    /// let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// assert_eq!(umpire.abandon(Color::Black)?.end.unwrap().ending, Ending::Abandonment);
    /// # Ok::<(), krieg_core::NotAccepted>(())
    /// ```
    pub fn abandon(&mut self, player: Color) -> Result<Announcement, NotAccepted> {
        self.end(player, Outcome { ending: Ending::Abandonment, winner: Some(!player) })
    }

    fn end(&mut self, by: Color, outcome: Outcome) -> Result<Announcement, NotAccepted> {
        if self.outcome.is_some() {
            return Err(NotAccepted::GameOver);
        }
        self.outcome = Some(outcome);
        let mut said = Announcement::plain(by, Verdict::Ended, Audience::Both);
        said.end = self.outcome;
        for view in &mut self.views {
            view.heard(&said);
        }
        Ok(said)
    }

    /// The position. Only for the umpire's own side of the screen.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// What a player sees and has heard.
    pub fn view(&self, player: Color) -> &View {
        &self.views[player as usize]
    }

    /// Who is to move.
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

    /// How the game ended, if it did.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
}
