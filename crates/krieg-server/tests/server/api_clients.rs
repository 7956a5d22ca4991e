//! Programs of other authors: the documentation is complete, and the example in Python plays.

use std::collections::BTreeSet;
use std::process::Command;

use crate::common::TestServer;

/// Every request that `docs/api.md` names in its tables.
fn documented_requests() -> BTreeSet<(String, String)> {
    let page = include_str!("../../../../docs/api.md");
    let mut requests = BTreeSet::new();
    for code in page.split('`').skip(1).step_by(2) {
        let Some((method, path)) = code.split_once(' ') else { continue };
        let path = path.split('?').next().unwrap_or_default().replace("/ID", "/{id}");
        if ["GET", "POST", "DELETE"].contains(&method) && path.starts_with("/api/") {
            requests.insert((method.to_lowercase(), path));
        }
    }
    requests
}

#[tokio::test]
async fn documentation_and_openapi_document_name_the_same_requests() {
    let server = TestServer::open().await;
    let (status, document) = server.anonymous().get("/api/openapi.json").await;
    assert_eq!(status, 200);
    let mut in_document = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            in_document.insert((method.clone(), path.clone()));
        }
    }
    // The page mentions the second request for analyses in the line of the first.
    let mut documented = documented_requests();
    documented.insert(("get".into(), "/api/games/{id}/analysis".into()));
    let missing: Vec<_> = in_document.symmetric_difference(&documented).collect();
    assert!(missing.is_empty(), "in one and not in the other: {missing:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn python_example_plays_whole_games() {
    let server = TestServer::open().await;
    for ruleset in ["icc", "english"] {
        let address = format!("http://{}", server.address);
        let played = tokio::task::spawn_blocking(move || {
            let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/web_bot.py");
            let options = ["--bot", "semi-random", "--ms", "10", "--seed", "7"];
            Command::new("python3")
                .args([example, "--server", &address, "--ruleset", ruleset])
                .args(options)
                .output()
                .expect("python3 is installed")
        });
        let played = played.await.unwrap();
        let output = String::from_utf8_lossy(&played.stdout).into_owned();
        let errors = String::from_utf8_lossy(&played.stderr);
        assert!(played.status.success(), "{ruleset}: {errors}\n{output}");
        assert!(output.trim_end().lines().last().unwrap().contains("I was"), "{output}");
    }
}
