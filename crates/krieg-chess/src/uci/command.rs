//! What a line of UCI says.

use std::time::Duration;

use krieg_core::{Move, Position, excerpt};

use crate::search::PositionHistory;

/// A line that was understood.
#[derive(Debug)]
pub(super) enum Command {
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: Option<String>,
    },
    Position(Box<PositionHistory>),
    Go(Box<Go>),
    Perft(u32),
    Stop,
    PonderHit,
    Eval,
    Bench {
        depth: Option<u32>,
    },
    Show,
    Help,
    Quit,
    /// An empty line, or one that may be ignored.
    Nothing,
}

/// What `go` asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Go {
    pub ponder: bool,
    pub infinite: bool,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub mate: Option<u32>,
    pub move_time: Option<Duration>,
    /// Time left, White's and Black's.
    pub left: [Option<Duration>; 2],
    pub increment: [Duration; 2],
    pub moves_to_go: Option<u32>,
    pub search_moves: Vec<Move>,
    /// What was not understood. A question is answered all the same, for whoever asks waits.
    pub complaints: Vec<String>,
}

/// Every word that begins a command; `debug` and `register` mean nothing to this engine.
const COMMANDS: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "setoption",
    "position",
    "go",
    "perft",
    "stop",
    "ponderhit",
    "eval",
    "bench",
    "d",
    "show",
    "help",
    "quit",
    "debug",
    "register",
];

/// Reads a line. The error says what is wrong with it.
pub(super) fn read(line: &str) -> Result<Command, String> {
    let mut words = line.split_whitespace();
    if line.trim().is_empty() {
        return Ok(Command::Nothing);
    }
    // Words that nobody knows may stand before a command; so UCI has it.
    let known = |word: &&str| COMMANDS.contains(word);
    let Some(first) = words.find(known) else {
        return Err(format!("{:?} is no command; `help` lists them", excerpt(line)));
    };
    Ok(match first {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "setoption" => set_option(line)?,
        "position" => Command::Position(Box::new(position(words)?)),
        "go" => go(words),
        "perft" => Command::Perft(number("perft", words.next())?),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "eval" => Command::Eval,
        "bench" => Command::Bench {
            depth: words.next().map(|word| number("bench", Some(word))).transpose()?,
        },
        "d" | "show" => Command::Show,
        "help" => Command::Help,
        "quit" => Command::Quit,
        _ => Command::Nothing,
    })
}

fn number<T: std::str::FromStr>(name: &str, word: Option<&str>) -> Result<T, String> {
    let word = word.ok_or_else(|| format!("{name} needs a number"))?;
    word.parse().map_err(|_| format!("{name} needs a number, not {:?}", excerpt(word)))
}

fn set_option(line: &str) -> Result<Command, String> {
    let wrong = || format!("{:?} is not `setoption name … value …`", excerpt(line));
    let rest = line.split_once("setoption").unwrap_or_default().1.trim();
    let rest = rest.strip_prefix("name ").ok_or_else(wrong)?;
    let (name, value) = match rest.split_once(" value ") {
        Some((name, value)) => (name, Some(value.trim().to_string())),
        None => (rest.strip_suffix(" value").unwrap_or(rest), None),
    };
    Ok(Command::SetOption { name: name.trim().to_string(), value })
}

fn position<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<PositionHistory, String> {
    let start = match words.next() {
        Some("startpos") => {
            match words.next() {
                None | Some("moves") => {}
                Some(other) => return Err(format!("moves expected, not {:?}", excerpt(other))),
            }
            Position::start()
        }
        Some("fen") => {
            let mut fields: Vec<&str> =
                words.by_ref().take_while(|&word| word != "moves").collect();
            // Some programs leave out the clock and the number of the move.
            if fields.len() == 4 {
                fields.extend(["0", "1"]);
            }
            lenient_fen(&fields)?
        }
        Some(other) => return Err(format!("startpos or fen expected, not {:?}", excerpt(other))),
        None => return Err("position needs startpos or fen".to_string()),
    };
    let mut played = PositionHistory::new(&start);
    for word in words {
        let no_move = |_| format!("{:?} is no move", excerpt(word));
        let mv: Move = word.to_ascii_lowercase().parse().map_err(no_move)?;
        played.play(mv).map_err(|error| error.to_string())?;
    }
    Ok(played)
}

/// A FEN as programs write it: moves counted from 0, castling rights in any order, and a square passed over
/// though no pawn stands behind it.
fn lenient_fen(fields: &[&str]) -> Result<Position, String> {
    let mut fields: Vec<String> = fields.iter().map(|field| field.to_string()).collect();
    if let [_, _, castling, _, _, number] = &mut fields[..] {
        let in_order: String = "KQkq".chars().filter(|&right| castling.contains(right)).collect();
        if in_order.len() == castling.len() {
            *castling = in_order;
        }
        if number == "0" {
            *number = "1".to_string();
        }
    }
    let read = |fields: &[String]| Position::from_fen(&fields.join(" "));
    read(&fields).or_else(|error| {
        let mut without = fields.clone();
        match without.get_mut(3) {
            Some(passed) => *passed = "-".to_string(),
            None => return Err(error.to_string()),
        }
        read(&without).map_err(|_| error.to_string())
    })
}

fn go<'a>(words: impl Iterator<Item = &'a str>) -> Command {
    let mut go = Go::default();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        let understood = match word {
            "ponder" => {
                go.ponder = true;
                Ok(())
            }
            "infinite" => {
                go.infinite = true;
                Ok(())
            }
            "depth" => count(word, words.next()).map(|depth| go.depth = Some(small(depth))),
            "nodes" => count(word, words.next()).map(|nodes| go.nodes = Some(nodes)),
            "mate" => count(word, words.next()).map(|moves| go.mate = Some(small(moves))),
            "movestogo" => count(word, words.next()).map(|moves| {
                go.moves_to_go = Some(small(moves)).filter(|&moves| moves > 0);
            }),
            "movetime" => millis(word, words.next()).map(|time| go.move_time = Some(time)),
            "wtime" => millis(word, words.next()).map(|time| go.left[0] = Some(time)),
            "btime" => millis(word, words.next()).map(|time| go.left[1] = Some(time)),
            "winc" => millis(word, words.next()).map(|time| go.increment[0] = time),
            "binc" => millis(word, words.next()).map(|time| go.increment[1] = time),
            "perft" => match count(word, words.next()) {
                Ok(depth) => return Command::Perft(small(depth)),
                Err(wrong) => Err(wrong),
            },
            "searchmoves" => {
                while let Some(mv) = words.peek().and_then(|word| word.parse().ok()) {
                    go.search_moves.push(mv);
                    words.next();
                }
                Ok(())
            }
            _ => Err(format!("go does not know {:?}", excerpt(word))),
        };
        if let Err(wrong) = understood {
            go.complaints.push(wrong);
        }
    }
    Command::Go(Box::new(go))
}

/// A number that counts something; one too large to be held is as large as can be.
fn count(name: &str, word: Option<&str>) -> Result<u64, String> {
    match word {
        Some(word) if !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()) => {
            Ok(word.parse().unwrap_or(u64::MAX))
        }
        _ => number(name, word),
    }
}

fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A clock that has run below nothing shows less than nothing: that is nothing.
fn millis(name: &str, word: Option<&str>) -> Result<Duration, String> {
    let value: i64 = number(name, word)?;
    // A year is longer than any clock, and short enough to be added to another.
    Ok(Duration::from_millis(value.clamp(0, 31_536_000_000) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> Go {
        match read(line) {
            Ok(Command::Go(go)) => *go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn every_form_of_clock_is_understood() {
        let clock = go("go wtime 1000 btime -5 winc 10 binc 20 movestogo 7");
        assert_eq!(clock.left, [Some(Duration::from_secs(1)), Some(Duration::ZERO)]);
        assert_eq!(clock.increment[1], Duration::from_millis(20));
        assert_eq!(clock.moves_to_go, Some(7));
        assert_eq!(go("go movetime 100").move_time, Some(Duration::from_millis(100)));
        assert!(go("go infinite").infinite && go("go ponder wtime 5 btime 5").ponder);
        let some = go("go searchmoves e2e4 e7e8q depth 3");
        assert_eq!((some.search_moves.len(), some.depth), (2, Some(3)));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, words) in [
            ("hello", "no command"),
            ("position", "startpos or fen"),
            ("position startpos moves e2e5", "e2e5 is not legal here"),
            ("position startpos moves banana", "\"banana\" is no move"),
            ("position startpos e2e4", "moves expected"),
            ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"),
            ("setoption Hash 5", "setoption name"),
        ] {
            let error = read(line).unwrap_err();
            assert!(error.contains(words), "{line}: {error}");
        }
    }

    #[test]
    fn a_question_is_answered_whatever_else_is_in_it() {
        for (line, words) in [
            ("go depth", "depth needs a number"),
            ("go depth many", "not \"many\""),
            ("go nodes -1", "not \"-1\""),
            ("go sideways", "sideways"),
        ] {
            let complaints = go(line).complaints;
            assert!(
                complaints.len() == 1 && complaints[0].contains(words),
                "{line}: {complaints:?}"
            );
        }
        assert_eq!(go("go movestogo 999999999999999 wtime 5").moves_to_go, Some(u32::MAX));
        assert_eq!(go("please go depth 3").depth, Some(3));
    }

    #[test]
    fn positions_are_read_as_programs_write_them() {
        for line in [
            "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w kqKQ - 0 0",
            "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1",
            "position fen 8/P6k/8/8/8/8/8/K7 w - - moves a7a8Q",
        ] {
            assert!(read(line).is_ok(), "{line}: {:?}", read(line));
        }
    }

    #[test]
    fn options_may_have_spaces_in_their_names() {
        let Ok(Command::SetOption { name, value }) = read("setoption name Move Overhead value 30")
        else {
            panic!()
        };
        assert_eq!((name.as_str(), value.as_deref()), ("Move Overhead", Some("30")));
    }
}
