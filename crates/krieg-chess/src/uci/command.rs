//! What a line of UCI says.

use std::time::Duration;

use krieg_core::{Move, Position, excerpt};

use crate::search::Played;

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
    Position(Box<Played>),
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
}

/// Reads a line. The error says what is wrong with it.
pub(super) fn read(line: &str) -> Result<Command, String> {
    let mut words = line.split_whitespace();
    let Some(first) = words.next() else { return Ok(Command::Nothing) };
    Ok(match first {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "setoption" => set_option(line)?,
        "position" => Command::Position(Box::new(position(words)?)),
        "go" => go(words)?,
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
        "debug" | "register" => Command::Nothing,
        _ => return Err(format!("{:?} is no command; `help` lists them", excerpt(line))),
    })
}

fn number<T: std::str::FromStr>(name: &str, word: Option<&str>) -> Result<T, String> {
    let word = word.ok_or_else(|| format!("{name} needs a number"))?;
    word.parse().map_err(|_| format!("{name} needs a number, not {:?}", excerpt(word)))
}

fn set_option(line: &str) -> Result<Command, String> {
    let wrong = || format!("{:?} is not `setoption name … value …`", excerpt(line));
    let rest = line.trim_start().strip_prefix("setoption").unwrap_or_default().trim();
    let rest = rest.strip_prefix("name ").ok_or_else(wrong)?;
    let (name, value) = match rest.split_once(" value ") {
        Some((name, value)) => (name, Some(value.trim().to_string())),
        None => (rest.strip_suffix(" value").unwrap_or(rest), None),
    };
    Ok(Command::SetOption { name: name.trim().to_string(), value })
}

fn position<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Played, String> {
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
            Position::from_fen(&fields.join(" ")).map_err(|error| error.to_string())?
        }
        Some(other) => return Err(format!("startpos or fen expected, not {:?}", excerpt(other))),
        None => return Err("position needs startpos or fen".to_string()),
    };
    let mut played = Played::new(&start);
    for word in words {
        let mv: Move = word.parse().map_err(|_| format!("{:?} is no move", excerpt(word)))?;
        played.play(mv).map_err(|error| error.to_string())?;
    }
    Ok(played)
}

fn go<'a>(words: impl Iterator<Item = &'a str>) -> Result<Command, String> {
    let mut go = Go::default();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "depth" => go.depth = Some(number(word, words.next())?),
            "nodes" => go.nodes = Some(number(word, words.next())?),
            "mate" => go.mate = Some(number(word, words.next())?),
            "movestogo" => go.moves_to_go = Some(number(word, words.next())?),
            "movetime" => go.move_time = Some(millis(word, words.next())?),
            "wtime" => go.left[0] = Some(millis(word, words.next())?),
            "btime" => go.left[1] = Some(millis(word, words.next())?),
            "winc" => go.increment[0] = millis(word, words.next())?,
            "binc" => go.increment[1] = millis(word, words.next())?,
            "perft" => return Ok(Command::Perft(number(word, words.next())?)),
            "searchmoves" => {
                while let Some(mv) = words.peek().and_then(|word| word.parse().ok()) {
                    go.search_moves.push(mv);
                    words.next();
                }
            }
            _ => return Err(format!("go does not know {:?}", excerpt(word))),
        }
    }
    if go.moves_to_go == Some(0) {
        go.moves_to_go = None;
    }
    Ok(Command::Go(Box::new(go)))
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
            ("go depth", "depth needs a number"),
            ("go depth many", "not \"many\""),
            ("go nodes -1", "not \"-1\""),
            ("go sideways", "sideways"),
            ("setoption Hash 5", "setoption name"),
        ] {
            let error = read(line).unwrap_err();
            assert!(error.contains(words), "{line}: {error}");
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
