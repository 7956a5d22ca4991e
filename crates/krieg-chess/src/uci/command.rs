//! Parsing of UCI commands.

use std::time::Duration;

use krieg_core::{Move, Position, excerpt};

use crate::search::PositionHistory;

/// A parsed command.
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
    /// An empty line or a command that has no effect.
    Ignore,
}

/// The parameters of `go`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Go {
    pub ponder: bool,
    pub infinite: bool,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub mate: Option<u32>,
    pub move_time: Option<Duration>,
    /// Remaining time of White and Black.
    pub time_left: [Option<Duration>; 2],
    pub increment: [Duration; 2],
    pub moves_to_go: Option<u32>,
    pub search_moves: Vec<Move>,
    /// Messages about parameters that could not be parsed. The search starts nevertheless, because
    /// the GUI waits for its answer.
    pub errors: Vec<String>,
}

/// All commands. `debug` and `register` are accepted and ignored.
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

/// Parses a line. The error is a message for the user.
pub(super) fn parse(line: &str) -> Result<Command, String> {
    let mut words = line.split_whitespace();
    if line.trim().is_empty() {
        return Ok(Command::Ignore);
    }
    // UCI requires that unknown words before a command are skipped.
    let is_command = |word: &&str| COMMANDS.contains(word);
    let Some(first) = words.find(is_command) else {
        return Err(format!("unknown command {:?}; `help` lists all commands", excerpt(line)));
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
        _ => Command::Ignore,
    })
}

fn number<T: std::str::FromStr>(name: &str, word: Option<&str>) -> Result<T, String> {
    let word = word.ok_or_else(|| format!("{name} needs a number"))?;
    word.parse().map_err(|_| format!("{name} needs a number, not {:?}", excerpt(word)))
}

fn set_option(line: &str) -> Result<Command, String> {
    let error = || format!("{:?} is not of the form `setoption name … value …`", excerpt(line));
    let rest = line.split_once("setoption").unwrap_or_default().1.trim();
    let rest = rest.strip_prefix("name ").ok_or_else(error)?;
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
                Some(other) => return Err(format!("expected moves, not {:?}", excerpt(other))),
            }
            Position::start()
        }
        Some("fen") => {
            let mut fields: Vec<&str> =
                words.by_ref().take_while(|&word| word != "moves").collect();
            // Some programs omit the halfmove clock and the move number.
            if fields.len() == 4 {
                fields.extend(["0", "1"]);
            }
            lenient_fen(&fields)?
        }
        Some(other) => return Err(format!("expected startpos or fen, not {:?}", excerpt(other))),
        None => return Err("position needs startpos or fen".to_string()),
    };
    let mut history = PositionHistory::new(&start);
    for word in words {
        let not_a_move = |_| format!("{:?} is not a move", excerpt(word));
        let mv: Move = word.to_ascii_lowercase().parse().map_err(not_a_move)?;
        history.play(mv).map_err(|error| error.to_string())?;
    }
    Ok(history)
}

/// Parses a FEN with the deviations that are common among programs: move number 0, castling rights
/// in any order, and an en passant square without a pawn behind it.
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
    let parse = |fields: &[String]| Position::from_fen(&fields.join(" "));
    parse(&fields).or_else(|error| {
        let mut without = fields.clone();
        match without.get_mut(3) {
            Some(en_passant) => *en_passant = "-".to_string(),
            None => return Err(error.to_string()),
        }
        parse(&without).map_err(|_| error.to_string())
    })
}

fn go<'a>(words: impl Iterator<Item = &'a str>) -> Command {
    let mut go = Go::default();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        let parsed = match word {
            "ponder" => {
                go.ponder = true;
                Ok(())
            }
            "infinite" => {
                go.infinite = true;
                Ok(())
            }
            "depth" => count(word, words.next()).map(|depth| go.depth = Some(saturate(depth))),
            "nodes" => count(word, words.next()).map(|nodes| go.nodes = Some(nodes)),
            "mate" => count(word, words.next()).map(|moves| go.mate = Some(saturate(moves))),
            "movestogo" => count(word, words.next()).map(|moves| {
                go.moves_to_go = Some(saturate(moves)).filter(|&moves| moves > 0);
            }),
            "movetime" => millis(word, words.next()).map(|time| go.move_time = Some(time)),
            "wtime" => millis(word, words.next()).map(|time| go.time_left[0] = Some(time)),
            "btime" => millis(word, words.next()).map(|time| go.time_left[1] = Some(time)),
            "winc" => millis(word, words.next()).map(|time| go.increment[0] = time),
            "binc" => millis(word, words.next()).map(|time| go.increment[1] = time),
            "perft" => match count(word, words.next()) {
                Ok(depth) => return Command::Perft(saturate(depth)),
                Err(error) => Err(error),
            },
            "searchmoves" => {
                while let Some(mv) = words.peek().and_then(|word| word.parse().ok()) {
                    go.search_moves.push(mv);
                    words.next();
                }
                Ok(())
            }
            _ => Err(format!("go has no parameter {:?}", excerpt(word))),
        };
        if let Err(error) = parsed {
            go.errors.push(error);
        }
    }
    Command::Go(Box::new(go))
}

/// Parses a count. Numbers that are too large become the maximum.
fn count(name: &str, word: Option<&str>) -> Result<u64, String> {
    match word {
        Some(word) if !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()) => {
            Ok(word.parse().unwrap_or(u64::MAX))
        }
        _ => number(name, word),
    }
}

/// Converts to `u32`; larger numbers become the maximum.
fn saturate(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Parses milliseconds. Negative values, of clocks that have run out, become 0.
fn millis(name: &str, word: Option<&str>) -> Result<Duration, String> {
    let value: i64 = number(name, word)?;
    // At most a year, so that sums of durations cannot overflow.
    Ok(Duration::from_millis(value.clamp(0, 31_536_000_000) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> Go {
        match parse(line) {
            Ok(Command::Go(go)) => *go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn all_time_controls_are_parsed() {
        let clock = go("go wtime 1000 btime -5 winc 10 binc 20 movestogo 7");
        assert_eq!(clock.time_left, [Some(Duration::from_secs(1)), Some(Duration::ZERO)]);
        assert_eq!(clock.increment[1], Duration::from_millis(20));
        assert_eq!(clock.moves_to_go, Some(7));
        assert_eq!(go("go movetime 100").move_time, Some(Duration::from_millis(100)));
        assert!(go("go infinite").infinite && go("go ponder wtime 5 btime 5").ponder);
        let some = go("go searchmoves e2e4 e7e8q depth 3");
        assert_eq!((some.search_moves.len(), some.depth), (2, Some(3)));
    }

    #[test]
    fn errors_describe_the_problem() {
        for (line, words) in [
            ("hello", "unknown command"),
            ("position", "startpos or fen"),
            ("position startpos moves e2e5", "e2e5 is not legal here"),
            ("position startpos moves banana", "\"banana\" is not a move"),
            ("position startpos e2e4", "expected moves"),
            ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"),
            ("setoption Hash 5", "setoption name"),
        ] {
            let error = parse(line).unwrap_err();
            assert!(error.contains(words), "{line}: {error}");
        }
    }

    #[test]
    fn go_ignores_parameters_that_cannot_be_parsed() {
        for (line, words) in [
            ("go depth", "depth needs a number"),
            ("go depth many", "not \"many\""),
            ("go nodes -1", "not \"-1\""),
            ("go sideways", "sideways"),
        ] {
            let errors = go(line).errors;
            assert!(errors.len() == 1 && errors[0].contains(words), "{line}: {errors:?}");
        }
        assert_eq!(go("go movestogo 999999999999999 wtime 5").moves_to_go, Some(u32::MAX));
        assert_eq!(go("please go depth 3").depth, Some(3));
    }

    #[test]
    fn common_deviations_from_fen_are_accepted() {
        for line in [
            "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w kqKQ - 0 0",
            "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1",
            "position fen 8/P6k/8/8/8/8/8/K7 w - - moves a7a8Q",
        ] {
            assert!(parse(line).is_ok(), "{line}: {:?}", parse(line));
        }
    }

    #[test]
    fn option_names_may_contain_spaces() {
        let Ok(Command::SetOption { name, value }) = parse("setoption name Move Overhead value 30")
        else {
            panic!()
        };
        assert_eq!((name.as_str(), value.as_deref()), ("Move Overhead", Some("30")));
    }
}
