//! `krieg explain` as a process.

mod common;

use common::{Folder, error_of, random_network, stdout_of, text};
use serde_json::Value;

/// White has a try refused, and then a knight captured on e5.
const GAME: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[Ruleset \"icc\"]\n\n\
                    1. e4 {P0:} 1... Nc6 {P0:} 2. Nf3 {P0:} 2... b5 {P0:} 3. Ne5 {P0:Ba6} \
                    3... Nxe5 {P0,Xe5:} 4. d4 {P0:} 4... Ng6 {P0:} *\n";

const QUICK: [&str; 4] = ["--simulations", "300", "--particles", "300"];

fn explain<'a>(file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["explain", file][..], &QUICK, more].concat()
}

fn probabilities_of(value: &Value) -> impl Iterator<Item = f64> + '_ {
    let names = [
        "visit_share",
        "expected",
        "legal",
        "captures",
        "checks",
        "mates",
        "recaptured",
        "probability",
    ];
    names.into_iter().filter_map(|name| value[name].as_f64())
}

#[test]
fn text_output_has_belief_tries_and_the_played_try() {
    let folder = Folder::new();
    let file = folder.file("game.pgn", GAME);
    let output = stdout_of(&explain(text(&file), &["--move", "4", "--ascii"]), "");
    for words in [
        "Ann – Bob: move 4 of White\n",
        "Last announcement: Black moved. Piece on e5 captured. No pawn tries.",
        "1 R N B Q K B . R\n",
        "Black's king: e8 ",
        "Black plays like: ",
        "Expected score: 0.",
        "White tried d4: accepted. Marshal ",
    ] {
        assert!(output.contains(words), "{words:?} in {output}");
    }
    let again = stdout_of(&explain(text(&file), &["--move", "4", "--ascii"]), "");
    assert_eq!(output, again, "the output is reproducible for a seed");
    let black = stdout_of(&explain(text(&file), &["--move", "3", "--for", "black", "--ascii"]), "");
    assert!(black.contains("move 3 of Black") && black.contains("White's king"), "{black}");
    assert!(black.contains("R N B K Q B . R"), "own pieces are capital letters: {black}");
}

#[test]
fn a_refused_try_is_no_longer_listed() {
    let folder = Folder::new();
    let file = folder.file("game.pgn", GAME);
    let read = |more: &[&str]| -> Value {
        let output =
            stdout_of(&explain(text(&file), &[&["--move", "3", "--json"], more].concat()), "");
        serde_json::from_str(&output).unwrap()
    };
    let (first, second) = (read(&[]), read(&["--try", "1"]));
    let tries = |object: &Value| object["tries"].as_array().unwrap().len();
    assert_eq!(tries(&first), tries(&second) + 1);
    assert_eq!(first["played"]["try"], "f1a6");
    assert_eq!(first["played"]["answer"], "Illegal.");
    assert_eq!((&second["played"]["try"], &second["answers"]), (&"f3e5".into(), &1.into()));
}

#[test]
fn json_probabilities_are_between_zero_and_one() {
    let folder = Folder::new();
    let file = folder.file("game.pgn", GAME);
    let output = stdout_of(&explain(text(&file), &["--move", "4", "--json"]), "");
    let object: Value = serde_json::from_str(&output).unwrap();
    assert_eq!((&object["player"], &object["move"]), (&"white".into(), &4.into()));
    let mut seen = 0;
    let tries = object["tries"].as_array().unwrap().iter();
    for value in tries.chain(object["opponent_types"].as_array().unwrap()) {
        for probability in probabilities_of(value) {
            assert!((0.0..=1.0).contains(&probability), "{value}");
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
    let opponent_pieces = &object["opponent_pieces"];
    for pieces in opponent_pieces.as_object().unwrap().values() {
        for probability in pieces.as_object().unwrap().values() {
            assert!((0.0..=1.0).contains(&probability.as_f64().unwrap()), "{pieces}");
        }
    }
    let capturer = opponent_pieces["e5"].as_object().unwrap().values().filter_map(Value::as_f64);
    assert!((capturer.sum::<f64>() - 1.0).abs() < 1e-4, "e5 is occupied: {opponent_pieces}");
    let pieces = &object["own_pieces"];
    assert_eq!((&pieces["d1"], &pieces["e5"]), (&"Q".into(), &Value::Null));
    let preferred = object["preferred"].as_str().unwrap();
    assert!(object["tries"].as_array().unwrap().iter().any(|known| known["try"] == preferred));
}

#[test]
fn a_transcript_of_one_player_is_enough() {
    let folder = Folder::new();
    let file = folder.file("game.pgn", GAME);
    let black = stdout_of(&["convert", text(&file), "--to", "pgn", "--side", "black"], "");
    let black = folder.file("black.pgn", black);
    let point = ["--move", "3", "--opponent-model", "recapture"];
    let one_sided = stdout_of(&explain(text(&black), &point), "");
    let full = stdout_of(&explain(text(&file), &[&point[..], &["--for", "black"]].concat()), "");
    assert_eq!(one_sided, full, "what Black does not know makes no difference");
    assert!(!one_sided.contains("plays like"), "a fixed model has no posterior: {one_sided}");
    let error = error_of(&explain(text(&black), &["--move", "3", "--for", "white"]));
    assert!(error.contains("a transcript of what Black observed"), "{error}");
}

#[test]
fn any_is_asked_before_the_tries() {
    let folder = Folder::new();
    let game = "[Ruleset \"english\"]\n\n1. e4 d5 2. exd5 *\n";
    let file = folder.file("any.pgn", game);
    let output = stdout_of(&explain(text(&file), &["--move", "2"]), "");
    assert!(output.contains("asks \"any?\" first"), "{output}");
}

#[test]
fn a_missing_decision_point_is_an_error() {
    let folder = Folder::new();
    let file = folder.file("game.pgn", GAME);
    for (more, reason) in [
        (&["--move", "9"][..], "there is no move 9: White was to move from move 1 to move 5"),
        (&["--move", "0"], "there is no move 0"),
        (&["--move", "5", "--for", "black"], "there is no move 5: Black"),
        (&["--move", "3", "--try", "2"], "in move 3, White last chose after 1 answer"),
        (&["--move", "4", "--try", "1"], "in move 4, White last chose after no answer"),
        (&["--move", "4", "--game", "2"], "has no game 2"),
        (&["--move", "4", "--game", "0"], "games are counted from 1"),
        (
            &["--move", "4", "--opponent-model", "guess"],
            "choose one of uniform, recapture, value, fitted",
        ),
        (&["--move", "4", "--simulations", "0"], "a number of at least 1"),
    ] {
        let arguments = [&["explain", text(&file)], more].concat();
        let error = error_of(&arguments);
        assert!(error.contains(reason), "{reason:?} in {error}");
    }
    let mated = folder.file("mate.pgn", "[Ruleset \"icc\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    let error = error_of(&["explain", text(&mated), "--move", "3"]);
    assert!(error.contains("to move 2, and then the game was over"), "{error}");
}

/// `--player` with a small random network.
fn learned() -> String {
    format!("learned(network={})", text(&random_network()))
}

#[test]
fn learned_explains_its_tries_value_and_belief_as_text() {
    let folder = Folder::new();
    let file = folder.file("game.pgn", GAME);
    let learned = learned();
    let arguments = ["explain", text(&file), "--player", &learned, "--move", "4", "--ascii"];
    let output = stdout_of(&arguments, "");
    for words in [
        "Ann – Bob: move 4 of White\n",
        "1 R N B Q K B . R\n",
        "Black's king: ",
        "Digits: the probability in tenths that a piece of Black stands there",
        "Value: win ",
        "   try  probability\n",
        "White tried d4: accepted. Learned ",
    ] {
        assert!(output.contains(words), "{words:?} in {output}");
    }
    assert_eq!(output, stdout_of(&arguments, ""), "the output is reproducible");
}

#[test]
fn learned_explains_every_try_and_square_as_json() {
    let folder = Folder::new();
    let file = folder.file("game.pgn", GAME);
    let arguments = ["explain", text(&file), "--player", &learned(), "--move", "3", "--json"];
    let output = stdout_of(&[&arguments[..], &["--try", "1"]].concat(), "");
    let object: Value = serde_json::from_str(&output).unwrap();
    assert!(object["explained_by"].as_str().unwrap().starts_with("learned(network="));
    let value = |name: &str| object["value"][name].as_f64().unwrap();
    assert!((value("win") + value("draw") + value("loss") - 1.0).abs() < 1e-5);
    let tries = object["tries"].as_array().unwrap();
    let probabilities: Vec<f64> =
        tries.iter().map(|known| known["probability"].as_f64().unwrap()).collect();
    assert!(probabilities.is_sorted_by(|a, b| a >= b));
    assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-3);
    assert!(!tries.iter().any(|known| known["try"] == "f1a6"), "it was refused");
    assert_eq!(object["preferred"], tries[0]["try"]);
    assert_eq!(object["played"]["try"], "f3e5");
    let pieces = object["opponent_pieces"].as_object().unwrap();
    assert!(pieces.contains_key("e8") && !pieces.contains_key("e1"), "{pieces:?}");
}

#[test]
fn a_player_that_cannot_explain_or_has_a_bad_parameter_is_an_error() {
    let folder = Folder::new();
    let file = folder.file("game.pgn", GAME);
    let damaged = folder.file("damaged.net", "KRIEGNET");
    let damaged = format!("learned(network={})", text(&damaged));
    for (more, reason) in [
        (&["--player", "greedy"][..], "greedy cannot explain its tries: use --player marshal"),
        (&["--player", "learnt"], "did you mean learned"),
        (&["--player", &learned(), "--particles", "9"], "leave --particles out"),
        (&["--player", "learned(network=no/such.net)"], "give the path of a file"),
        (&["--player", &damaged], "copy the file again"),
        (&["--player", "marshal(depth=0)"], "it must be greater than 0"),
    ] {
        let error = error_of(&[&["explain", text(&file), "--move", "3"], more].concat());
        assert!(error.contains(reason), "{reason:?} in {error}");
    }
}
