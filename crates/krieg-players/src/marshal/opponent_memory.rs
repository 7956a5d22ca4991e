//! Opponent memory: the posterior over opponent types after earlier games, in a file by name.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use krieg_belief::OpponentMixture;
use krieg_core::excerpt;

use crate::PlayerSpec;

/// A file with one line per opponent: the name, and the probability of each type.
///
/// Players that use the same file at the same time share their memory. What is stored then depends
/// on which game ends first, so games are not reproducible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpponentMemory {
    path: PathBuf,
}

/// The first line of the file.
const HEADER: &str = "krieg memory 1";
/// Weight of the remembered posterior in the prior of the next game. The rest is the general prior,
/// because the opponent may have changed.
const MEMORY_WEIGHT: f32 = 0.5;
/// Held while a file is read and rewritten, so that no other player of this process changes it.
static WRITE_LOCK: Mutex<()> = Mutex::new(());

/// Probabilities by the name of the opponent type.
type TypePosterior = BTreeMap<String, f32>;

impl OpponentMemory {
    /// The memory in this file, which need not exist. The error says why an existing file is
    /// invalid.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, String> {
        let memory = OpponentMemory { path: path.into() };
        read(&memory.path)?;
        Ok(memory)
    }

    /// The mixture with the prior for this opponent. An unknown opponent has the general prior.
    #[must_use]
    pub fn recall(&self, name: &str, opponents: OpponentMixture) -> OpponentMixture {
        let known = read(&self.path).ok().and_then(|mut all| all.remove(&key(name)));
        let Some(known) = known else { return opponents };
        let probability = |kind: &String| known.get(kind).copied().unwrap_or(0.0);
        let sum: f32 = opponents.names().iter().map(probability).sum();
        if sum <= 0.0 {
            return opponents;
        }
        let types = opponents.names().iter().zip(opponents.prior());
        let weights: Vec<f32> = types
            .map(|(kind, prior)| {
                MEMORY_WEIGHT * probability(kind) / sum + (1.0 - MEMORY_WEIGHT) * prior
            })
            .collect();
        opponents.with_prior(&weights)
    }

    /// Stores the posterior after a game: the mean of the stored one and this one.
    pub fn record(&self, name: &str, opponents: &OpponentMixture) -> Result<(), String> {
        let _guard = WRITE_LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = read(&self.path)?;
        let stored = all.entry(key(name)).or_default();
        let is_new = stored.is_empty();
        for (kind, weight) in opponents.names().iter().zip(opponents.posterior()) {
            let known = stored.entry(kind.clone()).or_insert(0.0);
            *known = if is_new { *weight } else { (*known + *weight) / 2.0 };
        }
        let written = krieg_io::write_atomically(&self.path, |out| {
            writeln!(out, "{HEADER}")?;
            for (name, posterior) in &all {
                write!(out, "{name}")?;
                for (kind, weight) in posterior {
                    write!(out, "\t{weight:.4} {kind}")?;
                }
                writeln!(out)?;
            }
            Ok::<(), io::Error>(())
        });
        written.map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

/// The name as it is stored: on one line and without tabs.
fn key(name: &str) -> String {
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    name.chars().map(printable).collect::<String>().trim().to_string()
}

/// Reads the file; a missing file is empty.
fn read(path: &Path) -> Result<BTreeMap<String, TypePosterior>, String> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(error.to_string()),
    };
    let mut lines = text.lines().zip(1..);
    match lines.next() {
        Some((HEADER, _)) => {}
        first => {
            let first = first.map_or("", |(line, _)| line);
            return Err(format!("line 1: {:?} is not {HEADER:?}", excerpt(first)));
        }
    }
    lines
        .map(|(line, number)| {
            parse_line(line).ok_or_else(|| {
                format!(
                    "line {number}: {:?} is not an opponent with probabilities of types",
                    excerpt(line)
                )
            })
        })
        .collect()
}

/// The name of an opponent. A built-in player with parameter names of earlier versions gets the
/// current ones.
fn current_name(name: &str) -> String {
    match PlayerSpec::from_saved(name) {
        Ok(spec) => spec.to_string(),
        Err(_) => name.to_string(),
    }
}

/// Parses a name followed by at least one probability.
fn parse_line(line: &str) -> Option<(String, TypePosterior)> {
    let mut parts = line.split('\t');
    let name = current_name(parts.next()?);
    let posterior = parts.map(|part| {
        let (weight, kind) = part.split_once(' ')?;
        let weight: f32 = weight.parse().ok()?;
        (0.0..=1.0).contains(&weight).then(|| (kind.to_string(), weight))
    });
    let posterior = posterior.collect::<Option<TypePosterior>>();
    Some((name, posterior.filter(|posterior| !posterior.is_empty())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> (tempfile::TempDir, OpponentMemory) {
        let folder = tempfile::tempdir().unwrap();
        let memory = OpponentMemory::open(folder.path().join("memory.txt")).unwrap();
        (folder, memory)
    }

    /// A posterior that is certain of one type.
    fn certain_of(number: usize) -> OpponentMixture {
        let mut weights = vec![0.0; number + 1];
        weights[number] = 1.0;
        OpponentMixture::default().with_prior(&weights)
    }

    #[test]
    fn a_known_opponent_is_recalled_and_an_unknown_one_has_the_prior() {
        let (_folder, memory) = memory();
        let unknown = memory.recall("Ann", OpponentMixture::default());
        assert_eq!(unknown.posterior(), OpponentMixture::default().posterior());
        memory.record("Ann", &certain_of(1)).unwrap();
        memory.record("Bob", &certain_of(0)).unwrap();
        let ann = memory.recall("Ann", OpponentMixture::default());
        let before = unknown.prior()[1];
        assert!((ann.posterior()[1] - (0.5 + 0.5 * before)).abs() < 1e-3, "{:?}", ann.posterior());
        assert!((ann.posterior().iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert_eq!(
            memory.recall("Eve", OpponentMixture::default()).posterior(),
            unknown.posterior()
        );
    }

    #[test]
    fn a_file_without_types_for_strangers_is_read() {
        let (_folder, memory) = memory();
        std::fs::write(&memory.path, "krieg memory 1\nAnn\t0.9000 pimc\t0.1000 marshal\n").unwrap();
        let robust = OpponentMixture::default().with_strangers();
        let ann = memory.recall("Ann", robust.clone());
        let of = |model: &OpponentMixture, kind: &str| {
            model.posterior()[model.names().iter().position(|name| name == kind).unwrap()]
        };
        assert!((of(&ann, "pimc") - (0.45 + 0.5 * of(&robust, "pimc"))).abs() < 1e-3);
        assert!((of(&ann, "plain") - 0.5 * of(&robust, "plain")).abs() < 1e-4);
        // The types for strangers are stored, too, and a mixture without them ignores them.
        memory.record("Bob", &robust).unwrap();
        let bob = memory.recall("Bob", robust.clone());
        assert!((of(&bob, "plain") - of(&robust, "plain")).abs() < 1e-3);
        let fitted = memory.recall("Bob", OpponentMixture::default());
        assert!((fitted.posterior().iter().sum::<f32>() - 1.0).abs() < 1e-4);
    }

    #[test]
    fn posteriors_of_two_games_are_averaged() {
        let (_folder, memory) = memory();
        memory.record("Ann\tof\nnowhere", &certain_of(0)).unwrap();
        memory.record("Ann\tof\nnowhere", &certain_of(1)).unwrap();
        let now = memory.recall("Ann\tof\nnowhere", OpponentMixture::default());
        let general = OpponentMixture::default();
        for kind in 0..2 {
            let expected = 0.25 + 0.5 * general.prior()[kind];
            assert!((now.posterior()[kind] - expected).abs() < 1e-3, "{:?}", now.posterior());
        }
    }

    #[test]
    fn players_with_former_parameter_names_are_recalled() {
        let (_folder, memory) = memory();
        memory.record("pimc(particles=60)", &certain_of(1)).unwrap();
        let file = std::fs::read_to_string(&memory.path).unwrap();
        std::fs::write(&memory.path, file.replace("particles=60", "pool=60")).unwrap();
        let recalled = memory.recall("pimc(particles=60)", OpponentMixture::default());
        assert!(recalled.posterior()[1] > 0.5, "{:?}", recalled.posterior());
    }

    #[test]
    fn unknown_types_are_ignored() {
        let (_folder, memory) = memory();
        std::fs::write(&memory.path, "krieg memory 1\nAnn\t1.0 a removed type\n").unwrap();
        let ann = memory.recall("Ann", OpponentMixture::default());
        assert_eq!(ann.posterior(), OpponentMixture::default().posterior());
    }

    #[test]
    fn an_invalid_file_is_rejected_and_left_unchanged() {
        let (_folder, memory) = memory();
        for (text, what) in [
            ("", "line 1: \"\" is not \"krieg memory 1\""),
            ("Dear diary\n", "line 1: \"Dear diary\" is not \"krieg memory 1\""),
            ("krieg memory 1\nAnn\n", "line 2: \"Ann\" is not an opponent with probabilities"),
            ("krieg memory 1\nAnn\t7 pimc\n", "is not an opponent with probabilities"),
            ("krieg memory 1\nAnn\tNaN pimc\n", "is not an opponent with probabilities"),
        ] {
            std::fs::write(&memory.path, text).unwrap();
            let error = OpponentMemory::open(memory.path.clone()).unwrap_err();
            assert!(error.contains(what), "{error}");
            assert!(memory.record("Ann", &OpponentMixture::default()).is_err());
            assert_eq!(std::fs::read_to_string(&memory.path).unwrap(), text);
        }
    }
}
