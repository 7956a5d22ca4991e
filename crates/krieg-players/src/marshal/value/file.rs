//! The file of a value model: text, one line per feature with its two weights.

use std::fmt::Write as _;

use krieg_core::excerpt;
use thiserror::Error;

use super::ValueModel;
use super::features::{FEATURE_COUNT, FEATURES};

/// First line of a file of the current version.
const HEADER: &str = "krieg value model 4";
/// First line of a file of version 3, which named the features differently ([`NAMES_VERSION_3`]).
const HEADER_VERSION_3: &str = "krieg worth 3";
/// The feature names of version 3, in the order of [`FEATURES`]. The features are the same.
const NAMES_VERSION_3: [&str; FEATURE_COUNT] = [
    "turn",
    "chess",
    "pawns",
    "pawns-come",
    "pawnless",
    "passed",
    "passed-come",
    "bishop-pair",
    "bared-by-heavy",
    "bared-by-pawn",
    "free-way",
    "escort",
    "hunt-room",
    "hunt-edge",
    "hunt-near",
    "own-loose",
    "enemy-loose",
    "own-exposed",
    "enemy-exposed",
    "own-siege",
    "enemy-siege",
    "take-back",
    "pawn-try",
    "pawn-victim",
    "standstill",
];

/// Why a file is not a value model.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ValueModelError {
    /// The first line is not the header of a supported version.
    #[error("this is not a value model: the first line is not {HEADER:?}")]
    BadHeader,
    /// A line is not a feature with two numbers.
    #[error("line {line}: {text:?} is not a feature with two weights, such as pawns 0.4 0.6")]
    BadLine {
        /// Line number, counted from 1.
        line: usize,
        /// The beginning of the line.
        text: String,
    },
    /// A line names a feature that does not exist.
    #[error("line {line}: there is no feature {name:?}")]
    UnknownFeature {
        /// Line number, counted from 1.
        line: usize,
        /// The name in the file.
        name: String,
    },
    /// A feature occurs twice.
    #[error("line {line}: {name} occurs twice")]
    DuplicateFeature {
        /// Line number, counted from 1.
        line: usize,
        /// The name of the feature.
        name: &'static str,
    },
    /// A feature is missing.
    #[error("the feature {0} is missing")]
    MissingFeature(&'static str),
}

impl ValueModel {
    /// The text of the model's file.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = format!("{HEADER}\n# feature, middlegame weight, endgame weight\n");
        for ((feature, middlegame), endgame) in
            FEATURES.iter().zip(self.middlegame).zip(self.endgame)
        {
            // Writing to a string never fails.
            let _ = writeln!(text, "{} {middlegame} {endgame}", feature.name);
        }
        text
    }

    /// Reads the text of a file of version 4 or 3. Lines that begin with `#` are comments.
    pub fn read(text: &str) -> Result<Self, ValueModelError> {
        let mut lines = text.lines().enumerate();
        let names = match lines.next().map(|(_, header)| header.trim_end()) {
            Some(HEADER) => std::array::from_fn(|index| FEATURES[index].name),
            Some(HEADER_VERSION_3) => NAMES_VERSION_3,
            _ => return Err(ValueModelError::BadHeader),
        };
        let mut found = [None; FEATURE_COUNT];
        for (at, text) in lines {
            let line = at + 1;
            if text.starts_with('#') || text.trim().is_empty() {
                continue;
            }
            let (name, weights) = parse_feature(text)
                .ok_or_else(|| ValueModelError::BadLine { line, text: excerpt(text) })?;
            let index = names
                .iter()
                .position(|known| *known == name)
                .ok_or_else(|| ValueModelError::UnknownFeature { line, name: excerpt(name) })?;
            if found[index].replace(weights).is_some() {
                return Err(ValueModelError::DuplicateFeature { line, name: names[index] });
            }
        }
        let (mut middlegame, mut endgame) = ([0.0; FEATURE_COUNT], [0.0; FEATURE_COUNT]);
        for (index, weights) in found.into_iter().enumerate() {
            (middlegame[index], endgame[index]) =
                weights.ok_or(ValueModelError::MissingFeature(names[index]))?;
        }
        Ok(ValueModel::from_weights(middlegame, endgame))
    }
}

/// Parses a feature name and two finite numbers.
fn parse_feature(line: &str) -> Option<(&str, (f32, f32))> {
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
    fn a_written_model_is_read_back() {
        let model = ValueModel::default();
        assert_eq!(ValueModel::read(&model.write()).unwrap().write(), model.write());
    }

    #[test]
    fn a_file_of_version_3_is_read() {
        let current = ValueModel::default().write();
        let mut old = current.replacen(HEADER, HEADER_VERSION_3, 1);
        for (feature, old_name) in FEATURES.iter().zip(NAMES_VERSION_3) {
            let name = feature.name;
            old = old.replacen(&format!("\n{name} "), &format!("\n{old_name} "), 1);
        }
        assert!(old.contains("\nown-exposed ") && !old.contains("\nown-hanging "));
        assert_eq!(ValueModel::read(&old).unwrap().write(), current);
    }

    #[test]
    fn a_damaged_file_is_rejected_with_its_line() {
        let whole = ValueModel::default().write();
        let read = |text: &str| ValueModel::read(text).unwrap_err();
        assert_eq!(read("material 85/115"), ValueModelError::BadHeader);
        assert_eq!(read(""), ValueModelError::BadHeader);
        let short = whole.split_once("passed-king-escort ").unwrap().0;
        assert_eq!(read(short), ValueModelError::MissingFeature("passed-king-escort"));
        let line = whole.lines().count() + 1;
        assert_eq!(
            read(&format!("{whole}tempo 1 2\n")),
            ValueModelError::DuplicateFeature { line, name: "tempo" }
        );
        for bad in ["tempo 1", "tempo one 2", "tempo 1 2 3", "tempo NaN 0"] {
            let text = bad.to_string();
            assert_eq!(read(&format!("{whole}{bad}")), ValueModelError::BadLine { line, text });
        }
        let name = "elephant".to_string();
        assert_eq!(
            read(&format!("{whole}elephant 1 2")),
            ValueModelError::UnknownFeature { line, name }
        );
    }
}
