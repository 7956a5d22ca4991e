//! An engine that others drive.
//!
//! One thread reads lines and never works, so `stop` and `isready` are always heard; another searches,
//! counts or measures, and hands the engine back when it is done.

use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use cozy_chess::Move as BoardMove;
use krieg_core::{Move, Position};
use krieg_io::{InputLine, LineReader};

use super::bench::{BENCH_DEPTH, bench};
use super::command::{self, Command, Go};
use super::settings::{self, HASH, Settings};
use crate::eval::Evaluation;
use crate::mate::{MateResult, MateSearch};
use crate::move_picker::legal_moves;
use crate::perft::perft_until;
use crate::score::Score;
use crate::search::{
    Engine, PositionHistory, PrincipalVariation, SearchControl, SearchLimits, SearchOptions,
    SearchReport,
};
use krieg_time::{ClockReading, TimeBudget};

/// The longest line, in bytes: a game of many thousand moves.
pub const MAX_LINE_BYTES: usize = 200_000;

/// How deep `perft` goes; deeper would take longer than anybody waits.
const DEEPEST_PERFT: u32 = 12;

const HELP: &str = "\
uci                      what this engine is called, and its options
isready                  readyok, when everything before is done
setoption name N value V set an option
ucinewgame               forget the last game
position startpos | fen F [moves …]
go [depth D] [nodes N] [movetime MS] [mate M] [infinite] [ponder] [searchmoves …] [perft D]
   [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]
stop, ponderhit          end a search; the opponent played the expected move
perft D                  count the positions D plies on, move by move
eval                     what the position is worth, feature by feature
bench [D]                search a fixed set of positions to depth D
show                     the position as FEN
quit                     end";

/// Answers UCI on `input` until it ends or says `quit`.
///
/// A search that has an end is finished if the input ends before; one that has none is stopped.
pub fn serve(input: impl Read, output: impl Write + Send + 'static) -> io::Result<()> {
    let mut server = Server::new(output);
    let mut lines = LineReader::new(input, MAX_LINE_BYTES);
    while let Some(line) = lines.read()? {
        let read = match line {
            InputLine::Text(text) => command::read(text),
            InputLine::TooLong(begin) => Err(format!(
                "more than {MAX_LINE_BYTES} bytes in a line that begins with {begin:?}"
            )),
            InputLine::NotText(begin) => Err(format!("not UTF-8: {begin:?}")),
        };
        match read {
            Ok(Command::Quit) => {
                server.stop();
                return Ok(());
            }
            Ok(command) => server.obey(command)?,
            Err(wrong) => server.complain(&wrong)?,
        }
    }
    server.finish();
    Ok(())
}

/// Where both threads write, a line at a time.
type Output = Arc<Mutex<dyn Write + Send>>;

fn say(output: &Output, text: &str) -> io::Result<()> {
    let mut output = output.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    writeln!(output, "{text}")?;
    output.flush()
}

struct Running {
    thread: JoinHandle<Option<Engine<Evaluation>>>,
    /// Set before the answer is told: whoever has heard it may ask again at once.
    has_answered: Arc<AtomicBool>,
    start: Instant,
    is_endless: bool,
}

struct Server {
    output: Output,
    /// Not here while it thinks.
    engine: Option<Engine<Evaluation>>,
    running: Option<Running>,
    control: Arc<SearchControl>,
    settings: Settings,
    played: PositionHistory,
}

impl Server {
    fn new(output: impl Write + Send + 'static) -> Self {
        Server {
            output: Arc::new(Mutex::new(output)),
            engine: Some(new_engine()),
            running: None,
            control: Arc::default(),
            settings: Settings::default(),
            played: PositionHistory::new(&Position::start()),
        }
    }

    fn obey(&mut self, command: Command) -> io::Result<()> {
        self.welcome_back();
        match command {
            Command::Nothing | Command::Quit => {}
            Command::Uci => {
                self.say("id name Krieg")?;
                self.say("id author the founders of Krieg")?;
                self.say(&settings::announce())?;
                self.say("uciok")?;
            }
            Command::IsReady => self.say("readyok")?,
            Command::Help => self.say(HELP)?,
            Command::Show => self.say(&self.played.position().to_string())?,
            Command::Stop => self.stop(),
            Command::PonderHit => {
                if let Some(running) = &self.running {
                    self.control.ponder_hit(running.start.elapsed());
                }
            }
            Command::Position(played) => self.played = *played,
            Command::Go(go) => return self.go(*go),
            Command::NewGame => match &mut self.engine {
                Some(engine) => engine.clear(),
                None => return self.busy("ucinewgame"),
            },
            Command::SetOption { name, value } => {
                let Some(engine) = &mut self.engine else { return self.busy("setoption") };
                let set = settings::set(engine, &mut self.settings, &name, value.as_deref());
                if let Err(wrong) = set {
                    return self.complain(&wrong);
                }
            }
            Command::Eval => {
                let Some(engine) = &self.engine else { return self.busy("eval") };
                let taken_apart = engine.evaluation().explain(self.played.position().board());
                self.say(&taken_apart)?;
            }
            Command::Perft(depth) => return self.perft(depth),
            Command::Bench { depth } => return self.bench(depth.unwrap_or(BENCH_DEPTH)),
        }
        Ok(())
    }

    fn say(&self, text: &str) -> io::Result<()> {
        say(&self.output, text)
    }

    fn complain(&self, wrong: &str) -> io::Result<()> {
        self.say(&format!("info string {}", krieg_core::short_reason(wrong).replace('\n', " ")))
    }

    fn busy(&self, what: &str) -> io::Result<()> {
        self.complain(&format!("the engine is busy: {what} was not obeyed; send stop first"))
    }

    /// Takes the engine back from a thread that is done.
    fn welcome_back(&mut self) {
        let is_done = |running: &Running| {
            running.has_answered.load(Ordering::Acquire) || running.thread.is_finished()
        };
        if self.running.as_ref().is_some_and(is_done) {
            self.join();
        }
    }

    fn join(&mut self) {
        let Some(running) = self.running.take() else { return };
        self.engine = running.thread.join().ok().flatten();
        if self.engine.is_none() {
            // Work that broke took its engine with it, and its settings. Say so, and go on.
            let _ = self.complain("the engine starts anew, with its first settings");
            self.settings = Settings::default();
            self.engine = Some(new_engine());
        }
        self.control.reset();
    }

    fn stop(&mut self) {
        self.control.stop();
        self.join();
        self.control.reset(); // also where there was nothing to stop
    }

    /// The input has ended: let a search that has an end come to it.
    fn finish(&mut self) {
        if self.running.as_ref().is_some_and(|running| running.is_endless) {
            self.control.stop();
        }
        self.join();
    }

    /// Has a thread do some work with the engine. `work` returns the last line of its answer.
    fn begin(
        &mut self,
        what: &str,
        is_endless: bool,
        work: impl FnOnce(&mut Engine<Evaluation>, &Arc<SearchControl>, &Output) -> String
        + Send
        + 'static,
    ) -> io::Result<()> {
        let start = Instant::now();
        let Some(mut engine) = self.engine.take() else { return self.busy(what) };
        let (control, output) = (self.control.clone(), self.output.clone());
        let has_answered = Arc::new(AtomicBool::new(false));
        let answered = has_answered.clone();
        let thread = std::thread::Builder::new().name("work".to_string()).spawn(move || {
            let done = catch_unwind(AssertUnwindSafe(|| work(&mut engine, &control, &output)));
            answered.store(true, Ordering::Release);
            // If nobody listens any more, the reading thread will notice.
            match done {
                Ok(answer) => {
                    let _ = say(&output, &answer);
                    Some(engine)
                }
                Err(_) => {
                    let _ = say(&output, "info string the work failed: please report this");
                    None
                }
            }
        })?;
        self.running = Some(Running { thread, has_answered, start, is_endless });
        Ok(())
    }

    fn go(&mut self, go: Go) -> io::Result<()> {
        let start = Instant::now();
        if self.engine.is_none() {
            return self.busy("go");
        }
        self.control.reset();
        if go.ponder {
            self.control.ponder();
        }
        for wrong in &go.complaints {
            self.complain(wrong)?;
        }
        let position = self.played.position();
        for &mv in &go.search_moves {
            if !position.is_legal(mv) {
                self.complain(&format!("searchmoves: {mv} is not legal here"))?;
            }
        }
        let mut limits = limits(&go, &self.played, self.settings.overhead);
        limits.start = Some(start);
        if !go.complaints.is_empty() && limits.is_unlimited() && !go.infinite && !go.ponder {
            limits.depth = Some(8); // a limit was meant
        }
        let is_endless = go.infinite || go.ponder || (limits.is_unlimited() && go.mate.is_none());
        let played = self.played.clone();
        self.begin("go", is_endless, move |engine, control, output| {
            // Whatever happens, a question gets a legal move for an answer.
            let thought =
                AssertUnwindSafe(|| think(engine, &played, &go, &limits, control, output));
            let answer = catch_unwind(thought).unwrap_or_else(|_| {
                let _ = say(output, "info string the search failed: please report this");
                let any = played.position().legal_moves().first().map(Move::to_string);
                format!("bestmove {}", any.unwrap_or("(none)".to_string()))
            });
            // An answer to `infinite` or `ponder` is not wanted before it is asked for.
            while !control.is_stopped() && (go.infinite || control.is_pondering()) {
                std::thread::sleep(Duration::from_millis(1));
            }
            answer
        })
    }

    fn perft(&mut self, depth: u32) -> io::Result<()> {
        if depth > DEEPEST_PERFT {
            return self.complain(&format!("perft goes to depth {DEEPEST_PERFT}, not {depth}"));
        }
        let position = self.played.position().clone();
        self.begin("perft", false, move |_, control, output| {
            let start = Instant::now();
            let mut all = u64::from(depth == 0);
            let moves = if depth == 0 { Vec::new() } else { legal_moves(position.board()) };
            for mv in moves {
                let mut after = position.board().clone();
                after.play_unchecked(mv);
                let Some(count) = perft_until(&after, depth - 1, &|| control.is_stopped()) else {
                    return "info string perft was stopped".to_string();
                };
                all += count;
                let _ = say(output, &format!("{}: {count}", position.player_move(mv)));
            }
            format!("nodes {all} time {} ms", start.elapsed().as_millis())
        })
    }

    fn bench(&mut self, depth: u32) -> io::Result<()> {
        self.begin("bench", false, move |engine, control, output| {
            let measured = bench(engine, depth, control, |fen, best, nodes| {
                let _ = say(output, &format!("{nodes:>10} {best:<5} {fen}"));
            });
            if control.is_stopped() {
                return "info string bench was stopped".to_string();
            }
            format!(
                "nodes {} time {} ms nps {}",
                measured.nodes,
                measured.time.as_millis(),
                measured.nodes_per_second()
            )
        })
    }
}

fn new_engine() -> Engine<Evaluation> {
    Engine::new(Evaluation::default(), SearchOptions::default(), HASH << 20)
}

/// From what `go` says to when the search ends.
fn limits(go: &Go, played: &PositionHistory, overhead: Duration) -> SearchLimits {
    let position = played.position();
    let who = position.turn() as usize;
    let time = match (go.infinite, go.move_time, go.left[who]) {
        (true, ..) => None,
        (_, Some(time), _) => Some(TimeBudget::per_move(time, overhead)),
        (_, None, Some(left)) => Some(TimeBudget::from(ClockReading {
            left,
            increment: go.increment[who],
            moves_to_go: go.moves_to_go,
            overhead,
            ..ClockReading::default()
        })),
        (_, None, None) => None,
    };
    let only = go.search_moves.iter().map(|&mv| position.board_move(mv));
    let only = only.filter(|&mv| position.board().is_legal(mv)).collect();
    SearchLimits { depth: go.depth, nodes: go.nodes, time, start: None, search_moves: only }
}

/// Thinks, tells of it, and returns the line with the best move.
fn think(
    engine: &mut Engine<Evaluation>,
    played: &PositionHistory,
    go: &Go,
    limits: &SearchLimits,
    control: &Arc<SearchControl>,
    output: &Output,
) -> String {
    let position = played.position();
    let tell = |text: String| {
        let _ = say(output, &text);
    };
    if !position.can_move() {
        let score =
            if position.board().checkers().is_empty() { Score::DRAW } else { Score::mated_in(0) };
        tell(format!("info depth 0 score {score}"));
        return "bestmove (none)".to_string();
    }
    if !go.search_moves.is_empty() && limits.search_moves.is_empty() {
        tell("info string none of the searchmoves is legal: all moves are searched".to_string());
    }
    if let Some(moves) = go.mate
        && limits.search_moves.is_empty()
    {
        match prove_mate(position, moves, limits, control) {
            Ok(line) => {
                let moves = line.len().div_ceil(2);
                let pv = write_line(position, &line);
                tell(format!("info depth {} score mate {moves} pv {pv}", line.len()));
                return format!("bestmove {}", pv.split(' ').next().unwrap_or("(none)"));
            }
            Err(why) => tell(format!("info string {why}")),
        }
    }
    let mut limits = limits.clone();
    if go.mate.is_some() && limits.is_unlimited() {
        limits.depth = Some(10); // a move must be made all the same
    }
    let report = engine.search(played, &limits, control, |report| {
        for (nth, line) in report.variations.iter().enumerate() {
            tell(info(position, report, nth, line));
        }
    });
    let mut answer = "bestmove (none)".to_string();
    if let Some(best) = report.best_move() {
        answer = format!("bestmove {}", position.player_move(best));
        let moves: Vec<_> = [Some(best), report.ponder_move()].into_iter().flatten().collect();
        if let Some(reply) = write_line(position, &moves).split(' ').nth(1) {
            answer += &format!(" ponder {reply}");
        }
    }
    answer
}

/// Nodes for a mate if nobody sets a number: some seconds.
const MATE_NODES: u64 = 20_000_000;

fn prove_mate(
    position: &Position,
    moves: u32,
    limits: &SearchLimits,
    control: &Arc<SearchControl>,
) -> Result<Vec<BoardMove>, String> {
    let most = limits.nodes.unwrap_or(MATE_NODES);
    // Half the time, so that a move can still be found if there is no mate.
    let until = limits.time.and_then(|time| Some(limits.start? + time.hard / 2));
    let control = control.clone();
    let is_cancelled = move || {
        let is_late = until.is_some_and(|until| Instant::now() >= until);
        control.is_stopped() || (is_late && !control.is_pondering())
    };
    let mut search = MateSearch::with_cancellation(most, is_cancelled);
    match search.mate_within(position.board(), moves) {
        MateResult::Mate(line) => Ok(line),
        MateResult::NoMate => Err(format!("there is no mate in {moves}")),
        MateResult::Unknown => Err(format!("no mate in {moves} found in {} nodes", search.nodes())),
    }
}

fn info(
    position: &Position,
    report: &SearchReport,
    nth: usize,
    line: &PrincipalVariation,
) -> String {
    format!(
        "info depth {} seldepth {} multipv {} score {} nodes {} nps {} hashfull {} time {} pv {}",
        report.depth,
        report.seldepth,
        nth + 1,
        line.score,
        report.nodes,
        report.nodes_per_second(),
        report.hashfull,
        report.time.as_millis(),
        write_line(position, &line.moves),
    )
}

/// A line as players write it.
fn write_line(position: &Position, line: &[BoardMove]) -> String {
    let mut at = position.clone();
    let mut words = Vec::new();
    for &mv in line {
        let mv = at.player_move(mv);
        if at.play(mv).is_err() {
            break;
        }
        words.push(mv.to_string());
    }
    words.join(" ")
}
