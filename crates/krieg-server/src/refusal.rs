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
pub enum Refusal {
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

impl Refusal {
    /// The word for it in programs.
    pub fn code(&self) -> &'static str {
        self.entry().0
    }

    fn entry(&self) -> (&'static str, StatusCode) {
        match self {
            Refusal::BadRequest(_) => ("bad-request", StatusCode::BAD_REQUEST),
            Refusal::SignIn => ("sign-in-required", StatusCode::UNAUTHORIZED),
            Refusal::WrongPassword => ("wrong-password", StatusCode::UNAUTHORIZED),
            Refusal::NotYours(_) => ("forbidden", StatusCode::FORBIDDEN),
            Refusal::ForeignOrigin => ("foreign-origin", StatusCode::FORBIDDEN),
            Refusal::Unknown(_) => ("not-found", StatusCode::NOT_FOUND),
            Refusal::NotOpen => ("not-open", StatusCode::CONFLICT),
            Refusal::NotYourTurn(_) => ("not-your-turn", StatusCode::CONFLICT),
            Refusal::TryError(TryError::GameOver) | Refusal::Over => {
                ("game-over", StatusCode::CONFLICT)
            }
            Refusal::TryError(_) => ("invalid-try", StatusCode::CONFLICT),
            Refusal::NotNow(_) => ("not-now", StatusCode::CONFLICT),
            Refusal::NameTaken(_) => ("name-taken", StatusCode::CONFLICT),
            Refusal::TooLarge => ("too-large", StatusCode::PAYLOAD_TOO_LARGE),
            Refusal::TooMany => ("rate-limited", StatusCode::TOO_MANY_REQUESTS),
            Refusal::Trouble => ("internal-error", StatusCode::INTERNAL_SERVER_ERROR),
        }
    }

    /// As a message at the table.
    pub fn message(&self, reference: Option<i64>) -> Value {
        json!({ "type": "error", "ref": reference, "code": self.code(), "message": self.to_string() })
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (code, status) = self.entry();
        let body = json!({ "error": { "code": code, "message": self.to_string() } });
        (status, Json(body)).into_response()
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        // What exactly is wrong with the disk is for whoever runs the server.
        tracing::error!(%error, "the store failed");
        Refusal::Trouble
    }
}
