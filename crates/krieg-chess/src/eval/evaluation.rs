//! An evaluation chosen at run time.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use cozy_chess::{Board, Move as BoardMove};
use krieg_core::checksum;
use thiserror::Error;

use super::classical::ClassicalState;
use super::network::Accumulator;
use super::{Classical, Evaluate, Network, NetworkError, Weights, WeightsError};

/// One of the evaluations, chosen at run time.
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
    /// A neural network.
    Network(Network),
}

/// The incrementally updated state of an [`Evaluation`].
#[derive(Debug, Clone)]
pub struct EvaluationState(State);

#[derive(Debug, Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "states are on the stack, and the large variant is the usual one"
)]
enum State {
    Classical(ClassicalState),
    Network(Accumulator),
}

/// Why an evaluation cannot be opened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EvaluationError {
    /// The file cannot be read.
    #[error("neither network, classical, first-guess nor a readable file: {0}")]
    File(#[from] std::io::Error),
    /// The path is that of a directory or a device.
    #[error("not a regular file")]
    NotAFile,
    /// The file is larger than any evaluation.
    #[error("the file is too large")]
    TooLarge,
    /// The file is a network that this program cannot use.
    #[error(transparent)]
    Network(NetworkError),
    /// The file is neither a network nor a weights file.
    #[error("neither a network nor a weights file: {0}")]
    Weights(WeightsError),
}

/// Maximum size of an evaluation file.
const MAX_FILE_BYTES: u64 = 16 << 20;

impl Evaluation {
    /// Opens `network`, `classical`, `first-guess`, or the file with this name.
    ///
    /// # Errors
    /// If the name is none of these, or the file is not a valid evaluation.
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
        let metadata = std::fs::metadata(path)?;
        if !metadata.is_file() {
            return Err(EvaluationError::NotAFile);
        }
        if metadata.len() > MAX_FILE_BYTES {
            return Err(EvaluationError::TooLarge);
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(MAX_FILE_BYTES).read_to_end(&mut bytes)?;
        Evaluation::read(&bytes)
    }

    /// Reads a network or a weights file from its bytes.
    ///
    /// # Errors
    /// If the bytes are neither.
    pub fn read(bytes: &[u8]) -> Result<Self, EvaluationError> {
        match Network::read(bytes) {
            Ok(network) => Ok(Evaluation::Network(network)),
            Err(NetworkError::NotANetwork) => Weights::read(&String::from_utf8_lossy(bytes))
                .map(|weights| Evaluation::Classical(Classical::new(weights)))
                .map_err(EvaluationError::Weights),
            Err(error) => Err(EvaluationError::Network(error)),
        }
    }

    /// A checksum of the parameters, which identifies the evaluation.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        match self {
            Evaluation::Classical(classical) => classical.weights().checksum(),
            Evaluation::Network(network) => checksum(&network.write()),
        }
    }

    /// The contributions of features or pieces to the evaluation of a board, as text.
    #[must_use]
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
        EvaluationState(match self {
            Evaluation::Classical(classical) => State::Classical(classical.refresh(board)),
            Evaluation::Network(network) => State::Network(network.refresh(board)),
        })
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
            (Evaluation::Network(network), State::Network(accumulator)) => {
                EvaluationState(State::Network(network.update(accumulator, before, mv, after)))
            }
            (Evaluation::Classical(classical), State::Classical(state)) => {
                EvaluationState(State::Classical(classical.update(state, before, mv, after)))
            }
            _ => self.refresh(after), // the state of another evaluation
        }
    }

    #[inline]
    fn evaluate(&mut self, board: &Board, state: &EvaluationState) -> i32 {
        match (&mut *self, &state.0) {
            (Evaluation::Network(network), State::Network(accumulator)) => {
                network.evaluate(board, accumulator)
            }
            (Evaluation::Classical(classical), State::Classical(state)) => {
                classical.evaluate(board, state)
            }
            _ => {
                let state = self.refresh(board);
                self.evaluate(board, &state)
            }
        }
    }
}
