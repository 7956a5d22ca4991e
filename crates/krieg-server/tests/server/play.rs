//! Games between people and against bots.

use crate::common::{Client, TestServer, two_players};
use serde_json::{Value, json};
use std::time::Duration;

fn text_of(message: &Value) -> &str {
    message["observation"]["text"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn each_player_receives_only_their_own_observations() {
    let server = TestServer::open().await;
    let (game, [ann, bob]) = two_players(&server, json!({ "ruleset": "icc" })).await;
    let (mut white, mut black) = (ann.connect(&game).await, bob.connect(&game).await);
    let (state, theirs) = (white.receive().await, black.receive().await);
    assert_eq!((&state["you"], &state["type"]), (&json!("white"), &json!("state")));
    assert_eq!(theirs["view"]["pieces"], "rnbqkbnr/pppppppp/8/8/8/8/8/8");
    assert_eq!(state["log"][0]["text"], "White to move. No pawn tries.");

    // Only White hears a refused try under the ICC rules.
    let refused = white.try_move("e2e5").await;
    assert_eq!(text_of(&refused), "Illegal.");
    assert_eq!(
        (&refused["observation"]["try"], &refused["observation"]["n"]),
        (&json!("e2e5"), &json!(1))
    );
    let moved = white.try_move("e2e4").await;
    assert_eq!(
        (text_of(&moved), &moved["observation"]["name"]),
        ("White moved. No pawn tries.", &json!("e4"))
    );
    assert_eq!(moved["view"]["pieces"], "8/8/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
    let observed = black.receive_type("observation").await;
    assert_eq!(
        (observed["observation"]["n"].clone(), observed["observation"].get("try")),
        (json!(1), None)
    );

    // A try out of turn.
    let early = white.try_move("d2d4").await;
    assert_eq!(
        (&early["code"], &early["message"]),
        (&json!("not-your-turn"), &json!("It is Black's turn."))
    );

    black.try_move("d7d5").await;
    assert_eq!(text_of(&white.receive_type("observation").await), "Black moved. 1 pawn try.");
    let taken = white.try_move("e4d5").await;
    assert_eq!(text_of(&taken), "White moved. Pawn on d5 captured. No pawn tries.");

    // A draw is offered and accepted.
    black.receive_type("observation").await;
    black.send(json!({ "action": "offer" })).await;
    assert_eq!(white.receive_type("status").await["offer"], "black");
    let agreed = white.command(json!({ "action": "accept" })).await;
    assert_eq!(text_of(&agreed), "The game is over. A draw by agreement.");
    let over = black.receive_type("over").await;
    assert_eq!(
        (&over["game"]["result"], &over["game"]["ending"]),
        (&json!("1/2-1/2"), &json!("agreement"))
    );
    let (status, review) = server.anonymous().get(&format!("/api/games/{game}/review")).await;
    assert_eq!((status, review["steps"].as_array().unwrap().len()), (200, 5));
    assert_eq!(review["steps"][4]["announcement"]["verdict"], "ended");
    assert_eq!(review["end"]["text"], "A draw by agreement.");
}

#[tokio::test]
async fn game_resumes_after_a_restart() {
    let server = TestServer::open().await;
    let settings = json!({ "ruleset": "english", "control": "600+5" });
    let (game, [ann, bob]) = two_players(&server, settings).await;
    let (mut white, mut black) = (ann.connect(&game).await, bob.connect(&game).await);
    white.try_move("any?").await;
    white.try_move("e2e4").await;
    black.try_move("e7e4").await;
    black.command(json!({ "action": "guesses", "guesses": { "e4": "p", "d1": "?" } })).await;
    // The clock must lose the time between two events of a turn, so real time has to pass here. The
    // assertion below allows far more than that, for busy machines. The draw offer does not affect
    // the clock.
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    black.send(json!({ "action": "offer" })).await;
    white.receive_type("status").await;
    let knowledge = |state: &Value| {
        ["log", "view", "guesses", "offer", "you"].map(|field| state[field].clone())
    };
    let path = format!("/api/games/{game}/state");
    let before = [knowledge(&ann.get(&path).await.1), knowledge(&bob.get(&path).await.1)];

    let server = server.restart().await;
    for (client, before) in [ann, bob].into_iter().zip(before) {
        let client = Client { address: server.address, ..client };
        let mut connection = client.connect(&game).await;
        let state = connection.receive().await;
        assert_eq!(knowledge(&state), before);
        let left = state["clock"]["black_ms"].as_i64().unwrap();
        assert!((590_000..=598_800).contains(&left), "{left}");
        if state["you"] == "black" {
            assert_eq!(state["guesses"], json!({ "d1": "?", "e4": "p" }));
            let moved = connection.try_move("e7e5").await;
            assert_eq!(text_of(&moved), "Black moved.");
        }
    }
}

#[tokio::test]
async fn bot_plays_a_whole_game_under_every_ruleset() {
    let server = TestServer::open().await;
    let ann = server.guest("Ann").await;
    let (_, options) = ann.get("/api/options").await;
    let rulesets = options["rulesets"].as_array().unwrap();
    assert_eq!(rulesets.len(), 7);
    let games = rulesets.iter().map(|ruleset| {
        let ann = ann.clone();
        let bot = json!({ "kind": "bot", "name": "semi-random", "ms": 10 });
        let game =
            json!({ "ruleset": ruleset["name"], "color": "black", "rated": true, "opponent": bot });
        async move {
            let game = ann.create_game(game).await;
            let mut connection = ann.connect(&game).await;
            let mut view = connection.receive().await["view"].clone();
            for n in 0..60 {
                while view["turn"] != "black" {
                    let message = connection.receive().await;
                    if message["type"] == "observation" {
                        view = message["view"].clone();
                    }
                    if !view["end"].is_null() {
                        return;
                    }
                }
                let tries = view["tries"].as_array().unwrap();
                let tried = tries[(n * 7) % tries.len()].as_str().unwrap().to_string();
                view = connection.try_move(&tried).await["view"].clone();
            }
            connection.send(json!({ "action": "resign" })).await;
            connection.receive_type("over").await;
        }
    });
    futures_util::future::join_all(games).await;
    let (_, over) = ann.get("/api/games?status=over&mine=true&limit=100").await;
    assert_eq!(over["games"].as_array().unwrap().len(), 7);
    let (_, ratings) = ann.get("/api/ratings?ruleset=rand").await;
    assert_eq!(ratings["ratings"].as_array().unwrap().len(), 2, "both are rated: {ratings}");
}

#[tokio::test]
async fn flag_falls_without_a_request() {
    let server = TestServer::open().await;
    let (game, [ann, _]) = two_players(&server, json!({ "control": "0.3" })).await;
    let mut white = ann.connect(&game).await;
    let over = white.receive_type("over").await;
    assert_eq!((&over["game"]["ending"], &over["game"]["result"]), (&json!("flag"), &json!("0-1")));
    let late = white.try_move("e2e4").await;
    assert_eq!(late["code"], "game-over");
}

#[tokio::test]
async fn rematch_has_reversed_colours() {
    let server = TestServer::open().await;
    let (game, [ann, bob]) = two_players(&server, json!({})).await;
    let (mut white, mut black) = (ann.connect(&game).await, bob.connect(&game).await);
    assert_eq!(white.command(json!({ "action": "rematch" })).await["code"], "not-now");
    white.send(json!({ "action": "resign" })).await;
    black.receive_type("over").await;
    black.command(json!({ "action": "rematch" })).await;
    loop {
        if white.receive_type("status").await["rematch"] == json!({ "by": "black" }) {
            break;
        }
    }
    white.send(json!({ "action": "rematch" })).await;
    let status = loop {
        let status = black.receive_type("status").await;
        if status["rematch"].get("game").is_some() {
            break status;
        }
    };
    let next = status["rematch"]["game"].as_str().unwrap();
    let state = ann.connect(next).await.receive().await;
    assert_eq!((&state["you"], &state["game"]["status"]), (&json!("black"), &json!("playing")));

    // Both games are unchanged after a restart.
    let next = next.to_string();
    let server = server.restart().await;
    let ann = Client { address: server.address, ..ann };
    let (_, first) = ann.get(&format!("/api/games/{game}/state")).await;
    assert_eq!(first["rematch"], json!({ "game": next }));
    assert_eq!(ann.get(&format!("/api/games/{game}/review")).await.0, 200);
    assert_eq!(ann.get(&format!("/api/games/{next}/state")).await.1["you"], "black");
}

#[tokio::test]
async fn game_by_invitation_requires_the_token() {
    let server = TestServer::open().await;
    let [ann, bob] = [server.guest("Ann").await, server.guest("Bob").await];
    let settings = json!({ "color": "white", "opponent": { "kind": "invitation" } });
    let (_, created) = ann.post("/api/games", settings).await;
    let game = created["game"]["id"].as_str().unwrap();
    let join = format!("/api/games/{game}/join");
    let mut white = ann.connect(game).await;
    assert_eq!(white.receive().await["game"]["status"], "open");
    assert_eq!(white.try_move("e2e4").await["code"], "not-now");
    assert_eq!(bob.post(&join, json!({})).await.0, 403);
    assert_eq!(bob.post(&join, json!({ "invitation": "guess" })).await.0, 403);
    let (_, listed) = bob.get("/api/games?status=open").await;
    assert_eq!(listed["games"], json!([]), "the game is not in the lobby");
    let link = json!({ "invitation": created["invitation"] });
    assert_eq!(ann.post(&join, link.clone()).await.0, 409, "a user cannot take both seats");
    assert_eq!(bob.post(&join, link.clone()).await.0, 200);
    assert_eq!(white.receive_type("state").await["game"]["black"]["name"], "Bob");
    let eve = server.guest("Eve").await;
    assert_eq!(eve.post(&join, link).await.0, 409, "the game has no free seat");
}

#[tokio::test]
async fn coach_knows_what_the_player_knows_and_is_absent_from_rated_games_between_people() {
    let server = TestServer::open().await;
    let ann = server.guest("Ann").await;
    let bot = json!({ "kind": "bot", "name": "random", "ms": 10 });
    let game = ann.create_game(json!({ "color": "white", "coach": true, "opponent": bot })).await;
    let (status, advice) = ann.get(&format!("/api/games/{game}/coach")).await;
    assert_eq!((status, &advice["observations"], &advice["boards"]), (200, &json!(1), &json!(1)));
    assert_eq!(advice["opponent_pieces"]["e8"], json!({ "king": 1.0 }));
    assert_eq!(advice["tries"].as_array().unwrap().len(), 20);
    let eve = server.guest("Eve").await;
    assert_eq!(eve.get(&format!("/api/games/{game}/coach")).await.0, 403);
    let (rated, [cat, _]) = {
        let [cat, dan] = [server.guest("Cat").await, server.guest("Dan").await];
        let opponent = json!({ "kind": "lobby" });
        let settings =
            json!({ "color": "white", "coach": true, "rated": true, "opponent": opponent });
        let id = cat.create_game(settings).await;
        dan.post(&format!("/api/games/{id}/join"), json!({})).await;
        (id, [cat, dan])
    };
    assert_eq!(cat.get(&format!("/api/games/{rated}/coach")).await.0, 403);
}

#[tokio::test]
async fn uploaded_game_can_be_reviewed() {
    let server = TestServer::open().await;
    let ann = server.guest("Ann").await;
    let game = "[White \"Cid\"]\n[Black \"Don\"]\n[Variant \"Kriegspiel\"]\n[Ruleset \"icc\"]\n\n\
                1. e4 {P0:} 1... d5 {P1:} 2. exd5 {P0,Xd5:} {[%victim pawn]} *\n";
    let (status, _, body) = ann.request("POST", "/api/uploads", &[], game.as_bytes()).await;
    assert_eq!(status, 201, "{body}");
    let uploaded: Value = serde_json::from_str(&body).unwrap();
    let id = uploaded["game"]["id"].as_str().unwrap();
    let (_, review) = server.anonymous().get(&format!("/api/games/{id}/review")).await;
    assert_eq!(review["game"]["white"]["name"], "Cid");
    assert_eq!(review["steps"][2]["text"], "White moved. Pawn on d5 captured. No pawn tries.");
    let (_, found) = ann.get("/api/games?player=don").await;
    assert_eq!(found["games"][0]["id"], id);
    let wrong = game.replace("exd5", "exd6");
    let (status, _, body) = ann.request("POST", "/api/uploads", &[], wrong.as_bytes()).await;
    assert_eq!(status, 400);
    assert!(body.contains("line 6"), "{body}");
}

#[tokio::test]
async fn cancelled_game_accepts_no_commands() {
    let server = TestServer::open().await;
    let ann = server.guest("Ann").await;
    let game = ann.create_game(json!({ "opponent": { "kind": "lobby" } })).await;
    assert_eq!(ann.request("DELETE", &format!("/api/games/{game}"), &[], b"").await.0, 204);
    let (status, _) =
        ann.post(&format!("/api/games/{game}/actions"), json!({ "action": "resign" })).await;
    assert_eq!(status, 409);
    let (_, summary) = ann.get(&format!("/api/games/{game}")).await;
    assert_eq!(
        (&summary["game"]["status"], &summary["game"]["result"]),
        (&json!("cancelled"), &Value::Null)
    );
}

/// Plays against a bot with a king against two rooks, and offers a draw with every move. Returns
/// the number of offers and the ending, which is `null` if the game goes on.
async fn offer_draws(ann: &Client, bot: &str) -> (usize, Value) {
    let bot = json!({ "kind": "bot", "name": bot, "ms": 30 });
    let fen = "1k6/8/8/8/8/8/5PPP/2RR2K1 w - - 0 1";
    let game = ann.create_game(json!({ "color": "white", "fen": fen, "opponent": bot })).await;
    let mut white = ann.connect(&game).await;
    let tries = ["h2h3", "g2g3", "f2f3", "h3h4", "g3g4", "f3f4"];
    for (offers, tried) in (1..).zip(tries) {
        white.send(json!({ "action": "offer" })).await;
        white.try_move(tried).await;
        loop {
            let message = white.receive().await;
            match message["type"].as_str() {
                Some("over") => return (offers, message["game"]["ending"].clone()),
                Some("observation") if text_of(&message).starts_with("Black moved") => break,
                _ => {}
            }
        }
    }
    (tries.len(), Value::Null)
}

#[tokio::test]
async fn marshal_accepts_a_draw_in_a_lost_position_and_greedy_never_does() {
    let server = TestServer::open().await;
    let ann = server.guest("Ann").await;
    assert_eq!(offer_draws(&ann, "marshal").await, (3, json!("agreement")));
    assert_eq!(offer_draws(&ann, "greedy").await, (6, Value::Null));
}

#[tokio::test]
async fn restart_during_a_bot_turn_does_not_end_the_game() {
    let server = TestServer::open().await;
    let ann = server.guest("Ann").await;
    let bot = json!({ "kind": "bot", "name": "marshal", "ms": 4_000 });
    let mut games = Vec::new();
    for _ in 0..4 {
        let settings = json!({ "color": "black", "rated": true, "opponent": bot });
        games.push(ann.create_game(settings).await);
    }
    let server = server.restart().await;
    let ann = Client { address: server.address, ..ann };
    for game in games {
        let (_, summary) = ann.get(&format!("/api/games/{game}")).await;
        assert_eq!(summary["game"]["status"], "playing", "{summary}");
    }
}

#[tokio::test]
async fn clock_runs_while_refused_tries_are_written() {
    let server = TestServer::open().await;
    let (game, [ann, bob]) = two_players(&server, json!({ "control": "300" })).await;
    let (mut white, mut black) = (ann.connect(&game).await, bob.connect(&game).await);
    white.receive().await;
    let started = std::time::Instant::now();
    for _ in 0..30 {
        white.try_move("e2e5").await;
    }
    let measured = started.elapsed().as_millis() as i64;
    white.try_move("e2e4").await;
    // Under the ICC rules Black hears only the move, with the time that White took for it.
    let observed = black.receive_type("observation").await;
    assert_eq!(observed["observation"]["n"], 1);
    let announced = observed["observation"]["ms"].as_i64().unwrap();
    assert!(announced >= measured, "{announced} ms announced, {measured} ms measured");
}
