//! Serves a player to a program that speaks the protocol.

use std::io::{self, BufWriter, Read, Write};

use krieg_core::Verdict;
use krieg_io::{InputLine, LineReader};
use krieg_notation::TranscriptBuilder;

use super::messages::{read_go, read_heard, read_newgame};
use crate::{Choice, Player, Seat};

/// Maximum length of a line in bytes.
const MAX_LINE_BYTES: usize = 10_000;

const HELP: [&str; 7] = [
    "krieg                      identify; the reply ends with `kriegok`",
    "isready                    the reply is `readyok`",
    "newgame color … ruleset …  begin a game; docs/protocol.md lists the words",
    "heard white moved …        one observation of the player",
    "go [wtime … btime …]       the reply is `try e2e4`, `try any?` or `resign`",
    "stop, setoption            accepted without effect",
    "quit                       exit",
];

/// A game in progress.
struct ServedGame {
    seat: Seat,
    transcript: TranscriptBuilder,
    is_over: bool,
}

/// Serves a player of this name until the input ends or `quit` is received. An invalid line is
/// answered with an `info string` and has no effect.
///
/// ```
/// use krieg_players::{Random, protocol};
/// let mut output = Vec::new();
/// protocol::serve("random", &mut Random::new(), "isready\nquit\n".as_bytes(), &mut output)?;
/// assert_eq!(output, b"readyok\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn serve(
    name: &str,
    player: &mut dyn Player,
    input: impl Read,
    output: impl Write,
) -> io::Result<()> {
    let mut lines = LineReader::new(input, MAX_LINE_BYTES);
    let mut server = Server { name, player, game: None, output: BufWriter::new(output) };
    while let Some(line) = lines.read()? {
        let result = match line {
            InputLine::Text(text) if text.trim() == "quit" => break,
            InputLine::Text(text) => server.execute(text.trim())?,
            InputLine::TooLong(begin) => {
                Err(format!("a line of more than {MAX_LINE_BYTES} bytes: {begin:?}"))
            }
            InputLine::NotText(begin) => Err(format!("not UTF-8: {begin:?}")),
        };
        if let Err(error) = result {
            writeln!(server.output, "info string {error}")?;
        }
        server.output.flush()?;
    }
    server.output.flush()
}

struct Server<'a, W: Write> {
    name: &'a str,
    player: &'a mut dyn Player,
    game: Option<ServedGame>,
    output: BufWriter<W>,
}

impl<W: Write> Server<'_, W> {
    /// Executes a line. The outer error is that of the pipe; the inner one says what is wrong with
    /// the line.
    fn execute(&mut self, line: &str) -> io::Result<Result<(), String>> {
        let out = &mut self.output;
        match line.split_whitespace().next().unwrap_or_default() {
            "krieg" => {
                writeln!(out, "id name krieg {}", self.name)?;
                writeln!(out, "id author the authors of Krieg\nkriegok")?;
            }
            "isready" => writeln!(out, "readyok")?,
            "help" => {
                for line in HELP {
                    writeln!(out, "info string {line}")?;
                }
            }
            "" | "stop" | "setoption" => {}
            "newgame" => return Ok(self.begin(line)),
            "heard" => return Ok(self.observe(line)),
            "go" => return self.go(line),
            word => {
                let word = krieg_core::excerpt(word);
                return Ok(Err(format!("{word:?} is not a command; `help` lists them")));
            }
        }
        Ok(Ok(()))
    }

    fn begin(&mut self, line: &str) -> Result<(), String> {
        let seat = read_newgame(line).map_err(|error| error.to_string())?;
        self.player.begin(&seat).map_err(|error| error.to_string())?;
        let transcript = TranscriptBuilder::new(seat.setup.clone(), seat.color);
        self.game = Some(ServedGame { seat, transcript, is_over: false });
        Ok(())
    }

    fn observe(&mut self, line: &str) -> Result<(), String> {
        let game = self.game.as_mut().ok_or("no game has begun")?;
        let observation =
            read_heard(line, &game.seat.setup.ruleset).map_err(|error| error.to_string())?;
        match observation.announcement.verdict {
            // It follows from `newgame`.
            Verdict::Begun => return Ok(()),
            Verdict::Ended => game.is_over = true,
            _ => game.transcript.observe(observation)?,
        }
        game.is_over |= observation.announcement.end.is_some();
        self.player.observe(&observation).map_err(|error| error.to_string())
    }

    fn go(&mut self, line: &str) -> io::Result<Result<(), String>> {
        let Some(game) = &self.game else { return Ok(Err("no game has begun".into())) };
        let view = game.transcript.view();
        if game.is_over || !view.is_my_turn() {
            return Ok(Err("it is not my turn".into()));
        }
        let clock = match read_go(line, game.seat.control, game.seat.color) {
            Ok(clock) => clock,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let choice = self.player.choose(view, &clock);
        if let Some(remark) = self.player.remark() {
            writeln!(self.output, "info string {remark}")?;
        }
        match choice {
            Ok(Choice::Try(tried)) => writeln!(self.output, "try {tried}")?,
            Ok(Choice::Resign) => writeln!(self.output, "resign")?,
            Err(error) => return Ok(Err(error.to_string())),
        }
        Ok(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Greedy;

    fn replies_to(lines: &str) -> String {
        let mut answers = Vec::new();
        serve("greedy", &mut Greedy::new(), lines.as_bytes(), &mut answers).unwrap();
        String::from_utf8(answers).unwrap()
    }

    #[test]
    fn krieg_and_isready_are_answered() {
        let answers = replies_to("krieg\nisready\n");
        assert_eq!(
            answers,
            "id name krieg greedy\nid author the authors of Krieg\nkriegok\nreadyok\n"
        );
    }

    #[test]
    fn a_game_is_played() {
        let answers = replies_to(
            "newgame color black ruleset icc control none seed 3 \
             fen 4k3/8/8/8/8/8/p5K1/8 w - - 0 1\n\
             heard white begun pawns 0\n\
             heard white moved pawns 0\n\
             go\n\
             heard black refused try a2a1q\n\
             go\n",
        );
        let mut tries = answers.lines().filter_map(|line| line.strip_prefix("try "));
        assert_eq!(tries.next(), Some("a2a1q"));
        assert!(tries.next().is_some_and(|tried| tried != "a2a1q"), "{answers}");
    }

    #[test]
    fn invalid_lines_are_answered_and_have_no_effect() {
        let answers = replies_to(
            "go\nheard white moved\nfly\nnewgame color white\nheard black moved\n\
             heard white moved try e2e5\nheard white moved try e2e4 pawns 0\ngo\n\
             heard black moved capture e5 victim pawn pawns 0\nheard black moved pawns 0\n\
             go wtime x\ngo\nquit\ngo\n",
        );
        let errors: Vec<&str> = answers.lines().filter(|line| !line.starts_with("try")).collect();
        assert_eq!(
            errors,
            [
                "info string no game has begun",
                "info string no game has begun",
                "info string \"fly\" is not a command; `help` lists them",
                "info string it is White's turn",
                "info string \"White moved.\" is not an answer to e2e5",
                "info string it is not my turn",
                "info string the player has no piece on e5 to be captured",
                "info string \"x\" is not a number",
            ]
        );
        assert_eq!(answers.lines().filter(|line| line.starts_with("try")).count(), 1);
    }

    #[test]
    fn binary_and_overlong_lines_are_survived() {
        let mut input = vec![0xff; 50_000];
        input.extend(b"\n\xc3\x28\nisready\n");
        let mut answers = Vec::new();
        serve("greedy", &mut Greedy::new(), &input[..], &mut answers).unwrap();
        assert!(String::from_utf8(answers).unwrap().ends_with("readyok\n"));
    }
}
