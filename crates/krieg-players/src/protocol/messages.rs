//! The longer lines of the protocol: `newgame`, `heard` and `go`, written and read.

use std::str::FromStr;
use std::time::Duration;

use krieg_core::{
    Announcement, Audience, BitBoard, Capture, Checks, Color, Direction, DrawRules, Ending,
    Observation, Outcome, PawnTryAnnouncement, PieceKind, Position, Ruleset, Setup, Square, Try,
    Verdict, View, excerpt,
};
use krieg_time::{Clock, TimeControl};
use thiserror::Error;

use crate::Seat;

#[cfg(test)]
mod tests;

/// Why a line is invalid.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct MessageError(String);

fn invalid(expected: &str, word: &str) -> MessageError {
    MessageError(format!("{:?} is not {expected}", excerpt(word)))
}

/// The line for the start of a game.
///
/// ```
/// use krieg_time::TimeControl;
/// use krieg_core::{Color, Setup};
/// use krieg_players::{Seat, protocol};
/// let (color, control) = (Color::Black, TimeControl::Unlimited);
/// let seat = Seat { color, setup: Setup::default(), control, seed: 7 };
/// let line = protocol::write_newgame(&seat);
/// assert_eq!(
///     line,
///     "newgame color black ruleset icc draws fifty-moves,threefold,insufficient-material \
///      control none seed 7 fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
/// );
/// assert_eq!(protocol::read_newgame(&line), Ok(seat));
/// ```
pub fn write_newgame(seat: &Seat) -> String {
    let DrawRules { fifty_moves, threefold, insufficient_material } = seat.setup.draws;
    let draws: Vec<&str> = DRAWS
        .into_iter()
        .zip([fifty_moves, threefold, insufficient_material])
        .filter_map(|(name, is_on)| is_on.then_some(name))
        .collect();
    format!(
        "newgame color {} ruleset {} draws {} control {} seed {} fen {}",
        color_word(seat.color),
        seat.setup.ruleset,
        if draws.is_empty() { "none".to_string() } else { draws.join(",") },
        seat.control,
        seat.seed,
        seat.setup.start,
    )
}

const DRAWS: [&str; 3] = ["fifty-moves", "threefold", "insufficient-material"];

/// Reads a `newgame` line. Missing parts have their default values.
pub fn read_newgame(line: &str) -> Result<Seat, MessageError> {
    let mut words = Words::after(line, "newgame")?;
    let mut seat = Seat {
        color: Color::White,
        setup: Setup::default(),
        control: TimeControl::Unlimited,
        seed: 0,
    };
    while let Some(word) = words.next() {
        match word {
            "color" => seat.color = read_color(words.value(word)?)?,
            "ruleset" => seat.setup.ruleset = words.parsed("a ruleset")?,
            "draws" => seat.setup.draws = read_draws(words.value(word)?)?,
            "control" => seat.control = words.parsed("a time control")?,
            "seed" => seat.seed = words.parsed("a seed")?,
            "fen" => {
                let fen: Vec<&str> = words.0.by_ref().collect();
                seat.setup.start = Position::from_fen(&fen.join(" "))
                    .map_err(|error| MessageError(error.to_string()))?;
            }
            _ => return Err(invalid("part of a newgame line", word)),
        }
    }
    Ok(seat)
}

fn read_draws(text: &str) -> Result<DrawRules, MessageError> {
    let names: Vec<&str> = text.split(',').filter(|name| *name != "none").collect();
    if let Some(unknown) = names.iter().find(|name| !DRAWS.contains(name)) {
        return Err(invalid("a draw rule", unknown));
    }
    let [fifty_moves, threefold, insufficient_material] = DRAWS.map(|rule| names.contains(&rule));
    Ok(DrawRules { fifty_moves, threefold, insufficient_material })
}

/// The line for one observation.
///
/// ```
/// use krieg_core::{Color, Game, Observation, Setup};
/// use krieg_players::protocol;
/// let mut game = Game::new(Setup::default());
/// let tried = "e2e4".parse()?;
/// let announcement = game.judge(tried)?;
/// let observation = Observation { tried: Some(tried), announcement, spent_ms: Some(120) };
/// let text = protocol::write_heard(&observation);
/// assert_eq!(text, "heard white moved try e2e4 pawns 0 ms 120");
/// let ruleset = &game.record().setup().ruleset;
/// assert_eq!(protocol::read_heard(&text, ruleset), Ok(observation));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_heard(observation: &Observation) -> String {
    let announcement = &observation.announcement;
    let mut text =
        format!("heard {} {}", color_word(announcement.by), verdict_word(announcement.verdict));
    let mut add = |words: &[&str]| {
        for word in words {
            text.push(' ');
            text.push_str(word);
        }
    };
    if let Some(tried) = observation.tried {
        add(&["try", &tried.to_string()]);
    }
    if let Some(capture) = announcement.capture {
        add(&["capture", &capture.square.to_string()]);
        if let Some(victim) = capture.victim {
            add(&["victim", victim.name()]);
        }
        if let Some(capturer) = capture.capturer {
            add(&["capturer", capturer.name()]);
        }
        if capture.en_passant {
            add(&["enpassant"]);
        }
    }
    if announcement.promoted {
        add(&["promoted"]);
    }
    for direction in announcement.checks.iter() {
        add(&["check", direction.name()]);
    }
    match announcement.pawn_tries {
        PawnTryAnnouncement::Silent => {}
        PawnTryAnnouncement::Count(count) => add(&["pawns", &count.to_string()]),
        PawnTryAnnouncement::Whether(is_there) => {
            add(&["pawns", if is_there { "yes" } else { "no" }])
        }
        PawnTryAnnouncement::From(squares) if squares.is_empty() => add(&["pawns", "none"]),
        PawnTryAnnouncement::From(squares) => {
            let names: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
            add(&["pawns", &names.join(",")]);
        }
    }
    if let Some(end) = announcement.end {
        add(&["end", end.ending.name(), end.winner.map_or("draw", color_word)]);
    }
    if let Some(ms) = observation.spent_ms {
        add(&["ms", &ms.to_string()]);
    }
    text
}

/// Reads a `heard` line. The ruleset says who else hears the announcement.
pub fn read_heard(line: &str, ruleset: &Ruleset) -> Result<Observation, MessageError> {
    let mut words = Words::after(line, "heard")?;
    let by = read_color(words.value("heard")?)?;
    let word = words.value("heard")?;
    let verdict = VERDICTS
        .into_iter()
        .find(|verdict| verdict_word(*verdict) == word)
        .ok_or_else(|| invalid("a verdict", word))?;
    let audience = match verdict {
        Verdict::Refused | Verdict::Nonsense => ruleset.refusals,
        _ => Audience::Both,
    };
    let mut announcement = Announcement::plain(by, verdict, audience);
    let (mut tried, mut spent_ms) = (None, None);
    while let Some(word) = words.next() {
        match word {
            "try" => tried = Some(words.parsed::<Try>("a try")?),
            "capture" => {
                let square = read_square(words.value(word)?)?;
                announcement.capture =
                    Some(Capture { square, victim: None, capturer: None, en_passant: false });
            }
            "victim" => {
                capture(&mut announcement, word)?.victim = Some(read_kind(words.value(word)?)?)
            }
            "capturer" => {
                capture(&mut announcement, word)?.capturer = Some(read_kind(words.value(word)?)?)
            }
            "enpassant" => capture(&mut announcement, word)?.en_passant = true,
            "promoted" => announcement.promoted = true,
            "check" => {
                let name = words.value(word)?;
                let direction = Direction::ALL
                    .into_iter()
                    .find(|direction| direction.name() == name)
                    .ok_or_else(|| invalid("the direction of a check", name))?;
                announcement.checks = Checks::new(announcement.checks.iter().chain([direction]));
            }
            "pawns" => announcement.pawn_tries = read_pawns(words.value(word)?)?,
            "end" => {
                let name = words.value(word)?;
                let ending = Ending::from_name(name).ok_or_else(|| invalid("an ending", name))?;
                let winner = match words.value(word)? {
                    "draw" => None,
                    color => Some(read_color(color)?),
                };
                let end = Outcome::checked(ending, winner);
                let impossible =
                    || MessageError(format!("a game cannot end by {name} with this result"));
                announcement.end = Some(end.ok_or_else(impossible)?);
            }
            "ms" => spent_ms = Some(words.parsed("a number of milliseconds")?),
            _ => return Err(invalid("part of a heard line", word)),
        }
    }
    Ok(Observation { tried, announcement, spent_ms })
}

/// The line that asks a player for a try, with the clocks and the sensible tries.
///
/// ```
/// use krieg_time::Clock;
/// use krieg_core::{Color, Position, Ruleset, Umpire};
/// use krieg_players::protocol;
/// let start = Position::from_fen("7k/8/8/8/8/8/1P6/K7 w - - 0 1")?;
/// let umpire = Umpire::new(Ruleset::ICC, start);
/// let clock = Clock::new("60+1".parse()?);
/// let line = protocol::write_go(&clock, umpire.view(Color::White));
/// assert_eq!(
///     line,
///     "go wtime 60000 btime 60000 winc 1000 binc 1000 tries b2b3 b2b4 a1b1 a1a2"
/// );
/// assert_eq!(protocol::read_go(&line, clock.control(), Color::White), Ok(clock));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_go(clock: &Clock, view: &View) -> String {
    let mut text = write_clocks(clock, view.player());
    text += " tries";
    let question = view.can_ask_any().then_some(Try::Any);
    for tried in view.tries().iter().map(Try::Move).chain(question) {
        text += &format!(" {tried}");
    }
    text
}

fn write_clocks(clock: &Clock, who: Color) -> String {
    let [Some(white), Some(black)] = Color::ALL.map(|color| clock.remaining(color)) else {
        return match clock.control() {
            TimeControl::Nodes(nodes) => format!("go nodes {nodes}"),
            _ => "go".to_string(),
        };
    };
    if let TimeControl::Move(_) = clock.control() {
        let left = if who == Color::White { white } else { black };
        return format!("go movetime {}", left.as_millis());
    }
    let mut text = format!("go wtime {} btime {}", white.as_millis(), black.as_millis());
    let Some(seen) = clock.reading(who) else { return text };
    if !seen.increment.is_zero() {
        let more = seen.increment.as_millis();
        text += &format!(" winc {more} binc {more}");
    }
    if let Some(moves) = seen.moves_to_go {
        text += &format!(" movestogo {moves}");
    }
    text
}

/// Reads a `go` line in a game of this time control.
pub fn read_go(line: &str, control: TimeControl, who: Color) -> Result<Clock, MessageError> {
    let mut words = Words::after(line, "go")?;
    let mut left =
        Color::ALL.map(|color| Clock::new(control).remaining(color).unwrap_or(Duration::MAX));
    let mut moves = [0; 2];
    while let Some(word) = words.next() {
        if word == "tries" {
            // They follow from the observations.
            break;
        }
        let number: u64 = words.parsed("a number")?;
        match word {
            "wtime" => left[0] = Duration::from_millis(number),
            "btime" => left[1] = Duration::from_millis(number),
            "movetime" => left[who as usize] = Duration::from_millis(number),
            "movestogo" => {
                if let TimeControl::Period { moves: period, .. } = control {
                    let made = u64::from(period).saturating_sub(number);
                    moves[who as usize] = made.try_into().unwrap_or(0);
                }
            }
            // These are part of the time control.
            "winc" | "binc" | "nodes" => {}
            _ => return Err(invalid("part of a go line", word)),
        }
    }
    Ok(Clock::resume(control, left, moves))
}

fn capture<'a>(
    announcement: &'a mut Announcement,
    word: &str,
) -> Result<&'a mut Capture, MessageError> {
    announcement
        .capture
        .as_mut()
        .ok_or_else(|| MessageError(format!("{word} comes before any capture")))
}

const VERDICTS: [Verdict; 7] = [
    Verdict::Begun,
    Verdict::Moved,
    Verdict::Refused,
    Verdict::Nonsense,
    Verdict::Any(true),
    Verdict::Any(false),
    Verdict::Ended,
];

fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Begun => "begun",
        Verdict::Moved => "moved",
        Verdict::Refused => "refused",
        Verdict::Nonsense => "nonsense",
        Verdict::Any(true) => "yes",
        Verdict::Any(false) => "no",
        Verdict::Ended => "ended",
    }
}

fn color_word(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn read_color(word: &str) -> Result<Color, MessageError> {
    match word {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        _ => Err(invalid("a colour", word)),
    }
}

fn read_kind(word: &str) -> Result<PieceKind, MessageError> {
    [PieceKind::Pawn, PieceKind::Piece]
        .into_iter()
        .find(|kind| kind.name() == word)
        .ok_or_else(|| invalid("pawn or piece", word))
}

fn read_square(word: &str) -> Result<Square, MessageError> {
    word.parse().map_err(|_| invalid("a square", word))
}

fn read_pawns(word: &str) -> Result<PawnTryAnnouncement, MessageError> {
    Ok(match word {
        "yes" => PawnTryAnnouncement::Whether(true),
        "no" => PawnTryAnnouncement::Whether(false),
        "none" => PawnTryAnnouncement::From(BitBoard::EMPTY),
        number if number.starts_with(|c: char| c.is_ascii_digit()) => PawnTryAnnouncement::Count(
            number.parse().map_err(|_| invalid("a number of pawn tries", word))?,
        ),
        squares => {
            let squares: Result<BitBoard, _> = squares.split(',').map(read_square).collect();
            PawnTryAnnouncement::From(squares?)
        }
    })
}

/// The words of a line, one after another.
struct Words<'a>(std::str::SplitWhitespace<'a>);

impl<'a> Words<'a> {
    fn after(line: &'a str, first: &str) -> Result<Self, MessageError> {
        let mut words = line.split_whitespace();
        match words.next() {
            Some(word) if word == first => Ok(Words(words)),
            word => Err(invalid(first, word.unwrap_or_default())),
        }
    }

    fn next(&mut self) -> Option<&'a str> {
        self.0.next()
    }

    /// The next word, which must exist after this one.
    fn value(&mut self, after: &str) -> Result<&'a str, MessageError> {
        self.next().ok_or_else(|| MessageError(format!("nothing follows {after}")))
    }

    fn parsed<T: FromStr>(&mut self, what: &str) -> Result<T, MessageError> {
        let word = self.next().ok_or_else(|| MessageError(format!("{what} is missing")))?;
        word.parse().map_err(|_| invalid(what, word))
    }
}
