//! For programs of others: what is written about the requests is so, and the example plays.

use std::collections::BTreeSet;
use std::process::Command;

use crate::common::House;

/// Every request that `docs/api.md` names in its tables.
fn requests_in_the_docs() -> BTreeSet<(String, String)> {
    let page = include_str!("../../../../docs/api.md");
    let mut found = BTreeSet::new();
    for code in page.split('`').skip(1).step_by(2) {
        let Some((method, path)) = code.split_once(' ') else { continue };
        let path = path.split('?').next().unwrap_or_default().replace("/ID", "/{id}");
        if ["GET", "POST", "DELETE"].contains(&method) && path.starts_with("/api/") {
            found.insert((method.to_lowercase(), path));
        }
    }
    found
}

#[tokio::test]
async fn the_page_and_the_document_name_the_same_requests() {
    let house = House::open().await;
    let (status, document) = house.stranger().get("/api/openapi.json").await;
    assert_eq!(status, 200);
    let mut described = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            described.insert((method.clone(), path.clone()));
        }
    }
    // The page tells of both ways to ask for an analysis in one line.
    let mut told = requests_in_the_docs();
    told.insert(("get".into(), "/api/games/{id}/analysis".into()));
    let missing: Vec<_> = described.symmetric_difference(&told).collect();
    assert!(missing.is_empty(), "in one and not in the other: {missing:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_example_in_python_plays_games_to_their_ends() {
    let house = House::open().await;
    for ruleset in ["icc", "english"] {
        let server = format!("http://{}", house.address);
        let played = tokio::task::spawn_blocking(move || {
            let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/web_bot.py");
            let options = ["--bot", "semi-random", "--ms", "10", "--seed", "7"];
            Command::new("python3")
                .args([example, "--server", &server, "--ruleset", ruleset])
                .args(options)
                .output()
                .expect("there is a python3")
        });
        let played = played.await.unwrap();
        let told = String::from_utf8_lossy(&played.stdout).into_owned();
        let complaints = String::from_utf8_lossy(&played.stderr);
        assert!(played.status.success(), "{ruleset}: {complaints}\n{told}");
        assert!(told.trim_end().lines().last().unwrap().contains("I was"), "{told}");
    }
}
