//! Putting a transcript together from what was read, and checking that a player can tell it.

use std::collections::BTreeMap;

use krieg_core::{
    Announcement, Audience, Color, Line, Move, NotAccepted, Outcome, PawnInformation, PawnNews,
    Piece, Ruleset, Setup, TagError, Transcript, Try, Verdict, View, color_name,
};

/// A transcript as it is read, line by line, if one player could have lived through it: own
/// tries are his own men's, what the opponent tried is not in it, turns follow each other, men are
/// lost where men stood, and the umpire says only what his ruleset lets him say.
///
/// ```
/// use krieg_core::{Color, Game, Setup};
/// use krieg_notation::Telling;
/// let mut game = Game::new(Setup::default());
/// game.judge("e2e4".parse()?)?;
/// let mut black = Telling::new(Setup::default(), Color::Black);
/// for line in game.record().transcript(Color::Black).lines {
///     black.hear(line)?;
/// }
/// assert_eq!(black.view(), game.umpire().view(Color::Black));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Telling {
    player: Color,
    setup: Setup,
    opening: Announcement,
    view: View,
    lines: Vec<Line>,
}

impl Telling {
    /// A player's side of a game that begins.
    pub fn new(setup: Setup, player: Color) -> Self {
        let opening = setup.start.opening(&setup.ruleset, setup.draws);
        let view = View::new(setup.ruleset, setup.start.men(player), &opening);
        Telling { player, setup, opening, view, lines: Vec::new() }
    }

    /// What the player knows at this point.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Lives through one more line, if that can have been.
    pub fn hear(&mut self, line: Line) -> Result<(), String> {
        let (view, said) = (&self.view, &line.said);
        if view.outcome().is_some() {
            return Err("the game was over".into());
        }
        if said.by != view.turn() {
            return Err(format!("it is {}'s turn", color_name(view.turn())));
        }
        is_in_the_rules(view.ruleset(), said)?;
        if said.by == self.player {
            self.check_own(&line)?;
        } else {
            self.check_heard(&line)?;
        }
        self.view.live(&line);
        self.lines.push(line);
        Ok(())
    }

    /// The whole of it, if it can have ended so.
    pub fn end(
        self,
        outcome: Option<Outcome>,
        tags: BTreeMap<String, String>,
    ) -> Result<Transcript, String> {
        for (name, text) in &tags {
            TagError::check(name, text).map_err(|e| e.to_string())?;
        }
        let heard = self.view.outcome();
        let ends_elsewhere = outcome.is_some_and(|outcome| !outcome.ending.stands_on_the_board());
        if heard != outcome && !(heard.is_none() && ends_elsewhere) {
            return Err("what was heard last and how the game ended do not agree".into());
        }
        let Telling { player, setup, opening, lines, .. } = self;
        Ok(Transcript { player, setup, opening, lines, outcome, tags })
    }

    fn check_own(&self, line: &Line) -> Result<(), String> {
        let view = &self.view;
        let Some(tried) = line.tried else {
            return Err("an own try is missing".into());
        };
        let fits = match (tried, line.said.verdict) {
            (Try::Any, verdict) => matches!(verdict, Verdict::Any(_)) && view.may_ask(),
            // Whether a sensible try is legal only the umpire knows.
            (Try::Move(_), Verdict::Moved) => view.is_sensible(tried),
            (Try::Move(mv), verdict) => verdict_on_failed(view, mv) == Ok(verdict),
        };
        if !fits {
            return Err(format!("\"{}\" is no answer to {tried}", line.said));
        }
        let taken = view.taken();
        let captures = u32::from(taken.pawns) + u32::from(taken.pieces) + u32::from(taken.untold);
        if line.said.capture.is_some() && captures + 1 >= self.enemies() {
            return Err("more men were captured than the enemy can lose".into());
        }
        Ok(())
    }

    /// How many men the enemy began with.
    fn enemies(&self) -> u32 {
        self.setup.start.men(!self.player).all().len()
    }

    fn check_heard(&self, line: &Line) -> Result<(), String> {
        let is_question = matches!(line.said.verdict, Verdict::Any(_));
        if line.tried != is_question.then_some(Try::Any) {
            return Err("what the opponent tried is not known to this player".into());
        }
        if is_question && self.view.any_answer().is_some() {
            return Err("\"any?\" is asked once a turn".into());
        }
        if line.said.audience == Audience::Mover {
            return Err(format!("\"{}\" was for the opponent alone", line.said));
        }
        let Some(capture) = line.said.capture else { return Ok(()) };
        match self.view.men().on(capture.square) {
            Some(Piece::King) => Err("a king cannot be captured".into()),
            // En passant, the square named may be the landing square, where nobody stood.
            None if !capture.en_passant => {
                Err(format!("no own man stood on {} to be captured", capture.square))
            }
            _ => Ok(()),
        }
    }
}

/// What an own move that came to nothing was called.
pub(crate) fn verdict_on_failed(view: &View, mv: Move) -> Result<Verdict, NotAccepted> {
    match view.is_sensible(Try::Move(mv)) {
        true => Ok(Verdict::Refused),
        false => view.verdict_on_senseless(mv),
    }
}

/// Whether an umpire of this ruleset can have said this.
fn is_in_the_rules(ruleset: &Ruleset, said: &Announcement) -> Result<(), String> {
    let plain = Announcement::plain(said.by, said.verdict, said.audience);
    let audience = match said.verdict {
        Verdict::Moved | Verdict::Any(_) => Audience::Both,
        Verdict::Refused | Verdict::Nonsense => ruleset.refusals,
        Verdict::Begun | Verdict::Ended => return Err(format!("\"{said}\" answers no try")),
    };
    let pawns_fit = match (ruleset.pawns, said.pawns) {
        // What a player does not know he leaves out.
        (_, PawnNews::Silent) => true,
        (PawnInformation::Count, PawnNews::Count(count)) => count <= 16,
        (PawnInformation::Whether, PawnNews::Whether(_)) => true,
        (PawnInformation::Squares, PawnNews::From(_)) => true,
        _ => false,
    };
    let capture_fits = said.capture.is_none_or(|capture| {
        (ruleset.victim_told || capture.victim.is_none())
            && (ruleset.capturer_told || capture.capturer.is_none())
            && (ruleset.en_passant_told || !capture.en_passant)
    });
    let has_moved = said.verdict == Verdict::Moved;
    let any_fits = ruleset.any().is_some() || !matches!(said.verdict, Verdict::Any(_));
    let end_fits = said.end.is_none_or(|end| {
        end.ending.stands_on_the_board() && said.checks.is_empty() && said.pawns == PawnNews::Silent
    });
    let fits = audience == said.audience
        && pawns_fit
        && capture_fits
        && any_fits
        && end_fits
        && (has_moved || *said == plain)
        && (ruleset.promotion_told || !said.promoted);
    if fits { Ok(()) } else { Err(format!("\"{said}\" is not what is said under {ruleset} rules")) }
}
