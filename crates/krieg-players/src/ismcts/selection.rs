//! How a node of the tree chooses among its tries.

use std::str::FromStr;

/// When a try is made for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expansion {
    /// Before any other is made again: the rule of the published algorithms.
    AllFirst,
    /// Below the root, when no other promises more than tries here have brought on the average (first-play urgency: Gelly and Wang,
    /// 2006). Where boards differ there is nearly always a try that was never made; whoever must make it first never comes to
    /// make the good ones again.
    FirstPlayUrgency,
}

impl FromStr for Expansion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all-first" => Ok(Expansion::AllFirst),
            "first-play-urgency" => Ok(Expansion::FirstPlayUrgency),
            _ => Err("choose one of all-first, first-play-urgency".to_string()),
        }
    }
}

/// How a node chooses.
#[derive(Debug, Clone, Copy)]
pub struct SelectionParams {
    /// The constant of UCT.
    pub exploration: f64,
    /// When a try is made for the first time.
    pub expansion: Expansion,
}
