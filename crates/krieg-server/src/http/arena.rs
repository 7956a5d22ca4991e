//! Tables of matches between bots: the one in the repository, and those in the data folder.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::App;

/// Tables of bot matches.
#[derive(Serialize, ToSchema)]
pub struct Tables {
    tables: Vec<Table>,
}

#[derive(Serialize, ToSchema)]
struct Table {
    title: String,
    columns: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

/// The fields of a result that a table shows (`result.json` of `krieg tournament --out`).
#[derive(Deserialize)]
struct Report {
    games: u64,
    players: Vec<Standing>,
    ruleset: String,
    control: String,
}

#[derive(Deserialize)]
struct Standing {
    name: String,
    points: f64,
    games: u64,
    elo: f64,
    elo_margin: f64,
}

/// A round robin of the built-in players.
const ROUND_ROBIN: &str = include_str!("../../../../benches/runs/2026-11-15-round-robin.json");

/// Tables of bot matches.
#[utoipa::path(get, path = "/api/arena", responses((status = 200, body = Tables)))]
pub async fn tables(State(app): State<App>) -> Json<Tables> {
    let folder = app.config.data.join("arena");
    let found = tokio::task::spawn_blocking(move || {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        let read = |path: std::path::PathBuf| {
            let title = path.file_stem()?.to_string_lossy().into_owned();
            Some((title, std::fs::read_to_string(&path).ok()?))
        };
        paths.into_iter().filter_map(read).collect::<Vec<_>>()
    });
    let mut texts = vec![("Round robin of the bots".to_string(), ROUND_ROBIN.to_string())];
    texts.extend(found.await.unwrap_or_default());
    Json(Tables { tables: texts.iter().filter_map(|(title, text)| table(title, text)).collect() })
}

/// The table of a report; `None` if the text is not a report.
fn table(title: &str, text: &str) -> Option<Table> {
    let report: Report = serde_json::from_str(text).ok()?;
    let row = |(place, player): (usize, &Standing)| {
        vec![
            (place + 1).to_string(),
            player.name.clone(),
            format!("{:+.0} ± {:.0}", player.elo, player.elo_margin),
            format!("{:.1}%", 100.0 * player.points / player.games.max(1) as f64),
            player.games.to_string(),
        ]
    };
    Some(Table {
        title: format!("{title}: {}, {}, {} games", report.ruleset, report.control, report.games),
        columns: vec!["", "player", "Elo", "score", "games"],
        rows: report.players.iter().enumerate().map(row).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_robin_has_a_table_and_other_json_has_none() {
        let table = table("Round robin", ROUND_ROBIN).unwrap();
        assert_eq!(table.rows.len(), 8);
        assert_eq!(table.rows[0][1], "ismcts");
        assert!(super::table("none", "{}").is_none());
    }
}
