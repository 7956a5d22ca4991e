//! What one player sees and has heard: the whole of it, and nothing else.

use cozy_chess::{BitBoard, Color, Rank, Square};

use crate::{
    AfterYes, Announcement, Checks, Kind, Line, Men, Move, NotAccepted, Outcome, PawnNews, Ruleset,
    Senseless, Tries, Try, Verdict,
};

/// The enemy men a player has captured, as far as he was told what they were.
///
/// ```
/// use krieg_core::{Color, Position, Ruleset, Umpire};
/// let start = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")?;
/// let mut umpire = Umpire::new(Ruleset::ICC, start);
/// umpire.judge("e4d5".parse()?)?;
/// assert_eq!(umpire.view(Color::White).taken().pawns, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Taken {
    /// Said to be pawns.
    pub pawns: u8,
    /// Said to be pieces.
    pub pieces: u8,
    /// Of which nothing was said.
    pub untold: u8,
}

/// One player's side of a game.
///
/// A view begins with the player's own men and changes only by [`View::answered`], when the
/// player's own try was answered, and [`View::heard`], when the umpire spoke of the opponent.
/// Neither takes a board, so a view cannot know what its player was not told: two games in which
/// a player heard the same have equal views. The umpire keeps one for each player and asks it
/// what is sensible; a program on the other end of a wire keeps its own, and the two agree.
///
/// ```
/// use krieg_core::{Color, Position, Ruleset, Try, Umpire, View};
/// let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
/// let mut mine = View::new(Ruleset::ICC, Position::start().men(Color::White), &umpire.opening());
/// let tried: Try = "g1f3".parse()?;
/// let answer = umpire.judge(tried)?;
/// mine.answered(tried, &answer);
/// assert_eq!(&mine, umpire.view(Color::White));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    men: Men,
    ruleset: Ruleset,
    turn: Color,
    ply: u32,
    tries: Tries,
    any: Option<bool>,
    pawns: PawnNews,
    checks: Checks,
    taken: Taken,
    refusals: u16,
    outcome: Option<Outcome>,
}

impl View {
    /// A player's view as the game begins, given what the umpire said at its opening.
    pub fn new(ruleset: Ruleset, men: Men, opening: &Announcement) -> Self {
        let mut view = View {
            men,
            ruleset,
            turn: opening.by,
            ply: 0,
            tries: Tries::none(),
            any: None,
            pawns: PawnNews::Silent,
            checks: Checks::NONE,
            taken: Taken::default(),
            refusals: 0,
            outcome: None,
        };
        view.turn_to(opening.by, opening);
        view
    }

    /// This player's own try was answered.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Square, Try, Umpire, View};
    /// let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// let mut white = View::new(Ruleset::ICC, Position::start().men(Color::White), &umpire.opening());
    /// let tried: Try = "e2e4".parse()?;
    /// white.answered(tried, &umpire.judge(tried)?);
    /// assert!(white.men().all().has(Square::E4) && !white.is_my_turn());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answered(&mut self, tried: Try, answer: &Announcement) {
        match (tried, answer.verdict) {
            (Try::Move(mv), Verdict::Moved) => {
                self.men.play(mv);
                if let Some(capture) = answer.capture {
                    let count = match capture.victim {
                        None if capture.en_passant => &mut self.taken.pawns,
                        Some(Kind::Pawn) => &mut self.taken.pawns,
                        Some(Kind::Piece) => &mut self.taken.pieces,
                        None => &mut self.taken.untold,
                    };
                    *count = count.saturating_add(1);
                }
                self.moved(answer);
            }
            (Try::Move(mv), Verdict::Refused | Verdict::Nonsense) => self.refused(mv),
            (Try::Any, Verdict::Any(yes)) => {
                self.any = Some(yes);
                if yes {
                    self.tries.set_only_pawn_captures(true);
                } else {
                    self.tries.remove_pawn_captures();
                }
            }
            _ => self.heard(answer),
        }
    }

    /// The umpire spoke, and not in answer to this player's own try.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Umpire, View};
    /// let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// let mut black = View::new(Ruleset::ICC, Position::start().men(Color::Black), &umpire.opening());
    /// black.heard(&umpire.judge("e2e4".parse()?)?);
    /// assert!(black.is_my_turn());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn heard(&mut self, said: &Announcement) {
        match said.verdict {
            Verdict::Moved => {
                if let Some(capture) = said.capture {
                    self.men.lose(if capture.en_passant {
                        passed_pawn(capture.square)
                    } else {
                        capture.square
                    });
                }
                self.moved(said);
            }
            Verdict::Refused | Verdict::Nonsense => self.refusals = self.refusals.saturating_add(1),
            Verdict::Any(yes) => self.any = Some(yes),
            Verdict::Begun | Verdict::Ended => self.ended(said),
        }
    }

    /// Lives through a line of a transcript, own or heard.
    ///
    /// ```
    /// use krieg_core::{Color, Game, Setup, View};
    /// let mut game = Game::new(Setup::default());
    /// game.judge("e2e4".parse()?)?;
    /// let told = game.record().transcript(Color::Black);
    /// let mut view = View::new(told.setup.ruleset, told.setup.start.men(Color::Black), &told.opening);
    /// for line in &told.lines {
    ///     view.live(line);
    /// }
    /// assert_eq!(&view, game.umpire().view(Color::Black));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn live(&mut self, line: &Line) {
        match line.tried {
            Some(tried) if line.said.by == self.player() => self.answered(tried, &line.said),
            _ => self.heard(&line.said),
        }
    }

    fn refused(&mut self, mv: Move) {
        self.refusals = self.refusals.saturating_add(1);
        let owed = self.tries.only_pawn_captures();
        if owed && self.ruleset.any() == Some(AfterYes::OneTry) {
            self.tries.set_only_pawn_captures(false);
        }
        self.tries.remove(mv);
    }

    /// A move was made, by whomever.
    fn moved(&mut self, said: &Announcement) {
        self.ply += 1;
        self.turn_to(!said.by, said);
    }

    fn turn_to(&mut self, player: Color, said: &Announcement) {
        self.turn = player;
        self.any = None;
        self.pawns = said.pawns;
        self.checks = said.checks;
        self.refusals = 0;
        if player == self.men.color() {
            self.men.list_tries(worth_a_diagonal(said.pawns), &mut self.tries);
        } else {
            self.tries.clear();
        }
        self.ended(said);
    }

    fn ended(&mut self, said: &Announcement) {
        if said.end.is_some() {
            self.outcome = said.end;
            self.tries.clear();
        }
    }

    /// Whose view this is.
    pub fn player(&self) -> Color {
        self.men.color()
    }

    /// The player's own men.
    pub fn men(&self) -> &Men {
        &self.men
    }

    /// The ruleset of the game.
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// Who is to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Whether this player is to move, in a game that goes on.
    pub fn is_my_turn(&self) -> bool {
        self.turn == self.player() && self.outcome.is_none()
    }

    /// How many moves were made, by both sides together.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The moves that may sensibly be tried now; none when it is not this player's turn.
    ///
    /// Being in check makes nothing senseless: the player does not see the checker.
    pub fn tries(&self) -> &Tries {
        &self.tries
    }

    /// Whether "any?" may be asked now.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Try, Umpire};
    /// let mut umpire = Umpire::new(Ruleset::ENGLISH, Position::start());
    /// assert!(umpire.view(Color::White).may_ask());
    /// umpire.judge(Try::Any)?;
    /// assert!(!umpire.view(Color::White).may_ask(), "once a turn is enough");
    /// # Ok::<(), krieg_core::NotAccepted>(())
    /// ```
    pub fn may_ask(&self) -> bool {
        self.is_my_turn() && self.any.is_none() && self.ruleset.any().is_some()
    }

    /// Whether the player heard "yes" and has not paid for it yet: only pawn captures count.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Try, Umpire};
    /// let start = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")?;
    /// let mut umpire = Umpire::new(Ruleset::ENGLISH, start);
    /// umpire.judge(Try::Any)?;
    /// let view = umpire.view(Color::White);
    /// assert!(view.owes_a_pawn_capture());
    /// assert_eq!(view.tries().iter().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["e4d5", "e4f5"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn owes_a_pawn_capture(&self) -> bool {
        self.tries.only_pawn_captures()
    }

    /// Whether this try is sensible now.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Try, Umpire};
    /// let umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// let white = umpire.view(Color::White);
    /// assert!(white.is_sensible("e2e4".parse()?));
    /// assert!(!white.is_sensible("e2d3".parse()?), "no pawn tries were announced");
    /// assert!(!white.is_sensible(Try::Any), "nobody asks under ICC rules");
    /// # Ok::<(), krieg_core::MoveError>(())
    /// ```
    pub fn is_sensible(&self, tried: Try) -> bool {
        match tried {
            Try::Move(mv) => self.tries.contains(mv),
            Try::Any => self.may_ask(),
        }
    }

    /// What becomes of a move that is not sensible now: what the umpire calls it, or that he does not
    /// take it. It takes no board to know that.
    ///
    /// ```
    /// use krieg_core::{Color, NotAccepted, Position, Ruleset, Umpire, Verdict};
    /// let becomes = |ruleset| {
    ///     let umpire = Umpire::new(ruleset, Position::start());
    ///     umpire.view(Color::White).verdict_on_senseless("b1b5".parse().unwrap())
    /// };
    /// assert_eq!(becomes(Ruleset::ICC), Ok(Verdict::Refused));
    /// assert_eq!(becomes(Ruleset::RAND), Ok(Verdict::Nonsense));
    /// assert_eq!(becomes(Ruleset::BERKELEY), Err(NotAccepted::Senseless));
    /// ```
    pub fn verdict_on_senseless(&self, mv: Move) -> Result<Verdict, NotAccepted> {
        // Whoever owes a pawn capture is not heard with anything else, under any ruleset: a
        // refusal would set him free, and he would have paid nothing.
        if self.owes_a_pawn_capture() {
            let is_capture = self.men.is_pawn_capture(mv);
            let reason =
                if is_capture { NotAccepted::Senseless } else { NotAccepted::PawnCaptureOwed };
            return Err(reason);
        }
        match self.ruleset.senseless {
            Senseless::NotAccepted => Err(NotAccepted::Senseless),
            Senseless::Refused => Ok(Verdict::Refused),
            Senseless::Nonsense => Ok(Verdict::Nonsense),
        }
    }

    /// What was answered to "any?" this turn, whoever asked.
    pub fn any_answer(&self) -> Option<bool> {
        self.any
    }

    /// What was said of the pawn tries of the side to move.
    pub fn pawns(&self) -> PawnNews {
        self.pawns
    }

    /// The checks that were announced on the side to move.
    pub fn checks(&self) -> Checks {
        self.checks
    }

    /// The enemy men this player has captured.
    pub fn taken(&self) -> Taken {
        self.taken
    }

    /// How many tries were refused this turn, as far as this player heard.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Ruleset, Umpire};
    /// let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// umpire.judge("e2e5".parse()?)?;
    /// assert_eq!(umpire.view(Color::White).refusals(), 1);
    /// assert_eq!(umpire.view(Color::Black).refusals(), 0, "under ICC rules he does not hear it");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refusals(&self) -> u16 {
        self.refusals
    }

    /// How the game ended, if it did.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
}

/// The pawns whose diagonals are worth a try, after this was said.
fn worth_a_diagonal(pawns: PawnNews) -> BitBoard {
    match pawns {
        PawnNews::Silent => BitBoard::FULL,
        PawnNews::Count(0) | PawnNews::Whether(false) => BitBoard::EMPTY,
        PawnNews::Count(_) | PawnNews::Whether(true) => BitBoard::FULL,
        PawnNews::From(squares) => squares,
    }
}

/// The pawn that was captured in passing by one that landed here.
fn passed_pawn(landing: Square) -> Square {
    let rank = if landing.rank() == Rank::Sixth { Rank::Fifth } else { Rank::Fourth };
    Square::new(landing.file(), rank)
}
