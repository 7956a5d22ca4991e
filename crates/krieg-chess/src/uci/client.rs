//! A UCI client: runs another engine in a child process.
//!
//! An engine may fail to start, crash during a search, or never answer. Every wait therefore has a
//! timeout. An engine that fails is killed and restarted, and the failure is returned to the
//! caller.

use std::io;
use std::str::FromStr;
use std::time::{Duration, Instant};

use krieg_core::{Color, Move, Position, excerpt};
use krieg_io::{ChildProcess, ParseProgramError, ProcessError, Program};
use krieg_time::{Clock, TimeControl};

use super::engine_error::EngineError;
use crate::score::Score;

/// How to start an engine: a program and its UCI options.
///
/// ```
/// use krieg_chess::uci::EngineCommand;
/// let command: EngineCommand = "gnuchess -u".parse().unwrap();
/// assert_eq!(command.program.name, "gnuchess");
/// assert_eq!(command.program.arguments, ["-u"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineCommand {
    /// The program and its arguments.
    pub program: Program,
    /// Names and values of UCI options, set after each start.
    pub options: Vec<(String, String)>,
}

impl FromStr for EngineCommand {
    type Err = ParseProgramError;

    fn from_str(text: &str) -> Result<Self, ParseProgramError> {
        Ok(EngineCommand { program: text.parse()?, options: Vec::new() })
    }
}

/// How long an engine may take to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For starting, and for `isready`.
    pub ready: Duration,
    /// For a search, beyond the time that its clock or its limits allow.
    pub grace: Duration,
    /// For a search without a time limit, for example with a limit of nodes or depth.
    pub untimed: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts {
            ready: Duration::from_secs(10),
            grace: Duration::from_secs(2),
            untimed: Duration::from_secs(600),
        }
    }
}

/// The limits of a search: the parameters of UCI's `go`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Go {
    /// By a clock, which must have a time limit; without one the search is infinite.
    Clock(Clock),
    /// A fixed time.
    Time(Duration),
    /// A number of nodes.
    Nodes(u64),
    /// A depth in plies.
    Depth(u32),
    /// A search for mate in this number of moves.
    Mate(u32),
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move; `None` if there is no legal move.
    pub best_move: Option<Move>,
    /// The last score reported, for the side to move.
    pub score: Option<Score>,
    /// The last depth reported.
    pub depth: u32,
    /// The last node count reported.
    pub nodes: u64,
    /// Time from the request to the answer, measured by the client.
    pub elapsed: Duration,
}

/// An engine in a child process.
///
/// ```no_run
/// use krieg_chess::uci::{Client, Go, Timeouts};
/// use krieg_core::Position;
/// let mut client = Client::start("gnuchess -u".parse()?, Timeouts::default())?;
/// let result = client.go(&Position::start(), &[], &Go::Depth(8))?;
/// println!("{} plays {:?}", client.name(), result.best_move);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Client {
    command: EngineCommand,
    timeouts: Timeouts,
    process: Option<ChildProcess>,
    name: String,
    restarts: u32,
}

impl Client {
    /// Starts an engine and sets its options.
    ///
    /// # Errors
    /// If the engine does not start, does not speak UCI, or lacks one of the options.
    pub fn start(command: EngineCommand, timeouts: Timeouts) -> Result<Self, EngineError> {
        let name = command.program.to_string();
        let mut client = Client { command, timeouts, process: None, name, restarts: 0 };
        client.ensure_running()?;
        Ok(client)
    }

    /// The name that the engine reports.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many times the engine was restarted.
    #[must_use]
    pub fn restarts(&self) -> u32 {
        self.restarts
    }

    /// Tells the engine that a new game starts.
    ///
    /// # Errors
    /// If the engine fails; it is then restarted.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        let result = self.ensure_running().and_then(|()| {
            self.send("ucinewgame", "starting a game")?;
            self.wait_until_ready("starting a game")
        });
        result.inspect_err(|error| self.recover(error))
    }

    /// Searches the position after these moves.
    ///
    /// # Errors
    /// If the engine fails, in which case it is restarted, or a move is illegal.
    pub fn go(
        &mut self,
        start: &Position,
        moves: &[Move],
        go: &Go,
    ) -> Result<SearchResult, EngineError> {
        let result = self.ensure_running().and_then(|()| self.search(start, moves, go));
        result.inspect_err(|error| self.recover(error))
    }

    fn search(
        &mut self,
        start: &Position,
        moves: &[Move],
        go: &Go,
    ) -> Result<SearchResult, EngineError> {
        const ACTIVITY: &str = "searching";
        let mut current = start.clone();
        let mut position = format!("position fen {start}");
        if !moves.is_empty() {
            position += " moves";
        }
        for &mv in moves {
            position += &format!(" {mv}");
            let invalid =
                |error: krieg_core::IllegalMove| EngineError::InvalidRequest(error.to_string());
            current.play(mv).map_err(invalid)?;
        }
        if let Some(process) = &self.process {
            process.discard_pending_lines();
        }
        let (command, timeout) = self.go_command(go, current.turn());
        self.send(&position, ACTIVITY)?;
        self.send(&command, ACTIVITY)?;
        let start = Instant::now();
        let mut result = SearchResult {
            best_move: None,
            score: None,
            depth: 0,
            nodes: 0,
            elapsed: Duration::ZERO,
        };
        loop {
            let line = self.receive(start, timeout, ACTIVITY)?;
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.first() {
                Some(&"info") => read_info(&words, &mut result),
                Some(&"bestmove") => {
                    result.elapsed = start.elapsed();
                    let word = words.get(1).copied().unwrap_or_default();
                    result.best_move = word.parse().ok().filter(|&mv| current.is_legal(mv));
                    if result.best_move.is_none() && current.can_move() {
                        let (engine, answer) = (self.name.clone(), excerpt(word));
                        return Err(EngineError::IllegalMove { engine, answer });
                    }
                    return Ok(result);
                }
                _ => {}
            }
        }
    }

    /// The `go` command and the timeout of its answer.
    fn go_command(&self, go: &Go, turn: Color) -> (String, Duration) {
        let Timeouts { grace, untimed, .. } = self.timeouts;
        match go {
            Go::Time(time) => {
                (format!("go movetime {}", time.as_millis()), time.saturating_add(grace))
            }
            Go::Nodes(nodes) => (format!("go nodes {nodes}"), untimed),
            Go::Depth(depth) => (format!("go depth {depth}"), untimed),
            Go::Mate(moves) => (format!("go mate {moves}"), untimed),
            Go::Clock(clock) => {
                let timeout =
                    clock.max_turn_time(turn).map_or(untimed, |time| time.saturating_add(grace));
                (clock_command(clock, turn), timeout)
            }
        }
    }

    /// Starts the engine if it is not running.
    fn ensure_running(&mut self) -> Result<(), EngineError> {
        if self.process.is_some() {
            return Ok(());
        }
        let not_started = |error: io::Error| EngineError::NotStarted {
            engine: self.command.program.to_string(),
            reason: error.to_string(),
        };
        self.process = Some(ChildProcess::start(&self.command.program).map_err(not_started)?);
        const ACTIVITY: &str = "starting";
        self.send("uci", ACTIVITY)?;
        let start = Instant::now();
        let mut known_options = Vec::new();
        loop {
            let line = self.receive(start, self.timeouts.ready, ACTIVITY)?;
            if let Some(option) = line.trim().strip_prefix("option name ") {
                let name = option.split(" type ").next().unwrap_or_default();
                known_options.push(name.trim().to_ascii_lowercase());
            }
            if let Some(name) = line.trim().strip_prefix("id name ") {
                self.name = excerpt(name.trim());
            }
            if line.trim() == "uciok" {
                break;
            }
        }
        for (name, value) in self.command.options.clone() {
            // The engine would silently ignore a misspelt option.
            if !known_options.contains(&name.to_ascii_lowercase()) {
                let message = format!("{} has no option {:?}", self.name, excerpt(&name));
                return Err(EngineError::InvalidRequest(message));
            }
            self.send(&format!("setoption name {name} value {value}"), ACTIVITY)?;
        }
        self.wait_until_ready(ACTIVITY)
    }

    /// Kills the process after a failure and starts a new one. If that fails too, the next request
    /// tries again.
    fn recover(&mut self, error: &EngineError) {
        if matches!(error, EngineError::InvalidRequest(_)) {
            return;
        }
        self.process = None;
        self.restarts += 1;
        if self.ensure_running().is_err() {
            self.process = None;
        }
    }

    fn wait_until_ready(&mut self, activity: &'static str) -> Result<(), EngineError> {
        self.send("isready", activity)?;
        let start = Instant::now();
        while self.receive(start, self.timeouts.ready, activity)?.trim() != "readyok" {}
        Ok(())
    }

    fn send(&mut self, line: &str, activity: &'static str) -> Result<(), EngineError> {
        let Some(process) = &self.process else { return Err(self.not_running(activity)) };
        process.send_line(line).map_err(|error| self.error(error, activity, Duration::ZERO))
    }

    /// The next line, if it arrives before `timeout` has passed since `start`.
    fn receive(
        &self,
        start: Instant,
        timeout: Duration,
        activity: &'static str,
    ) -> Result<String, EngineError> {
        let Some(process) = &self.process else { return Err(self.not_running(activity)) };
        process.receive_line(start, timeout).map_err(|error| self.error(error, activity, timeout))
    }

    fn error(&self, error: ProcessError, activity: &'static str, timeout: Duration) -> EngineError {
        let engine = self.name.clone();
        match error {
            ProcessError::TimedOut => EngineError::TimedOut { engine, activity, timeout },
            ProcessError::Exited { stderr_tail } => {
                EngineError::Crashed { engine, activity, stderr_tail }
            }
        }
    }

    fn not_running(&self, activity: &'static str) -> EngineError {
        let exited = ProcessError::Exited { stderr_tail: String::new() };
        self.error(exited, activity, Duration::ZERO)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Asks the engine to quit. The process is killed when it is dropped, if it still runs.
        if let Some(process) = &mut self.process {
            process.quit("quit");
        }
    }
}

/// The `go` command for a clock. Time controls that UCI cannot express are approximated.
fn clock_command(clock: &Clock, turn: Color) -> String {
    if let TimeControl::Nodes(nodes) = clock.control() {
        return format!("go nodes {nodes}");
    }
    if let TimeControl::Move(time) = clock.control() {
        return format!("go movetime {}", time.as_millis());
    }
    let [Some(white), Some(black)] = Color::ALL.map(|color| clock.reading(color)) else {
        return "go infinite".to_string();
    };
    let mut command =
        format!("go wtime {} btime {}", white.left.as_millis(), black.left.as_millis());
    // A delay is sent as an increment. An engine that spends the increment cannot lose on time.
    let [white_increment, black_increment] =
        [white, black].map(|side| side.increment.max(side.delay).as_millis());
    if white_increment + black_increment > 0 {
        command += &format!(" winc {white_increment} binc {black_increment}");
    }
    let own = if turn == Color::White { white } else { black };
    if let Some(moves) = own.moves_to_go {
        command += &format!(" movestogo {moves}");
    }
    command
}

/// Reads depth, nodes and score from an `info` line of the first principal variation.
fn read_info(words: &[&str], result: &mut SearchResult) {
    if words.get(1) == Some(&"string") {
        return;
    }
    let value_of = |name: &str| {
        let index = words.iter().position(|&word| word == name)?;
        words.get(index + 1).copied()
    };
    if value_of("multipv").is_some_and(|number| number != "1") {
        return;
    }
    if let Some(depth) = value_of("depth").and_then(|word| word.parse().ok()) {
        result.depth = depth;
    }
    if let Some(nodes) = value_of("nodes").and_then(|word| word.parse().ok()) {
        result.nodes = nodes;
    }
    let number = |name| value_of(name).and_then(|word| word.parse::<i32>().ok());
    if let Some(centipawns) = number("cp") {
        result.score = Some(Score::centipawns(centipawns));
    } else if let Some(moves) = number("mate") {
        result.score = Some(if moves > 0 {
            Score::mate_in(moves.unsigned_abs())
        } else {
            Score::mated_in(moves.unsigned_abs())
        });
    }
}
