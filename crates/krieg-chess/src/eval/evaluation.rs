//! Whichever evaluation was asked for.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use cozy_chess::{Board, Move as BoardMove};
use thiserror::Error;

use super::classical::ClassicalState;
use super::network::Accumulator;
use super::{Classical, Evaluate, Network, NetworkError, Weights, WeightsError};
use krieg_core::checksum;

/// One of the evaluations there are, chosen when the program runs.
///
/// ```
/// use krieg_chess::Evaluation;
/// assert!(matches!(Evaluation::open("network")?, Evaluation::Network(_)));
/// assert!(matches!(Evaluation::open("classical")?, Evaluation::Classical(_)));
/// assert!(Evaluation::open("no/such/file").is_err());
/// # Ok::<(), krieg_chess::EvaluationError>(())
/// ```
#[derive(Debug, Clone)]
pub enum Evaluation {
    /// Counted features with tuned weights.
    Classical(Classical),
    /// A network.
    Network(Network),
}

/// What an [`Evaluation`] keeps up to date.
#[derive(Debug, Clone)]
pub struct EvaluationState(Inner);

#[derive(Debug, Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "it lives on the stack, and the large one is the usual one"
)]
enum Inner {
    ClassicalState(ClassicalState),
    Accumulator(Accumulator),
}

/// Why there is no such evaluation.
#[derive(Debug, Error)]
pub enum EvaluationError {
    /// The file could not be read.
    #[error("it is neither network, classical nor first-guess, nor a file: {0}")]
    File(#[from] std::io::Error),
    /// A folder or a device.
    #[error("it is no ordinary file")]
    NoFile,
    /// Larger than any evaluation.
    #[error("it is too large a file")]
    TooLarge,
    /// A network, but not one for this program.
    #[error(transparent)]
    Network(NetworkError),
    /// Neither a network nor weights.
    #[error("it is neither a network nor a file of weights: {0}")]
    Weights(WeightsError),
}

/// No file of an evaluation is larger; a device may have no end.
const LARGEST: u64 = 16 << 20;

impl Evaluation {
    /// `network`, `classical` or `first-guess`, or the one in the file of this name.
    pub fn open(name: impl AsRef<Path>) -> Result<Self, EvaluationError> {
        let path = name.as_ref();
        match path.to_str() {
            Some("network") => return Ok(Evaluation::default()),
            Some("classical") => return Ok(Evaluation::Classical(Classical::default())),
            Some("first-guess") => {
                return Ok(Evaluation::Classical(Classical::new(Weights::first_guess())));
            }
            _ => {}
        }
        let about = std::fs::metadata(path)?;
        if !about.is_file() {
            return Err(EvaluationError::NoFile);
        }
        if about.len() > LARGEST {
            return Err(EvaluationError::TooLarge);
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(LARGEST).read_to_end(&mut bytes)?;
        Evaluation::read(&bytes)
    }

    /// A network or weights, from the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<Self, EvaluationError> {
        match Network::read(bytes) {
            Ok(network) => Ok(Evaluation::Network(network)),
            Err(NetworkError::Foreign) => Weights::read(&String::from_utf8_lossy(bytes))
                .map(|weights| Evaluation::Classical(Classical::new(weights)))
                .map_err(EvaluationError::Weights),
            Err(error) => Err(EvaluationError::Network(error)),
        }
    }

    /// A number that tells evaluations apart.
    pub fn checksum(&self) -> u64 {
        match self {
            Evaluation::Classical(classical) => {
                checksum(classical.weights().to_string().as_bytes())
            }
            Evaluation::Network(network) => checksum(&network.write()),
        }
    }

    /// The value of a board, taken apart for people.
    pub fn explain(&self, board: &Board) -> String {
        match self {
            Evaluation::Classical(classical) => classical.break_down(board).to_string(),
            Evaluation::Network(network) => network.break_down(board).to_string(),
        }
    }
}

impl Default for Evaluation {
    fn default() -> Self {
        Evaluation::Network(Network::default())
    }
}

impl Evaluate for Evaluation {
    type State = EvaluationState;

    fn refresh(&self, board: &Board) -> EvaluationState {
        match self {
            Evaluation::Classical(classical) => {
                EvaluationState(Inner::ClassicalState(classical.refresh(board)))
            }
            Evaluation::Network(network) => {
                EvaluationState(Inner::Accumulator(network.refresh(board)))
            }
        }
    }

    #[inline]
    fn update(
        &self,
        state: &EvaluationState,
        before: &Board,
        mv: BoardMove,
        after: &Board,
    ) -> EvaluationState {
        match (self, &state.0) {
            (Evaluation::Network(network), Inner::Accumulator(sums)) => {
                EvaluationState(Inner::Accumulator(network.update(sums, before, mv, after)))
            }
            (Evaluation::Classical(classical), Inner::ClassicalState(placed)) => {
                EvaluationState(Inner::ClassicalState(classical.update(placed, before, mv, after)))
            }
            _ => self.refresh(after), // the state of another evaluation
        }
    }

    #[inline]
    fn evaluate(&mut self, board: &Board, state: &EvaluationState) -> i32 {
        match (&mut *self, &state.0) {
            (Evaluation::Network(network), Inner::Accumulator(sums)) => {
                network.evaluate(board, sums)
            }
            (Evaluation::Classical(classical), Inner::ClassicalState(placed)) => {
                classical.evaluate(board, placed)
            }
            _ => {
                let state = self.refresh(board);
                self.evaluate(board, &state)
            }
        }
    }
}
