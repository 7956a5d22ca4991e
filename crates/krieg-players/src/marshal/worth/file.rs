//! The weights as a text file: a feature a line, with its weight in the middle game and in the ending.

use std::fmt::Write as _;

use krieg_core::excerpt;
use thiserror::Error;

use super::Worth;
use super::features::{FEATURES, NAMES};

const HEAD: &str = "krieg worth 3";

/// Why a file holds no weights.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WorthError {
    /// It is something else.
    #[error("this is no file of what boards are worth: it does not begin with {HEAD:?}")]
    Another,
    /// A line that is no feature with two numbers.
    #[error("line {line}: {text:?} is not a feature with two weights, such as pawn 0.4 0.6")]
    NotAFeature {
        /// Counted from 1.
        line: usize,
        /// The line's beginning.
        text: String,
    },
    /// A feature that nobody knows.
    #[error("line {line}: there is no feature {name:?}")]
    Unknown {
        /// Counted from 1.
        line: usize,
        /// What it is called.
        name: String,
    },
    /// A feature for the second time.
    #[error("line {line}: {name} was there before")]
    Twice {
        /// Counted from 1.
        line: usize,
        /// What it is called.
        name: &'static str,
    },
    /// A feature that is not there.
    #[error("{0} is missing")]
    Missing(&'static str),
}

impl Worth {
    /// As the text of a file.
    pub fn write(&self) -> String {
        let mut text = format!("{HEAD}\n# feature, in the middle game, in the ending\n");
        for ((name, middle), ending) in NAMES.iter().zip(self.middle).zip(self.ending) {
            // Writing to a string never fails.
            let _ = writeln!(text, "{name} {middle} {ending}");
        }
        text
    }

    /// Reads the text of a file. Lines that begin with `#` are for people.
    pub fn read(text: &str) -> Result<Self, WorthError> {
        let mut lines = text.lines().enumerate();
        if lines.next().is_none_or(|(_, head)| head.trim_end() != HEAD) {
            return Err(WorthError::Another);
        }
        let mut found = [None; FEATURES];
        for (at, text) in lines {
            let line = at + 1;
            if text.starts_with('#') || text.trim().is_empty() {
                continue;
            }
            let (name, weights) = feature(text)
                .ok_or_else(|| WorthError::NotAFeature { line, text: excerpt(text) })?;
            let index = NAMES
                .iter()
                .position(|known| *known == name)
                .ok_or_else(|| WorthError::Unknown { line, name: excerpt(name) })?;
            if found[index].replace(weights).is_some() {
                return Err(WorthError::Twice { line, name: NAMES[index] });
            }
        }
        let mut worth = Worth::nothing();
        for (index, weights) in found.into_iter().enumerate() {
            (worth.middle[index], worth.ending[index]) =
                weights.ok_or(WorthError::Missing(NAMES[index]))?;
        }
        Ok(worth)
    }
}

/// A name and two numbers.
fn feature(line: &str) -> Option<(&str, (f32, f32))> {
    let mut words = line.split_whitespace();
    let name = words.next()?;
    let mut weight = || words.next()?.parse::<f32>().ok().filter(|weight: &f32| weight.is_finite());
    let weights = (weight()?, weight()?);
    words.next().is_none().then_some((name, weights))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let worth = Worth::default();
        assert_eq!(Worth::read(&worth.write()).unwrap().write(), worth.write());
    }

    #[test]
    fn a_damaged_file_is_refused_and_the_line_is_named() {
        let whole = Worth::default().write();
        let read = |text: &str| Worth::read(text).unwrap_err();
        assert_eq!(read("material 85/115"), WorthError::Another);
        assert_eq!(read(""), WorthError::Another);
        let short = whole.split_once("escort ").unwrap().0;
        assert_eq!(read(short), WorthError::Missing("escort"));
        let line = whole.lines().count() + 1;
        assert_eq!(read(&format!("{whole}turn 1 2\n")), WorthError::Twice { line, name: "turn" });
        for bad in ["turn 1", "turn one 2", "turn 1 2 3", "turn NaN 0"] {
            let text = bad.to_string();
            assert_eq!(read(&format!("{whole}{bad}")), WorthError::NotAFeature { line, text });
        }
        let name = "elephant".to_string();
        assert_eq!(read(&format!("{whole}elephant 1 2")), WorthError::Unknown { line, name });
    }
}
