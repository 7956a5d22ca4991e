//! `krieg bench exact`: how fast every possible board is found, what it takes to keep them, and whether the true one is always among them.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use krieg_arena::report::align_columns;
use krieg_belief::{
    Belief, BoardSet, DepthFirstMode, DepthFirstResult, DepthFirstStates, OpponentBoard,
};
use krieg_core::{Color, Game, Observer, Record, Ruleset, Setup, Verdict, color_name};
use krieg_players::{GameRunner, GameSettings, SemiRandom};
use serde_json::{Value, json};

use crate::options::BenchExactOptions;
use krieg_arena::read_records as read_all;

/// Sets of boards, by the boards in them after the opponent's move.
const SIZES: [(&str, u64); 3] =
    [("below 10,000", 0), ("to a million", 10_000), ("above", 1_000_000)];

/// The move at which the time of a whole move is taken.
const AT_MOVE: u32 = 20;

/// The opponent's turns that left sets of one size.
#[derive(Debug, Clone, Copy, Default)]
struct Size {
    turns: u64,
    successors: u64,
    distinct: u64,
    time: Duration,
    /// The memory of the sets as they stood, added up, and the most for a board while one grew.
    bytes: u64,
    most_a_board: f64,
}

/// All that was seen under one ruleset.
#[derive(Debug, Clone, Default)]
struct Seen {
    sizes: [Size; SIZES.len()],
    /// Own tries answered: boards that were asked, and the time it took.
    asked: u64,
    asked_time: Duration,
    /// Turns of the games, from both sides, and those up to which no board was ever left out.
    turns: u64,
    whole: u64,
    /// Lines after which the true board was looked for, and found; and how often the search began anew.
    checked: u64,
    anew: u64,
    /// The time a pool took for each move that was timed, in milliseconds, and the boards in it before.
    moves_ms: Vec<f64>,
    pools: Vec<f64>,
    /// The time after which a stream found a board at that move, in milliseconds, where it did; and how often it was asked.
    streams_ms: Vec<f64>,
    streams: u64,
}

/// Follows games under each ruleset.
pub fn exact(options: &BenchExactOptions) -> Result<()> {
    let read = read_all(&options.files)?;
    ensure!(options.files.is_empty() || !read.is_empty(), "there are no games");
    let mut rows = Vec::new();
    let mut out = io::stdout().lock();
    for ruleset in options.ruleset.list() {
        let mut seen = Seen::default();
        let games = if read.is_empty() { options.games } else { read.len() };
        for number in 0..games {
            let record = match read.get(number) {
                Some(record) => under(record, ruleset),
                None => play(ruleset, options.seed + number as u64, options.moves),
            };
            for color in Color::ALL {
                follow(&record, color, options.most, &mut seen)
                    .map_err(|what| what.context(format!("game {} under {ruleset}", number + 1)))?;
                time_a_move(&record, color, options.pool, &mut seen);
                time_a_stream(&record, color, options.steps, &mut seen);
            }
        }
        if options.json {
            rows.push(seen.json(ruleset, games));
        } else {
            seen.write(ruleset, games, options, &mut out)?;
        }
    }
    if options.json {
        let (most, pool, seed) = (options.most, options.pool, options.seed);
        writeln!(out, "{}", json!({ "most": most, "pool": pool, "seed": seed, "rows": rows }))?;
    }
    Ok(())
}

/// A game of two semi-random players.
fn play(ruleset: Ruleset, seed: u64, moves: u32) -> Record {
    let setup = Setup { ruleset, ..Setup::default() };
    let conditions = GameSettings { setup, draw_after: Some(moves), ..GameSettings::default() };
    let [white, black] = &mut [SemiRandom::new(), SemiRandom::new()];
    GameRunner::new(conditions, seed).play([white, black]).into_record()
}

/// The same tries under another ruleset, as far as its umpire would hear them.
fn under(record: &Record, ruleset: Ruleset) -> Record {
    if record.setup().ruleset == ruleset {
        return record.clone();
    }
    let mut game = Game::new(Setup { ruleset, ..record.setup().clone() });
    for entry in record.entries() {
        // What is no try here, a question or what is called nonsense, is left out.
        let _ = game.judge(entry.tried);
    }
    game.into_record()
}

/// Follows a game from one side with every board there may be. When there are too many, it begins anew at the next turn, as if the board
/// had been shown: so the whole game is looked at, not its opening alone.
fn follow(record: &Record, color: Color, most: usize, seen: &mut Seen) -> Result<()> {
    let setup = record.setup();
    let mut belief = BoardSet::new(setup, color, most, 1);
    let mut ear = Observer::new(color);
    let mut game = Game::new(setup.clone());
    let (mut is_first, mut is_lost) = (true, false);
    for (number, entry) in record.entries().iter().enumerate() {
        // What a record holds was umpired once, by the same rules.
        let _ = game.judge(entry.tried);
        let Some(line) = ear.observe(entry) else { continue };
        if line.announcement.end.is_some() {
            break;
        }
        let has_moved = line.announcement.verdict == Verdict::Moved;
        seen.turns += u64::from(has_moved && line.announcement.by != color);
        if is_lost {
            // In the middle of a turn nothing can begin: what was refused before would be forgotten.
            if has_moved {
                let start = game.umpire().position().clone();
                belief = BoardSet::new(&Setup { start, ..setup.clone() }, color, most, 1);
                seen.anew += 1;
                is_lost = false;
            }
            continue;
        }
        let asked = belief.len() as u64;
        let begun = Instant::now();
        let heard = belief.observe(&line);
        let took = begun.elapsed();
        if !belief.is_complete() {
            (is_first, is_lost) = (false, true);
            continue;
        }
        let truth = OpponentBoard::of(game.umpire().position(), !color);
        if heard.is_err() || !belief.boards().contains(&truth) {
            bail!(
                "{}, line {}, \"{}\": {} is not among the {} boards",
                color_name(color),
                number + 1,
                line.announcement,
                game.umpire().position(),
                belief.len(),
            );
        }
        seen.checked += 1;
        if line.announcement.by == color {
            seen.asked += asked;
            seen.asked_time += took;
        } else if has_moved {
            seen.whole += u64::from(is_first);
            seen.note_turn(&belief, took);
        }
    }
    Ok(())
}

/// Follows a game from one side with a pool, and takes the time of one move: the own one answered, the opponent's turn heard.
fn time_a_move(record: &Record, color: Color, room: usize, seen: &mut Seen) {
    let mut belief = BoardSet::new(record.setup(), color, room, 1);
    let mut ear = Observer::new(color);
    let mut begun = None;
    for entry in record.entries() {
        let Some(line) = ear.observe(entry) else { continue };
        let view = belief.view();
        let is_time = view.ply() / 2 + 1 == AT_MOVE && view.is_my_turn();
        let has_moved = line.announcement.verdict == Verdict::Moved;
        if is_time && has_moved {
            begun = Some((Duration::ZERO, belief.len()));
        }
        let before = Instant::now();
        if line.announcement.end.is_some() || belief.observe(&line).is_err() {
            return;
        }
        if let Some((time, boards)) = &mut begun {
            *time += before.elapsed();
            if has_moved && line.announcement.by != color {
                seen.moves_ms.push(time.as_secs_f64() * 1e3);
                seen.pools.push(*boards as f64);
                return;
            }
        }
    }
}

/// Lets a stream find a board that fits all that was heard up to a move.
fn time_a_stream(record: &Record, color: Color, steps: u64, seen: &mut Seen) {
    let mut stream = DepthFirstStates::new(record.setup(), color, DepthFirstMode::Restart, 1);
    let mut ear = Observer::new(color);
    for line in record.entries().iter().filter_map(|entry| ear.observe(entry)) {
        if line.announcement.end.is_some() {
            return;
        }
        stream.observe(&line);
        if stream.view().ply() / 2 + 1 == AT_MOVE && stream.view().is_my_turn() {
            let begun = Instant::now();
            seen.streams += 1;
            if let DepthFirstResult::Board(_) = stream.next_board(steps) {
                seen.streams_ms.push(begun.elapsed().as_secs_f64() * 1e3);
            }
            return;
        }
    }
}

impl Seen {
    fn note_turn(&mut self, belief: &BoardSet, took: Duration) {
        let growth = belief.last_update();
        let at = SIZES.iter().rposition(|(_, fewest)| growth.unique >= *fewest).unwrap_or(0);
        let size = &mut self.sizes[at];
        size.turns += 1;
        size.successors += growth.successors;
        size.distinct += growth.unique;
        size.time += took;
        size.bytes += growth.bytes as u64;
        size.most_a_board = size.most_a_board.max(growth.peak_bytes_per_board);
    }

    fn json(&self, ruleset: Ruleset, games: usize) -> Value {
        let sizes: Vec<Value> = SIZES
            .iter()
            .zip(&self.sizes)
            .map(|((name, _), size)| {
                json!({
                    "boards": name, "turns": size.turns, "successors": size.successors,
                    "distinct": size.distinct, "successors_per_second": size.rate(size.successors),
                    "distinct_per_second": size.rate(size.distinct),
                    "bytes_a_board": size.bytes_a_board(), "most_bytes_a_board": size.most_a_board,
                })
            })
            .collect();
        json!({
            "ruleset": ruleset.name, "games": games, "sizes": sizes,
            "asked_per_second": per_second(self.asked, self.asked_time),
            "turns": self.turns, "whole": self.whole, "checked": self.checked, "anew": self.anew,
            "moves": self.moves_ms.len(), "move_ms_median": at_part(&self.moves_ms, 0.5),
            "move_ms_90": at_part(&self.moves_ms, 0.9), "pool_median": at_part(&self.pools, 0.5),
            "streams": self.streams, "streams_found": self.streams_ms.len(),
            "stream_ms_median": at_part(&self.streams_ms, 0.5),
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
        let head =
            ["", "boards", "turns", "successors/s", "distinct/s", "bytes a board", "at most"];
        let mut lines = vec![head.map(str::to_string).to_vec()];
        for ((name, _), size) in SIZES.iter().zip(&self.sizes) {
            lines.push(vec![
                String::new(),
                name.to_string(),
                size.turns.to_string(),
                format!("{:.0}", size.rate(size.successors)),
                format!("{:.0}", size.rate(size.distinct)),
                format!("{:.1}", size.bytes_a_board()),
                format!("{:.1}", size.most_a_board),
            ]);
        }
        write!(out, "{}", align_columns(&lines))?;
        let asked = per_second(self.asked, self.asked_time);
        writeln!(out, "an own try answered: {asked:.0} boards/s")?;
        let (turns, whole, most) = (self.turns, self.whole, options.most);
        writeln!(
            out,
            "every board known since the game began, up to {most}: {whole} of {turns} turns"
        )?;
        let (checked, anew) = (self.checked, self.anew);
        writeln!(
            out,
            "the true board among them: after all {checked} lines, begun anew {anew} times"
        )?;
        let [median, ninth] = [0.5, 0.9].map(|part| at_part(&self.moves_ms, part));
        let (moves, pool) = (self.moves_ms.len(), at_part(&self.pools, 0.5));
        writeln!(
            out,
            "move {AT_MOVE} with a pool of {}: {median:.1} ms, nine in ten within {ninth:.1} ms ({moves} moves, median {pool:.0} boards)",
            options.pool,
        )?;
        let (found, asked) = (self.streams_ms.len(), self.streams);
        let median = at_part(&self.streams_ms, 0.5);
        writeln!(
            out,
            "move {AT_MOVE} with a stream: a board within {} steps in {found} of {asked} games, after {median:.1} ms\n",
            options.steps,
        )?;
        Ok(())
    }
}

impl Size {
    fn rate(&self, count: u64) -> f64 {
        per_second(count, self.time)
    }

    fn bytes_a_board(&self) -> f64 {
        self.bytes as f64 / self.distinct.max(1) as f64
    }
}

fn per_second(count: u64, time: Duration) -> f64 {
    if count == 0 { 0.0 } else { count as f64 / time.as_secs_f64().max(1e-9) }
}

/// The number below which this part of them lies; nought, if there are none.
fn at_part(numbers: &[f64], part: f64) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get((sorted.len() as f64 * part) as usize).copied().unwrap_or(0.0)
}
