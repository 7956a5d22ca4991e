//! Conversations with the engine over UCI, polite and otherwise.

use std::io::{self, Read, Write};
use std::sync::mpsc;
use std::time::Duration;

use krieg_chess::uci::serve;
use krieg_core::Position;

/// Long enough for any answer, even on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// The engine's input, as it comes.
struct Input(mpsc::Receiver<Vec<u8>>, Vec<u8>);

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            match self.0.recv() {
                Ok(bytes) => self.1 = bytes,
                Err(_) => return Ok(0),
            }
        }
        let len = self.1.len().min(buffer.len());
        buffer[..len].copy_from_slice(&self.1[..len]);
        self.1.drain(..len);
        Ok(len)
    }
}

/// The engine's output, line by line.
struct Output(mpsc::Sender<String>, Vec<u8>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.extend_from_slice(bytes);
        while let Some(end) = self.1.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.1.drain(..=end).collect();
            let _ = self.0.send(String::from_utf8_lossy(&line).trim_end().to_string());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Talk {
    input: Option<mpsc::Sender<Vec<u8>>>,
    output: mpsc::Receiver<String>,
}

impl Talk {
    fn begin() -> Self {
        let (input, from_us) = mpsc::channel();
        let (to_us, output) = mpsc::channel();
        std::thread::spawn(move || {
            serve(Input(from_us, Vec::new()), Output(to_us, Vec::new())).unwrap()
        });
        Talk { input: Some(input), output }
    }

    fn say(&self, line: &str) {
        self.send(format!("{line}\n").as_bytes());
    }

    fn send(&self, bytes: &[u8]) {
        self.input.as_ref().unwrap().send(bytes.to_vec()).unwrap();
    }

    /// Reads on until a line begins like this.
    fn until(&self, beginning: &str) -> String {
        loop {
            let line =
                self.output.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no {beginning}"));
            if line.starts_with(beginning) {
                return line;
            }
        }
    }

    fn best(&self) -> String {
        let line = self.until("bestmove");
        line.split(' ').nth(1).unwrap().to_string()
    }

    /// What the engine says until it is ready: nothing more can come of what was said before.
    fn all_said(&self) -> Vec<String> {
        self.say("isready");
        let mut said = Vec::new();
        loop {
            let line = self.output.recv_timeout(PATIENCE).expect("the engine lives");
            if line == "readyok" {
                return said;
            }
            said.push(line);
        }
    }
}

#[test]
fn it_introduces_itself() {
    let talk = Talk::begin();
    talk.say("uci");
    assert_eq!(talk.until("id name"), "id name Krieg");
    for option in ["Hash", "Clear Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "Method"]
    {
        talk.until(&format!("option name {option} "));
    }
    talk.until("uciok");
}

#[test]
fn what_is_wrong_is_said_and_the_engine_lives_on() {
    let talk = Talk::begin();
    for (line, words) in [
        ("hello there", "no command"),
        ("position fen this is no board at all", "this is no board"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"),
        ("position fen 8/8/8/3k4/3K4/8/8/7R w - - 0 1", "kings"),
        ("position startpos moves e2e4 e2e4", "e2e4 is not legal here"),
        ("setoption name Hash value 0", "from 1 to"),
        ("setoption name Hash value 99999999999999999999", "from 1 to"),
        ("setoption name Threads value", "from 1 to"),
        ("setoption name Nonsense value 3", "Nonsense"),
        ("setoption name Method value guess", "pvs"),
        ("setoption name Evaluation value /nowhere/at/all", "/nowhere"),
        ("setoption name Evaluation value /dev/zero", "ordinary file"),
        ("perft 99", "depth 12"),
        ("perft", "needs a number"),
    ] {
        talk.say(line);
        let said = talk.all_said();
        assert_eq!(said.len(), 1, "{line}: {said:?}");
        assert!(said[0].starts_with("info string ") && said[0].contains(words), "{line}: {said:?}");
    }
    // A question is complained about, and answered.
    for (line, words) in [("go depth banana", "banana"), ("go sideways nodes 50", "sideways")] {
        talk.say(line);
        assert!(talk.until("info string").contains(words), "{line}");
        assert_ne!(talk.best(), "(none)");
    }
}

#[test]
fn a_wrong_position_leaves_the_last_good_one() {
    let talk = Talk::begin();
    talk.say("position startpos moves e2e4");
    talk.say("position startpos moves e2e4 e7e4");
    talk.say("show");
    assert_eq!(talk.until("rnbq"), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
}

#[test]
fn every_question_has_one_answer() {
    let talk = Talk::begin();
    for (question, limit) in [
        ("position startpos", "go nodes 2000"),
        ("position startpos moves e2e4", "go depth 4"),
        ("position startpos moves e2e4 e7e5", "go movetime 20"),
        ("position startpos moves e2e4 e7e5 g1f3", "go wtime 500 btime 500 winc 10 binc 10"),
        ("position startpos moves d2d4", "go wtime 2000 btime 2000 movestogo 5"),
        ("position fen 7k/R7/8/8/8/8/8/1R5K w - - 0 1", "go mate 1"),
    ] {
        talk.say(question);
        talk.say(limit);
        talk.best();
        let more = talk.all_said();
        assert!(more.is_empty(), "{limit}: {more:?}");
    }
}

#[test]
fn with_no_time_at_all_a_mate_in_one_is_still_found() {
    let talk = Talk::begin();
    for limit in ["go nodes 0", "go movetime 0", "go wtime 0 btime 0", "go wtime 5 btime -100"] {
        talk.say("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
        talk.say(limit);
        assert_eq!(talk.best(), "a1a8", "{limit}");
    }
}

#[test]
fn with_no_time_at_all_the_move_is_still_legal() {
    let talk = Talk::begin();
    talk.say("position startpos");
    talk.say("go nodes 5000"); // leaves a line in memory that belongs to another position
    talk.best();
    let position = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    let board = Position::from_fen(position).unwrap();
    for limit in ["go nodes 0", "go movetime 0", "go wtime 0 btime 0", "go wtime 5 btime -100"] {
        talk.say(&format!("position fen {position}"));
        talk.say(limit);
        let best = talk.best();
        assert!(board.is_legal(best.parse().unwrap()), "{limit}: {best}");
    }
}

#[test]
fn where_nobody_can_move_there_is_no_best_move() {
    let talk = Talk::begin();
    for (fen, score) in [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "mate 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"),
    ] {
        talk.say(&format!("position fen {fen}"));
        talk.say("go depth 3");
        assert!(talk.until("info depth 0").ends_with(score));
        assert_eq!(talk.best(), "(none)");
    }
}

#[test]
fn an_endless_search_answers_when_it_is_stopped() {
    let talk = Talk::begin();
    // The mate is found at once, but nobody has asked for the answer yet.
    talk.say("position fen 7k/R7/8/8/8/8/8/1R5K w - - 0 1");
    talk.say("go infinite");
    talk.until("info depth 2");
    assert!(talk.all_said().iter().all(|line| line.starts_with("info")));
    talk.say("go depth 1");
    talk.until("info string the engine is busy: go");
    talk.say("stop");
    assert_eq!(talk.best(), "b1b8");
    assert!(talk.all_said().is_empty());
    talk.say("stop"); // once more is no harm
    assert!(talk.all_said().is_empty());
}

#[test]
fn pondering_waits_for_the_opponent() {
    let talk = Talk::begin();
    talk.say("position startpos moves e2e4 e7e5");
    talk.say("go ponder wtime 100 btime 100");
    talk.until("info depth 3");
    assert!(talk.all_said().iter().all(|line| line.starts_with("info")));
    talk.say("ponderhit");
    talk.best();
    talk.say("ponderhit"); // to nobody
    assert!(talk.all_said().is_empty());
}

#[test]
fn long_work_can_be_stopped() {
    let talk = Talk::begin();
    talk.say("perft 12");
    talk.say("stop");
    talk.until("info string perft was stopped");
    talk.say("bench 100");
    talk.say("stop");
    talk.until("info string bench was stopped");
    talk.say("go mate 30 nodes 18446744073709551615");
    talk.say("stop");
    talk.best();
}

#[test]
fn positions_are_counted_as_others_count_them() {
    // The numbers are those of the chess programming wiki's perft results.
    let talk = Talk::begin();
    for (fen, depth, nodes) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197_281),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238),
    ] {
        talk.say(&format!("position fen {fen}"));
        talk.say(&format!("go perft {depth}"));
        let line = talk.until("nodes");
        assert!(line.starts_with(&format!("nodes {nodes} ")), "{fen}: {line}");
    }
}

#[test]
fn the_benchmark_visits_the_same_nodes_every_time() {
    let talk = Talk::begin();
    let nodes = || {
        talk.say("bench 6");
        talk.until("nodes").split(' ').nth(1).unwrap().to_string()
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn several_lines_are_told() {
    let talk = Talk::begin();
    talk.say("setoption name MultiPV value 3");
    talk.say("position startpos");
    talk.say("go depth 5");
    talk.until("info depth 5 seldepth");
    assert!(talk.until("info depth 5").contains("multipv 2"));
    assert!(talk.until("info depth 5").contains("multipv 3"));
    talk.best();
}

#[test]
fn every_method_and_several_threads_play() {
    let talk = Talk::begin();
    for (name, value) in
        [("Method", "mtdf"), ("Method", "alphabeta"), ("Threads", "3"), ("Hash", "1")]
    {
        talk.say(&format!("setoption name {name} value {value}"));
        talk.say("position startpos");
        talk.say("go depth 6");
        assert_ne!(talk.best(), "(none)");
    }
}

#[test]
fn the_end_of_the_input_lets_a_search_finish() {
    let mut talk = Talk::begin();
    talk.say("go depth 6");
    talk.input = None;
    talk.until("info depth 6");
    talk.best();
    let mut talk = Talk::begin();
    talk.say("go infinite");
    talk.input = None;
    talk.best();
}

#[test]
fn an_evaluation_is_taken_apart() {
    let talk = Talk::begin();
    talk.say("position fen 4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1");
    talk.say("eval");
    talk.until("network");
    talk.until("value");
    talk.say("setoption name Evaluation value classical");
    talk.say("eval");
    talk.until("material");
    talk.until("value");
}

/// So many bytes without a line break, made up as they are read.
struct Endless(usize);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(self.0);
        buffer[..len].fill(b'x');
        self.0 -= len;
        Ok(len)
    }
}

#[test]
fn a_line_without_end_is_not_stored() {
    // A hundred megabytes pass by; what is kept of them is bounded by the longest line allowed.
    let input = Endless(100_000_000).chain(&b"\nisready\n"[..]);
    let (send, said) = mpsc::channel();
    serve(input, Output(send, Vec::new())).unwrap();
    let said: Vec<String> = said.into_iter().collect();
    assert!(said[0].starts_with("info string more than 200000 bytes"), "{said:?}");
    assert_eq!(said[1], "readyok");
}

#[test]
fn binary_input_is_answered_with_patience() {
    let talk = Talk::begin();
    let mut noise: Vec<u8> =
        (0..200_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    noise.push(b'\n');
    talk.send(&noise);
    assert!(talk.all_said().iter().all(|line| line.starts_with("info string")));
}
