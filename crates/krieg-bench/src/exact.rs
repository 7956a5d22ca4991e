//! `krieg bench exact`: the speed, memory and correctness of the exact belief, which stores every
//! possible board.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use krieg_arena::read_records;
use krieg_arena::report::align_columns;
use krieg_belief::{
    Belief, BoardSet, DepthFirstMode, DepthFirstResult, DepthFirstStates, OpponentBoard,
};
use krieg_core::{Color, Game, Observer, Record, Ruleset, Setup, Verdict, color_name};
use krieg_players::{GameRunner, GameSettings, SemiRandom};
use serde_json::{Value, json};

use crate::options::BenchExactOptions;

/// Classes of sets by the number of boards after the opponent's move: name and minimum.
const SIZES: [(&str, u64); 3] =
    [("below 10,000", 0), ("to a million", 10_000), ("above", 1_000_000)];

/// The move whose time is measured with a sampled set and by depth-first search.
const TIMED_MOVE: u32 = 20;

/// Measurements of the opponent's turns that left sets of one size.
#[derive(Debug, Clone, Copy, Default)]
struct SizeClass {
    turns: u64,
    successors: u64,
    unique: u64,
    time: Duration,
    /// The sum of the bytes of the sets, and the maximum bytes per board while a set grew.
    bytes: u64,
    peak_bytes_per_board: f64,
}

/// The measurements under one ruleset.
#[derive(Debug, Clone, Default)]
struct Measured {
    sizes: [SizeClass; SIZES.len()],
    /// Answers to own tries: the boards that were compared, and the time.
    answered_boards: u64,
    answer_time: Duration,
    /// Turns of the games, from both sides, and those with a set that was complete since the start
    /// of the game.
    turns: u64,
    complete_turns: u64,
    /// Observations after which the true board was looked up, and restarts from the true board.
    checked: u64,
    restarts: u64,
    /// Milliseconds of each timed move with a sampled set, and the boards in the set before it.
    move_ms: Vec<f64>,
    sample_boards: Vec<f64>,
    /// Milliseconds of each depth-first search that found a board, and the number of searches.
    search_ms: Vec<f64>,
    searches: u64,
}

/// Follows games under each ruleset, and prints the measurements.
pub fn exact(options: &BenchExactOptions) -> Result<()> {
    let read = read_records(&options.files)?;
    ensure!(options.files.is_empty() || !read.is_empty(), "there are no games");
    let mut rows = Vec::new();
    let mut out = io::stdout().lock();
    for ruleset in options.ruleset.list() {
        let mut measured = Measured::default();
        let games = if read.is_empty() { options.games } else { read.len() };
        for number in 0..games {
            let record = match read.get(number) {
                Some(record) => with_ruleset(record, ruleset),
                None => random_game(ruleset, options.seed + number as u64, options.moves),
            };
            for color in Color::ALL {
                follow(&record, color, options.capacity, &mut measured).map_err(|error| {
                    error.context(format!("game {} under {ruleset}", number + 1))
                })?;
                time_move(&record, color, options.sample_capacity, &mut measured);
                time_search(&record, color, options.steps, &mut measured);
            }
        }
        if options.json {
            rows.push(measured.json(ruleset, games));
        } else {
            measured.write(ruleset, games, options, &mut out)?;
        }
    }
    if options.json {
        let summary = json!({
            "capacity": options.capacity, "sample_capacity": options.sample_capacity,
            "seed": options.seed, "rows": rows,
        });
        writeln!(out, "{summary}")?;
    }
    Ok(())
}

/// A game of two semi-random players.
fn random_game(ruleset: Ruleset, seed: u64, moves: u32) -> Record {
    let setup = Setup { ruleset, ..Setup::default() };
    let settings = GameSettings { setup, draw_after: Some(moves), ..GameSettings::default() };
    let [white, black] = &mut [SemiRandom::new(), SemiRandom::new()];
    GameRunner::new(settings, seed).play([white, black]).into_record()
}

/// The same tries umpired under another ruleset.
fn with_ruleset(record: &Record, ruleset: Ruleset) -> Record {
    if record.setup().ruleset == ruleset {
        return record.clone();
    }
    let mut game = Game::new(Setup { ruleset, ..record.setup().clone() });
    for entry in record.entries() {
        // Questions and senseless tries that this ruleset does not have are left out.
        let _ = game.judge(entry.tried);
    }
    game.into_record()
}

/// Follows a game from one side with every possible board. If there are too many, the set restarts
/// from the true board at the next turn, so that whole games are covered and not only openings.
fn follow(record: &Record, color: Color, capacity: usize, measured: &mut Measured) -> Result<()> {
    let setup = record.setup();
    let mut belief = BoardSet::new(setup, color, capacity, 1);
    let mut observer = Observer::new(color);
    let mut game = Game::new(setup.clone());
    let (mut is_since_start, mut is_waiting) = (true, false);
    for (number, entry) in record.entries().iter().enumerate() {
        // The record was umpired by the same rules, so this does not fail.
        let _ = game.judge(entry.tried);
        let Some(observation) = observer.observe(entry) else { continue };
        let announcement = &observation.announcement;
        if announcement.end.is_some() {
            break;
        }
        let has_moved = announcement.verdict == Verdict::Moved;
        measured.turns += u64::from(has_moved && announcement.by != color);
        if is_waiting {
            // A restart within a turn would not know the tries that were refused in it.
            if has_moved {
                let start = game.umpire().position().clone();
                belief = BoardSet::new(&Setup { start, ..setup.clone() }, color, capacity, 1);
                measured.restarts += 1;
                is_waiting = false;
            }
            continue;
        }
        let boards = belief.len() as u64;
        let start = Instant::now();
        let result = belief.observe(&observation);
        let time = start.elapsed();
        if !belief.is_complete() {
            (is_since_start, is_waiting) = (false, true);
            continue;
        }
        let truth = OpponentBoard::of(game.umpire().position(), !color);
        if result.is_err() || !belief.boards().contains(&truth) {
            bail!(
                "{}, entry {}, \"{announcement}\": {} is not among the {} boards",
                color_name(color),
                number + 1,
                game.umpire().position(),
                belief.len(),
            );
        }
        measured.checked += 1;
        if announcement.by == color {
            measured.answered_boards += boards;
            measured.answer_time += time;
        } else if has_moved {
            measured.complete_turns += u64::from(is_since_start);
            measured.add_turn(&belief, time);
        }
    }
    Ok(())
}

/// Follows a game from one side with a sampled set, and measures the time of one move: the answers
/// to the own tries and the opponent's turn.
fn time_move(record: &Record, color: Color, capacity: usize, measured: &mut Measured) {
    let mut belief = BoardSet::new(record.setup(), color, capacity, 1);
    let mut observer = Observer::new(color);
    let mut timed = None;
    for entry in record.entries() {
        let Some(observation) = observer.observe(entry) else { continue };
        let announcement = &observation.announcement;
        let view = belief.view();
        let is_timed_move = view.ply() / 2 + 1 == TIMED_MOVE && view.is_my_turn();
        let has_moved = announcement.verdict == Verdict::Moved;
        if is_timed_move && has_moved {
            timed = Some((Duration::ZERO, belief.len()));
        }
        let start = Instant::now();
        if announcement.end.is_some() || belief.observe(&observation).is_err() {
            return;
        }
        if let Some((time, boards)) = &mut timed {
            *time += start.elapsed();
            if has_moved && announcement.by != color {
                measured.move_ms.push(time.as_secs_f64() * 1e3);
                measured.sample_boards.push(*boards as f64);
                return;
            }
        }
    }
}

/// Measures the time of a depth-first search for one board at the timed move.
fn time_search(record: &Record, color: Color, steps: u64, measured: &mut Measured) {
    let mut states = DepthFirstStates::new(record.setup(), color, DepthFirstMode::Restart, 1);
    let mut observer = Observer::new(color);
    for observation in record.entries().iter().filter_map(|entry| observer.observe(entry)) {
        if observation.announcement.end.is_some() {
            return;
        }
        states.observe(&observation);
        if states.view().ply() / 2 + 1 == TIMED_MOVE && states.view().is_my_turn() {
            let start = Instant::now();
            measured.searches += 1;
            if let DepthFirstResult::Board(_) = states.next_board(steps) {
                measured.search_ms.push(start.elapsed().as_secs_f64() * 1e3);
            }
            return;
        }
    }
}

impl Measured {
    /// Adds a turn of the opponent that left a complete set.
    fn add_turn(&mut self, belief: &BoardSet, time: Duration) {
        let update = belief.last_update();
        let class = SIZES.iter().rposition(|(_, min)| update.unique >= *min).unwrap_or(0);
        let size = &mut self.sizes[class];
        size.turns += 1;
        size.successors += update.successors;
        size.unique += update.unique;
        size.time += time;
        size.bytes += update.bytes as u64;
        size.peak_bytes_per_board = size.peak_bytes_per_board.max(update.peak_bytes_per_board);
    }

    fn json(&self, ruleset: Ruleset, games: usize) -> Value {
        let sizes: Vec<Value> = SIZES
            .iter()
            .zip(&self.sizes)
            .map(|((name, _), size)| {
                json!({
                    "boards": name, "turns": size.turns, "successors": size.successors,
                    "unique": size.unique, "successors_per_second": size.rate(size.successors),
                    "unique_per_second": size.rate(size.unique),
                    "bytes_per_board": size.bytes_per_board(),
                    "peak_bytes_per_board": size.peak_bytes_per_board,
                })
            })
            .collect();
        json!({
            "ruleset": ruleset.name, "games": games, "sizes": sizes,
            "answers_per_second": per_second(self.answered_boards, self.answer_time),
            "turns": self.turns, "complete_turns": self.complete_turns, "checked": self.checked,
            "restarts": self.restarts,
            "moves": self.move_ms.len(), "move_ms_median": quantile(&self.move_ms, 0.5),
            "move_ms_90": quantile(&self.move_ms, 0.9),
            "sample_boards_median": quantile(&self.sample_boards, 0.5),
            "searches": self.searches, "searches_found": self.search_ms.len(),
            "search_ms_median": quantile(&self.search_ms, 0.5),
        })
    }

    fn write(
        &self,
        ruleset: Ruleset,
        games: usize,
        options: &BenchExactOptions,
        out: &mut impl Write,
    ) -> Result<()> {
        writeln!(out, "ruleset {ruleset}, {games} games, both sides")?;
        let head = ["", "boards", "turns", "successors/s", "unique/s", "bytes/board", "peak"];
        let mut lines = vec![head.map(str::to_string).to_vec()];
        for ((name, _), size) in SIZES.iter().zip(&self.sizes) {
            lines.push(vec![
                String::new(),
                name.to_string(),
                size.turns.to_string(),
                format!("{:.0}", size.rate(size.successors)),
                format!("{:.0}", size.rate(size.unique)),
                format!("{:.1}", size.bytes_per_board()),
                format!("{:.1}", size.peak_bytes_per_board),
            ]);
        }
        write!(out, "{}", align_columns(&lines))?;
        let rate = per_second(self.answered_boards, self.answer_time);
        writeln!(out, "answers to own tries: {rate:.0} boards/s")?;
        writeln!(
            out,
            "set complete since the start of the game, up to {} boards: {} of {} turns",
            options.capacity, self.complete_turns, self.turns
        )?;
        writeln!(
            out,
            "true board in the set: after all {} observations, with {} restarts",
            self.checked, self.restarts
        )?;
        writeln!(
            out,
            "move {TIMED_MOVE} with a sample of {} boards: median {:.1} ms, 90% within {:.1} ms \
             ({} moves, median {:.0} boards)",
            options.sample_capacity,
            quantile(&self.move_ms, 0.5),
            quantile(&self.move_ms, 0.9),
            self.move_ms.len(),
            quantile(&self.sample_boards, 0.5),
        )?;
        writeln!(
            out,
            "move {TIMED_MOVE} by depth-first search: a board within {} steps in {} of {} games, \
             median {:.1} ms\n",
            options.steps,
            self.search_ms.len(),
            self.searches,
            quantile(&self.search_ms, 0.5),
        )?;
        Ok(())
    }
}

impl SizeClass {
    fn rate(&self, count: u64) -> f64 {
        per_second(count, self.time)
    }

    fn bytes_per_board(&self) -> f64 {
        self.bytes as f64 / self.unique.max(1) as f64
    }
}

fn per_second(count: u64, time: Duration) -> f64 {
    if count == 0 { 0.0 } else { count as f64 / time.as_secs_f64().max(1e-9) }
}

/// The quantile of some numbers at this fraction; 0 if there are none.
fn quantile(numbers: &[f64], fraction: f64) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get((sorted.len() as f64 * fraction) as usize).copied().unwrap_or(0.0)
}
