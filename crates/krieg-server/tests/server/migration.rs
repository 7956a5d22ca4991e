//! Databases of earlier versions.

use crate::common::{TestServer, without_limits};
use serde_json::json;

#[tokio::test]
async fn running_game_of_version_1_resumes() {
    let data = tempfile::tempdir().unwrap();
    let file = rusqlite::Connection::open(data.path().join("krieg.sqlite")).unwrap();
    file.execute_batch(include_str!("../../src/store/fixtures/version_1.sql")).unwrap();
    drop(file);
    let config = without_limits(data.path().to_path_buf());
    let server = TestServer::open_with(data, config).await;

    let mut ann = server.anonymous();
    ann.token = Some("token".to_string());
    assert_eq!(ann.get("/api/me").await.1["user"]["name"], "Ann");
    let (_, state) = ann.get("/api/games/third/state").await;
    let texts: Vec<_> = state["log"].as_array().unwrap().iter().map(|it| &it["text"]).collect();
    assert_eq!(
        texts,
        ["White to move. No pawn tries.", "Illegal.", "White moved. No pawn tries."],
        "{state}"
    );
    assert_eq!((&state["offer"], &state["guesses"]), (&json!("white"), &json!({ "e5": "p" })));
    let (_, summary) = ann.get("/api/games/second").await;
    assert_eq!(summary["game"]["status"], "cancelled");
    let (_, games) = ann.get("/api/games").await;
    assert_eq!(games["games"].as_array().unwrap().len(), 2, "cancelled games are not listed");
    let (_, first) = ann.get("/api/games/first/state").await;
    assert_eq!(first["rematch"], json!({ "game": "second" }));
}
