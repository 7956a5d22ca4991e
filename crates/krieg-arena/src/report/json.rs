//! A contest as one line of JSON.

use serde_json::{Value, json};

use crate::statistics::Standing;
use crate::tally::{Tally, Trial};

/// A contest in numbers: ratings of the players, the best first, and for each pairing the first player's score. Where there is one pairing only,
/// its numbers stand at the top too. Numbers that are infinite are `null`.
///
/// ```
/// use krieg_arena::{Plan, Tally, report};
/// let players = ["greedy", "random"].map(|name| name.parse().unwrap());
/// let tally = Tally::new(&Plan::new(players.to_vec()));
/// let summary = report::summary(&tally, None);
/// assert_eq!((&summary["a"], &summary["wins"]), (&"greedy".into(), &0.into()));
/// ```
pub fn summary(tally: &Tally, trial: Option<&Trial>) -> Value {
    let plan = tally.plan();
    let pairs: Vec<Value> = tally
        .pairings()
        .iter()
        .zip(tally.standings())
        .map(|(&(a, b), standing)| {
            pair(&plan.players[a].to_string(), &plan.players[b].to_string(), standing)
        })
        .collect();
    let players: Vec<Value> = tally
        .table()
        .iter()
        .map(|row| {
            json!({
                "name": plan.players[row.player].to_string(),
                "points": row.points, "games": row.games,
                "given_away": tally.given_away()[row.player],
                "elo": rounded(row.rating.elo), "elo_margin": rounded(row.rating.margin),
            })
        })
        .collect();
    let mut summary = match &pairs[..] {
        [only] => only.clone(),
        _ => json!({ "games": tally.games() }),
    };
    summary["players"] = players.into();
    summary["pairings"] = pairs.into();
    let [white, _, black] = tally.by_color();
    summary["endings"] = json!(tally.endings());
    summary["different_games"] = json!(tally.different_games());
    summary["white_wins"] = json!(white);
    summary["black_wins"] = json!(black);
    summary["plies_per_game"] = rounded(tally.plies_per_game());
    summary["tries_per_move"] = rounded(tally.tries_per_move());
    summary["ruleset"] = json!(plan.ruleset.to_string());
    summary["control"] = json!(plan.control.to_string());
    summary["opening_plies"] = json!(plan.opening_plies);
    summary["seed"] = json!(plan.seed);
    if let Some(trial) = trial {
        let (low, high) = trial.sprt().bounds();
        summary["sprt"] = json!({
            "test": trial.sprt().to_string(),
            "llr": rounded(trial.llr()),
            "bounds": [rounded(low), rounded(high)],
            "verdict": trial.verdict().map(|verdict| verdict.to_string()),
        });
    }
    summary
}

fn pair(a: &str, b: &str, standing: &Standing) -> Value {
    let [wins, draws, losses] = standing.counts();
    let (low, high) = standing.interval();
    let (elo_low, elo_high) = standing.elo_interval();
    json!({
        "a": a, "b": b, "games": standing.games(),
        "wins": wins, "draws": draws, "losses": losses,
        "score": rounded(standing.share()),
        "score_interval": [rounded(low), rounded(high)],
        "elo": rounded(standing.elo()),
        "elo_interval": [rounded(elo_low), rounded(elo_high)],
        "superiority": rounded(standing.likelihood_of_superiority()),
        "pairs": standing.pentanomial(),
    })
}

/// Six digits after the point: more would differ from machine to machine, and mean nothing.
fn rounded(number: f64) -> Value {
    let rounded = (number * 1e6).round() / 1e6 + 0.0;
    if rounded.is_finite() { json!(rounded) } else { Value::Null }
}
