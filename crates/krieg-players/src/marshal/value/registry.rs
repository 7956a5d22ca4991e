//! The registry of value models: functions that evaluate the leaves of the search.

use std::fmt;

use cozy_chess::{Board, Color};
use krieg_chess::{Network, Score};

use super::{ValueContext, ValueModel, engine_eval};

/// All value models. To add one, write a file for it and add an entry.
pub const VALUE_MODELS: &[ValueModelKind] = &[
    ValueModelKind {
        name: "fitted",
        about: "a logistic regression fitted to games between players who did not see the board",
        make: || Box::new(ValueModel::default()),
    },
    ValueModelKind {
        name: "engine",
        about: "the chess engine's static evaluation, as if both players saw the board",
        make: || Box::new(EngineValue::default()),
    },
];

/// The expected score of a board for the player to move.
///
/// ```
/// use cozy_chess::{Board, Color};
/// use krieg_players::marshal::value::{ValueContext, ValueFunction, ValueModel};
/// let mut value: Box<dyn ValueFunction> = Box::new(ValueModel::default());
/// let score = value.value(&Board::default(), Color::White, &ValueContext::default());
/// assert!((0.3..0.7).contains(&score));
/// ```
pub trait ValueFunction: Send + Sync {
    /// The expected score of the player, who is to move: 0 for a loss, 1 for a win.
    fn value(&mut self, board: &Board, player: Color, context: &ValueContext) -> f64;

    /// A copy for another search thread.
    fn clone_box(&self) -> Box<dyn ValueFunction>;
}

impl Clone for Box<dyn ValueFunction> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}

impl fmt::Debug for dyn ValueFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ValueFunction")
    }
}

impl ValueFunction for ValueModel {
    fn value(&mut self, board: &Board, player: Color, context: &ValueContext) -> f64 {
        ValueModel::value(self, board, player, context)
    }

    fn clone_box(&self) -> Box<dyn ValueFunction> {
        Box::new(self.clone())
    }
}

/// The value model `engine`.
#[derive(Clone, Default)]
struct EngineValue {
    network: Network,
}

impl ValueFunction for EngineValue {
    fn value(&mut self, board: &Board, _player: Color, _context: &ValueContext) -> f64 {
        Score::centipawns(engine_eval(&mut self.network, board)).expected_score()
    }

    fn clone_box(&self) -> Box<dyn ValueFunction> {
        Box::new(self.clone())
    }
}

/// A value model that `marshal` can name.
#[derive(Clone, Copy)]
pub struct ValueModelKind {
    /// The name, as it stands in `value_model=`.
    pub name: &'static str,
    /// A description in a few words.
    pub about: &'static str,
    /// Makes the model.
    pub make: fn() -> Box<dyn ValueFunction>,
}

/// The value model of this name, or the one in this file of `krieg learn value`.
pub(in crate::marshal) fn named_or_read(text: &str) -> Result<Box<dyn ValueFunction>, String> {
    if let Some(kind) = VALUE_MODELS.iter().find(|kind| kind.name == text) {
        return Ok((kind.make)());
    }
    let file = std::fs::read_to_string(text).map_err(|error| error.to_string())?;
    ValueModel::read(&file)
        .map(|model| Box::new(model) as Box<dyn ValueFunction>)
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_model_prefers_to_be_a_queen_ahead() {
        let boards =
            ["4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1", "3qk3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"];
        for kind in VALUE_MODELS {
            let mut model = named_or_read(kind.name).unwrap();
            let [ahead, behind] = boards.map(|fen| {
                model.value(&fen.parse().unwrap(), Color::White, &ValueContext::default())
            });
            assert!(0.0 < behind && behind < 0.3 && 0.7 < ahead && ahead < 1.0, "{}", kind.name);
        }
        assert!(named_or_read("no such file").is_err());
    }
}
