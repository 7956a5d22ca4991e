//! Who tells a game: the umpire or a player, and what he calls each try as he goes along.

use krieg_core::{
    Audience, Color, Line, Men, PawnInformation, PawnNews, Position, Record, Setup, Transcript,
    Try, Umpire, Verdict, View,
};

use crate::{Told, san};

/// Goes through a game line by line with what its teller knows at each point.
///
/// ```
/// use krieg_core::{Color, Game, Setup};
/// use krieg_notation::{Teller, Told};
/// let mut game = Game::new(Setup::default());
/// game.judge("g1f3".parse()?)?;
/// let told = Told::Transcript(Box::new(game.record().transcript(Color::Black)));
/// let mut teller = Teller::of(&told);
/// for line in told.lines() {
///     assert_eq!(teller.name(&line), "??", "Black did not see White's knight go");
///     teller.advance(&line);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Teller(Knowledge);

#[derive(Debug, Clone)]
enum Knowledge {
    Umpire(Box<Umpire>),
    Player(Box<View>),
}

impl Teller {
    /// The teller of this game, at its beginning.
    pub fn of(told: &Told) -> Self {
        match told {
            Told::Record(record) => Teller::umpire(record),
            Told::Transcript(transcript) => Teller::player(transcript),
        }
    }

    pub(crate) fn umpire(record: &Record) -> Self {
        let Setup { ruleset, draws, start } = record.setup().clone();
        Teller(Knowledge::Umpire(Box::new(Umpire::with_draws(ruleset, draws, start))))
    }

    pub(crate) fn player(transcript: &Transcript) -> Self {
        let Setup { ruleset, start, .. } = &transcript.setup;
        let men = start.men(transcript.player);
        Teller(Knowledge::Player(Box::new(View::new(*ruleset, men, &transcript.opening))))
    }

    /// What the teller calls the try of the next line: a move in his own notation, `any?`, `??`
    /// for what he does not know, or `nonsense` where that is all he heard.
    pub fn name(&self, line: &Line) -> String {
        let has_moved = line.said.verdict == Verdict::Moved;
        match (&self.0, line.tried) {
            (_, Some(Try::Any)) => Try::Any.to_string(),
            (_, None) if line.said.verdict == Verdict::Nonsense => "nonsense".into(),
            (_, None) => "??".into(),
            (Knowledge::Umpire(umpire), Some(Try::Move(mv))) if has_moved => {
                san::write_legal(umpire.position(), mv)
            }
            (Knowledge::Umpire(umpire), Some(Try::Move(mv))) => {
                san::write_try(umpire.view(line.said.by).men(), mv)
            }
            (Knowledge::Player(view), Some(Try::Move(mv))) if has_moved => {
                san::write_own(view.men(), mv, &line.said)
            }
            (Knowledge::Player(view), Some(Try::Move(mv))) => san::write_try(view.men(), mv),
        }
    }

    /// Lets the teller live through a line.
    pub fn advance(&mut self, line: &Line) {
        match &mut self.0 {
            Knowledge::Umpire(umpire) => {
                if let Some(tried) = line.tried {
                    umpire.judge(tried).expect("a record can be played again");
                }
            }
            Knowledge::Player(view) => view.live(line),
        }
    }

    /// The men that the teller sees now: both sides', or his own.
    pub fn men(&self) -> Vec<Men> {
        match &self.0 {
            Knowledge::Umpire(umpire) => {
                [Color::White, Color::Black].map(|c| *umpire.view(c).men()).to_vec()
            }
            Knowledge::Player(view) => vec![*view.men()],
        }
    }

    /// The umpire's position, if it is he who tells.
    pub fn position(&self) -> Option<&Position> {
        match &self.0 {
            Knowledge::Umpire(umpire) => Some(umpire.position()),
            Knowledge::Player(_) => None,
        }
    }

    /// Whether the umpire must have said something of pawn tries with this move that the teller
    /// does not know.
    pub(crate) fn missed_pawns(&self, line: &Line) -> bool {
        let Knowledge::Player(view) = &self.0 else { return false };
        let is_told =
            !matches!(view.ruleset().pawns, PawnInformation::Silent | PawnInformation::Asked(_));
        is_told
            && line.said.verdict == Verdict::Moved
            && line.said.end.is_none()
            && line.said.pawns == PawnNews::Silent
    }

    /// Whether this player may have been refused tries that the teller did not hear of.
    pub fn is_deaf_to(&self, player: Color) -> bool {
        match &self.0 {
            Knowledge::Umpire(_) => false,
            Knowledge::Player(view) => {
                view.player() != player && view.ruleset().refusals == Audience::Mover
            }
        }
    }
}

impl Told {
    /// Everything that was tried and said, in order, as far as it is told.
    pub fn lines(&self) -> Vec<Line> {
        match self {
            Told::Record(record) => lines_of(record),
            Told::Transcript(transcript) => transcript.lines.clone(),
        }
    }
}

pub(crate) fn lines_of(record: &Record) -> Vec<Line> {
    let line = |entry: &krieg_core::Entry| Line {
        tried: Some(entry.tried),
        said: entry.said,
        spent_ms: entry.spent_ms,
    };
    record.entries().iter().map(line).collect()
}
