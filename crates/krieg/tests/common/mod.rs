//! Starting the program, folders for what it leaves behind, and players to put to the test.

// Not every test file needs all of it.
#![allow(dead_code)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use krieg_core::{Color, Game};
use krieg_players::{GameRunner, GameSettings, Player, PlayerRegistry, PlayerSpec, Random};

pub struct Folder(pub tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, content).unwrap();
        path
    }

    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

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

pub fn says(args: &[&str], input: &str) -> String {
    let output = krieg(args, input);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{args:?}: {complaint}");
    String::from_utf8(output.stdout).unwrap()
}

pub fn complains(args: &[&str]) -> String {
    let output = krieg(args, "");
    assert!(!output.status.success(), "{args:?} did not fail");
    assert!(output.stdout.is_empty(), "{args:?} printed something all the same");
    String::from_utf8(output.stderr).unwrap()
}

pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Every registered player. A program of somebody else's is, here, this program. Nobody uses tables of endgames: they would be built
/// first, in a folder of the user's. Those who do are put to the same tests in `krieg-players/tests/lone_king_controller.rs`.
pub fn everybody() -> Vec<PlayerSpec> {
    let lent =
        format!("engine(cmd=\"{} engine greedy(tablebases=no)\")", env!("CARGO_BIN_EXE_krieg"));
    let spec =
        |name: &str| if name == "engine" { lent.clone() } else { format!("{name}(tablebases=no)") };
    PlayerRegistry::default().kinds().iter().map(|kind| spec(kind.name).parse().unwrap()).collect()
}

/// The player against one who tries anything.
pub fn play(player: &mut dyn Player, color: Color, conditions: GameSettings, seed: u64) -> Game {
    let mut other = Random::new();
    let table = GameRunner::new(conditions, seed);
    match color {
        Color::White => table.play([player, &mut other]),
        Color::Black => table.play([&mut other, player]),
    }
}
