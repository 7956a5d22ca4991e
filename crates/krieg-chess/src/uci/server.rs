//! The UCI server: the engine's side of the protocol.
//!
//! One thread reads commands and does nothing else, so that `stop` and `isready` are answered at
//! once. A worker thread runs searches, `perft` and `bench`, and returns the engine when done.

use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use krieg_core::{Move, Position, short_reason};
use krieg_io::{InputLine, LineReader};

use super::bench::{BENCH_DEPTH, bench};
use super::command::{self, Command, Go};
use super::go::{search, search_limits};
use super::settings::{self, DEFAULT_HASH, Settings};
use crate::eval::Evaluation;
use crate::moves::legal_moves;
use crate::perft::cancellable_perft;
use crate::search::{Engine, PositionHistory, SearchControl, SearchOptions};

/// Maximum length of a command in bytes: enough for a game of many thousand moves.
pub const MAX_LINE_BYTES: usize = 200_000;

/// Maximum depth of `perft`; greater depths would take too long.
const MAX_PERFT_DEPTH: u32 = 12;

/// Depth of a search whose limits could not be parsed.
const FALLBACK_DEPTH: u32 = 8;

const HELP: &str = "\
uci                      show the engine's name and options
isready                  answer readyok when all earlier commands are done
setoption name N value V set an option
ucinewgame               clear all tables before a new game
position startpos | fen F [moves …]
go [depth D] [nodes N] [movetime MS] [mate M] [infinite] [ponder] [searchmoves …] [perft D]
   [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]
stop                     end the search
ponderhit                the opponent has played the expected move
perft D                  count the move sequences of D plies, by first move
eval                     explain the evaluation of the position
bench [D]                search a fixed set of positions to depth D
show                     show the position as FEN
quit                     exit";

/// Runs the engine as a UCI server until `input` ends or the command `quit`.
///
/// When the input ends, a limited search is completed and an infinite one is stopped.
///
/// # Errors
/// If reading or writing fails.
pub fn serve(input: impl Read, output: impl Write + Send + 'static) -> io::Result<()> {
    let mut server = Server::new(output);
    let mut lines = LineReader::new(input, MAX_LINE_BYTES);
    while let Some(line) = lines.read()? {
        let command = match line {
            InputLine::Text(text) => command::parse(text),
            InputLine::TooLong(begin) => Err(format!(
                "more than {MAX_LINE_BYTES} bytes in a line that begins with {begin:?}"
            )),
            InputLine::NotText(begin) => Err(format!("not UTF-8: {begin:?}")),
        };
        match command {
            Ok(Command::Quit) => {
                server.stop();
                return Ok(());
            }
            Ok(command) => server.execute(command)?,
            Err(error) => server.report_error(&error)?,
        }
    }
    server.finish();
    Ok(())
}

/// The output, shared by both threads; each writes whole lines.
pub(super) type Output = Arc<Mutex<dyn Write + Send>>;

pub(super) fn write_line(output: &Output, text: &str) -> io::Result<()> {
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    writeln!(output, "{text}")?;
    output.flush()
}

/// A task on the worker thread.
struct Task {
    /// Returns the engine unless the task panicked.
    thread: JoinHandle<Option<Engine<Evaluation>>>,
    /// Set before the answer is written, because the GUI may send the next command at once.
    has_answered: Arc<AtomicBool>,
    start: Instant,
    is_infinite: bool,
}

struct Server {
    output: Output,
    /// `None` while a task uses it.
    engine: Option<Engine<Evaluation>>,
    task: Option<Task>,
    control: Arc<SearchControl>,
    settings: Settings,
    history: PositionHistory,
}

impl Server {
    fn new(output: impl Write + Send + 'static) -> Self {
        Server {
            output: Arc::new(Mutex::new(output)),
            engine: Some(new_engine()),
            task: None,
            control: Arc::default(),
            settings: Settings::default(),
            history: PositionHistory::new(&Position::start()),
        }
    }

    fn execute(&mut self, command: Command) -> io::Result<()> {
        self.join_finished_task();
        match command {
            Command::Ignore | Command::Quit => {}
            Command::Uci => {
                self.write("id name Krieg")?;
                self.write("id author the authors of Krieg")?;
                self.write(&settings::option_lines())?;
                self.write("uciok")?;
            }
            Command::IsReady => self.write("readyok")?,
            Command::Help => self.write(HELP)?,
            Command::Show => self.write(&self.history.position().to_string())?,
            Command::Stop => self.stop(),
            Command::PonderHit => {
                if let Some(task) = &self.task {
                    self.control.ponder_hit(task.start.elapsed());
                }
            }
            Command::Position(history) => self.history = *history,
            Command::Go(go) => return self.go(*go),
            Command::NewGame => match &mut self.engine {
                Some(engine) => engine.clear(),
                None => return self.report_busy("ucinewgame"),
            },
            Command::SetOption { name, value } => {
                let Some(engine) = &mut self.engine else { return self.report_busy("setoption") };
                let value = value.as_deref();
                if let Err(error) = settings::set_option(engine, &mut self.settings, &name, value) {
                    return self.report_error(&error);
                }
            }
            Command::Eval => {
                let Some(engine) = &self.engine else { return self.report_busy("eval") };
                let explanation = engine.evaluation().explain(self.history.position().board());
                self.write(&explanation)?;
            }
            Command::Perft(depth) => return self.perft(depth),
            Command::Bench { depth } => return self.bench(depth.unwrap_or(BENCH_DEPTH)),
        }
        Ok(())
    }

    fn write(&self, text: &str) -> io::Result<()> {
        write_line(&self.output, text)
    }

    fn report_error(&self, error: &str) -> io::Result<()> {
        self.write(&format!("info string {}", short_reason(error).replace('\n', " ")))
    }

    fn report_busy(&self, command: &str) -> io::Result<()> {
        self.report_error(&format!("the engine is busy: {command} was rejected; send stop first"))
    }

    /// Takes the engine back from a task that has finished.
    fn join_finished_task(&mut self) {
        let is_finished =
            |task: &Task| task.has_answered.load(Ordering::Acquire) || task.thread.is_finished();
        if self.task.as_ref().is_some_and(is_finished) {
            self.join_task();
        }
    }

    fn join_task(&mut self) {
        let Some(task) = self.task.take() else { return };
        self.engine = task.thread.join().ok().flatten();
        if self.engine.is_none() {
            // The task panicked, and the engine and its options are lost.
            let _ = self.report_error("the engine restarts with default options");
            self.settings = Settings::default();
            self.engine = Some(new_engine());
        }
        self.control.reset();
    }

    fn stop(&mut self) {
        self.control.stop();
        self.join_task();
        self.control.reset(); // in case there was no task
    }

    /// Completes a limited task, or stops an infinite one, at the end of the input.
    fn finish(&mut self) {
        if self.task.as_ref().is_some_and(|task| task.is_infinite) {
            self.control.stop();
        }
        self.join_task();
    }

    /// Starts a task on the worker thread. `work` returns the last line of its answer.
    fn start_task(
        &mut self,
        command: &str,
        is_infinite: bool,
        work: impl FnOnce(&mut Engine<Evaluation>, &Arc<SearchControl>, &Output) -> String
        + Send
        + 'static,
    ) -> io::Result<()> {
        let start = Instant::now();
        let Some(mut engine) = self.engine.take() else { return self.report_busy(command) };
        let (control, output) = (self.control.clone(), self.output.clone());
        let has_answered = Arc::new(AtomicBool::new(false));
        let answered = has_answered.clone();
        let thread = std::thread::Builder::new().name("work".to_string()).spawn(move || {
            let result = catch_unwind(AssertUnwindSafe(|| work(&mut engine, &control, &output)));
            answered.store(true, Ordering::Release);
            // If the output is closed, the reading thread notices.
            match result {
                Ok(answer) => {
                    let _ = write_line(&output, &answer);
                    Some(engine)
                }
                Err(_) => {
                    let _ =
                        write_line(&output, "info string the command failed: please report this");
                    None
                }
            }
        })?;
        self.task = Some(Task { thread, has_answered, start, is_infinite });
        Ok(())
    }

    fn go(&mut self, go: Go) -> io::Result<()> {
        let start = Instant::now();
        if self.engine.is_none() {
            return self.report_busy("go");
        }
        self.control.reset();
        if go.ponder {
            self.control.ponder();
        }
        for error in &go.errors {
            self.report_error(error)?;
        }
        let position = self.history.position();
        for &mv in &go.search_moves {
            if !position.is_legal(mv) {
                self.report_error(&format!("searchmoves: {mv} is not legal here"))?;
            }
        }
        let mut limits = search_limits(&go, &self.history, self.settings.move_overhead);
        limits.start = Some(start);
        if !go.errors.is_empty() && limits.is_unlimited() && !go.infinite && !go.ponder {
            limits.depth = Some(FALLBACK_DEPTH);
        }
        let is_infinite = go.infinite || go.ponder || (limits.is_unlimited() && go.mate.is_none());
        let history = self.history.clone();
        self.start_task("go", is_infinite, move |engine, control, output| {
            // Even if the search panics, the answer is a legal move.
            let search =
                AssertUnwindSafe(|| search(engine, &history, &go, &limits, control, output));
            let answer = catch_unwind(search).unwrap_or_else(|_| {
                let _ = write_line(output, "info string the search failed: please report this");
                let any_move = history.position().legal_moves().first().map(Move::to_string);
                format!("bestmove {}", any_move.unwrap_or("(none)".to_string()))
            });
            // UCI forbids the answer to `go infinite` or `go ponder` before `stop` or `ponderhit`.
            while !control.is_stopped() && (go.infinite || control.is_pondering()) {
                std::thread::sleep(Duration::from_millis(1));
            }
            answer
        })
    }

    fn perft(&mut self, depth: u32) -> io::Result<()> {
        if depth > MAX_PERFT_DEPTH {
            let error = format!("the maximum of perft is depth {MAX_PERFT_DEPTH}, not {depth}");
            return self.report_error(&error);
        }
        let position = self.history.position().clone();
        self.start_task("perft", false, move |_, control, output| {
            let start = Instant::now();
            let mut total = u64::from(depth == 0);
            let moves = if depth == 0 { Vec::new() } else { legal_moves(position.board()) };
            for mv in moves {
                let mut after = position.board().clone();
                after.play_unchecked(mv);
                let Some(count) = cancellable_perft(&after, depth - 1, &|| control.is_stopped())
                else {
                    return "info string perft was stopped".to_string();
                };
                total += count;
                let _ = write_line(output, &format!("{}: {count}", position.player_move(mv)));
            }
            format!("nodes {total} time {} ms", start.elapsed().as_millis())
        })
    }

    fn bench(&mut self, depth: u32) -> io::Result<()> {
        self.start_task("bench", false, move |engine, control, output| {
            let result = bench(engine, depth, control, |fen, best_move, nodes| {
                let _ = write_line(output, &format!("{nodes:>10} {best_move:<5} {fen}"));
            });
            if control.is_stopped() {
                return "info string bench was stopped".to_string();
            }
            format!(
                "nodes {} time {} ms nps {}",
                result.nodes,
                result.time.as_millis(),
                result.nodes_per_second()
            )
        })
    }
}

fn new_engine() -> Engine<Evaluation> {
    Engine::new(Evaluation::default(), SearchOptions::default(), DEFAULT_HASH << 20)
}
