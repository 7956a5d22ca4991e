//! Tests of `krieg tune`.

use std::fs;

use crate::common::{Folder, error_of, stdout_of, text};

#[test]
fn tuning_is_deterministic_and_continues_after_an_interruption() {
    let folder = Folder::new();
    let tune = |name: &str, threads: &str, stop_first: bool| {
        let games = folder.0.path().join(name);
        let play = |count: &str| {
            let args = ["tune", "games", text(&games), "--nodes", "100", "--seed", "5"];
            stdout_of(&[&args[..], &["--games", count, "--threads", threads]].concat(), "")
        };
        if stop_first {
            play("2");
            let mut kept = fs::read_to_string(&games).unwrap();
            kept.push_str("1-0 rnbq");
            fs::write(&games, kept).unwrap();
        }
        play("6");
        let weights = folder.0.path().join(format!("{name}.weights"));
        stdout_of(&["tune", "weights", text(&games), "--out", text(&weights), "--epochs", "2"], "");
        let network = folder.0.path().join(format!("{name}.network"));
        let args = ["tune", "network", text(&games), "--out", text(&network), "--epochs", "2"];
        stdout_of(&[&args[..], &["--threads", threads]].concat(), "");
        let fitted = fs::read_to_string(weights).unwrap();
        (fs::read_to_string(&games).unwrap(), fitted, fs::read(network).unwrap())
    };
    let once = tune("once", "1", false);
    assert_eq!(once, tune("again", "3", true));
    assert_eq!(once.0.lines().count(), 1 + 6, "a heading and six games");
    let games = folder.0.path().join("once");
    let error = error_of(&["tune", "games", text(&games), "--nodes", "101", "--seed", "5"]);
    assert!(error.contains("does not belong to this run"), "{error}");
    let error = error_of(&["tune", "weights", text(&games), "--out", text(&games)]);
    assert!(error.contains("another place"), "{error}");
    assert!(once.1.starts_with("material "), "{}", once.1);
    let more = folder.0.path().join("more");
    let network = folder.0.path().join("once.network");
    let args = ["tune", "games", text(&more), "--games", "1", "--nodes", "50"];
    stdout_of(&[&args[..], &["--evaluation", text(&network)]].concat(), "");
    assert_eq!(fs::read_to_string(more).unwrap().lines().count(), 1 + 1, "one game by the network");
}

#[test]
fn tuning_reports_invalid_files() {
    let folder = Folder::new();
    let games = folder.file("games.txt", "1-0 hello\n");
    let out = folder.0.path().join("weights.txt");
    let error = error_of(&["tune", "weights", text(&games), "--out", text(&out)]);
    assert!(error.contains("line 1") && error.contains("is not a game"), "{error}");
    let weights = folder.file("bad.txt", "material 1/2\n");
    let error = error_of(&["tune", "games", text(&out), "--evaluation", text(&weights)]);
    assert!(error.contains("material needs 5 pairs"), "{error}");
    let error = error_of(&["tune", "network", text(&games), "--out", text(&games)]);
    assert!(error.contains("another place"), "{error}");
    assert_eq!(folder.names(), ["bad.txt", "games.txt"], "no other file is left");
}
