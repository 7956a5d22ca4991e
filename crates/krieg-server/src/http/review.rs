//! Games that are over: their records, their analysis, and those that people bring.

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

/// Extended PGN: everything when the game is over, before that what you know.
#[utoipa::path(get, path = "/api/games/{id}/pgn", params(("id" = String, Path)),
    responses((status = 200, description = "Extended PGN", body = String, content_type = "application/x-chess-pgn")))]
pub async fn pgn(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
) -> Result<Response, ServiceError> {
    let text = app.service.pgn(&id, client.id()).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/x-chess-pgn".to_string()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"krieg-{id}.pgn\"")),
    ];
    Ok((headers, text).into_response())
}

/// A game that is over, step by step.
#[utoipa::path(get, path = "/api/games/{id}/review", params(("id" = String, Path)),
    responses((status = 200, description = "A review, as in docs/api.md", body = Object)))]
pub async fn steps(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
) -> Result<Json<Value>, ServiceError> {
    Ok(Json(app.service.review(&id, client.id()).await?))
}

/// How far is the analysis, and what was found?
#[utoipa::path(get, path = "/api/games/{id}/analysis", params(("id" = String, Path)),
    responses((status = 200, description = "An analysis, as in docs/api.md", body = Object)))]
pub async fn analysis(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<Value>, ServiceError> {
    Ok(Json(app.service.analysis(&id).await?))
}

/// Have a game analysed.
#[utoipa::path(post, path = "/api/games/{id}/analysis", params(("id" = String, Path)),
    responses((status = 202, description = "How far it is", body = Object)))]
pub async fn analyse(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<Value>), ServiceError> {
    if !app.limits.ask_much(client.address) {
        return Err(ServiceError::TooMany);
    }
    app.service.analyse(&id).await?;
    Ok((StatusCode::ACCEPTED, Json(app.service.analysis(&id).await?)))
}

/// Look at a game of your own.
#[utoipa::path(post, path = "/api/uploads",
    request_body(content = String, description = "Extended PGN, one game", content_type = "text/plain"),
    responses((status = 201, body = OneGame)))]
pub async fn upload(
    State(app): State<App>,
    client: Client,
    body: Result<Bytes, BytesRejection>,
) -> Result<(StatusCode, Json<OneGame>), ServiceError> {
    let body = body.map_err(|_| ServiceError::TooLarge)?;
    if !app.limits.ask_much(client.address) {
        return Err(ServiceError::TooMany);
    }
    let text = String::from_utf8(body.to_vec())
        .map_err(|_| ServiceError::BadRequest("This is no text.".into()))?;
    let info = app.service.upload(client.person.as_ref(), text).await?;
    Ok((StatusCode::CREATED, Json(OneGame { game: info.summary(client.id()) })))
}

/// Games that people bring may be longer than other requests.
pub fn longest_game() -> DefaultBodyLimit {
    DefaultBodyLimit::max(512 * 1024)
}
