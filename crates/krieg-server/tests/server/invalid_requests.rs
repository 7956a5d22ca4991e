//! What hostile and clumsy people send: a clear error, nobody else harmed, nothing written.

use crate::common::{House, generous, two_people};
use futures_util::SinkExt;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

async fn table(person: &crate::common::User, game: &str) -> Value {
    let mut table = person.get(&format!("/api/games/{game}/state")).await.1;
    table["clock"] = Value::Null;
    table
}

#[tokio::test]
async fn messages_that_are_none_are_answered_and_harm_nothing() {
    let house = House::open().await;
    let (game, [ann, bob]) = two_people(&house, json!({})).await;
    let mut white = ann.sit(&game).await;
    let mut black = bob.sit(&game).await;
    white.hear().await;
    let before = table(&ann, &game).await;
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
        let answer = white.hear_a("error").await;
        assert_eq!(answer["code"], code, "{sent}: {answer}");
    }
    white.stream.send(Message::binary(vec![0, 159, 146, 150])).await.unwrap();
    assert_eq!(white.hear_a("error").await["code"], "bad-request");
    assert_eq!(table(&ann, &game).await, before);
    // The same connection is still good for a try.
    assert_eq!(white.try_it("e2e4").await["type"], "observation");
    assert_eq!(black.hear_a("observation").await["observation"]["n"], 1);
}

#[tokio::test]
async fn a_frame_far_too_long_ends_its_connection_and_no_other() {
    let house = House::open().await;
    let (game, [ann, bob]) = two_people(&house, json!({})).await;
    let mut white = ann.sit(&game).await;
    let mut black = bob.sit(&game).await;
    white.hear().await;
    let _ = white.stream.send(Message::text("x".repeat(1_000_000))).await;
    while white.hear_or_end().await.is_some() {}
    let mut again = ann.sit(&game).await;
    again.hear().await;
    assert_eq!(again.try_it("e2e4").await["type"], "observation");
    assert_eq!(black.hear_a("observation").await["observation"]["n"], 1);
}

#[tokio::test]
async fn a_foreign_game_is_neither_seen_nor_touched() {
    let house = House::open().await;
    let (game, [ann, _]) = two_people(&house, json!({ "coach": true })).await;
    ann.post(&format!("/api/games/{game}/actions"), json!({ "action": "try", "try": "e2e4" }))
        .await;
    let before = table(&ann, &game).await;
    let eve = house.guest("Eve").await;
    for person in [house.stranger(), eve.clone()] {
        for what in ["state", "coach", "pgn", "review", "analysis"] {
            let (status, body) = person.get(&format!("/api/games/{game}/{what}")).await;
            assert!([401, 403].contains(&status), "{what}: {status} {body}");
            assert!(!body.to_string().contains("e2e4"), "{body}");
        }
        for what in ["try", "resign", "offer", "rematch"] {
            let action = json!({ "action": what, "try": if what == "try" { json!("e7e5") } else { Value::Null } });
            let (status, _) = person.post(&format!("/api/games/{game}/actions"), action).await;
            assert!([400, 401, 403].contains(&status), "{what}: {status}");
        }
        assert!(person.try_to_sit(&game).await.is_err());
        let (status, _, _) = person.send("DELETE", &format!("/api/games/{game}"), &[], b"").await;
        assert!([401, 403].contains(&status), "{status}");
        let (status, summary) = person.get(&format!("/api/games/{game}")).await;
        assert_eq!(status, 200);
        assert!(!summary.to_string().contains("e2e4"), "{summary}");
    }
    assert_eq!(table(&ann, &game).await, before);
    for unknown in ["nosuchgame", "%00", "..%2f..", "'%20OR%201=1"] {
        assert_eq!(eve.get(&format!("/api/games/{unknown}/state")).await.0, 404, "{unknown}");
    }
}

#[tokio::test]
async fn a_page_of_another_site_can_do_nothing() {
    let house = House::open().await;
    let (game, [ann, _]) = two_people(&house, json!({})).await;
    let path = format!("/api/games/{game}/actions");
    let body = json!({ "action": "resign" }).to_string();
    let headers = [("Origin", "https://elsewhere.example"), ("Content-Type", "application/json")];
    let (status, _, answer) = ann.send("POST", &path, &headers, body.as_bytes()).await;
    assert_eq!(status, 403);
    assert!(answer.contains("foreign-origin"), "{answer}");
    // A form cannot say that it sends JSON, and is not believed if it does not.
    let headers = [("Content-Type", "text/plain")];
    assert_eq!(ann.send("POST", &path, &headers, body.as_bytes()).await.0, 400);
    let own = format!("http://{}", house.address);
    let headers = [("Origin", own.as_str()), ("Content-Type", "application/json")];
    assert_eq!(ann.send("POST", &path, &headers, body.as_bytes()).await.0, 200);
}

#[tokio::test]
async fn tokens_that_are_over_or_made_up_open_nothing() {
    let house = House::open().await;
    let ann = house.guest("Ann").await;
    assert_eq!(ann.get("/api/me").await.1["user"]["name"], "Ann");
    ann.post("/api/logout", json!({})).await;
    assert_eq!(ann.get("/api/me").await.1["user"], Value::Null, "the token is used up");
    let forged = crate::common::User { token: Some("a".repeat(40)), ..house.stranger() };
    assert_eq!(forged.get("/api/me").await.1["user"], Value::Null);
    let game = json!({ "opponent": { "kind": "lobby" } });
    assert_eq!(forged.post("/api/games", game).await.0, 401);
}

#[tokio::test]
async fn accounts_are_kept_and_guarded() {
    let house = House::open().await;
    let ann = house.guest("Ann").await;
    let secret = json!({ "name": "Ann", "password": "correct horse" });
    assert_eq!(
        ann.post("/api/register", secret.clone()).await.0,
        200,
        "a guest becomes an account"
    );
    let stranger = house.stranger();
    let (status, _, _) = stranger
        .send(
            "POST",
            "/api/login",
            &[("Content-Type", "application/json")],
            secret.to_string().as_bytes(),
        )
        .await;
    assert_eq!(status, 200);
    let headers = stranger
        .send(
            "POST",
            "/api/login",
            &[("Content-Type", "application/json")],
            secret.to_string().as_bytes(),
        )
        .await
        .1
        .to_lowercase();
    assert!(headers.contains("httponly") && headers.contains("samesite=strict"), "{headers}");
    for (name, password) in [("Ann", "wrong horse"), ("Nobody", "correct horse"), ("Ann", "")] {
        let (status, answer) =
            stranger.post("/api/login", json!({ "name": name, "password": password })).await;
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
            stranger.post("/api/register", json!({ "name": name, "password": password })).await;
        assert_eq!(status, 400, "{name}");
    }
    for name in ["ann", " ANN "] {
        let taken = json!({ "name": name, "password": "another horse" });
        assert_eq!(stranger.post("/api/register", taken).await.1["error"]["code"], "name-taken");
    }
    assert_eq!(ann.get("/api/me").await.1["user"], Value::Null, "a guest's token is no account's");
    let file = std::fs::read(house.data.path().join("krieg.sqlite")).unwrap();
    let wal = std::fs::read(house.data.path().join("krieg.sqlite-wal")).unwrap_or_default();
    let holds = |needle: &str| {
        [&file, &wal]
            .iter()
            .any(|bytes| bytes.windows(needle.len()).any(|w| w == needle.as_bytes()))
    };
    assert!(holds("argon2id"), "passwords are hashed");
    assert!(!holds("correct horse"), "and not kept");
    assert!(!holds(ann.token.as_deref().unwrap()), "nor are tokens");
}

#[tokio::test]
async fn whoever_is_too_fast_is_told_to_be_slower() {
    let data = tempfile::tempdir().unwrap();
    let settings = generous(data.path().to_path_buf());
    let settings =
        krieg_server::ServerConfig { sign_ups: (3, 1), actions: (5, 1), sockets: 2, ..settings };
    let house = House::open_with(data, settings).await;
    let (game, [ann, _]) = two_people(&house, json!({})).await;
    let mut white = ann.sit(&game).await;
    white.hear().await;
    let mut answers = Vec::new();
    for _ in 0..8 {
        answers.push(white.try_it("e2e5").await["code"].clone());
    }
    assert_eq!(answers[0], Value::Null, "refused by the umpire, which is an answer");
    assert_eq!(answers[7], "rate-limited");
    let _second = ann.sit(&game).await;
    assert!(ann.try_to_sit(&game).await.is_err(), "two sockets are enough");
    let _third = house.guest("Cat").await;
    let (status, _) = house.stranger().post("/api/guest", json!({ "name": "Dan" })).await;
    assert_eq!(status, 429);
}

#[tokio::test]
async fn requests_that_are_none_are_refused_with_a_reason() {
    let house = House::open().await;
    let ann = house.guest("Ann").await;
    let bot =
        |name: &str, ms: i64| json!({ "opponent": { "kind": "bot", "name": name, "ms": ms } });
    let mut wrong = vec![
        bot("engine(cmd=\"touch /tmp/x\")", 100),
        bot("marshal(opponents=/etc/passwd)", 100),
        bot("marshal(memory=/tmp/x)", 100),
        bot("nobody", 100),
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
    let (status, _, _) = ann.send("POST", "/api/uploads", &[], huge.as_bytes()).await;
    assert!([0, 413].contains(&status), "{status}: cut off, or told why");
    let (status, _, _) = ann.send("POST", "/api/uploads", &[], &[0xff, 0xfe, 0x00]).await;
    assert_eq!(status, 400);
    for path in
        ["/web/../Cargo.toml", "/web/%2e%2e/Cargo.toml", "/web/README.md", "/nothing", "/metrics"]
    {
        let (status, page) = ann.get(path).await;
        assert_eq!(status, 404, "{path}");
        assert!(!page.to_string().contains("[workspace]"), "{path}");
    }
    assert_eq!(ann.get("/api/games").await.1["games"], json!([]), "nothing was begun");
}
