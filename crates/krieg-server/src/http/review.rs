//! Finished games: their records and analyses, and uploaded games.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::App;
use super::client::Client;
use super::games::OneGame;
use crate::service::ServiceError;

/// Maximum size of an uploaded game in bytes.
const MAX_UPLOAD: usize = 512 * 1024;

/// Extended PGN: the record of a finished game, or your transcript of a running one.
#[utoipa::path(get, path = "/api/games/{id}/pgn", params(("id" = String, Path)),
    responses((status = 200, description = "Extended PGN", body = String,
        content_type = "application/x-chess-pgn")))]
pub async fn pgn(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
) -> Result<Response, ServiceError> {
    let text = app.service.pgn(&id, client.user_id()).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/x-chess-pgn".to_string()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"krieg-{id}.pgn\"")),
    ];
    Ok((headers, text).into_response())
}

/// A finished game, step by step.
#[utoipa::path(get, path = "/api/games/{id}/review", params(("id" = String, Path)),
    responses((status = 200, description = "A review, as in docs/api.md", body = Object)))]
pub async fn review(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
) -> Result<Json<Value>, ServiceError> {
    Ok(Json(app.service.review(&id, client.user_id()).await?))
}

/// The progress and the result of an analysis.
#[utoipa::path(get, path = "/api/games/{id}/analysis", params(("id" = String, Path)),
    responses((status = 200, description = "An analysis, as in docs/api.md", body = Object)))]
pub async fn analysis(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<Value>, ServiceError> {
    Ok(Json(app.service.analysis(&id).await?))
}

/// Request the analysis of a finished game.
#[utoipa::path(post, path = "/api/games/{id}/analysis", params(("id" = String, Path)),
    responses((status = 202, description = "The progress", body = Object)))]
pub async fn request_analysis(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<Value>), ServiceError> {
    if !app.limits.allows_question(client.address) {
        return Err(ServiceError::RateLimited);
    }
    app.service.request_analysis(&id).await?;
    Ok((StatusCode::ACCEPTED, Json(app.service.analysis(&id).await?)))
}

/// Upload a game.
#[utoipa::path(post, path = "/api/uploads",
    request_body(content = String, description = "Extended PGN, one game",
        content_type = "text/plain"),
    responses((status = 201, body = OneGame)))]
pub async fn upload(
    State(app): State<App>,
    client: Client,
    body: Result<Bytes, BytesRejection>,
) -> Result<(StatusCode, Json<OneGame>), ServiceError> {
    let body = body.map_err(|_| ServiceError::TooLarge)?;
    if !app.limits.allows_question(client.address) {
        return Err(ServiceError::RateLimited);
    }
    let text = String::from_utf8(body.to_vec())
        .map_err(|_| ServiceError::BadRequest("The upload is not UTF-8 text.".into()))?;
    let info = app.service.upload(client.user.as_ref(), text).await?;
    Ok((StatusCode::CREATED, Json(OneGame { game: info.summary(client.user_id()) })))
}

/// The body limit for uploads.
pub fn upload_limit() -> DefaultBodyLimit {
    DefaultBodyLimit::max(MAX_UPLOAD)
}
