//! Helpers of the tests: running the program, temporary folders, and the players under test.

// Not every test file uses all of them.
#![allow(dead_code)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use krieg_core::{Color, Game};
use krieg_io::write_atomically;
use krieg_players::{GameRunner, GameSettings, Player, PlayerRegistry, PlayerSpec, Random};

/// A temporary folder.
pub struct Folder(pub tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    /// Writes a file and returns its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, content).unwrap();
        path
    }

    /// The names of all files, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

/// Runs the program with `input` as its standard input.
pub fn krieg(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_krieg"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// The standard output of a command that must succeed.
pub fn stdout_of(args: &[&str], input: &str) -> String {
    let output = krieg(args, input);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{args:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// The standard error of a command that must fail without other output.
pub fn error_of(args: &[&str]) -> String {
    let output = krieg(args, "");
    assert!(!output.status.success(), "{args:?} did not fail");
    assert!(output.stdout.is_empty(), "{args:?} printed output");
    String::from_utf8(output.stderr).unwrap()
}

pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The path of a file with a small random network.
pub fn random_network() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random.net");
    let bytes = krieg_testing::random_network_file(1, 16, 1, 1);
    // Several tests write the file at once.
    write_atomically(&path, |file| file.write_all(&bytes)).unwrap();
    path
}

/// Every registered player, without tablebases, which would have to be built first in the user's
/// folder; `krieg-players` tests players with tablebases. `engine` runs this program.
pub fn all_players() -> Vec<PlayerSpec> {
    let served =
        format!("engine(cmd=\"{} engine greedy(tablebases=no)\")", env!("CARGO_BIN_EXE_krieg"));
    let spec = |name: &str| match name {
        "engine" => served.clone(),
        _ => format!("{name}(tablebases=no)"),
    };
    PlayerRegistry::default().kinds().iter().map(|kind| spec(kind.name).parse().unwrap()).collect()
}

/// Plays a game of `player` against the player `random`.
pub fn play(player: &mut dyn Player, color: Color, settings: GameSettings, seed: u64) -> Game {
    let mut random = Random::new();
    let runner = GameRunner::new(settings, seed);
    match color {
        Color::White => runner.play([player, &mut random]),
        Color::Black => runner.play([&mut random, player]),
    }
}
