//! Tests of `krieg play`.

use std::fs;

use crate::common::{Folder, error_of, krieg, stdout_of, text};

#[test]
fn two_people_can_play_in_one_terminal() {
    let folder = Folder::new();
    let record = folder.0.path().join("played.pgn");
    let command = ["play", "--ruleset", "english", "--record", text(&record)];
    let told = stdout_of(&command, "help\ntries\nf3\nKe3\nbanana\ne5\nany?\nquit\n");
    for words in [
        "Type a move, such as e2e4",
        "Nf3",
        "no piece can play \"Ke3\"",
        "is not a move",
        "Any? No.",
        "is saved",
    ] {
        assert!(told.contains(words), "{words} in {told}");
    }
    let told = stdout_of(&command, "resign\nno\ndraw\nno\nresign\nyes\n");
    for words in ["The game continues after 2 moves.", "Any? No.", "White resigned: Black wins."] {
        assert!(told.contains(words), "{words} in {told}");
    }
    let shown = stdout_of(&["show", text(&record)], "");
    assert!(shown.contains("1. f3") && shown.contains("White resigned"), "{shown}");
    let output = krieg(&command, "e4\n");
    assert!(!output.status.success(), "a finished game is not overwritten");
    assert_eq!(stdout_of(&["show", text(&record)], ""), shown);
}

#[test]
fn person_can_play_against_a_bot() {
    let folder = Folder::new();
    let record = folder.0.path().join("played.pgn");
    let new = ["play", "greedy", "--seed", "5", "--record", text(&record), "--confirm"];
    let told = stdout_of(&new, "e4\nundo\nd4\n\nhistory\ndraw\nquit\n");
    for words in [
        "You have White against greedy",
        "e2e4: press Enter to send it, or type undo. Discarded.",
        "d2d4: press Enter to send it, or type undo. White moved.",
        "1... ??        Black moved.",
        "Bots do not agree to draws",
        "is saved",
    ] {
        assert!(told.contains(words), "{words} in {told}");
    }
    assert!(!told.contains('♟'), "Black's pieces are hidden: {told}");
    // The record names the opponent. A copy of it can be continued as well.
    let saved = folder.0.path().join("saved.pgn");
    let save = format!("c4\nsave {0}\nsave {0}\nno\nsave\nquit\n", text(&saved));
    let told = stdout_of(&["play", "--record", text(&record)], &save);
    assert!(told.contains("The game continues after 2 moves."), "{told}");
    for words in ["Saved in", "exists already", "Not saved.", "the file name is missing"] {
        assert!(told.contains(words), "{words} in {told}");
    }
    let told = stdout_of(&["play", "--record", text(&saved)], "resign\nyes\n");
    assert!(told.contains("You have White against greedy"), "{told}");
    assert!(told.contains("White resigned: Black wins.") && told.contains('♟'), "{told}");
    let error_of = |more: &[&str]| {
        let output = krieg(&[&["play", "--record", text(&record)], more].concat(), "");
        assert!(!output.status.success(), "{more:?} did not fail");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(error_of(&["random"]).contains("against greedy"));
    assert!(error_of(&["greedy", "--as", "black"]).contains("other settings"));
    assert!(error_of(&["greedy", "--seed", "6"]).contains("other settings"));
}

#[test]
fn interrupted_game_continues_with_the_same_moves() {
    let folder = Folder::new();
    let moves = ["e4", "d4", "Nf3", "Bc4", "Nc3", "h3"];
    let record = |name: &str, sessions: &[String]| {
        let path = folder.0.path().join(name);
        let mut args = vec!["play", "greedy", "--seed", "5", "--record", text(&path)];
        for session in sessions {
            stdout_of(&args, session);
            args = vec!["play", "--record", text(&path)];
        }
        fs::read_to_string(&path).unwrap()
    };
    let one = record("one.pgn", &[moves.map(|mv| format!("{mv}\n")).concat() + "quit\n"]);
    let many = record("many.pgn", &moves.map(|mv| format!("{mv}\nquit\n")));
    assert_eq!(one, many);
}

#[test]
fn reading_a_record_does_not_start_a_program() {
    let folder = Folder::new();
    let trace = folder.0.path().join("trace");
    let evil = format!(
        "[White \"You\"]\n[Black \"engine(cmd=\\\"touch {}\\\")\"]\n[Result \"*\"]\n\n*\n",
        text(&trace)
    );
    let record = folder.file("evil.pgn", evil);
    assert!(error_of(&["play", "--record", text(&record)]).contains("name it"));
    assert!(!trace.exists());
}

#[test]
fn end_of_a_game_shows_the_outcome_and_the_whole_board() {
    let start = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
    let told = stdout_of(&["play", "random", "--fen", start, "--ascii"], "Ra8\n");
    assert!(told.contains("Checkmate: White wins."), "{told}");
    assert!(told.contains("8 R . . . . . k ."), "{told}");
}

#[test]
fn missing_promotion_and_invalid_input_are_reported() {
    let start = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    let told = stdout_of(&["play", "--fen", start], "a7a8\n\u{7}\na8=N\n");
    assert!(told.contains("the promotion is missing"), "{told}");
    assert!(told.contains("White moved."), "{told}");
}

#[test]
fn unwritable_record_is_reported_before_the_game() {
    let folder = Folder::new();
    let nowhere = folder.0.path().join("no/such/folder/game.pgn");
    let output = krieg(&["play", "--record", text(&nowhere)], "e4\n");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && error.contains("cannot write"), "{error}");
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(!told.contains("White moved"), "{told}");
    let precious = folder.file("precious.pgn", "not a game at all {");
    krieg(&["play", "--record", text(&precious)], "e4\n");
    assert_eq!(fs::read_to_string(precious).unwrap(), "not a game at all {");
}
