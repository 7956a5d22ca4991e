//! Tests of `krieg rulesets`, `krieg referee` and `krieg uci`.

use crate::common::{error_of, stdout_of};

#[test]
fn rulesets_are_listed() {
    let listed = stdout_of(&["rulesets"], "");
    for name in ["icc", "cincinnati", "berkeley", "berkeley-any", "english", "rand", "dutch"] {
        assert!(listed.lines().any(|line| line.starts_with(name)), "{listed}");
    }
    assert!(error_of(&["play", "--ruleset", "icy"]).contains("\"icy\" is not a ruleset"));
}

#[test]
fn referee_answers_every_line() {
    let replies =
        stdout_of(&["referee"], "{\"cmd\":\"new\",\"game\":\"g\"}\nhello\n{\"cmd\":\"games\"}\n");
    let lines: Vec<&str> = replies.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[1].contains("line 2") && lines[2].contains("[\"g\"]"), "{replies}");
}

#[test]
fn uci_engine_searches_and_runs_single_commands() {
    let said = stdout_of(&["uci"], "position startpos moves e2e4\ngo nodes 2000\n");
    assert!(said.contains("bestmove "), "{said}");
    let said = stdout_of(&["uci", "perft", "3"], "");
    assert!(said.contains("nodes 8902 "), "{said}");
    let said = stdout_of(&["uci", "bench", "4"], "");
    assert!(said.contains(" nps "), "{said}");
}
