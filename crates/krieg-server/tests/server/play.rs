//! People and bots at tables, as programs see it.

use crate::common::{House, User, two_people};
use serde_json::{Value, json};
use std::time::Duration;

fn words(message: &Value) -> &str {
    message["observation"]["text"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn two_people_play_and_each_hears_what_he_may() {
    let house = House::open().await;
    let (game, [ann, bob]) = two_people(&house, json!({ "ruleset": "icc" })).await;
    let (mut white, mut black) = (ann.sit(&game).await, bob.sit(&game).await);
    let (state, theirs) = (white.hear().await, black.hear().await);
    assert_eq!((&state["you"], &state["type"]), (&json!("white"), &json!("state")));
    assert_eq!(theirs["view"]["pieces"], "rnbqkbnr/pppppppp/8/8/8/8/8/8");
    assert_eq!(state["log"][0]["text"], "White to move. No pawn tries.");

    // A refused try: under these rules only White hears it.
    let refused = white.try_it("e2e5").await;
    assert_eq!(words(&refused), "Illegal.");
    assert_eq!(
        (&refused["observation"]["try"], &refused["observation"]["n"]),
        (&json!("e2e5"), &json!(1))
    );
    let moved = white.try_it("e2e4").await;
    assert_eq!(
        (words(&moved), &moved["observation"]["name"]),
        ("White moved. No pawn tries.", &json!("e4"))
    );
    assert_eq!(moved["view"]["pieces"], "8/8/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
    let heard = black.hear_a("observation").await;
    assert_eq!(
        (heard["observation"]["n"].clone(), heard["observation"].get("try")),
        (json!(1), None)
    );

    // Out of turn.
    let early = white.try_it("d2d4").await;
    assert_eq!(
        (&early["code"], &early["message"]),
        (&json!("not-your-turn"), &json!("It is Black's turn."))
    );

    black.try_it("d7d5").await;
    assert_eq!(words(&white.hear_a("observation").await), "Black moved. 1 pawn try.");
    let taken = white.try_it("e4d5").await;
    assert_eq!(words(&taken), "White moved. Pawn on d5 captured. No pawn tries.");

    // A draw is offered, declined, offered again and accepted.
    black.hear_a("observation").await;
    black.say(json!({ "action": "offer" })).await;
    assert_eq!(white.hear_a("status").await["offer"], "black");
    let agreed = white.act(json!({ "action": "accept" })).await;
    assert_eq!(words(&agreed), "The game is over. A draw by agreement.");
    let over = black.hear_a("over").await;
    assert_eq!(
        (&over["game"]["result"], &over["game"]["ending"]),
        (&json!("1/2-1/2"), &json!("agreement"))
    );
    let (status, review) = house.stranger().get(&format!("/api/games/{game}/review")).await;
    assert_eq!((status, review["steps"].as_array().unwrap().len()), (200, 5));
    assert_eq!(review["steps"][4]["announcement"]["verdict"], "ended");
    assert_eq!(review["end"]["text"], "A draw by agreement.");
}

#[tokio::test]
async fn a_game_goes_on_where_it_was_when_the_server_comes_back() {
    let house = House::open().await;
    let conditions = json!({ "ruleset": "english", "control": "600+5" });
    let (game, [ann, bob]) = two_people(&house, conditions).await;
    let (mut white, mut black) = (ann.sit(&game).await, bob.sit(&game).await);
    white.try_it("any?").await;
    white.try_it("e2e4").await;
    black.try_it("e7e4").await;
    black.act(json!({ "action": "guesses", "guesses": { "e4": "p", "d1": "?" } })).await;
    // What happens beside the board stops no clock.
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    black.say(json!({ "action": "offer" })).await;
    white.hear_a("status").await;
    let told = |state: &Value| {
        ["log", "view", "guesses", "offer", "you"].map(|field| state[field].clone())
    };
    let path = format!("/api/games/{game}/state");
    let before = [told(&ann.get(&path).await.1), told(&bob.get(&path).await.1)];

    let house = house.again().await;
    for (person, before) in [ann, bob].into_iter().zip(before) {
        let person = User { address: house.address, ..person };
        let mut seat = person.sit(&game).await;
        let state = seat.hear().await;
        assert_eq!(told(&state), before);
        let left = state["clock"]["black_ms"].as_i64().unwrap();
        assert!((590_000..=598_800).contains(&left), "{left}");
        if state["you"] == "black" {
            assert_eq!(state["guesses"], json!({ "d1": "?", "e4": "p" }));
            let moved = seat.try_it("e7e5").await;
            assert_eq!(words(&moved), "Black moved.");
        }
    }
}

#[tokio::test]
async fn a_bot_plays_a_whole_game_under_every_ruleset() {
    let house = House::open().await;
    let ann = house.guest("Ann").await;
    let (_, options) = ann.get("/api/options").await;
    let rulesets = options["rulesets"].as_array().unwrap();
    assert_eq!(rulesets.len(), 7);
    let games = rulesets.iter().map(|ruleset| {
        let ann = ann.clone();
        let bot = json!({ "kind": "bot", "name": "semi-random", "ms": 10 });
        let game =
            json!({ "ruleset": ruleset["name"], "color": "black", "rated": true, "opponent": bot });
        async move {
            let game = ann.begin(game).await;
            let mut seat = ann.sit(&game).await;
            let mut seen = seat.hear().await["view"].clone();
            for n in 0..60 {
                while seen["turn"] != "black" {
                    let message = seat.hear().await;
                    if message["type"] == "observation" {
                        seen = message["view"].clone();
                    }
                    if !seen["end"].is_null() {
                        return;
                    }
                }
                let tries = seen["tries"].as_array().unwrap();
                let tried = tries[(n * 7) % tries.len()].as_str().unwrap().to_string();
                seen = seat.try_it(&tried).await["view"].clone();
            }
            seat.say(json!({ "action": "resign" })).await;
            seat.hear_a("over").await;
        }
    });
    futures_util::future::join_all(games).await;
    let (_, over) = ann.get("/api/games?status=over&mine=true&limit=100").await;
    assert_eq!(over["games"].as_array().unwrap().len(), 7);
    let (_, ratings) = ann.get("/api/ratings?ruleset=rand").await;
    assert_eq!(ratings["ratings"].as_array().unwrap().len(), 2, "both are rated: {ratings}");
}

#[tokio::test]
async fn a_flag_falls_though_nobody_looks() {
    let house = House::open().await;
    let (game, [ann, _]) = two_people(&house, json!({ "control": "0.3" })).await;
    let mut white = ann.sit(&game).await;
    let over = white.hear_a("over").await;
    assert_eq!((&over["game"]["ending"], &over["game"]["result"]), (&json!("flag"), &json!("0-1")));
    let late = white.try_it("e2e4").await;
    assert_eq!(late["code"], "game-over");
}

#[tokio::test]
async fn another_game_is_played_with_colours_reversed() {
    let house = House::open().await;
    let (game, [ann, bob]) = two_people(&house, json!({})).await;
    let (mut white, mut black) = (ann.sit(&game).await, bob.sit(&game).await);
    assert_eq!(white.act(json!({ "action": "rematch" })).await["code"], "not-now");
    white.say(json!({ "action": "resign" })).await;
    black.hear_a("over").await;
    black.act(json!({ "action": "rematch" })).await;
    loop {
        if white.hear_a("status").await["rematch"] == json!({ "by": "black" }) {
            break;
        }
    }
    white.say(json!({ "action": "rematch" })).await;
    let table = loop {
        let table = black.hear_a("status").await;
        if table["rematch"].get("game").is_some() {
            break table;
        }
    };
    let next = table["rematch"]["game"].as_str().unwrap();
    let state = ann.sit(next).await.hear().await;
    assert_eq!((&state["you"], &state["game"]["status"]), (&json!("black"), &json!("playing")));

    // When the server comes back, both games are as they were.
    let next = next.to_string();
    let house = house.again().await;
    let ann = User { address: house.address, ..ann };
    let (_, first) = ann.get(&format!("/api/games/{game}/state")).await;
    assert_eq!(first["rematch"], json!({ "game": next }));
    assert_eq!(ann.get(&format!("/api/games/{game}/review")).await.0, 200);
    assert_eq!(ann.get(&format!("/api/games/{next}/state")).await.1["you"], "black");
}

#[tokio::test]
async fn an_invitation_is_for_whoever_has_the_link() {
    let house = House::open().await;
    let [ann, bob] = [house.guest("Ann").await, house.guest("Bob").await];
    let wanted = json!({ "color": "white", "opponent": { "kind": "invitation" } });
    let (_, begun) = ann.post("/api/games", wanted).await;
    let game = begun["game"]["id"].as_str().unwrap();
    let join = format!("/api/games/{game}/join");
    let mut white = ann.sit(game).await;
    assert_eq!(white.hear().await["game"]["status"], "open");
    assert_eq!(white.try_it("e2e4").await["code"], "not-now");
    assert_eq!(bob.post(&join, json!({})).await.0, 403);
    assert_eq!(bob.post(&join, json!({ "invitation": "guess" })).await.0, 403);
    let (_, listed) = bob.get("/api/games?status=open").await;
    assert_eq!(listed["games"], json!([]), "it is not in the lobby");
    let link = json!({ "invitation": begun["invitation"] });
    assert_eq!(ann.post(&join, link.clone()).await.0, 409, "nobody plays himself");
    assert_eq!(bob.post(&join, link.clone()).await.0, 200);
    assert_eq!(white.hear_a("state").await["game"]["black"]["name"], "Bob");
    let eve = house.guest("Eve").await;
    assert_eq!(eve.post(&join, link).await.0, 409, "the link is used up");
}

#[tokio::test]
async fn the_coach_knows_what_the_player_knows_and_is_not_for_rated_games_of_people() {
    let house = House::open().await;
    let ann = house.guest("Ann").await;
    let bot = json!({ "kind": "bot", "name": "random", "ms": 10 });
    let game = ann.begin(json!({ "color": "white", "coach": true, "opponent": bot })).await;
    let (status, advice) = ann.get(&format!("/api/games/{game}/coach")).await;
    assert_eq!((status, &advice["observations"], &advice["boards"]), (200, &json!(1), &json!(1)));
    assert_eq!(advice["opponent_pieces"]["e8"], json!({ "king": 1.0 }));
    assert_eq!(advice["tries"].as_array().unwrap().len(), 20);
    let eve = house.guest("Eve").await;
    assert_eq!(eve.get(&format!("/api/games/{game}/coach")).await.0, 403);
    let (rated, [cat, _]) = {
        let [cat, dan] = [house.guest("Cat").await, house.guest("Dan").await];
        let wanted = json!({ "color": "white", "coach": true, "rated": true, "opponent": { "kind": "lobby" } });
        let id = cat.begin(wanted).await;
        dan.post(&format!("/api/games/{id}/join"), json!({})).await;
        (id, [cat, dan])
    };
    assert_eq!(cat.get(&format!("/api/games/{rated}/coach")).await.0, 403);
}

#[tokio::test]
async fn games_that_people_bring_can_be_looked_at() {
    let house = House::open().await;
    let ann = house.guest("Ann").await;
    let game = "[White \"Cid\"]\n[Black \"Don\"]\n[Variant \"Kriegspiel\"]\n[Ruleset \"icc\"]\n\n1. e4 {P0:} 1... d5 {P1:} 2. exd5 {P0,Xd5:} {[%victim pawn]} *\n";
    let (status, _, body) = ann.send("POST", "/api/uploads", &[], game.as_bytes()).await;
    assert_eq!(status, 201, "{body}");
    let brought: Value = serde_json::from_str(&body).unwrap();
    let id = brought["game"]["id"].as_str().unwrap();
    let (_, review) = house.stranger().get(&format!("/api/games/{id}/review")).await;
    assert_eq!(review["game"]["white"]["name"], "Cid");
    assert_eq!(review["steps"][2]["text"], "White moved. Pawn on d5 captured. No pawn tries.");
    let (_, found) = ann.get("/api/games?player=don").await;
    assert_eq!(found["games"][0]["id"], id);
    let wrong = game.replace("exd5", "exd6");
    let (status, _, body) = ann.send("POST", "/api/uploads", &[], wrong.as_bytes()).await;
    assert_eq!(status, 400);
    assert!(body.contains("line 6"), "{body}");
}

#[tokio::test]
async fn a_game_that_was_taken_back_is_gone() {
    let house = House::open().await;
    let ann = house.guest("Ann").await;
    let game = ann.begin(json!({ "opponent": { "kind": "lobby" } })).await;
    assert_eq!(ann.send("DELETE", &format!("/api/games/{game}"), &[], b"").await.0, 204);
    let (status, _) =
        ann.post(&format!("/api/games/{game}/actions"), json!({ "action": "resign" })).await;
    assert_eq!(status, 409);
    let (_, summary) = ann.get(&format!("/api/games/{game}")).await;
    assert_eq!(
        (&summary["game"]["status"], &summary["game"]["result"]),
        (&json!("cancelled"), &Value::Null)
    );
}

/// Against a bot with a king that has two rooks against it, offers a draw with every move, and says how often that was and how the game ended, if it did.
async fn offer_draws(ann: &User, bot: &str) -> (usize, Value) {
    let bot = json!({ "kind": "bot", "name": bot, "ms": 30 });
    let fen = "1k6/8/8/8/8/8/5PPP/2RR2K1 w - - 0 1";
    let game = ann.begin(json!({ "color": "white", "fen": fen, "opponent": bot })).await;
    let mut white = ann.sit(&game).await;
    let tries = ["h2h3", "g2g3", "f2f3", "h3h4", "g3g4", "f3f4"];
    for (offers, tried) in (1..).zip(tries) {
        white.say(json!({ "action": "offer" })).await;
        white.try_it(tried).await;
        loop {
            let message = white.hear().await;
            match message["type"].as_str() {
                Some("over") => return (offers, message["game"]["ending"].clone()),
                Some("observation") if words(&message).starts_with("Black moved") => break,
                _ => {}
            }
        }
    }
    (tries.len(), Value::Null)
}

#[tokio::test]
async fn marshal_takes_a_draw_after_some_thought_where_it_is_lost_and_others_play_on() {
    let house = House::open().await;
    let ann = house.guest("Ann").await;
    assert_eq!(offer_draws(&ann, "marshal").await, (3, json!("agreement")));
    assert_eq!(offer_draws(&ann, "greedy").await, (6, Value::Null));
}

#[tokio::test]
async fn a_bot_that_is_interrupted_in_its_thoughts_has_not_lost() {
    let house = House::open().await;
    let ann = house.guest("Ann").await;
    let bot = json!({ "kind": "bot", "name": "marshal", "ms": 4_000 });
    let mut games = Vec::new();
    for _ in 0..4 {
        games.push(ann.begin(json!({ "color": "black", "rated": true, "opponent": bot })).await);
    }
    let house = house.again().await;
    let ann = User { address: house.address, ..ann };
    for game in games {
        let (_, summary) = ann.get(&format!("/api/games/{game}")).await;
        assert_eq!(summary["game"]["status"], "playing", "{summary}");
    }
}

#[tokio::test]
async fn refused_tries_do_not_stop_the_clock_even_while_they_are_written() {
    let house = House::open().await;
    let (game, [ann, bob]) = two_people(&house, json!({ "control": "300" })).await;
    let (mut white, mut black) = (ann.sit(&game).await, bob.sit(&game).await);
    white.hear().await;
    let begun = std::time::Instant::now();
    for _ in 0..30 {
        white.try_it("e2e5").await;
    }
    let measured = begun.elapsed().as_millis() as i64;
    white.try_it("e2e4").await;
    // Under these rules Black hears nothing but the move, and the time that White took for it.
    let heard = black.hear_a("observation").await;
    assert_eq!(heard["observation"]["n"], 1);
    let told = heard["observation"]["ms"].as_i64().unwrap();
    assert!(told >= measured, "{told} ms were told, {measured} had passed");
}
