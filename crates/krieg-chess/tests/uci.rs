//! Tests of the UCI server, with valid and invalid input.

use std::io::{self, Read, Write};
use std::sync::mpsc;
use std::time::Duration;

use krieg_chess::uci::serve;
use krieg_core::Position;

/// Timeout of any answer, long enough for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The engine's input: reads what the test sends.
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

/// The engine's output: sends whole lines to the test.
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

/// A UCI session.
struct Session {
    input: Option<mpsc::Sender<Vec<u8>>>,
    output: mpsc::Receiver<String>,
}

impl Session {
    fn start() -> Self {
        let (input, receiver) = mpsc::channel();
        let (sender, output) = mpsc::channel();
        std::thread::spawn(move || {
            serve(Input(receiver, Vec::new()), Output(sender, Vec::new())).unwrap()
        });
        Session { input: Some(input), output }
    }

    fn send(&self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    fn send_bytes(&self, bytes: &[u8]) {
        self.input.as_ref().unwrap().send(bytes.to_vec()).unwrap();
    }

    /// Reads until a line starts with this prefix, and returns it.
    fn wait_for(&self, prefix: &str) -> String {
        loop {
            let line = self.output.recv_timeout(TIMEOUT).unwrap_or_else(|_| panic!("no {prefix}"));
            if line.starts_with(prefix) {
                return line;
            }
        }
    }

    fn best_move(&self) -> String {
        let line = self.wait_for("bestmove");
        line.split(' ').nth(1).unwrap().to_string()
    }

    /// The lines that the engine writes before it answers `isready`, i.e. all answers to earlier
    /// commands.
    fn pending_lines(&self) -> Vec<String> {
        self.send("isready");
        let mut lines = Vec::new();
        loop {
            let line = self.output.recv_timeout(TIMEOUT).expect("the engine answers");
            if line == "readyok" {
                return lines;
            }
            lines.push(line);
        }
    }
}

#[test]
fn uci_lists_the_name_and_the_options() {
    let session = Session::start();
    session.send("uci");
    assert_eq!(session.wait_for("id name"), "id name Krieg");
    for option in ["Hash", "Clear Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "Method"]
    {
        session.wait_for(&format!("option name {option} "));
    }
    session.wait_for("uciok");
}

#[test]
fn invalid_commands_are_reported_and_have_no_effect() {
    let session = Session::start();
    for (line, words) in [
        ("hello there", "unknown command"),
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
        ("setoption name Evaluation value /dev/zero", "regular file"),
        ("perft 99", "depth 12"),
        ("perft", "needs a number"),
    ] {
        session.send(line);
        let answer = session.pending_lines();
        assert_eq!(answer.len(), 1, "{line}: {answer:?}");
        let is_reported = answer[0].starts_with("info string ") && answer[0].contains(words);
        assert!(is_reported, "{line}: {answer:?}");
    }
    // An invalid `go` is reported, and answered nevertheless.
    for (line, words) in [("go depth banana", "banana"), ("go sideways nodes 50", "sideways")] {
        session.send(line);
        assert!(session.wait_for("info string").contains(words), "{line}");
        assert_ne!(session.best_move(), "(none)");
    }
}

#[test]
fn an_invalid_position_does_not_replace_the_last_one() {
    let session = Session::start();
    session.send("position startpos moves e2e4");
    session.send("position startpos moves e2e4 e7e4");
    session.send("show");
    assert_eq!(
        session.wait_for("rnbq"),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
    );
}

#[test]
fn every_go_has_exactly_one_answer() {
    let session = Session::start();
    for (position, limit) in [
        ("position startpos", "go nodes 2000"),
        ("position startpos moves e2e4", "go depth 4"),
        ("position startpos moves e2e4 e7e5", "go movetime 20"),
        ("position startpos moves e2e4 e7e5 g1f3", "go wtime 500 btime 500 winc 10 binc 10"),
        ("position startpos moves d2d4", "go wtime 2000 btime 2000 movestogo 5"),
        ("position fen 7k/R7/8/8/8/8/8/1R5K w - - 0 1", "go mate 1"),
    ] {
        session.send(position);
        session.send(limit);
        session.best_move();
        let more = session.pending_lines();
        assert!(more.is_empty(), "{limit}: {more:?}");
    }
}

#[test]
fn without_time_a_mate_in_one_is_still_found() {
    let session = Session::start();
    for limit in ["go nodes 0", "go movetime 0", "go wtime 0 btime 0", "go wtime 5 btime -100"] {
        session.send("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
        session.send(limit);
        assert_eq!(session.best_move(), "a1a8", "{limit}");
    }
}

#[test]
fn without_time_the_move_is_still_legal() {
    let session = Session::start();
    session.send("position startpos");
    session.send("go nodes 5000"); // fills the tables with results of another position
    session.best_move();
    let position = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    let board = Position::from_fen(position).unwrap();
    for limit in ["go nodes 0", "go movetime 0", "go wtime 0 btime 0", "go wtime 5 btime -100"] {
        session.send(&format!("position fen {position}"));
        session.send(limit);
        let best = session.best_move();
        assert!(board.is_legal(best.parse().unwrap()), "{limit}: {best}");
    }
}

#[test]
fn without_legal_moves_there_is_no_best_move() {
    let session = Session::start();
    for (fen, score) in [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "mate 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"),
    ] {
        session.send(&format!("position fen {fen}"));
        session.send("go depth 3");
        assert!(session.wait_for("info depth 0").ends_with(score));
        assert_eq!(session.best_move(), "(none)");
    }
}

#[test]
fn an_infinite_search_answers_when_it_is_stopped() {
    let session = Session::start();
    // The mate is found at once, but the answer must wait for `stop`.
    session.send("position fen 7k/R7/8/8/8/8/8/1R5K w - - 0 1");
    session.send("go infinite");
    session.wait_for("info depth 2");
    assert!(session.pending_lines().iter().all(|line| line.starts_with("info")));
    session.send("go depth 1");
    session.wait_for("info string the engine is busy: go");
    session.send("stop");
    assert_eq!(session.best_move(), "b1b8");
    assert!(session.pending_lines().is_empty());
    session.send("stop"); // a second stop has no effect
    assert!(session.pending_lines().is_empty());
}

#[test]
fn pondering_ends_with_ponderhit() {
    let session = Session::start();
    session.send("position startpos moves e2e4 e7e5");
    session.send("go ponder wtime 100 btime 100");
    session.wait_for("info depth 3");
    assert!(session.pending_lines().iter().all(|line| line.starts_with("info")));
    session.send("ponderhit");
    session.best_move();
    session.send("ponderhit"); // without a search
    assert!(session.pending_lines().is_empty());
}

#[test]
fn perft_bench_and_mate_searches_can_be_stopped() {
    let session = Session::start();
    session.send("perft 12");
    session.send("stop");
    session.wait_for("info string perft was stopped");
    session.send("bench 100");
    session.send("stop");
    session.wait_for("info string bench was stopped");
    session.send("go mate 30 nodes 18446744073709551615");
    session.send("stop");
    session.best_move();
}

#[test]
fn perft_agrees_with_published_results() {
    // From the perft results of the Chess Programming Wiki.
    let session = Session::start();
    for (fen, depth, nodes) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197_281),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238),
    ] {
        session.send(&format!("position fen {fen}"));
        session.send(&format!("go perft {depth}"));
        let line = session.wait_for("nodes");
        assert!(line.starts_with(&format!("nodes {nodes} ")), "{fen}: {line}");
    }
}

#[test]
fn the_node_count_of_bench_is_deterministic() {
    let session = Session::start();
    let nodes = || {
        session.send("bench 6");
        session.wait_for("nodes").split(' ').nth(1).unwrap().to_string()
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn multi_pv_reports_several_variations() {
    let session = Session::start();
    session.send("setoption name MultiPV value 3");
    session.send("position startpos");
    session.send("go depth 5");
    session.wait_for("info depth 5 seldepth");
    assert!(session.wait_for("info depth 5").contains("multipv 2"));
    assert!(session.wait_for("info depth 5").contains("multipv 3"));
    session.best_move();
}

#[test]
fn every_method_and_several_threads_find_a_move() {
    let session = Session::start();
    for (name, value) in
        [("Method", "mtdf"), ("Method", "alphabeta"), ("Threads", "3"), ("Hash", "1")]
    {
        session.send(&format!("setoption name {name} value {value}"));
        session.send("position startpos");
        session.send("go depth 6");
        assert_ne!(session.best_move(), "(none)");
    }
}

#[test]
fn a_limited_search_is_completed_at_the_end_of_the_input() {
    let mut session = Session::start();
    session.send("go depth 6");
    session.input = None;
    session.wait_for("info depth 6");
    session.best_move();
    let mut session = Session::start();
    session.send("go infinite");
    session.input = None;
    session.best_move();
}

#[test]
fn eval_explains_the_evaluation() {
    let session = Session::start();
    session.send("position fen 4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1");
    session.send("eval");
    session.wait_for("network");
    session.wait_for("value");
    session.send("setoption name Evaluation value classical");
    session.send("eval");
    session.wait_for("material");
    session.wait_for("value");
}

/// A reader of this many bytes without a line break.
struct LongLine(usize);

impl Read for LongLine {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(self.0);
        buffer[..len].fill(b'x');
        self.0 -= len;
        Ok(len)
    }
}

#[test]
fn the_memory_for_a_long_line_is_bounded() {
    // 100 MB, of which the server keeps no more than the maximum length of a line.
    let input = LongLine(100_000_000).chain(&b"\nisready\n"[..]);
    let (sender, receiver) = mpsc::channel();
    serve(input, Output(sender, Vec::new())).unwrap();
    let lines: Vec<String> = receiver.into_iter().collect();
    assert!(lines[0].starts_with("info string more than 200000 bytes"), "{lines:?}");
    assert_eq!(lines[1], "readyok");
}

#[test]
fn binary_input_is_reported() {
    let session = Session::start();
    let mut noise: Vec<u8> =
        (0..200_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    noise.push(b'\n');
    session.send_bytes(&noise);
    assert!(session.pending_lines().iter().all(|line| line.starts_with("info string")));
}
