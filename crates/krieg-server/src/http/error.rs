//! Turns errors of the service into responses.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::service::ServiceError;

/// The code of an error for programs, and its status.
fn code_and_status(error: &ServiceError) -> (&'static str, StatusCode) {
    match error {
        ServiceError::BadRequest(_) => ("bad-request", StatusCode::BAD_REQUEST),
        ServiceError::SignInRequired => ("sign-in-required", StatusCode::UNAUTHORIZED),
        ServiceError::WrongPassword => ("wrong-password", StatusCode::UNAUTHORIZED),
        ServiceError::Forbidden(_) => ("forbidden", StatusCode::FORBIDDEN),
        ServiceError::ForeignOrigin => ("foreign-origin", StatusCode::FORBIDDEN),
        ServiceError::NotFound(_) => ("not-found", StatusCode::NOT_FOUND),
        ServiceError::NotOpen => ("not-open", StatusCode::CONFLICT),
        ServiceError::NotYourTurn(_) => ("not-your-turn", StatusCode::CONFLICT),
        ServiceError::InvalidTry(_) => ("invalid-try", StatusCode::CONFLICT),
        ServiceError::GameOver => ("game-over", StatusCode::CONFLICT),
        ServiceError::NotNow(_) => ("not-now", StatusCode::CONFLICT),
        ServiceError::NameTaken(_) => ("name-taken", StatusCode::CONFLICT),
        ServiceError::TooLarge => ("too-large", StatusCode::PAYLOAD_TOO_LARGE),
        ServiceError::RateLimited => ("rate-limited", StatusCode::TOO_MANY_REQUESTS),
        ServiceError::Internal => ("internal-error", StatusCode::INTERNAL_SERVER_ERROR),
    }
}

/// An error as a message over a socket. `reference` is the client's number for the command.
pub fn error_message(error: &ServiceError, reference: Option<i64>) -> Value {
    let (code, _) = code_and_status(error);
    json!({ "type": "error", "ref": reference, "code": code, "message": error.to_string() })
}

impl IntoResponse for ServiceError {
    fn into_response(self) -> Response {
        let (code, status) = code_and_status(&self);
        let body = json!({ "error": { "code": code, "message": self.to_string() } });
        (status, Json(body)).into_response()
    }
}
