//! The `go` command: converts its parameters to limits, searches, and reports the result.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cozy_chess::Move as BoardMove;
use krieg_core::Position;
use krieg_time::{ClockReading, TimeBudget};

use super::command::Go;
use super::server::{Output, write_line};
use crate::eval::Evaluation;
use crate::mate::{MateResult, MateSearch};
use crate::score::Score;
use crate::search::{
    Engine, PositionHistory, PrincipalVariation, SearchControl, SearchLimits, SearchReport,
};

/// Depth of the search after a mate search without other limits.
const DEPTH_AFTER_MATE_SEARCH: u32 = 10;

/// Default node limit of a mate search: some seconds.
const MATE_SEARCH_NODES: u64 = 20_000_000;

/// Converts the parameters of `go` to search limits.
pub(super) fn search_limits(
    go: &Go,
    history: &PositionHistory,
    move_overhead: Duration,
) -> SearchLimits {
    let position = history.position();
    let turn = position.turn() as usize;
    let time = match (go.infinite, go.move_time, go.time_left[turn]) {
        (true, ..) => None,
        (_, Some(time), _) => Some(TimeBudget::per_move(time, move_overhead)),
        (_, None, Some(left)) => Some(TimeBudget::from(ClockReading {
            left,
            increment: go.increment[turn],
            moves_to_go: go.moves_to_go,
            overhead: move_overhead,
            ..ClockReading::default()
        })),
        (_, None, None) => None,
    };
    let search_moves = go.search_moves.iter().map(|&mv| position.board_move(mv));
    let search_moves = search_moves.filter(|&mv| position.board().is_legal(mv)).collect();
    SearchLimits { depth: go.depth, nodes: go.nodes, time, start: None, search_moves }
}

/// Searches, writes `info` lines, and returns the `bestmove` line.
pub(super) fn search(
    engine: &mut Engine<Evaluation>,
    history: &PositionHistory,
    go: &Go,
    limits: &SearchLimits,
    control: &Arc<SearchControl>,
    output: &Output,
) -> String {
    let position = history.position();
    let write = |text: String| {
        let _ = write_line(output, &text);
    };
    if !position.can_move() {
        let score =
            if position.board().checkers().is_empty() { Score::DRAW } else { Score::mated_in(0) };
        write(format!("info depth 0 score {score}"));
        return "bestmove (none)".to_string();
    }
    if !go.search_moves.is_empty() && limits.search_moves.is_empty() {
        write("info string none of the searchmoves is legal; all moves are searched".to_string());
    }
    if let Some(moves) = go.mate
        && limits.search_moves.is_empty()
    {
        match search_mate(position, moves, limits, control) {
            Ok(line) => {
                let moves = line.len().div_ceil(2);
                let pv = line_to_uci(position, &line);
                write(format!("info depth {} score mate {moves} pv {pv}", line.len()));
                return format!("bestmove {}", pv.split(' ').next().unwrap_or("(none)"));
            }
            Err(message) => write(format!("info string {message}")),
        }
    }
    let mut limits = limits.clone();
    if go.mate.is_some() && limits.is_unlimited() {
        limits.depth = Some(DEPTH_AFTER_MATE_SEARCH);
    }
    let report = engine.search(history, &limits, control, |report| {
        for (index, pv) in report.variations.iter().enumerate() {
            write(info_line(position, report, index, pv));
        }
    });
    let mut answer = "bestmove (none)".to_string();
    if let Some(best) = report.best_move() {
        answer = format!("bestmove {}", position.player_move(best));
        let moves: Vec<_> = [Some(best), report.ponder_move()].into_iter().flatten().collect();
        if let Some(reply) = line_to_uci(position, &moves).split(' ').nth(1) {
            answer += &format!(" ponder {reply}");
        }
    }
    answer
}

/// Searches for mate by proof numbers. The error is a message for the user.
fn search_mate(
    position: &Position,
    moves: u32,
    limits: &SearchLimits,
    control: &Arc<SearchControl>,
) -> Result<Vec<BoardMove>, String> {
    let max_nodes = limits.nodes.unwrap_or(MATE_SEARCH_NODES);
    // Half the time, so that a move can still be found if there is no mate.
    let deadline = limits.time.and_then(|time| Some(limits.start? + time.hard / 2));
    let control = control.clone();
    let is_cancelled = move || {
        let is_late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
        control.is_stopped() || (is_late && !control.is_pondering())
    };
    let mut search = MateSearch::with_cancellation(max_nodes, is_cancelled);
    match search.mate_within(position.board(), moves) {
        MateResult::Mate(line) => Ok(line),
        MateResult::NoMate => Err(format!("there is no mate in {moves}")),
        MateResult::Unknown => Err(format!("no mate in {moves} found in {} nodes", search.nodes())),
    }
}

fn info_line(
    position: &Position,
    report: &SearchReport,
    index: usize,
    pv: &PrincipalVariation,
) -> String {
    format!(
        "info depth {} seldepth {} multipv {} score {} nodes {} nps {} hashfull {} time {} pv {}",
        report.depth,
        report.seldepth,
        index + 1,
        pv.score,
        report.nodes,
        report.nodes_per_second(),
        report.hashfull,
        report.time.as_millis(),
        line_to_uci(position, &pv.moves),
    )
}

/// The moves of a line in UCI notation, separated by spaces.
fn line_to_uci(position: &Position, line: &[BoardMove]) -> String {
    let mut current = position.clone();
    let mut words = Vec::new();
    for &mv in line {
        let mv = current.player_move(mv);
        if current.play(mv).is_err() {
            break;
        }
        words.push(mv.to_string());
    }
    words.join(" ")
}
