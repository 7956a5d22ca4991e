//! A contest as one line of JSON.

use serde_json::{Value, json};

use crate::statistics::Standing;
use crate::tally::{Tally, Trial};

/// A contest in numbers: for a match, one player's score against the other; for a tournament, the same for each
/// pairing, and ratings. Numbers that are infinite are `null`.
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
    let mut summary = match <[Value; 1]>::try_from(pairs) {
        Ok([only]) => only,
        Err(pairs) => {
            let ratings = tally.ratings();
            let players: Vec<Value> = plan
                .players
                .iter()
                .zip(&ratings.players)
                .enumerate()
                .map(|(at, (name, rating))| {
                    let (points, games) = tally.points_of(at);
                    json!({
                        "name": name.to_string(), "points": points, "games": games,
                        "elo": rounded(rating.elo), "elo_margin": rounded(rating.margin),
                    })
                })
                .collect();
            json!({ "players": players, "pairings": pairs })
        }
    };
    let [white, _, black] = tally.by_color();
    summary["endings"] = json!(tally.endings());
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
