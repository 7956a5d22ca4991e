//! How a node of the tree chooses among its tries.

use std::str::FromStr;

/// When a try is made for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fresh {
    /// Before any other is made again: the rule of the published algorithms.
    First,
    /// Below the root, when no other promises more than tries here have brought on the average (first-play urgency: Gelly and Wang,
    /// 2006). Where boards differ there is nearly always a try that was never made; whoever must make it first never comes to
    /// make the good ones again.
    Fair,
}

impl FromStr for Fresh {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "first" => Ok(Fresh::First),
            "fair" => Ok(Fresh::Fair),
            _ => Err("there are first and fair".to_string()),
        }
    }
}

/// How a node chooses.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    /// The constant of UCT.
    pub c: f64,
    /// When a try is made for the first time.
    pub fresh: Fresh,
}
