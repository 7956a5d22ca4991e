//! Lending a player to whoever speaks the protocol.

use std::io::{self, BufWriter, Read, Write};

use krieg_core::{Observation, Verdict};
use krieg_io::{InputLine, LineReader};
use krieg_notation::TranscriptBuilder;

use super::messages::{read_go, read_heard, read_newgame};
use crate::{Choice, Player, Seat};

/// Nobody says more in one line.
const LONGEST_LINE: usize = 10_000;

const HELP: [&str; 7] = [
    "krieg                      who I am; answered with `kriegok` at the end",
    "isready                    answered with `readyok`",
    "newgame color … ruleset …  a game begins; see docs/protocol.md for the words",
    "heard white moved …        the umpire said this, and I hear it",
    "go [wtime … btime …]       answered with `try e2e4`, `try any?` or `resign`",
    "stop, setoption            taken, and without effect: every answer comes as it can",
    "quit                       the end",
];

/// A game under way.
struct Sitting {
    seat: Seat,
    telling: TranscriptBuilder,
    is_over: bool,
}

/// Serves a player of this name over lines until the input ends or `quit` is said. A line that makes no
/// sense is answered with an `info string` and changes nothing.
pub fn serve(
    name: &str,
    player: &mut dyn Player,
    input: impl Read,
    output: impl Write,
) -> io::Result<()> {
    let mut lines = LineReader::new(input, LONGEST_LINE);
    let mut server = Server { name, player, sitting: None, output: BufWriter::new(output) };
    while let Some(line) = lines.read()? {
        let done = match line {
            InputLine::Text(text) if text.trim() == "quit" => break,
            InputLine::Text(text) => server.obey(text.trim())?,
            InputLine::TooLong(begin) => {
                Err(format!("a line of more than {LONGEST_LINE} bytes: {begin:?}"))
            }
            InputLine::NotText(begin) => Err(format!("not UTF-8: {begin:?}")),
        };
        if let Err(wrong) = done {
            writeln!(server.output, "info string {wrong}")?;
        }
        server.output.flush()?;
    }
    server.output.flush()
}

struct Server<'a, W: Write> {
    name: &'a str,
    player: &'a mut dyn Player,
    sitting: Option<Sitting>,
    output: BufWriter<W>,
}

impl<W: Write> Server<'_, W> {
    /// Does what a line says. The outer error is the pipe's, the inner one says what is wrong with the line.
    fn obey(&mut self, line: &str) -> io::Result<Result<(), String>> {
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
            "heard" => return Ok(self.hear(line)),
            "go" => return self.go(line),
            word => {
                let word = krieg_core::excerpt(word);
                return Ok(Err(format!("{word:?} is no command; `help` lists them")));
            }
        }
        Ok(Ok(()))
    }

    fn begin(&mut self, line: &str) -> Result<(), String> {
        let seat = read_newgame(line).map_err(|error| error.to_string())?;
        self.player.begin(&seat).map_err(|fault| fault.to_string())?;
        let telling = TranscriptBuilder::new(seat.setup.clone(), seat.color);
        self.sitting = Some(Sitting { seat, telling, is_over: false });
        Ok(())
    }

    fn hear(&mut self, line: &str) -> Result<(), String> {
        let sitting = self.sitting.as_mut().ok_or("no game has begun")?;
        let heard =
            read_heard(line, &sitting.seat.setup.ruleset).map_err(|error| error.to_string())?;
        match heard.announcement.verdict {
            // Both players know where the game begins, and so what was said there.
            Verdict::Begun => return Ok(()),
            Verdict::Ended => sitting.is_over = true,
            _ => sitting.telling.observe(heard)?,
        }
        sitting.is_over |= heard.announcement.end.is_some();
        self.pass_on(&heard)
    }

    fn pass_on(&mut self, heard: &Observation) -> Result<(), String> {
        self.player.observe(heard).map_err(|fault| fault.to_string())
    }

    fn go(&mut self, line: &str) -> io::Result<Result<(), String>> {
        let Some(sitting) = &self.sitting else { return Ok(Err("no game has begun".into())) };
        let view = sitting.telling.view();
        if sitting.is_over || !view.is_my_turn() {
            return Ok(Err("it is not my turn".into()));
        }
        let clock = match read_go(line, sitting.seat.control, sitting.seat.color) {
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
            Err(fault) => return Ok(Err(fault.to_string())),
        }
        Ok(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Greedy;

    fn talk(lines: &str) -> String {
        let mut answers = Vec::new();
        serve("greedy", &mut Greedy::new(), lines.as_bytes(), &mut answers).unwrap();
        String::from_utf8(answers).unwrap()
    }

    #[test]
    fn a_stranger_is_greeted() {
        let answers = talk("krieg\nisready\n");
        assert_eq!(
            answers,
            "id name krieg greedy\nid author the authors of Krieg\nkriegok\nreadyok\n"
        );
    }

    #[test]
    fn a_game_is_played() {
        let answers = talk(
            "newgame color black ruleset icc control none seed 3 fen 4k3/8/8/8/8/8/p5K1/8 w - - 0 1\n\
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
    fn nonsense_is_answered_and_changes_nothing() {
        let answers = talk(
            "go\nheard white moved\nfly\nnewgame color white\nheard black moved\n\
             heard white moved try e2e5\nheard white moved try e2e4 pawns 0\ngo\n\
             heard black moved capture e5 victim pawn pawns 0\nheard black moved pawns 0\ngo wtime x\ngo\nquit\ngo\n",
        );
        let said: Vec<&str> = answers.lines().filter(|line| !line.starts_with("try")).collect();
        assert_eq!(
            said,
            [
                "info string no game has begun",
                "info string no game has begun",
                "info string \"fly\" is no command; `help` lists them",
                "info string it is White's turn",
                "info string \"White moved.\" is no answer to e2e5",
                "info string it is not my turn",
                "info string the player has no piece on e5 to be captured",
                "info string \"x\" is no number",
            ]
        );
        assert_eq!(answers.lines().filter(|line| line.starts_with("try")).count(), 1);
    }

    #[test]
    fn binary_and_endless_lines_harm_nobody() {
        let mut input = vec![0xff; 50_000];
        input.extend(b"\n\xc3\x28\nisready\n");
        let mut answers = Vec::new();
        serve("greedy", &mut Greedy::new(), &input[..], &mut answers).unwrap();
        assert!(String::from_utf8(answers).unwrap().ends_with("readyok\n"));
    }
}
