//! The examples run, and the code on the page about extensions is that of the examples.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const EXAMPLES: [&str; 8] = [
    "follow_belief",
    "own_belief",
    "own_player",
    "own_ruleset",
    "own_value_model",
    "probe_tablebase",
    "run_match",
    "umpired_game",
];

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Builds the examples, which `cargo test --test examples` does not do, and returns their folder.
fn build_examples() -> PathBuf {
    let programs = Path::new(env!("CARGO_BIN_EXE_krieg")).parent().unwrap();
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--examples", "--target-dir"]).arg(programs.parent().unwrap());
    if programs.ends_with("release") {
        build.arg("--release");
    }
    assert!(build.current_dir(crate_folder()).status().unwrap().success());
    programs.join("examples")
}

/// What an example prints.
fn output_of(program: &Path) -> String {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(program).arg(folder.path().join("new")).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{}: {error}", program.display());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_example_is_tested() {
    let mut names: Vec<String> = fs::read_dir(crate_folder().join("examples"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_string())
        .collect();
    names.sort();
    assert_eq!(names, EXAMPLES);
}

#[test]
fn every_example_runs() {
    let programs = build_examples();
    for (name, expected) in EXAMPLES.into_iter().zip([
        "log-loss",
        "15 moves",
        "recapturer(pawns=0.2)",
        "Any? Yes.",
        "The final position",
        "mate in",
        "The games and the report are in",
        "What Black heard",
    ]) {
        let output = output_of(&programs.join(name));
        assert!(output.contains(expected) && !output.is_empty(), "{name}:\n{output}");
    }
}

#[test]
fn code_on_the_page_about_extensions_is_in_the_examples() {
    let examples: Vec<String> = EXAMPLES
        .iter()
        .map(|name| crate_folder().join("examples").join(name).with_extension("rs"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let page = fs::read_to_string(crate_folder().join("../../docs/extending.md")).unwrap();
    let blocks: Vec<&str> =
        page.split("```rust\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() >= 4);
    for block in blocks {
        let is_there = examples.iter().any(|example| example.contains(block));
        assert!(is_there, "no example contains this block:\n{block}");
    }
}
