//! What opponents turned out to be like in earlier games, kept in a file by their names.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use krieg_belief::Opponents;
use krieg_core::excerpt;

/// A file with a line for each opponent: his name, and how likely he is of each kind of players.
///
/// Whoever plays at the same time as somebody else with the same file remembers the other's games too; but what is kept then depends on which game ends first, so
/// games are not the same when they are played again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    path: PathBuf,
}

/// The first line of the file.
const HEADING: &str = "krieg memory 1";
/// So much of what is thought of an opponent comes from games before, and the rest from what players are like in general: he may have changed.
const TRUST: f32 = 0.5;
/// Between reading the file and writing it nobody else of this program may write.
static WRITING: Mutex<()> = Mutex::new(());

/// How likely somebody is of each kind, by the name of the kind.
type Kinds = BTreeMap<String, f32>;

impl Memory {
    /// Memory in this file, which need not be there yet. The words say what is wrong with one that is.
    pub fn in_file(path: impl Into<PathBuf>) -> Result<Self, String> {
        let memory = Memory { path: path.into() };
        read(&memory.path)?;
        Ok(memory)
    }

    /// The kinds of players, as likely as they are for this opponent. Of strangers nothing more is known than before.
    pub fn recall(&self, name: &str, opponents: Opponents) -> Opponents {
        let known = read(&self.path).ok().and_then(|mut all| all.remove(&key(name)));
        let Some(known) = known else { return opponents };
        let of_kind = |kind: &String| known.get(kind).copied().unwrap_or(0.0);
        let sum: f32 = opponents.names().iter().map(of_kind).sum();
        if sum <= 0.0 {
            return opponents;
        }
        let each = opponents.names().iter().zip(opponents.prior());
        let weights: Vec<f32> =
            each.map(|(kind, prior)| TRUST * of_kind(kind) / sum + (1.0 - TRUST) * prior).collect();
        opponents.with_weights(&weights)
    }

    /// Remembers what this opponent was like in a game, beside what he was like before.
    pub fn note(&self, name: &str, opponents: &Opponents) -> Result<(), String> {
        let _alone = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = read(&self.path)?;
        let kinds = all.entry(key(name)).or_default();
        let is_new = kinds.is_empty();
        for (kind, weight) in opponents.names().iter().zip(opponents.weights()) {
            let known = kinds.entry(kind.clone()).or_insert(0.0);
            *known = if is_new { *weight } else { (*known + *weight) / 2.0 };
        }
        let written = krieg_lines::write_whole(&self.path, |out| {
            writeln!(out, "{HEADING}")?;
            for (name, kinds) in &all {
                write!(out, "{name}")?;
                for (kind, weight) in kinds {
                    write!(out, "\t{weight:.4} {kind}")?;
                }
                writeln!(out)?;
            }
            Ok::<(), io::Error>(())
        });
        written.map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

/// A name as the file has it: on one line, and without tabs.
fn key(name: &str) -> String {
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    name.chars().map(printable).collect::<String>().trim().to_string()
}

/// All that the file has; nothing, if there is none.
fn read(path: &Path) -> Result<BTreeMap<String, Kinds>, String> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(error.to_string()),
    };
    let mut lines = text.lines().zip(1..);
    match lines.next() {
        Some((HEADING, _)) => {}
        first => {
            let first = first.map_or("", |(line, _)| line);
            return Err(format!("line 1: {:?} is not {HEADING:?}", excerpt(first)));
        }
    }
    lines
        .map(|(line, number)| {
            read_line(line).ok_or_else(|| {
                format!("line {number}: {:?} is no opponent with kinds", excerpt(line))
            })
        })
        .collect()
}

fn read_line(line: &str) -> Option<(String, Kinds)> {
    let mut parts = line.split('\t');
    let name = parts.next()?.to_string();
    let kinds = parts.map(|part| {
        let (weight, kind) = part.split_once(' ')?;
        let weight: f32 = weight.parse().ok()?;
        (0.0..=1.0).contains(&weight).then(|| (kind.to_string(), weight))
    });
    Some((name, kinds.collect::<Option<Kinds>>().filter(|kinds| !kinds.is_empty())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> (tempfile::TempDir, Memory) {
        let folder = tempfile::tempdir().unwrap();
        let memory = Memory::in_file(folder.path().join("memory.txt")).unwrap();
        (folder, memory)
    }

    fn certainly(number: usize) -> Opponents {
        let mut weights = vec![0.0; number + 1];
        weights[number] = 1.0;
        Opponents::default().with_weights(&weights)
    }

    #[test]
    fn who_is_met_again_is_known_and_a_stranger_is_not() {
        let (_folder, memory) = memory();
        let stranger = memory.recall("Ann", Opponents::default());
        assert_eq!(stranger.weights(), Opponents::default().weights());
        memory.note("Ann", &certainly(1)).unwrap();
        memory.note("Bob", &certainly(0)).unwrap();
        let ann = memory.recall("Ann", Opponents::default());
        let before = stranger.prior()[1];
        assert!((ann.weights()[1] - (0.5 + 0.5 * before)).abs() < 1e-3, "{:?}", ann.weights());
        assert!((ann.weights().iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert_eq!(memory.recall("Eve", Opponents::default()).weights(), stranger.weights());
    }

    #[test]
    fn who_changes_is_thought_of_as_between_what_he_was_and_what_he_is() {
        let (_folder, memory) = memory();
        memory.note("Ann\tof\nnowhere", &certainly(0)).unwrap();
        memory.note("Ann\tof\nnowhere", &certainly(1)).unwrap();
        let now = memory.recall("Ann\tof\nnowhere", Opponents::default());
        let general = Opponents::default();
        for kind in 0..2 {
            let expected = 0.25 + 0.5 * general.prior()[kind];
            assert!((now.weights()[kind] - expected).abs() < 1e-3, "{:?}", now.weights());
        }
    }

    #[test]
    fn kinds_that_nobody_knows_any_more_say_nothing() {
        let (_folder, memory) = memory();
        std::fs::write(&memory.path, "krieg memory 1\nAnn\t1.0 the kind of yesteryear\n").unwrap();
        let ann = memory.recall("Ann", Opponents::default());
        assert_eq!(ann.weights(), Opponents::default().weights());
    }

    #[test]
    fn a_file_that_is_something_else_is_refused_and_left_alone() {
        let (_folder, memory) = memory();
        for (text, what) in [
            ("", "line 1: \"\" is not \"krieg memory 1\""),
            ("Dear diary\n", "line 1: \"Dear diary\" is not \"krieg memory 1\""),
            ("krieg memory 1\nAnn\n", "line 2: \"Ann\" is no opponent with kinds"),
            ("krieg memory 1\nAnn\t7 pimc\n", "is no opponent with kinds"),
            ("krieg memory 1\nAnn\tNaN pimc\n", "is no opponent with kinds"),
        ] {
            std::fs::write(&memory.path, text).unwrap();
            let wrong = Memory::in_file(memory.path.clone()).unwrap_err();
            assert!(wrong.contains(what), "{wrong}");
            assert!(memory.note("Ann", &Opponents::default()).is_err());
            assert_eq!(std::fs::read_to_string(&memory.path).unwrap(), text);
        }
    }
}
