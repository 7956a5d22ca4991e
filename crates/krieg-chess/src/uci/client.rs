//! Driving the engines of others.
//!
//! An engine is a stranger: it may not start, die in the middle of a thought, or never answer.
//! Every wait has a deadline. Whoever misses it is stopped for good, started anew, and reported; the
//! next question finds a fresh engine.

use std::io;
use std::str::FromStr;
use std::time::{Duration, Instant};

use krieg_core::{Color, Move, Position, excerpt};
use krieg_io::{ChildProcess, ParseProgramError, ProcessError, Program};
use thiserror::Error;

use crate::score::Score;
use krieg_time::{Clock, TimeControl};

/// How to start an engine: a program, and options to set.
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
    /// UCI options, set each time it starts.
    pub options: Vec<(String, String)>,
}

impl FromStr for EngineCommand {
    type Err = ParseProgramError;

    fn from_str(text: &str) -> Result<Self, ParseProgramError> {
        Ok(EngineCommand { program: text.parse()?, options: Vec::new() })
    }
}

/// How long an engine may take before it is held to be hanging.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For starting, and for `isready`.
    pub ready: Duration,
    /// For an answer, beyond the time that its clock or its limits allow.
    pub grace: Duration,
    /// For an answer where nothing limits it in time: so many nodes, or so many plies.
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

/// What went wrong with an engine. It has been started anew, if that was possible.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EngineError {
    /// It does not start.
    #[error("{engine} does not start: {why}")]
    NotStarted {
        /// Which engine.
        engine: String,
        /// What the system says.
        why: String,
    },
    /// It ended by itself.
    #[error("{engine} ended while {doing}{}", quote(.last_words))]
    Crashed {
        /// Which engine.
        engine: String,
        /// What it should have been doing.
        doing: &'static str,
        /// The end of what it wrote to standard error.
        last_words: String,
    },
    /// It did not answer in time.
    #[error("{engine} did not answer while {doing}, for {:.3} s", .after.as_secs_f64())]
    TimedOut {
        /// Which engine.
        engine: String,
        /// What it should have been doing.
        doing: &'static str,
        /// How long it was waited for.
        after: Duration,
    },
    /// The question makes no sense; the engine was not asked.
    #[error("an engine cannot be asked that: {0}")]
    InvalidRequest(String),
    /// It answered what is no answer.
    #[error("{engine} answered {answer:?}, which is no legal move")]
    IllegalMove {
        /// Which engine.
        engine: String,
        /// The answer's beginning.
        answer: String,
    },
}

fn quote(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!("; its last words: {words:?}") }
}

/// How long or how far to think.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Go {
    /// By a clock that has a time; without one, the engine is asked to think for ever.
    Clock(Clock),
    /// So long.
    Time(Duration),
    /// So many nodes.
    Nodes(u64),
    /// So many plies.
    Depth(u32),
    /// Find a mate in so many moves.
    Mate(u32),
}

/// What an engine answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchResult {
    /// Its move; none if it says there is none.
    pub best_move: Option<Move>,
    /// The last score it told, for the side to move.
    pub score: Option<Score>,
    /// The last depth it told.
    pub depth: u32,
    /// The last node count it told.
    pub nodes: u64,
    /// From the question to the answer, on our clock.
    pub elapsed: Duration,
}

/// An engine in a process of its own.
#[derive(Debug)]
pub struct Client {
    command: EngineCommand,
    deadlines: Timeouts,
    process: Option<ChildProcess>,
    name: String,
    restarts: u32,
}

impl Client {
    /// Starts an engine and sets its options.
    pub fn start(command: EngineCommand, deadlines: Timeouts) -> Result<Self, EngineError> {
        let name = command.program.to_string();
        let mut client = Client { command, deadlines, process: None, name, restarts: 0 };
        client.revive()?;
        Ok(client)
    }

    /// What the engine calls itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How often it had to be started anew.
    pub fn restarts(&self) -> u32 {
        self.restarts
    }

    /// A new game begins.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        let said = self.revive().and_then(|()| {
            self.tell("ucinewgame", "beginning a game")?;
            self.ready("beginning a game")
        });
        said.inspect_err(|failure| self.recover(failure))
    }

    /// What to play after these moves.
    pub fn go(
        &mut self,
        start: &Position,
        moves: &[Move],
        go: &Go,
    ) -> Result<SearchResult, EngineError> {
        let said = self.revive().and_then(|()| self.ask(start, moves, go));
        said.inspect_err(|failure| self.recover(failure))
    }

    fn ask(
        &mut self,
        start: &Position,
        moves: &[Move],
        go: &Go,
    ) -> Result<SearchResult, EngineError> {
        const DOING: &str = "thinking";
        let mut at = start.clone();
        let mut position = format!("position fen {start}");
        if !moves.is_empty() {
            position += " moves";
        }
        for &mv in moves {
            position += &format!(" {mv}");
            at.play(mv).map_err(|illegal| EngineError::InvalidRequest(illegal.to_string()))?;
        }
        if let Some(process) = &self.process {
            process.discard_pending_lines();
        }
        let (words, allowed) = self.words(go, at.turn());
        self.tell(&position, DOING)?;
        self.tell(&words, DOING)?;
        let asked = Instant::now();
        let mut answer = SearchResult {
            best_move: None,
            score: None,
            depth: 0,
            nodes: 0,
            elapsed: Duration::ZERO,
        };
        loop {
            let line = self.hear(asked, allowed, DOING)?;
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.first() {
                Some(&"info") => note(&words, &mut answer),
                Some(&"bestmove") => {
                    answer.elapsed = asked.elapsed();
                    let word = words.get(1).copied().unwrap_or_default();
                    answer.best_move = word.parse().ok().filter(|&mv| at.is_legal(mv));
                    if answer.best_move.is_none() && at.can_move() {
                        let answer = excerpt(word);
                        return Err(EngineError::IllegalMove { engine: self.name.clone(), answer });
                    }
                    return Ok(answer);
                }
                _ => {}
            }
        }
    }

    /// The words of a question, and how long its answer may take.
    fn words(&self, go: &Go, who: Color) -> (String, Duration) {
        let Timeouts { grace, untimed, .. } = self.deadlines;
        match go {
            Go::Time(time) => {
                (format!("go movetime {}", time.as_millis()), time.saturating_add(grace))
            }
            Go::Nodes(nodes) => (format!("go nodes {nodes}"), untimed),
            Go::Depth(depth) => (format!("go depth {depth}"), untimed),
            Go::Mate(moves) => (format!("go mate {moves}"), untimed),
            Go::Clock(clock) => {
                let allowed = clock
                    .max_turn_time(who)
                    .map_or(untimed, |longest| longest.saturating_add(grace));
                (clock_words(clock, who), allowed)
            }
        }
    }

    /// Starts the engine if it is not running.
    fn revive(&mut self) -> Result<(), EngineError> {
        if self.process.is_some() {
            return Ok(());
        }
        let no_start = |error: io::Error| EngineError::NotStarted {
            engine: self.command.program.to_string(),
            why: error.to_string(),
        };
        self.process = Some(ChildProcess::start(&self.command.program).map_err(no_start)?);
        const DOING: &str = "starting";
        self.tell("uci", DOING)?;
        let asked = Instant::now();
        let mut known = Vec::new();
        loop {
            let line = self.hear(asked, self.deadlines.ready, DOING)?;
            if let Some(option) = line.trim().strip_prefix("option name ") {
                let name = option.split(" type ").next().unwrap_or_default();
                known.push(name.trim().to_ascii_lowercase());
            }
            if let Some(name) = line.trim().strip_prefix("id name ") {
                self.name = excerpt(name.trim());
            }
            if line.trim() == "uciok" {
                break;
            }
        }
        for (name, value) in self.command.options.clone() {
            // A misspelt option would be ignored, and quite another engine be measured.
            if !known.contains(&name.to_ascii_lowercase()) {
                let wrong = format!("{} has no option {:?}", self.name, excerpt(&name));
                return Err(EngineError::InvalidRequest(wrong));
            }
            self.tell(&format!("setoption name {name} value {value}"), DOING)?;
        }
        self.ready(DOING)
    }

    /// After a failure: away with the old process, and a first try at a new one. If that fails too,
    /// the next question tries again.
    fn recover(&mut self, failure: &EngineError) {
        if matches!(failure, EngineError::InvalidRequest(_)) {
            return;
        }
        self.process = None;
        self.restarts += 1;
        if self.revive().is_err() {
            self.process = None;
        }
    }

    fn ready(&mut self, doing: &'static str) -> Result<(), EngineError> {
        self.tell("isready", doing)?;
        let asked = Instant::now();
        while self.hear(asked, self.deadlines.ready, doing)?.trim() != "readyok" {}
        Ok(())
    }

    fn tell(&mut self, line: &str, doing: &'static str) -> Result<(), EngineError> {
        let Some(process) = &self.process else { return Err(self.gone(doing)) };
        process.send_line(line).map_err(|silence| self.failure(silence, doing, Duration::ZERO))
    }

    /// The next line, if it comes before `allowed` has passed since `asked`.
    fn hear(
        &self,
        asked: Instant,
        allowed: Duration,
        doing: &'static str,
    ) -> Result<String, EngineError> {
        let Some(process) = &self.process else { return Err(self.gone(doing)) };
        process
            .receive_line(asked, allowed)
            .map_err(|silence| self.failure(silence, doing, allowed))
    }

    fn failure(&self, silence: ProcessError, doing: &'static str, after: Duration) -> EngineError {
        let engine = self.name.clone();
        match silence {
            ProcessError::TimedOut => EngineError::TimedOut { engine, doing, after },
            ProcessError::Exited { stderr_tail } => {
                EngineError::Crashed { engine, doing, last_words: stderr_tail }
            }
        }
    }

    fn gone(&self, doing: &'static str) -> EngineError {
        self.failure(ProcessError::Exited { stderr_tail: String::new() }, doing, Duration::ZERO)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A polite engine ends by itself; for the others, the process is killed as it is dropped.
        if let Some(process) = &mut self.process {
            process.quit("quit");
        }
    }
}

/// `go` for a clock. What UCI has no word for is told as the nearest thing it has.
fn clock_words(clock: &Clock, who: Color) -> String {
    if let TimeControl::Nodes(nodes) = clock.control() {
        return format!("go nodes {nodes}");
    }
    if let TimeControl::Move(time) = clock.control() {
        return format!("go movetime {}", time.as_millis());
    }
    let [Some(white), Some(black)] = Color::ALL.map(|color| clock.reading(color)) else {
        return "go infinite".to_string();
    };
    let mut words = format!("go wtime {} btime {}", white.left.as_millis(), black.left.as_millis());
    // A delay is an increment that cannot be saved up; whoever is told so will not overstep it.
    let [white_more, black_more] =
        [white, black].map(|side| side.increment.max(side.delay).as_millis());
    if white_more + black_more > 0 {
        words += &format!(" winc {white_more} binc {black_more}");
    }
    let own = if who == Color::White { white } else { black };
    if let Some(moves) = own.moves_to_go {
        words += &format!(" movestogo {moves}");
    }
    words
}

/// Takes what is of interest from an `info` line.
fn note(words: &[&str], answer: &mut SearchResult) {
    if words.get(1) == Some(&"string") {
        return;
    }
    let after = |name: &str| {
        let at = words.iter().position(|&word| word == name)?;
        words.get(at + 1).copied()
    };
    if after("multipv").is_some_and(|nth| nth != "1") {
        return;
    }
    if let Some(depth) = after("depth").and_then(|word| word.parse().ok()) {
        answer.depth = depth;
    }
    if let Some(nodes) = after("nodes").and_then(|word| word.parse().ok()) {
        answer.nodes = nodes;
    }
    let value = |name| after(name).and_then(|word| word.parse::<i32>().ok());
    if let Some(centipawns) = value("cp") {
        answer.score = Some(Score::centipawns(centipawns));
    } else if let Some(moves) = value("mate") {
        answer.score = Some(if moves > 0 {
            Score::mate_in(moves.unsigned_abs())
        } else {
            Score::mated_in(moves.unsigned_abs())
        });
    }
}
