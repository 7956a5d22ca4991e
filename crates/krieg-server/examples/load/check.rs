//! Whether a game that went on after a kill is the one that was played before.

use std::time::Instant;

use serde_json::Value;

use crate::seat::Known;
use crate::table::Asked;

/// Clocks may be wrong by so many milliseconds after a kill: the server notes the hour once a second.
const CLOCKS_MS: i64 = 2_500;
/// What a move adds to the clock, in games that have one.
const INCREMENT_MS: i64 = 5_000;

/// When the server was gone.
#[derive(Debug, Clone, Copy)]
pub struct Outage {
    pub killed_at: Instant,
    pub restarted_at: Instant,
}

/// What was found out about one game.
#[derive(Debug, Default)]
pub struct Checked {
    /// What is wrong with it.
    pub faults: Vec<String>,
    /// How many lines were compared.
    pub lines: usize,
    /// Whether a try was not answered when the server was killed, and whether it is in the log after that.
    pub in_flight: Option<bool>,
    /// What the clocks gained, in milliseconds.
    pub gained_ms: Vec<i64>,
}

/// Compares what both players, White first, knew and know.
pub fn compare(
    game: &str,
    before: [&Known; 2],
    after: [&Known; 2],
    asked: Option<&Asked>,
    outage: Outage,
) -> Checked {
    let mut checked = Checked::default();
    let mut wrong = |what: String| checked.faults.push(format!("game {game}: {what}"));
    for ((color, before), after) in ["white", "black"].into_iter().zip(before).zip(after) {
        if let Some(what) = other_lines(before, after) {
            wrong(format!("{color} heard otherwise before: {what}"));
            continue;
        }
        let asked = asked.filter(|asked| asked.color == color).map(|asked| asked.tried.as_str());
        let new = &after.log[before.log.len()..];
        let own: Vec<&str> = new
            .iter()
            .filter(|line| line["mine"] == true)
            .filter_map(|line| line["try"].as_str())
            .collect();
        match own[..] {
            [] => {}
            [tried] if Some(tried) == asked => {}
            _ => wrong(format!("{color} did not try {own:?}: he had tried {asked:?} at most")),
        }
        if new.is_empty() && before.seen != after.seen {
            wrong(format!("{color} saw {} before, and sees {}", before.seen, after.seen));
        }
        let status = if after.seen["end"].is_null() { "playing" } else { "over" };
        if after.status != status {
            wrong(format!("{color} sees a game that is {status}, and it is {:?}", after.status));
        }
    }
    let [white, black] = after;
    if heard_by_both(white) != heard_by_both(black) {
        wrong("the players did not hear the same of what both hear".to_string());
    }
    for field in ["turn", "ply", "end"] {
        if white.seen[field] != black.seen[field] {
            wrong(format!("the views differ in {field:?}: {} and {}", white.seen, black.seen));
        }
    }
    checked.lines = before.iter().map(|known| known.log.len()).sum();
    checked.in_flight = asked.map(|asked| {
        let mover = usize::from(asked.color == "black");
        after[mover].log.len() > before[mover].log.len()
    });
    checked.gained_ms = clocks_gained(before, after, outage).unwrap_or_default();
    if let Some(gained) = checked.gained_ms.iter().find(|ms| ms.abs() > CLOCKS_MS) {
        checked.faults.push(format!("game {game}: a clock gained {gained} ms"));
    }
    checked
}

/// The first line that is not what it was.
fn other_lines(before: &Known, after: &Known) -> Option<String> {
    let differs = |n: usize| before.log.get(n) != after.log.get(n);
    let n = (0..before.log.len()).find(|n| differs(*n))?;
    let after = after.log.get(n).map_or("nothing".to_string(), Value::to_string);
    Some(format!("line {n} was {}, and is {after}", before.log[n]))
}

/// What was said of the lines that both players hear.
fn heard_by_both(known: &Known) -> Vec<(&Value, &Value)> {
    let both = known.log.iter().filter(|line| {
        line["announcement"]["heard_by"].as_array().is_some_and(|heard_by| heard_by.len() == 2)
    });
    both.map(|line| (&line["announcement"], &line["text"])).collect()
}

/// How much more is on either clock than should be: time while there was no server is on nobody's clock.
fn clocks_gained(before: [&Known; 2], after: [&Known; 2], outage: Outage) -> Option<Vec<i64>> {
    if after.iter().any(|known| known.is_over()) {
        return None;
    }
    let told_last =
        before.iter().filter_map(|known| known.clock.as_ref()).max_by_key(|clock| clock.1);
    let (clock, told_at) = told_last?;
    let running = usize::from(clock["running"] == "black");
    let mut expected = left(clock)?;
    expected[running] -= ms_between(*told_at, outage.killed_at);
    // A try that was on its way may have been a move.
    let new = &after[running].log[before[running].log.len().min(after[running].log.len())..];
    let has_moved =
        new.iter().any(|line| line["mine"] == true && line["announcement"]["verdict"] == "moved");
    let running = if has_moved {
        expected[running] += INCREMENT_MS;
        1 - running
    } else {
        running
    };
    let gained = after.iter().filter_map(|known| {
        let (clock, told_at) = known.clock.as_ref()?;
        let mut expected = expected;
        expected[running] -= ms_between(outage.restarted_at, *told_at);
        let left = left(clock)?;
        Some([left[0] - expected[0], left[1] - expected[1]])
    });
    Some(gained.flatten().collect())
}

fn left(clock: &Value) -> Option<[i64; 2]> {
    Some([clock["white_ms"].as_i64()?, clock["black_ms"].as_i64()?])
}

fn ms_between(from: Instant, to: Instant) -> i64 {
    to.saturating_duration_since(from).as_millis() as i64
}
