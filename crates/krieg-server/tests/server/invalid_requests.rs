//! Malformed, unauthorized and excessive requests get an error and change nothing.

use crate::common::{TestServer, two_players, without_limits};
use futures_util::SinkExt;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

async fn state_without_clock(client: &crate::common::Client, game: &str) -> Value {
    let mut state = client.get(&format!("/api/games/{game}/state")).await.1;
    state["clock"] = Value::Null;
    state
}

#[tokio::test]
async fn malformed_message_is_answered_and_changes_nothing() {
    let server = TestServer::open().await;
    let (game, [ann, bob]) = two_players(&server, json!({})).await;
    let mut white = ann.connect(&game).await;
    let mut black = bob.connect(&game).await;
    white.receive().await;
    let before = state_without_clock(&ann, &game).await;
    let long = format!("{{\"action\":\"{}\"}}", "x".repeat(10_000));
    for (sent, code) in [
        ("", "bad-request"),
        ("e2e4", "bad-request"),
        ("[]", "bad-request"),
        ("{}", "bad-request"),
        ("{\"action\":\"try\"}", "bad-request"),
        ("{\"action\":\"try\",\"try\":\"e9e4\"}", "bad-request"),
        ("{\"action\":\"try\",\"try\":5}", "bad-request"),
        ("{\"action\":\"try\",\"try\":\"e2e4\",\"as\":\"black\"}", "bad-request"),
        ("{\"action\":\"resign\",\"try\":\"e2e4\"}", "bad-request"),
        ("{\"action\":\"fly\"}", "bad-request"),
        ("{\"action\":\"guesses\",\"guesses\":{\"z9\":\"q\"}}", "bad-request"),
        ("{\"action\":\"accept\"}", "not-now"),
        ("{\"action\":\"decline\"}", "not-now"),
        ("{\"action\":\"rematch\"}", "not-now"),
        (long.as_str(), "too-large"),
    ] {
        white.stream.send(Message::text(sent)).await.unwrap();
        let reply = white.receive_type("error").await;
        assert_eq!(reply["code"], code, "{sent}: {reply}");
    }
    white.stream.send(Message::binary(vec![0, 159, 146, 150])).await.unwrap();
    assert_eq!(white.receive_type("error").await["code"], "bad-request");
    assert_eq!(state_without_clock(&ann, &game).await, before);
    // The connection is still usable.
    assert_eq!(white.try_move("e2e4").await["type"], "observation");
    assert_eq!(black.receive_type("observation").await["observation"]["n"], 1);
}

#[tokio::test]
async fn oversized_frame_closes_only_its_own_connection() {
    let server = TestServer::open().await;
    let (game, [ann, bob]) = two_players(&server, json!({})).await;
    let mut white = ann.connect(&game).await;
    let mut black = bob.connect(&game).await;
    white.receive().await;
    let _ = white.stream.send(Message::text("x".repeat(1_000_000))).await;
    while white.receive_or_end().await.is_some() {}
    let mut second = ann.connect(&game).await;
    second.receive().await;
    assert_eq!(second.try_move("e2e4").await["type"], "observation");
    assert_eq!(black.receive_type("observation").await["observation"]["n"], 1);
}

#[tokio::test]
async fn other_users_can_neither_see_nor_change_a_game() {
    let server = TestServer::open().await;
    let (game, [ann, _]) = two_players(&server, json!({ "coach": true })).await;
    ann.post(&format!("/api/games/{game}/actions"), json!({ "action": "try", "try": "e2e4" }))
        .await;
    let before = state_without_clock(&ann, &game).await;
    let eve = server.guest("Eve").await;
    for client in [server.anonymous(), eve.clone()] {
        for what in ["state", "coach", "pgn", "review", "analysis"] {
            let (status, body) = client.get(&format!("/api/games/{game}/{what}")).await;
            assert!([401, 403].contains(&status), "{what}: {status} {body}");
            assert!(!body.to_string().contains("e2e4"), "{body}");
        }
        for what in ["try", "resign", "offer", "rematch"] {
            let mut action = json!({ "action": what });
            if what == "try" {
                action["try"] = "e7e5".into();
            }
            let (status, _) = client.post(&format!("/api/games/{game}/actions"), action).await;
            assert!([400, 401, 403].contains(&status), "{what}: {status}");
        }
        assert!(client.try_connect(&game).await.is_err());
        let (status, _, _) =
            client.request("DELETE", &format!("/api/games/{game}"), &[], b"").await;
        assert!([401, 403].contains(&status), "{status}");
        let (status, summary) = client.get(&format!("/api/games/{game}")).await;
        assert_eq!(status, 200);
        assert!(!summary.to_string().contains("e2e4"), "{summary}");
    }
    assert_eq!(state_without_clock(&ann, &game).await, before);
    for unknown in ["nosuchgame", "%00", "..%2f..", "'%20OR%201=1"] {
        assert_eq!(eve.get(&format!("/api/games/{unknown}/state")).await.0, 404, "{unknown}");
    }
}

#[tokio::test]
async fn requests_from_other_sites_are_rejected() {
    let server = TestServer::open().await;
    let (game, [ann, _]) = two_players(&server, json!({})).await;
    let path = format!("/api/games/{game}/actions");
    let body = json!({ "action": "resign" }).to_string();
    let headers = [("Origin", "https://elsewhere.example"), ("Content-Type", "application/json")];
    let (status, _, body_text) = ann.request("POST", &path, &headers, body.as_bytes()).await;
    assert_eq!(status, 403);
    assert!(body_text.contains("foreign-origin"), "{body_text}");
    // Forms cannot send the content type of JSON, and bodies of other types are rejected.
    let headers = [("Content-Type", "text/plain")];
    assert_eq!(ann.request("POST", &path, &headers, body.as_bytes()).await.0, 400);
    let own = format!("http://{}", server.address);
    let headers = [("Origin", own.as_str()), ("Content-Type", "application/json")];
    assert_eq!(ann.request("POST", &path, &headers, body.as_bytes()).await.0, 200);
}

#[tokio::test]
async fn expired_and_forged_tokens_are_rejected() {
    let server = TestServer::open().await;
    let ann = server.guest("Ann").await;
    assert_eq!(ann.get("/api/me").await.1["user"]["name"], "Ann");
    ann.post("/api/logout", json!({})).await;
    assert_eq!(ann.get("/api/me").await.1["user"], Value::Null, "the session has ended");
    let forged = crate::common::Client { token: Some("a".repeat(40)), ..server.anonymous() };
    assert_eq!(forged.get("/api/me").await.1["user"], Value::Null);
    let game = json!({ "opponent": { "kind": "lobby" } });
    assert_eq!(forged.post("/api/games", game).await.0, 401);
}

#[tokio::test]
async fn accounts_are_stored_and_protected() {
    let server = TestServer::open().await;
    let ann = server.guest("Ann").await;
    let credentials = json!({ "name": "Ann", "password": "correct horse" });
    assert_eq!(
        ann.post("/api/register", credentials.clone()).await.0,
        200,
        "a guest becomes an account"
    );
    let anonymous = server.anonymous();
    let (status, _, _) = anonymous
        .request(
            "POST",
            "/api/login",
            &[("Content-Type", "application/json")],
            credentials.to_string().as_bytes(),
        )
        .await;
    assert_eq!(status, 200);
    let headers = anonymous
        .request(
            "POST",
            "/api/login",
            &[("Content-Type", "application/json")],
            credentials.to_string().as_bytes(),
        )
        .await
        .1
        .to_lowercase();
    assert!(headers.contains("httponly") && headers.contains("samesite=strict"), "{headers}");
    for (name, password) in [("Ann", "wrong horse"), ("Zoe", "correct horse"), ("Ann", "")] {
        let (status, answer) =
            anonymous.post("/api/login", json!({ "name": name, "password": password })).await;
        assert_eq!((status, &answer["error"]["code"]), (401, &json!("wrong-password")), "{name}");
    }
    let wrong = [
        ("Bob", "short"),
        ("<b>", "long enough"),
        ("x", "long enough"),
        ("Ann\u{3164}", "long enough"),
    ];
    for (name, password) in wrong {
        let (status, _) =
            anonymous.post("/api/register", json!({ "name": name, "password": password })).await;
        assert_eq!(status, 400, "{name}");
    }
    for name in ["ann", " ANN "] {
        let taken = json!({ "name": name, "password": "another horse" });
        assert_eq!(anonymous.post("/api/register", taken).await.1["error"]["code"], "name-taken");
    }
    assert_eq!(ann.get("/api/me").await.1["user"], Value::Null, "the guest's session has ended");
    let file = std::fs::read(server.data.path().join("krieg.sqlite")).unwrap();
    let wal = std::fs::read(server.data.path().join("krieg.sqlite-wal")).unwrap_or_default();
    let holds = |needle: &str| {
        [&file, &wal]
            .iter()
            .any(|bytes| bytes.windows(needle.len()).any(|w| w == needle.as_bytes()))
    };
    assert!(holds("argon2id"), "the password is hashed");
    assert!(!holds("correct horse"), "the password itself is not stored");
    assert!(!holds(ann.token.as_deref().unwrap()), "the token itself is not stored");
}

#[tokio::test]
async fn excessive_requests_are_rejected() {
    let data = tempfile::tempdir().unwrap();
    let config = without_limits(data.path().to_path_buf());
    let config =
        krieg_server::ServerConfig { sign_ups: (3, 1), actions: (5, 1), sockets: 2, ..config };
    let server = TestServer::open_with(data, config).await;
    let (game, [ann, _]) = two_players(&server, json!({})).await;
    let mut white = ann.connect(&game).await;
    white.receive().await;
    let mut codes = Vec::new();
    for _ in 0..8 {
        codes.push(white.try_move("e2e5").await["code"].clone());
    }
    assert_eq!(codes[0], Value::Null, "a refused try is not an error");
    assert_eq!(codes[7], "rate-limited");
    let _second = ann.connect(&game).await;
    assert!(ann.try_connect(&game).await.is_err(), "two sockets are the maximum");
    let _third = server.guest("Cat").await;
    let (status, _) = server.anonymous().post("/api/guest", json!({ "name": "Dan" })).await;
    assert_eq!(status, 429);
}

#[tokio::test]
async fn invalid_request_is_rejected_with_a_reason() {
    let server = TestServer::open().await;
    let ann = server.guest("Ann").await;
    let bot =
        |name: &str, ms: i64| json!({ "opponent": { "kind": "bot", "name": name, "ms": ms } });
    let mut wrong = vec![
        bot("engine(cmd=\"touch /tmp/x\")", 100),
        bot("marshal(opponents=/etc/passwd)", 100),
        bot("marshal(memory=/tmp/x)", 100),
        bot("no-such-bot", 100),
        bot("random", 0),
        bot("random", 10_000_000),
        json!({}),
        json!({ "opponent": { "kind": "lobby" }, "ruleset": "chess" }),
        json!({ "opponent": { "kind": "lobby" }, "control": "soon" }),
        json!({ "opponent": { "kind": "lobby" }, "control": "5000n" }),
        json!({ "opponent": { "kind": "lobby" }, "color": "red" }),
        json!({ "opponent": { "kind": "lobby" }, "fen": "8/8/8/8/8/8/8/8 w - - 0 1" }),
        json!({ "opponent": { "kind": "lobby" }, "fen": "4k3/8/8/8/8/8/8/4K3 w - - 0 1" }),
        json!({ "opponent": { "kind": "lobby" }, "surprise": true }),
    ];
    wrong.push(json!("text"));
    for game in wrong {
        let (status, answer) = ann.post("/api/games", game.clone()).await;
        assert_eq!((status, &answer["error"]["code"]), (400, &json!("bad-request")), "{game}");
        assert!(!answer["error"]["message"].as_str().unwrap().is_empty());
    }
    for path in [
        "/api/games?status=lost",
        "/api/games?limit=x",
        "/api/games?colour=red",
        "/api/ratings?ruleset=x",
    ] {
        assert_eq!(ann.get(path).await.0, 400, "{path}");
    }
    let huge = "x".repeat(2_000_000);
    let (status, _, _) = ann.request("POST", "/api/uploads", &[], huge.as_bytes()).await;
    assert!([0, 413].contains(&status), "{status}: neither closed nor rejected");
    let (status, _, _) = ann.request("POST", "/api/uploads", &[], &[0xff, 0xfe, 0x00]).await;
    assert_eq!(status, 400);
    for path in
        ["/web/../Cargo.toml", "/web/%2e%2e/Cargo.toml", "/web/README.md", "/nothing", "/metrics"]
    {
        let (status, page) = ann.get(path).await;
        assert_eq!(status, 404, "{path}");
        assert!(!page.to_string().contains("[workspace]"), "{path}");
    }
    assert_eq!(ann.get("/api/games").await.1["games"], json!([]), "no game was created");
}
