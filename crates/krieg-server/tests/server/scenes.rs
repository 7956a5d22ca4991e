//! The examples on the pages about the rules: an umpire says exactly what they claim.

use krieg_core::{Game, Position, Setup};
use serde_json::Value;

#[test]
fn every_scene_is_told_as_an_umpire_tells_it() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/web/scenes");
    let mut checked = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let scenes: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for scene in scenes.as_array().unwrap_or(&vec![scenes.clone()]) {
            checked += check(scene, &path.display().to_string());
        }
    }
    assert!(checked > 60, "only {checked} answers were checked");
}

/// Plays a scene, and counts the answers in it.
fn check(scene: &Value, path: &str) -> usize {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let setup = Setup {
        ruleset: text(&scene["ruleset"]).parse().unwrap(),
        start: Position::from_fen(&text(&scene["start"])).unwrap(),
        ..Setup::default()
    };
    let mut game = Game::new(setup);
    assert_eq!(game.record().opening().to_string(), text(&scene["opening"]), "{path}");
    let steps = scene["steps"].as_array().unwrap();
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
