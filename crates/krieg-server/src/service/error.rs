//! Why the service does not do what it was asked.

use krieg_core::{Color, color_name};
use thiserror::Error;

use crate::domain::CommandError;
use crate::store::StoreError;

/// Why a request failed. Nothing has changed, except that a try after the flag has fallen ends the
/// game. The text is shown to users.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ServiceError {
    /// The request is malformed.
    #[error("{0}")]
    BadRequest(String),
    /// The request needs a guest or an account.
    #[error("Please choose a name first.")]
    SignInRequired,
    /// Name and password do not match.
    #[error("The name or the password is wrong.")]
    WrongPassword,
    /// The user may not do this.
    #[error("{0}")]
    Forbidden(&'static str),
    /// A page of another site sent the request.
    #[error("A page of another site sent this request.")]
    ForeignOrigin,
    /// There is no such game or page.
    #[error("{0}")]
    NotFound(&'static str),
    /// The game has no free seat.
    #[error("Another player has joined already, or the game was cancelled.")]
    NotOpen,
    /// The other player is to move.
    #[error("It is {}'s turn.", color_name(*.0))]
    NotYourTurn(Color),
    /// The umpire does not process the try.
    #[error("{0}")]
    InvalidTry(CommandError),
    /// The game is over.
    #[error("The game is over.")]
    GameOver,
    /// The request does not fit the state of the game.
    #[error("{0}")]
    NotNow(&'static str),
    /// Another user has the name.
    #[error("The name {0:?} is taken.")]
    NameTaken(String),
    /// The request is too large.
    #[error("The request is too large.")]
    TooLarge,
    /// There were too many requests, or the server is busy.
    #[error("Too many requests. Please try again later.")]
    RateLimited,
    /// The server failed.
    #[error("The server had an error. Please try again.")]
    Internal,
}

impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> Self {
        // Users need not know what is wrong with the disk; the operator reads the log.
        tracing::error!(%error, "the database failed");
        ServiceError::Internal
    }
}

impl From<CommandError> for ServiceError {
    fn from(error: CommandError) -> Self {
        match error {
            CommandError::GameOver => ServiceError::GameOver,
            CommandError::NotYourTurn(turn) => ServiceError::NotYourTurn(turn),
            CommandError::Try(_) => ServiceError::InvalidTry(error),
            CommandError::TooManyRefusals => ServiceError::RateLimited,
            CommandError::NotNow => ServiceError::NotNow("That is not possible now."),
        }
    }
}
