//! `krieg explain` from outside.

mod common;

use common::{Folder, complains, says, text};
use serde_json::Value;

/// White is refused a try, and then a knight of his is taken on e5.
const GAME: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[Ruleset \"icc\"]\n\n\
                    1. e4 {P0:} 1... Nc6 {P0:} 2. Nf3 {P0:} 2... b5 {P0:} 3. Ne5 {P0:Ba6} \
                    3... Nxe5 {P0,Xe5:} 4. d4 {P0:} 4... Ng6 {P0:} *\n";

const QUICK: [&str; 4] = ["--simulations", "300", "--boards", "300"];

fn explain<'a>(file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["explain", file][..], &QUICK, more].concat()
}

fn chances_of(value: &Value) -> impl Iterator<Item = f64> + '_ {
    let names = ["share", "expected", "legal", "captures", "checks", "mates", "taken", "chance"];
    names.into_iter().filter_map(|name| value[name].as_f64())
}

#[test]
fn a_moment_is_explained_in_words() {
    let folder = Folder::new();
    let file = folder.file("game.pgn", GAME);
    let told = says(&explain(text(&file), &["--move", "4", "--ascii"]), "");
    for words in [
        "Ann – Bob: move 4 of White\n",
        "Heard last: Black moved. Piece on e5 captured. No pawn tries.",
        "1 R N B Q K B . R\n",
        "Black's king: e8 ",
        "Black plays like: ",
        "Expected: 0.",
        "White tried d4, and it stood. Marshal ",
    ] {
        assert!(told.contains(words), "{words:?} in {told}");
    }
    let again = says(&explain(text(&file), &["--move", "4", "--ascii"]), "");
    assert_eq!(told, again, "the same seed gives the same words");
    let black = says(&explain(text(&file), &["--move", "3", "--for", "black", "--ascii"]), "");
    assert!(black.contains("move 3 of Black") && black.contains("White's king"), "{black}");
    assert!(black.contains("R N B K Q B . R"), "own men are large, whoever they are: {black}");
}

#[test]
fn after_a_refusal_less_is_left_to_try() {
    let folder = Folder::new();
    let file = folder.file("game.pgn", GAME);
    let read = |more: &[&str]| -> Value {
        let told = says(&explain(text(&file), &[&["--move", "3", "--json"], more].concat()), "");
        serde_json::from_str(&told).unwrap()
    };
    let (first, second) = (read(&[]), read(&["--try", "1"]));
    let tries = |told: &Value| told["tries"].as_array().unwrap().len();
    assert_eq!(tries(&first), tries(&second) + 1);
    assert_eq!(first["really"]["try"], "f1a6");
    assert_eq!(first["really"]["answer"], "Illegal.");
    assert_eq!((&second["really"]["try"], &second["answered"]), (&"f3e5".into(), &1.into()));
}

#[test]
fn as_json_all_chances_are_between_nought_and_one() {
    let folder = Folder::new();
    let file = folder.file("game.pgn", GAME);
    let told = says(&explain(text(&file), &["--move", "4", "--json"]), "");
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&told["player"], &told["move"]), (&"white".into(), &4.into()));
    let mut seen = 0;
    let tries = told["tries"].as_array().unwrap().iter();
    for value in tries.chain(told["opponents"].as_array().unwrap()) {
        for chance in chances_of(value) {
            assert!((0.0..=1.0).contains(&chance), "{value}");
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
    for kinds in told["enemy"].as_object().unwrap().values() {
        for chance in kinds.as_object().unwrap().values() {
            assert!((0.0..=1.0).contains(&chance.as_f64().unwrap()), "{kinds}");
        }
    }
    let taker = told["enemy"]["e5"].as_object().unwrap().values().filter_map(Value::as_f64);
    assert!((taker.sum::<f64>() - 1.0).abs() < 1e-4, "somebody stands there: {}", told["enemy"]);
    assert_eq!((&told["men"]["d1"], &told["men"]["e5"]), (&"Q".into(), &Value::Null));
    let preferred = told["preferred"].as_str().unwrap();
    assert!(told["tries"].as_array().unwrap().iter().any(|known| known["try"] == preferred));
}

#[test]
fn what_one_player_tells_is_enough() {
    let folder = Folder::new();
    let file = folder.file("game.pgn", GAME);
    let black = says(&["convert", text(&file), "--to", "pgn", "--side", "black"], "");
    let black = folder.file("black.pgn", black);
    let moment = ["--move", "3", "--model", "recapture"];
    let told = says(&explain(text(&black), &moment), "");
    let whole = says(&explain(text(&file), &[&moment[..], &["--for", "black"]].concat()), "");
    assert_eq!(told, whole, "nothing that Black does not know makes a difference");
    assert!(!told.contains("plays like"), "who stays what he is needs no guess: {told}");
    let complaint = complains(&explain(text(&black), &["--move", "3", "--for", "white"]));
    assert!(complaint.contains("as Black tells it"), "{complaint}");
}

#[test]
fn a_question_comes_before_the_tries() {
    let folder = Folder::new();
    let game = "[Ruleset \"english\"]\n\n1. e4 d5 2. exd5 *\n";
    let file = folder.file("any.pgn", game);
    let told = says(&explain(text(&file), &["--move", "2"]), "");
    assert!(told.contains("asks \"any?\" first"), "{told}");
}

#[test]
fn moments_that_are_not_there_are_named() {
    let folder = Folder::new();
    let file = folder.file("game.pgn", GAME);
    for (more, reason) in [
        (&["--move", "9"][..], "there is no move 9: White was to move from move 1 to move 5"),
        (&["--move", "0"], "there is no move 0"),
        (&["--move", "5", "--for", "black"], "there is no move 5: Black"),
        (&["--move", "3", "--try", "2"], "in move 3, White chose after 1 answer at the most"),
        (&["--move", "4", "--try", "1"], "in move 4, White chose after no answer at the most"),
        (&["--move", "4", "--game", "2"], "has no game 2"),
        (&["--move", "4", "--game", "0"], "games are counted from 1"),
        (&["--move", "4", "--model", "guess"], "there are uniform, recapture, value and fitted"),
        (&["--move", "4", "--simulations", "0"], "a number from 1 on"),
    ] {
        let arguments = [&["explain", text(&file)], more].concat();
        let complaint = complains(&arguments);
        assert!(complaint.contains(reason), "{reason:?} in {complaint}");
    }
    let mated = folder.file("mate.pgn", "[Ruleset \"icc\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    let complaint = complains(&["explain", text(&mated), "--move", "3"]);
    assert!(complaint.contains("to move 2, and then the game was over"), "{complaint}");
}
