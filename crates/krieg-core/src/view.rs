//! A player's view: everything the player knows about the game, and nothing else.

use cozy_chess::{BitBoard, Color, Rank, Square};

use crate::{
    Announcement, AnyObligation, Checks, Move, Observation, Outcome, PawnTryAnnouncement,
    PieceKind, PieceSet, Ruleset, SenselessTryRule, Tries, Try, TryError, Verdict,
};

/// The opponent's pieces that a player has captured, by what was announced about them.
///
/// ```
/// use krieg_core::{Color, Position, Ruleset, Umpire};
/// let start = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")?;
/// let mut umpire = Umpire::new(Ruleset::ICC, start);
/// umpire.judge("e4d5".parse()?)?;
/// assert_eq!(umpire.view(Color::White).captured().pawns, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CapturedCounts {
    /// Captures announced as pawns.
    pub pawns: u8,
    /// Captures announced as pieces.
    pub pieces: u8,
    /// Captures of which the kind was not announced.
    pub unknown: u8,
}

/// One player's view of a game.
///
/// A view starts with the player's own pieces and changes only by [`View::observe_answer`], for the
/// answer to the player's own try, and [`View::observe_announcement`], for every other
/// announcement. Neither takes a position, so a view cannot depend on hidden information: two
/// games in which a player made the same observations give equal views. The umpire keeps one view
/// per player and asks it which tries are sensible. A remote program keeps its own view, which
/// equals the umpire's.
///
/// ```
/// use krieg_core::{Color, Position, Ruleset, Try, Umpire, View};
/// let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
/// let pieces = Position::start().pieces(Color::White);
/// let mut view = View::new(Ruleset::ICC, pieces, &umpire.opening());
/// let tried: Try = "g1f3".parse()?;
/// view.observe_answer(tried, &umpire.judge(tried)?);
/// assert_eq!(&view, umpire.view(Color::White));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    pieces: PieceSet,
    ruleset: Ruleset,
    turn: Color,
    ply: u32,
    tries: Tries,
    any_answer: Option<bool>,
    pawn_tries: PawnTryAnnouncement,
    checks: Checks,
    captured: CapturedCounts,
    refusals: u16,
    outcome: Option<Outcome>,
}

impl View {
    /// A player's view at the start of a game, given the player's pieces and the opening
    /// announcement.
    ///
    /// ```
    /// use krieg_core::{Color, DrawRules, Position, Ruleset, View};
    /// let start = Position::start();
    /// let opening = start.opening(&Ruleset::ICC, DrawRules::ALL);
    /// let view = View::new(Ruleset::ICC, start.pieces(Color::White), &opening);
    /// assert_eq!(view.tries().len(), 20);
    /// ```
    pub fn new(ruleset: Ruleset, pieces: PieceSet, opening: &Announcement) -> Self {
        let mut view = View {
            pieces,
            ruleset,
            turn: opening.by,
            ply: 0,
            tries: Tries::none(),
            any_answer: None,
            pawn_tries: PawnTryAnnouncement::Silent,
            checks: Checks::NONE,
            captured: CapturedCounts::default(),
            refusals: 0,
            outcome: None,
        };
        view.begin_turn(opening.by, opening);
        view
    }

    /// Updates the view with the answer to this player's own try.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Square, Try, Umpire, View};
    /// let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// let mut white = umpire.view(Color::White).clone();
    /// let tried: Try = "e2e4".parse()?;
    /// white.observe_answer(tried, &umpire.judge(tried)?);
    /// assert!(white.pieces().all().has(Square::E4) && !white.is_my_turn());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn observe_answer(&mut self, tried: Try, answer: &Announcement) {
        match (tried, answer.verdict) {
            (Try::Move(mv), Verdict::Moved) => {
                self.pieces.play(mv);
                if let Some(capture) = answer.capture {
                    let count = match capture.victim {
                        None if capture.en_passant => &mut self.captured.pawns,
                        Some(PieceKind::Pawn) => &mut self.captured.pawns,
                        Some(PieceKind::Piece) => &mut self.captured.pieces,
                        None => &mut self.captured.unknown,
                    };
                    *count = count.saturating_add(1);
                }
                self.end_turn(answer);
            }
            (Try::Move(mv), Verdict::Refused | Verdict::Nonsense) => self.observe_refusal(mv),
            (Try::Any, Verdict::Any(yes)) => {
                self.any_answer = Some(yes);
                if yes {
                    self.tries.set_only_pawn_captures(true);
                } else {
                    self.tries.remove_pawn_captures();
                }
            }
            _ => self.observe_announcement(answer),
        }
    }

    /// Updates the view with an announcement that does not answer this player's own try.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Umpire};
    /// let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// let mut black = umpire.view(Color::Black).clone();
    /// black.observe_announcement(&umpire.judge("e2e4".parse()?)?);
    /// assert!(black.is_my_turn());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn observe_announcement(&mut self, announcement: &Announcement) {
        match announcement.verdict {
            Verdict::Moved => {
                if let Some(capture) = announcement.capture {
                    self.pieces.remove_captured(if capture.en_passant {
                        en_passant_victim(capture.square)
                    } else {
                        capture.square
                    });
                }
                self.end_turn(announcement);
            }
            Verdict::Refused | Verdict::Nonsense => self.refusals = self.refusals.saturating_add(1),
            Verdict::Any(yes) => self.any_answer = Some(yes),
            Verdict::Begun | Verdict::Ended => self.observe_end(announcement),
        }
    }

    /// Updates the view with the next observation of this player's transcript.
    ///
    /// ```
    /// use krieg_core::{Color, Game, Setup, View};
    /// let mut game = Game::new(Setup::default());
    /// game.judge("e2e4".parse()?)?;
    /// let transcript = game.record().transcript(Color::Black);
    /// let setup = &transcript.setup;
    /// let pieces = setup.start.pieces(Color::Black);
    /// let mut view = View::new(setup.ruleset, pieces, &transcript.opening);
    /// for observation in &transcript.observations {
    ///     view.observe(observation);
    /// }
    /// assert_eq!(&view, game.umpire().view(Color::Black));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn observe(&mut self, observation: &Observation) {
        let announcement = &observation.announcement;
        match observation.tried {
            Some(tried) if announcement.by == self.player() => {
                self.observe_answer(tried, announcement);
            }
            _ => self.observe_announcement(announcement),
        }
    }

    fn observe_refusal(&mut self, mv: Move) {
        self.refusals = self.refusals.saturating_add(1);
        let was_obliged = self.tries.only_pawn_captures();
        if was_obliged && self.ruleset.any() == Some(AnyObligation::OneTry) {
            self.tries.set_only_pawn_captures(false);
        }
        self.tries.remove(mv);
    }

    fn end_turn(&mut self, announcement: &Announcement) {
        self.ply += 1;
        self.begin_turn(!announcement.by, announcement);
    }

    fn begin_turn(&mut self, player: Color, announcement: &Announcement) {
        self.turn = player;
        self.any_answer = None;
        self.pawn_tries = announcement.pawn_tries;
        self.checks = announcement.checks;
        self.refusals = 0;
        if player == self.pieces.color() {
            let may_capture = pawns_that_may_capture(announcement.pawn_tries);
            self.pieces.list_tries(may_capture, &mut self.tries);
        } else {
            self.tries.clear();
        }
        self.observe_end(announcement);
    }

    fn observe_end(&mut self, announcement: &Announcement) {
        if announcement.end.is_some() {
            self.outcome = announcement.end;
            self.tries.clear();
        }
    }

    /// The player whose view this is.
    pub fn player(&self) -> Color {
        self.pieces.color()
    }

    /// The player's own pieces.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Umpire, bitboard};
    /// let umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// assert_eq!(umpire.view(Color::White).pieces().all(), bitboard! {
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     X X X X X X X X
    ///     X X X X X X X X
    /// });
    /// ```
    pub fn pieces(&self) -> &PieceSet {
        &self.pieces
    }

    /// The ruleset of the game.
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Whether the game is not over and this player is to move.
    pub fn is_my_turn(&self) -> bool {
        self.turn == self.player() && self.outcome.is_none()
    }

    /// The number of moves made by both sides together.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The moves that are sensible to try now; empty if this player is not to move.
    ///
    /// Check does not restrict the list, because the player does not see the checking piece.
    pub fn tries(&self) -> &Tries {
        &self.tries
    }

    /// Whether the player may ask "any?" now.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Try, Umpire};
    /// let mut umpire = Umpire::new(Ruleset::ENGLISH, Position::start());
    /// assert!(umpire.view(Color::White).can_ask_any());
    /// umpire.judge(Try::Any)?;
    /// assert!(!umpire.view(Color::White).can_ask_any(), "at most once per turn");
    /// # Ok::<(), krieg_core::TryError>(())
    /// ```
    pub fn can_ask_any(&self) -> bool {
        self.is_my_turn() && self.any_answer.is_none() && self.ruleset.any().is_some()
    }

    /// Whether the answer "yes" to "any?" still obliges the player to try a pawn capture.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Try, Umpire};
    /// let start = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")?;
    /// let mut umpire = Umpire::new(Ruleset::ENGLISH, start);
    /// umpire.judge(Try::Any)?;
    /// let view = umpire.view(Color::White);
    /// assert!(view.must_capture_with_pawn());
    /// let tries: Vec<_> = view.tries().iter().map(|mv| mv.to_string()).collect();
    /// assert_eq!(tries, ["e4d5", "e4f5"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn must_capture_with_pawn(&self) -> bool {
        self.tries.only_pawn_captures()
    }

    /// Whether this try is sensible now: possible for the player's own pieces, consistent with
    /// the announced pawn tries, and not refused before in this turn.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Try, Umpire};
    /// let umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// let white = umpire.view(Color::White);
    /// assert!(white.is_sensible("e2e4".parse()?));
    /// assert!(!white.is_sensible("e2d3".parse()?), "no pawn tries were announced");
    /// assert!(!white.is_sensible(Try::Any), "the ICC rules have no \"any?\"");
    /// # Ok::<(), krieg_core::MoveError>(())
    /// ```
    pub fn is_sensible(&self, tried: Try) -> bool {
        match tried {
            Try::Move(mv) => self.tries.contains(mv),
            Try::Any => self.can_ask_any(),
        }
    }

    /// The verdict on a move that is not sensible now, or the error if the ruleset does not count
    /// such a try. The position is not needed to decide this.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, TryError, Umpire, Verdict};
    /// let answer = |ruleset| {
    ///     let umpire = Umpire::new(ruleset, Position::start());
    ///     umpire.view(Color::White).answer_to_senseless("b1b5".parse().unwrap())
    /// };
    /// assert_eq!(answer(Ruleset::ICC), Ok(Verdict::Refused));
    /// assert_eq!(answer(Ruleset::RAND), Ok(Verdict::Nonsense));
    /// assert_eq!(answer(Ruleset::BERKELEY), Err(TryError::Senseless));
    /// ```
    pub fn answer_to_senseless(&self, mv: Move) -> Result<Verdict, TryError> {
        // A player who must try a pawn capture gets an error for any other try, under every
        // ruleset: a refusal would lift the obligation without a pawn capture having been tried.
        if self.must_capture_with_pawn() {
            let is_capture = self.pieces.is_pawn_capture(mv);
            let error =
                if is_capture { TryError::Senseless } else { TryError::PawnCaptureRequired };
            return Err(error);
        }
        match self.ruleset.senseless_tries {
            SenselessTryRule::Rejected => Err(TryError::Senseless),
            SenselessTryRule::Refused => Ok(Verdict::Refused),
            SenselessTryRule::Nonsense => Ok(Verdict::Nonsense),
        }
    }

    /// The answer to "any?" in this turn, if the side to move asked.
    pub fn any_answer(&self) -> Option<bool> {
        self.any_answer
    }

    /// What was announced about the pawn tries of the side to move.
    pub fn pawn_tries(&self) -> PawnTryAnnouncement {
        self.pawn_tries
    }

    /// The announced checks on the side to move.
    pub fn checks(&self) -> Checks {
        self.checks
    }

    /// The opponent's pieces that this player has captured.
    pub fn captured(&self) -> CapturedCounts {
        self.captured
    }

    /// The number of refused tries in this turn that this player observed.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Umpire};
    /// let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// umpire.judge("e2e5".parse()?)?;
    /// assert_eq!(umpire.view(Color::White).refusals(), 1);
    /// assert_eq!(umpire.view(Color::Black).refusals(), 0, "ICC announces it to White only");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refusals(&self) -> u16 {
        self.refusals
    }

    /// The outcome, once the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
}

/// The squares of pawns that may have a legal capture, given what was announced. Squares without
/// a pawn are ignored by the caller.
fn pawns_that_may_capture(announced: PawnTryAnnouncement) -> BitBoard {
    match announced {
        PawnTryAnnouncement::Silent => BitBoard::FULL,
        PawnTryAnnouncement::Count(0) | PawnTryAnnouncement::Whether(false) => BitBoard::EMPTY,
        PawnTryAnnouncement::Count(_) | PawnTryAnnouncement::Whether(true) => BitBoard::FULL,
        PawnTryAnnouncement::From(squares) => squares,
    }
}

/// The square of the pawn captured en passant, given where the capturing pawn landed.
fn en_passant_victim(landing: Square) -> Square {
    let rank = if landing.rank() == Rank::Sixth { Rank::Fifth } else { Rank::Fourth };
    Square::new(landing.file(), rank)
}
