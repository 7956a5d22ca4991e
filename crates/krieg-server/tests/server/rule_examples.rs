//! The examples on the pages about the rules agree with the umpire.

use krieg_core::{Game, Position, Setup};
use serde_json::Value;

#[test]
fn every_example_agrees_with_the_umpire() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/web/rules/examples");
    let mut checked = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let examples: Value =
            serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for example in examples.as_array().unwrap_or(&vec![examples.clone()]) {
            checked += check(example, &path.display().to_string());
        }
    }
    assert!(checked > 60, "only {checked} announcements were checked");
}

/// Plays an example, and returns the number of announcements in it.
fn check(example: &Value, path: &str) -> usize {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let setup = Setup {
        ruleset: text(&example["ruleset"]).parse().unwrap(),
        start: Position::from_fen(&text(&example["start"])).unwrap(),
        ..Setup::default()
    };
    let mut game = Game::new(setup);
    assert_eq!(game.record().opening().to_string(), text(&example["opening"]), "{path}");
    let steps = example["steps"].as_array().unwrap();
    for step in steps {
        match game.judge(text(&step["try"]).parse().unwrap()) {
            Ok(said) => assert_eq!(said.to_string(), text(&step["text"]), "{path}: {step}"),
            Err(reason) => assert_eq!(reason.to_string(), text(&step["reason"]), "{path}: {step}"),
        }
        let fen = game.umpire().position().to_string();
        assert_eq!(fen, text(&step["fen"]), "{path}: {step}");
    }
    steps.len() + 1
}
