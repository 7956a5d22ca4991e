//! What the server says when it does not do what it was asked: one list of all reasons.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use krieg_core::{Color, TryError, color_name};
use serde_json::{Value, json};
use thiserror::Error;

use crate::store::StoreError;

/// Why something was not done. Nothing has changed then.
#[derive(Debug, Clone, Error)]
#[allow(missing_docs)]
pub enum ServiceError {
    #[error("{0}")]
    BadRequest(String),
    #[error("Please give yourself a name first.")]
    SignIn,
    #[error("Name and password do not go together.")]
    WrongPassword,
    #[error("{0}")]
    NotYours(&'static str),
    #[error("This came from a page of another site.")]
    ForeignOrigin,
    #[error("{0}")]
    Unknown(&'static str),
    #[error("The seat is taken, or the game was taken back.")]
    NotOpen,
    #[error("It is {}'s turn.", color_name(*.0))]
    NotYourTurn(Color),
    #[error("{}.", capitalised(.0))]
    TryError(TryError),
    #[error("The game is over.")]
    Over,
    #[error("{0}")]
    NotNow(&'static str),
    #[error("The name {0:?} is taken.")]
    NameTaken(String),
    #[error("That is too large.")]
    TooLarge,
    #[error("Slower, please.")]
    TooMany,
    #[error("Something went wrong here. Please try again.")]
    Trouble,
}

fn capitalised(reason: &TryError) -> String {
    let text = reason.to_string();
    text[..1].to_uppercase() + &text[1..]
}

impl ServiceError {
    /// The word for it in programs.
    pub fn code(&self) -> &'static str {
        self.entry().0
    }

    fn entry(&self) -> (&'static str, StatusCode) {
        match self {
            ServiceError::BadRequest(_) => ("bad-request", StatusCode::BAD_REQUEST),
            ServiceError::SignIn => ("sign-in-required", StatusCode::UNAUTHORIZED),
            ServiceError::WrongPassword => ("wrong-password", StatusCode::UNAUTHORIZED),
            ServiceError::NotYours(_) => ("forbidden", StatusCode::FORBIDDEN),
            ServiceError::ForeignOrigin => ("foreign-origin", StatusCode::FORBIDDEN),
            ServiceError::Unknown(_) => ("not-found", StatusCode::NOT_FOUND),
            ServiceError::NotOpen => ("not-open", StatusCode::CONFLICT),
            ServiceError::NotYourTurn(_) => ("not-your-turn", StatusCode::CONFLICT),
            ServiceError::TryError(TryError::GameOver) | ServiceError::Over => {
                ("game-over", StatusCode::CONFLICT)
            }
            ServiceError::TryError(_) => ("invalid-try", StatusCode::CONFLICT),
            ServiceError::NotNow(_) => ("not-now", StatusCode::CONFLICT),
            ServiceError::NameTaken(_) => ("name-taken", StatusCode::CONFLICT),
            ServiceError::TooLarge => ("too-large", StatusCode::PAYLOAD_TOO_LARGE),
            ServiceError::TooMany => ("rate-limited", StatusCode::TOO_MANY_REQUESTS),
            ServiceError::Trouble => ("internal-error", StatusCode::INTERNAL_SERVER_ERROR),
        }
    }

    /// As a message at the table.
    pub fn message(&self, reference: Option<i64>) -> Value {
        json!({ "type": "error", "ref": reference, "code": self.code(), "message": self.to_string() })
    }
}

impl IntoResponse for ServiceError {
    fn into_response(self) -> Response {
        let (code, status) = self.entry();
        let body = json!({ "error": { "code": code, "message": self.to_string() } });
        (status, Json(body)).into_response()
    }
}

impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> Self {
        // What exactly is wrong with the disk is for whoever runs the server.
        tracing::error!(%error, "the store failed");
        ServiceError::Trouble
    }
}
