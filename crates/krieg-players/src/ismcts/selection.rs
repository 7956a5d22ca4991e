//! The parameters of selection in the tree.

use std::str::FromStr;

/// When an unvisited try is selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expansion {
    /// Before any other try is visited again: the rule of the published algorithms.
    AllFirst,
    /// At the root, as above. Below it, only if no other try promises more than the mean value of
    /// the node (first-play urgency: Gelly and Wang, 2006). Legal tries differ from board to board,
    /// so there is nearly always an unvisited one, and a node that has to visit it first never
    /// returns to its good tries.
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

/// How a node selects a try.
#[derive(Debug, Clone, Copy)]
pub struct SelectionParams {
    /// The exploration constant of UCT.
    pub exploration: f64,
    /// When an unvisited try is selected.
    pub expansion: Expansion,
}
