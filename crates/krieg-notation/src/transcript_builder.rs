//! Building one player's transcript from observations, with a check that the player can have made
//! each of them.

use std::collections::BTreeMap;

use krieg_core::{
    Announcement, Audience, Color, Move, Observation, Outcome, PawnTryAnnouncement, PawnTryRule,
    Piece, Ruleset, Setup, TagError, Transcript, Try, TryError, Verdict, View, color_name,
};

/// Builds a transcript observation by observation and rejects what is impossible for the player.
///
/// These are checked: own tries are moves of own pieces, tries of the opponent are unknown, the
/// turns alternate, captures are on squares where a piece stood, and the announcements are possible
/// under the ruleset.
///
/// ```
/// use krieg_core::{Color, Game, Setup};
/// use krieg_notation::TranscriptBuilder;
/// let mut game = Game::new(Setup::default());
/// game.judge("e2e4".parse()?)?;
/// let mut black = TranscriptBuilder::new(Setup::default(), Color::Black);
/// for observation in game.record().transcript(Color::Black).observations {
///     black.observe(observation)?;
/// }
/// assert_eq!(black.view(), game.umpire().view(Color::Black));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct TranscriptBuilder {
    player: Color,
    setup: Setup,
    opening: Announcement,
    view: View,
    observations: Vec<Observation>,
}

impl TranscriptBuilder {
    /// An empty transcript of this player.
    pub fn new(setup: Setup, player: Color) -> Self {
        let opening = setup.start.opening(&setup.ruleset, setup.draws);
        let view = View::new(setup.ruleset, setup.start.pieces(player), &opening);
        TranscriptBuilder { player, setup, opening, view, observations: Vec::new() }
    }

    /// What the player knows after the observations so far.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Adds an observation, or returns why it is impossible.
    pub fn observe(&mut self, observation: Observation) -> Result<(), String> {
        let (view, announcement) = (&self.view, &observation.announcement);
        if view.outcome().is_some() {
            return Err("the game was over".into());
        }
        if announcement.by != view.turn() {
            return Err(format!("it is {}'s turn", color_name(view.turn())));
        }
        check_ruleset(view.ruleset(), announcement)?;
        if announcement.by == self.player {
            self.check_own(&observation)?;
        } else {
            self.check_opponent(&observation)?;
        }
        self.view.observe(&observation);
        self.observations.push(observation);
        Ok(())
    }

    /// The finished transcript, or why the game cannot have ended like this.
    pub fn finish(
        self,
        outcome: Option<Outcome>,
        tags: BTreeMap<String, String>,
    ) -> Result<Transcript, String> {
        for (name, text) in &tags {
            TagError::check(name, text).map_err(|e| e.to_string())?;
        }
        let announced = self.view.outcome();
        let ends_off_the_board =
            outcome.is_some_and(|outcome| !outcome.ending.is_decided_by_position());
        if announced != outcome && !(announced.is_none() && ends_off_the_board) {
            return Err("the last announcement and the end of the game do not agree".into());
        }
        let TranscriptBuilder { player, setup, opening, observations, .. } = self;
        Ok(Transcript { player, setup, opening, observations, outcome, tags })
    }

    /// Checks an observation after the player's own try.
    fn check_own(&self, observation: &Observation) -> Result<(), String> {
        let view = &self.view;
        let Some(tried) = observation.tried else {
            return Err("the player's own try is missing".into());
        };
        let is_possible = match (tried, observation.announcement.verdict) {
            (Try::Any, verdict) => matches!(verdict, Verdict::Any(_)) && view.can_ask_any(),
            // Only the umpire knows whether a sensible try is legal.
            (Try::Move(_), Verdict::Moved) => view.is_sensible(tried),
            (Try::Move(mv), verdict) => verdict_on_failed(view, mv) == Ok(verdict),
        };
        if !is_possible {
            return Err(format!("\"{}\" is not an answer to {tried}", observation.announcement));
        }
        let captured = view.captured();
        let captures =
            u32::from(captured.pawns) + u32::from(captured.pieces) + u32::from(captured.unknown);
        if observation.announcement.capture.is_some() && captures + 1 >= self.opponent_pieces() {
            return Err("more captures than the opponent has pieces to lose".into());
        }
        Ok(())
    }

    /// Number of pieces and pawns that the opponent had at the start, with the king.
    fn opponent_pieces(&self) -> u32 {
        self.setup.start.pieces(!self.player).all().len()
    }

    /// Checks an observation after a try of the opponent.
    fn check_opponent(&self, observation: &Observation) -> Result<(), String> {
        let is_question = matches!(observation.announcement.verdict, Verdict::Any(_));
        if observation.tried != is_question.then_some(Try::Any) {
            return Err("the opponent's try is not known to this player".into());
        }
        if is_question && self.view.any_answer().is_some() {
            return Err("\"any?\" can be asked once per turn".into());
        }
        if observation.announcement.audience == Audience::Mover {
            return Err(format!(
                "\"{}\" is announced to the opponent alone",
                observation.announcement
            ));
        }
        let Some(capture) = observation.announcement.capture else { return Ok(()) };
        match self.view.pieces().piece_on(capture.square) {
            Some(Piece::King) => Err("a king cannot be captured".into()),
            // The square of an en passant capture may be the landing square, which is empty.
            None if !capture.en_passant => {
                Err(format!("the player has no piece on {} to be captured", capture.square))
            }
            _ => Ok(()),
        }
    }
}

/// The verdict on a player's own move that did not change the board.
pub(crate) fn verdict_on_failed(view: &View, mv: Move) -> Result<Verdict, TryError> {
    match view.is_sensible(Try::Move(mv)) {
        true => Ok(Verdict::Refused),
        false => view.answer_to_senseless(mv),
    }
}

/// Checks that an umpire of this ruleset can make this announcement.
fn check_ruleset(ruleset: &Ruleset, announcement: &Announcement) -> Result<(), String> {
    let plain = Announcement::plain(announcement.by, announcement.verdict, announcement.audience);
    let audience = match announcement.verdict {
        Verdict::Moved | Verdict::Any(_) => Audience::Both,
        Verdict::Refused | Verdict::Nonsense => ruleset.refusals,
        Verdict::Begun | Verdict::Ended => {
            return Err(format!("\"{announcement}\" is not an answer to a try"));
        }
    };
    let pawns_fit = match (ruleset.pawn_tries, announcement.pawn_tries) {
        // A transcript may leave out what the player does not know.
        (_, PawnTryAnnouncement::Silent) => true,
        (PawnTryRule::Count, PawnTryAnnouncement::Count(count)) => count <= 16,
        (PawnTryRule::Whether, PawnTryAnnouncement::Whether(_)) => true,
        (PawnTryRule::Squares, PawnTryAnnouncement::From(_)) => true,
        _ => false,
    };
    let capture_fits = announcement.capture.is_none_or(|capture| {
        (ruleset.announces_victim || capture.victim.is_none())
            && (ruleset.announces_capturer || capture.capturer.is_none())
            && (ruleset.announces_en_passant || !capture.en_passant)
    });
    let has_moved = announcement.verdict == Verdict::Moved;
    let any_fits = ruleset.any().is_some() || !matches!(announcement.verdict, Verdict::Any(_));
    let end_fits = announcement.end.is_none_or(|end| {
        end.ending.is_decided_by_position()
            && announcement.checks.is_empty()
            && announcement.pawn_tries == PawnTryAnnouncement::Silent
    });
    let fits = audience == announcement.audience
        && pawns_fit
        && capture_fits
        && any_fits
        && end_fits
        && (has_moved || *announcement == plain)
        && (ruleset.announces_promotion || !announcement.promoted);
    if fits {
        Ok(())
    } else {
        Err(format!("\"{announcement}\" is not announced under {ruleset} rules"))
    }
}
