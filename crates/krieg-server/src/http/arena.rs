//! Tables of matches among bots: the house's own, and those in the server's folder.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::App;

/// Tables of matches.
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

/// What a table needs of the arena's report (`report.json` of `krieg tournament --out`).
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

/// The round robin that is kept with the code.
const HOUSE: &str = include_str!("../../../../benches/runs/2026-11-15-round-robin.json");

/// How strong are the bots?
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
    let mut texts = vec![("Round robin of the house".to_string(), HOUSE.to_string())];
    texts.extend(found.await.unwrap_or_default());
    Json(Tables { tables: texts.iter().filter_map(|(title, text)| table(title, text)).collect() })
}

/// A report as a table; nothing, if it is none.
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
    fn the_house_has_a_table() {
        let table = table("Round robin", HOUSE).unwrap();
        assert_eq!(table.rows.len(), 8);
        assert_eq!(table.rows[0][1], "ismcts");
        assert!(super::table("none", "{}").is_none());
    }
}
