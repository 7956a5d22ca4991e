//! Compares what players knew about a game before the server was killed and after it.

use std::time::Instant;

use serde_json::Value;

use crate::game_client::PendingTry;
use crate::player_client::PlayerState;

/// Maximum error of a clock after a kill, in milliseconds. The server stores the time of day once
/// a second.
const CLOCK_TOLERANCE_MS: i64 = 2_500;
/// The increment of the games with a clock.
const INCREMENT_MS: i64 = 5_000;

/// The time without a server.
#[derive(Debug, Clone, Copy)]
pub struct Outage {
    pub killed_at: Instant,
    pub restarted_at: Instant,
}

/// The result of comparing one game.
#[derive(Debug, Default)]
pub struct Comparison {
    pub faults: Vec<String>,
    /// Number of compared observations.
    pub observations: usize,
    /// If a try was not answered when the server was killed: whether it is in the log afterwards.
    pub in_flight: Option<bool>,
    /// What the clocks gained, in milliseconds.
    pub gained_ms: Vec<i64>,
}

/// Compares what both players, White first, knew before and after.
pub fn compare(
    game: &str,
    before: [&PlayerState; 2],
    after: [&PlayerState; 2],
    pending: Option<&PendingTry>,
    outage: Outage,
) -> Comparison {
    let mut comparison = Comparison::default();
    let mut fault = |text: String| comparison.faults.push(format!("game {game}: {text}"));
    for ((color, before), after) in ["white", "black"].into_iter().zip(before).zip(after) {
        if let Some(difference) = first_difference(before, after) {
            fault(format!("{color}'s observations have changed: {difference}"));
            continue;
        }
        let pending = pending.filter(|pending| pending.color == color);
        let pending = pending.map(|pending| pending.text.as_str());
        let new = &after.log[before.log.len()..];
        let own: Vec<&str> = new
            .iter()
            .filter(|observation| observation["mine"] == true)
            .filter_map(|observation| observation["try"].as_str())
            .collect();
        match own[..] {
            [] => {}
            [text] if Some(text) == pending => {}
            _ => fault(format!("{color} did not try {own:?}, at most {pending:?}")),
        }
        if new.is_empty() && before.view != after.view {
            fault(format!("{color}'s view was {}, and is {}", before.view, after.view));
        }
        let status = if after.view["end"].is_null() { "playing" } else { "over" };
        if after.status != status {
            fault(format!("{color}'s view is {status}, but the game is {:?}", after.status));
        }
    }
    let [white, black] = after;
    if public_announcements(white) != public_announcements(black) {
        fault("the players received different public announcements".to_string());
    }
    for field in ["turn", "ply", "end"] {
        if white.view[field] != black.view[field] {
            fault(format!("the views differ in {field:?}: {} and {}", white.view, black.view));
        }
    }
    comparison.observations = before.iter().map(|state| state.log.len()).sum();
    comparison.in_flight = pending.map(|pending| {
        let mover = usize::from(pending.color == "black");
        after[mover].log.len() > before[mover].log.len()
    });
    comparison.gained_ms = clock_gains(before, after, outage).unwrap_or_default();
    if let Some(gained) = comparison.gained_ms.iter().find(|ms| ms.abs() > CLOCK_TOLERANCE_MS) {
        comparison.faults.push(format!("game {game}: a clock gained {gained} ms"));
    }
    comparison
}

/// The first observation that has changed.
fn first_difference(before: &PlayerState, after: &PlayerState) -> Option<String> {
    let differs = |n: usize| before.log.get(n) != after.log.get(n);
    let n = (0..before.log.len()).find(|n| differs(*n))?;
    let after = after.log.get(n).map_or("nothing".to_string(), Value::to_string);
    Some(format!("observation {n} was {}, and is {after}", before.log[n]))
}

/// The announcements that both players hear.
fn public_announcements(state: &PlayerState) -> Vec<(&Value, &Value)> {
    let public = state.log.iter().filter(|observation| {
        let heard_by = observation["announcement"]["heard_by"].as_array();
        heard_by.is_some_and(|players| players.len() == 2)
    });
    public.map(|observation| (&observation["announcement"], &observation["text"])).collect()
}

/// How much more time is on each clock than expected. No clock runs during the outage.
fn clock_gains(
    before: [&PlayerState; 2],
    after: [&PlayerState; 2],
    outage: Outage,
) -> Option<Vec<i64>> {
    if after.iter().any(|state| state.is_over()) {
        return None;
    }
    let latest = before.iter().filter_map(|state| state.clock.as_ref()).max_by_key(|clock| clock.1);
    let (clock, received_at) = latest?;
    let running = usize::from(clock["running"] == "black");
    let mut expected = remaining_ms(clock)?;
    expected[running] -= ms_between(*received_at, outage.killed_at);
    // A try that was in transit may have been a move.
    let new = &after[running].log[before[running].log.len().min(after[running].log.len())..];
    let has_moved = new.iter().any(|observation| {
        observation["mine"] == true && observation["announcement"]["verdict"] == "moved"
    });
    let running = if has_moved {
        expected[running] += INCREMENT_MS;
        1 - running
    } else {
        running
    };
    let gains = after.iter().filter_map(|state| {
        let (clock, received_at) = state.clock.as_ref()?;
        let mut expected = expected;
        expected[running] -= ms_between(outage.restarted_at, *received_at);
        let actual = remaining_ms(clock)?;
        Some([actual[0] - expected[0], actual[1] - expected[1]])
    });
    Some(gains.flatten().collect())
}

fn remaining_ms(clock: &Value) -> Option<[i64; 2]> {
    Some([clock["white_ms"].as_i64()?, clock["black_ms"].as_i64()?])
}

fn ms_between(from: Instant, to: Instant) -> i64 {
    to.saturating_duration_since(from).as_millis() as i64
}
