//! Tests of the protocol through the interface that a client program uses.

use krieg_referee::{MAX_LINE_BYTES, Referee, serve};
use krieg_testing::cases;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Sends request lines and returns the replies.
fn talk(input: impl AsRef<[u8]>) -> Vec<Value> {
    let mut output = Vec::new();
    serve(&mut Referee::new(100), input.as_ref(), &mut output).unwrap();
    let text = String::from_utf8(output).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn lines(requests: &[Value]) -> String {
    requests.iter().map(|request| format!("{request}\n")).collect()
}

#[test]
fn game_from_start_to_checkmate() {
    let mut requests = vec![json!({"cmd": "new", "game": "g", "ruleset": "icc", "seed": 5,
                                   "tags": {"White": "Ann"}})];
    for mv in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        requests.push(json!({"cmd": "try", "game": "g", "move": mv, "spent_ms": 40, "id": mv}));
    }
    requests.push(json!({"cmd": "record", "game": "g"}));
    requests.push(json!({"cmd": "record", "game": "g", "player": "white", "format": "pgn"}));
    requests.push(json!({"cmd": "view", "game": "g", "player": "white"}));
    let replies = talk(lines(&requests));
    let mate = &replies[4];
    assert_eq!(mate["id"], "d8h4");
    assert_eq!(mate["turn"], Value::Null);
    assert_eq!(mate["announcement"]["end"], json!({"ending": "checkmate", "winner": "black"}));
    assert_eq!(mate["text"], "Black moved. Checkmate: Black wins.");
    assert_eq!(replies[5]["record"]["seed"], 5);
    assert_eq!(replies[5]["record"]["tries"][3]["ms"], 40);
    let pgn = replies[6]["pgn"].as_str().unwrap();
    assert!(pgn.contains("[Narrator \"White\"]") && pgn.contains("1. f3"), "{pgn}");
    assert!(!pgn.contains("e5") && !pgn.contains("Seed"), "{pgn}");
    assert_eq!(replies[7]["view"]["turn"], Value::Null);
}

#[test]
fn refused_differs_from_not_accepted() {
    let replies = talk(lines(&[
        json!({"cmd": "new", "game": "icc", "ruleset": "icc"}),
        json!({"cmd": "try", "game": "icc", "move": "e2e5"}),
        json!({"cmd": "new", "game": "berkeley", "ruleset": "berkeley"}),
        json!({"cmd": "try", "game": "berkeley", "move": "e2e5"}),
        json!({"cmd": "ask", "game": "berkeley"}),
    ]));
    assert_eq!(replies[1]["accepted"], true);
    assert_eq!(replies[1]["announcement"]["verdict"], "refused");
    assert_eq!(replies[1]["announcement"]["heard_by"], json!(["white"]));
    assert_eq!(replies[3]["accepted"], false);
    assert_eq!(replies[3]["announcement"], Value::Null);
    assert!(replies[3]["reason"].as_str().unwrap().contains("refused before in this turn"));
    assert_eq!(replies[4]["accepted"], false);
}

#[test]
fn view_contains_no_opponent_pieces() {
    let replies = talk(lines(&[
        json!({"cmd": "new", "game": "g", "ruleset": "english",
               "fen": "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"}),
        json!({"cmd": "ask", "game": "g", "player": "white"}),
        json!({"cmd": "view", "game": "g", "player": "white"}),
        json!({"cmd": "view", "game": "g", "player": "black"}),
    ]));
    assert_eq!(
        replies[2]["view"],
        json!({"player": "white", "turn": "white", "ply": 0, "pieces": "8/8/8/8/4P3/8/8/4K3",
               "castling": "-", "tries": ["e4d5", "e4f5"], "may_ask": false,
               "owes_pawn_capture": true, "pawn_tries": null, "checks": [], "any": true,
               "refusals": 0, "captured": {"pawns": 0, "pieces": 0, "unknown": 0}, "end": null}),
    );
    assert_eq!(replies[3]["view"]["pieces"], "4k3/8/8/3p4/8/8/8/8");
    assert_eq!(replies[3]["view"]["any"], true, "the answer is announced to Black as well");
    assert_eq!(replies[3]["view"]["owes_pawn_capture"], false);
    assert_eq!(replies[3]["view"]["tries"], json!([]));
}

#[test]
fn players_end_the_game() {
    let end = |request: Value| {
        let replies = talk(lines(&[json!({"cmd": "new", "game": "g"}), request]));
        replies[1]["announcement"]["end"].clone()
    };
    let with = |cmd: &str| json!({"cmd": cmd, "game": "g", "player": "white"});
    assert_eq!(end(with("resign")), json!({"ending": "resignation", "winner": "black"}));
    assert_eq!(end(with("flag")), json!({"ending": "flag", "winner": "black"}));
    assert_eq!(end(with("abandon")), json!({"ending": "abandonment", "winner": "black"}));
    let draw = json!({"cmd": "draw", "game": "g"});
    assert_eq!(end(draw), json!({"ending": "agreement", "winner": null}));
    // After the end no player is to move, so the reason is not that it is the opponent's turn.
    let after = talk(lines(&[
        json!({"cmd": "new", "game": "g"}),
        with("resign"),
        json!({"cmd": "try", "game": "g", "move": "e7e5", "player": "black"}),
    ]));
    assert_eq!(after[2]["accepted"], false);
    assert_eq!(after[2]["reason"], "the game is over");
}

#[test]
fn refused_tries_per_turn_are_limited() {
    let mut requests = vec![json!({"cmd": "new", "game": "g"})];
    requests.extend(vec![json!({"cmd": "try", "game": "g", "move": "a1a1"}); 1001]);
    requests.push(json!({"cmd": "resign", "game": "g", "player": "white"}));
    let replies = talk(lines(&requests));
    assert_eq!(replies[1000]["announcement"]["verdict"], "refused");
    assert!(replies[1001]["error"].as_str().unwrap().contains("1000 tries were refused"));
    assert_eq!(replies[1002]["accepted"], true);
}

#[test]
fn total_time_saturates() {
    let spent = 4_000_000_000u32;
    let replies = talk(lines(&[
        json!({"cmd": "new", "game": "g"}),
        json!({"cmd": "try", "game": "g", "move": "e2e5", "spent_ms": spent}),
        json!({"cmd": "try", "game": "g", "move": "e2e6", "spent_ms": spent}),
        json!({"cmd": "try", "game": "g", "move": "e2e4", "spent_ms": spent}),
        json!({"cmd": "record", "game": "g", "player": "black"}),
    ]));
    assert_eq!(replies[4]["record"]["tries"][0]["ms"], u32::MAX);
}

#[test]
fn omitted_draw_rules_are_on() {
    let kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let replies = talk(lines(&[
        json!({"cmd": "new", "game": "a", "fen": kings}),
        json!({"cmd": "new", "game": "b", "fen": kings, "draws": {"insufficient_material": false}}),
        json!({"cmd": "position", "game": "a"}),
        json!({"cmd": "position", "game": "b"}),
    ]));
    assert_eq!(replies[2]["end"]["ending"], "insufficient-material");
    assert_eq!((&replies[3]["end"], &replies[3]["turn"]), (&Value::Null, &json!("white")));
}

/// Invalid request lines, each with what the error must contain.
const BAD_LINES: &[(&str, &str)] = &[
    ("hello", "in \"hello\""),
    ("{", "EOF"),
    ("[]", "expected an object"),
    ("null", "expected an object"),
    (r#"{"cmd":"games","cmd":"quit"}"#, "field `cmd` occurs twice"),
    (r#"{"cmd":"games","id":1.5}"#, "id is neither an integer nor a string"),
    ("{}", "missing field `cmd`"),
    (r#"{"cmd":"dance"}"#, "unknown variant `dance`"),
    (r#"{"cmd":"new"}"#, "missing field `game`"),
    (r#"{"cmd":"new","game":7}"#, "expected a string"),
    (r#"{"cmd":"new","game":"x","ruleset":"icy"}"#, "\"icy\" is not a ruleset"),
    (r#"{"cmd":"new","game":"x","fen":"8/8 w - - 0 1"}"#, "has 2 ranks"),
    (r#"{"cmd":"new","game":"x","draws":{"boredom":true}}"#, "unknown field `boredom`"),
    (r#"{"cmd":"new","game":"x","tags":{"a b":"c"}}"#, "\"a b\" is not a tag name"),
    (r#"{"cmd":"new","game":"x","seed":-1}"#, "invalid value"),
    (r#"{"cmd":"new","game":"g"}"#, "there is already a game \"g\""),
    (r#"{"cmd":"try","game":"g"}"#, "missing field `move`"),
    (r#"{"cmd":"try","game":"g","move":"e9"}"#, "\"e9\" is not a move"),
    (r#"{"cmd":"try","game":"g","move":"e7e5","player":"black"}"#, "it is White's turn"),
    (r#"{"cmd":"try","game":"g","move":"e2e4","player":"red"}"#, "unknown variant `red`"),
    (r#"{"cmd":"try","game":"h","move":"e2e4"}"#, "there is no game \"h\""),
    (r#"{"cmd":"try","game":"g","move":"e2e4","spent_ms":1e99}"#, "in \"{"),
    (r#"{"cmd":"resign","game":"g"}"#, "missing field `player`"),
    (r#"{"cmd":"record","game":"g","format":"xml"}"#, "unknown variant `xml`"),
    (r#"{"cmd":"close","game":"h"}"#, "there is no game \"h\""),
    (r#"{"cmd":"games","verbose":1}"#, "unknown field `verbose`"),
    (r#"{"cmd":"games","id":[1]}"#, "id is neither an integer nor a string"),
    (r#"{"cmd":"view","game":"g","player":"umpire"}"#, "unknown variant `umpire`"),
];

#[test]
fn bad_line_gets_an_error_and_changes_no_game() {
    let before = json!({"cmd": "new", "game": "g"}).to_string();
    let after = json!({"cmd": "try", "game": "g", "move": "e2e4"}).to_string();
    for (bad, reason) in BAD_LINES {
        let replies = talk(format!("{before}\n{bad}\n{after}\n"));
        assert_eq!(replies[1]["ok"], false, "{bad}");
        let error = replies[1]["error"].as_str().unwrap();
        assert!(error.starts_with("line 2: ") && error.contains(reason), "{bad}: {error}");
        assert_eq!(replies[2]["announcement"]["verdict"], "moved", "{bad}: the game went on");
    }
}

#[test]
fn binary_and_oversized_lines_get_an_error() {
    let new = b"{\"cmd\":\"new\",\"game\":\"g\"}\n".to_vec();
    let games = b"\n{\"cmd\":\"games\"}\n".to_vec();
    let mut nested = b"{\"cmd\":".to_vec();
    nested.extend(b"[".repeat(900_000));
    for (bad, reason) in [
        (b"\xff\xfe{\"cmd\"".to_vec(), "not UTF-8"),
        (b"{\"cmd\":\"new\",\"game\":\"\xc3\"}".to_vec(), "not UTF-8"),
        (b"x".repeat(10_000_000), "more than 1000000 bytes, beginning with \"xxx"),
        (b"\xc3\xa9".repeat(5_000_000), "more than 1000000 bytes"),
        (nested, "recursion limit"),
        (b"\0\0\0".to_vec(), "expected value"),
    ] {
        let replies = talk([new.clone(), bad, games.clone()].concat());
        let error = replies[1]["error"].as_str().unwrap();
        assert!(error.starts_with("line 2: ") && error.contains(reason), "{error}");
        assert!(error.len() < 500);
        assert_eq!(replies[2]["games"], json!(["g"]));
    }
}

#[test]
fn line_of_maximum_length_is_accepted() {
    let request = json!({"cmd": "games"}).to_string();
    let padded = request.clone() + &" ".repeat(MAX_LINE_BYTES - request.len());
    assert_eq!(talk(&padded)[0]["ok"], true);
    assert_eq!(talk(padded + " ")[0]["ok"], false);
}

#[test]
fn last_line_without_line_break_is_answered_and_empty_lines_are_skipped() {
    let replies = talk("\n\r\n  \n{\"cmd\":\"games\"}");
    assert_eq!(replies, [json!({"ok": true, "games": []})]);
}

#[test]
fn quit_stops_reading() {
    let replies = talk("{\"cmd\":\"quit\"}\n{\"cmd\":\"games\"}\n");
    assert_eq!(replies, [json!({"ok": true})]);
}

#[test]
fn number_of_open_games_is_limited() {
    let mut referee = Referee::new(2);
    let new = |referee: &mut Referee, name: &str| {
        let request = json!({"cmd": "new", "game": name}).to_string();
        serde_json::from_str::<Value>(&referee.answer(1, &request).text).unwrap()["ok"] == true
    };
    assert!(new(&mut referee, "a") && new(&mut referee, "b") && !new(&mut referee, "c"));
    let _ = referee.answer(1, &json!({"cmd": "close", "game": "a"}).to_string());
    assert!(new(&mut referee, "c"));
    assert!(!new(&mut referee, &"n".repeat(201)), "the name is too long");
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn no_line_makes_the_referee_panic(line in "\\PC{0,120}", bytes in any::<Vec<u8>>()) {
        let replies = talk([line.as_bytes(), b"\n", &bytes].concat());
        for reply in replies {
            prop_assert!(reply["ok"] == false || reply["ok"] == true);
        }
    }

    /// Valid requests about any game, with any moves, in any order.
    #[test]
    fn requests_in_any_order_are_answered_for_their_game(requests in prop::collection::vec(
        ("[ab]", prop_oneof![
            Just(json!({"cmd": "new"})),
            "[a-h][1-8][a-h][1-8]".prop_map(|mv| json!({"cmd": "try", "move": mv})),
            Just(json!({"cmd": "ask"})),
            Just(json!({"cmd": "view", "player": "black"})),
            Just(json!({"cmd": "record"})),
            Just(json!({"cmd": "resign", "player": "white"})),
            Just(json!({"cmd": "close"})),
        ]),
        0..60,
    )) {
        let requests: Vec<Value> = requests
            .into_iter()
            .map(|(game, mut request)| {
                request["game"] = game.into();
                request
            })
            .collect();
        let replies = talk(lines(&requests));
        prop_assert_eq!(replies.len(), requests.len());
        for (request, reply) in requests.iter().zip(&replies) {
            if reply["ok"] == true {
                prop_assert_eq!(&reply["game"], &request["game"]);
            } else {
                let error = reply["error"].as_str().unwrap();
                prop_assert!(error.contains("there is"), "{}", error);
            }
        }
    }
}
