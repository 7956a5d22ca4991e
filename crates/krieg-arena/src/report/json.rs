//! The result of a tournament as one JSON object.

use krieg_stats::MatchScore;
use serde_json::{Value, json};

use crate::scoreboard::Scoreboard;
use crate::sequential_test::SequentialTest;

/// The result of a tournament: the players by rating and the score of each pairing. If there is
/// only one pairing, its fields are also at the top level. Infinite numbers are `null`.
///
/// ```
/// use krieg_arena::{Scoreboard, Tournament, report};
/// let players = ["greedy", "random"].map(|name| name.parse().unwrap());
/// let scoreboard = Scoreboard::new(&Tournament::new(players.to_vec()));
/// let result = report::result_json(&scoreboard, None);
/// assert_eq!((&result["a"], &result["wins"]), (&"greedy".into(), &0.into()));
/// ```
pub fn result_json(scoreboard: &Scoreboard, test: Option<&SequentialTest>) -> Value {
    let tournament = scoreboard.tournament();
    let pairings: Vec<Value> = scoreboard
        .pairings()
        .iter()
        .zip(scoreboard.standings())
        .map(|(&(a, b), standing)| {
            let [a, b] = [a, b].map(|player| tournament.players[player].to_string());
            pairing_json(&a, &b, standing)
        })
        .collect();
    let is_timed = tournament.control.is_timed();
    let players: Vec<Value> = scoreboard
        .crosstable()
        .iter()
        .map(|row| {
            let mut player = json!({
                "name": tournament.players[row.player].to_string(),
                "points": row.points, "games": row.games,
                "unconverted_leads": scoreboard.unconverted_leads()[row.player],
                "elo": rounded(row.rating.elo), "elo_margin": rounded(row.rating.margin),
            });
            if is_timed {
                player["lost_on_time"] = json!(scoreboard.lost_on_time()[row.player]);
            }
            player
        })
        .collect();
    let mut result = match &pairings[..] {
        [only] => only.clone(),
        _ => json!({ "games": scoreboard.games() }),
    };
    result["players"] = players.into();
    result["pairings"] = pairings.into();
    let [white, _, black] = scoreboard.wins_by_color();
    result["endings"] = json!(scoreboard.endings());
    result["different_games"] = json!(scoreboard.different_games());
    result["white_wins"] = json!(white);
    result["black_wins"] = json!(black);
    result["plies_per_game"] = rounded(scoreboard.plies_per_game());
    result["tries_per_move"] = rounded(scoreboard.tries_per_move());
    result["ruleset"] = json!(tournament.ruleset.to_string());
    result["control"] = json!(tournament.control.to_string());
    if is_timed {
        result["time_margin_ms"] = json!(tournament.time_margin.as_millis() as u64);
        result["processor_wait_share"] = rounded(scoreboard.processor_wait_share());
    }
    result["opening_plies"] = json!(tournament.opening_plies);
    result["seed"] = json!(tournament.seed);
    if let Some(test) = test {
        let (low, high) = test.sprt().bounds();
        result["sprt"] = json!({
            "test": test.sprt().to_string(),
            "llr": rounded(test.llr()),
            "bounds": [rounded(low), rounded(high)],
            "verdict": test.verdict().map(|verdict| verdict.to_string()),
        });
    }
    result
}

fn pairing_json(a: &str, b: &str, standing: &MatchScore) -> Value {
    let [wins, draws, losses] = standing.counts();
    let (low, high) = standing.score_interval();
    let (elo_low, elo_high) = standing.elo_interval();
    json!({
        "a": a, "b": b, "games": standing.games(),
        "wins": wins, "draws": draws, "losses": losses,
        "score": rounded(standing.score()),
        "score_interval": [rounded(low), rounded(high)],
        "elo": rounded(standing.elo()),
        "elo_interval": [rounded(elo_low), rounded(elo_high)],
        "superiority": rounded(standing.likelihood_of_superiority()),
        "pairs": standing.pentanomial(),
    })
}

/// Six decimals: further digits differ between machines and have no meaning.
fn rounded(number: f64) -> Value {
    let rounded = (number * 1e6).round() / 1e6 + 0.0;
    if rounded.is_finite() { json!(rounded) } else { Value::Null }
}
