//! Playing by requests: the state of a game, commands, and advice.

use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::App;
use super::body::JsonBody;
use super::client::Client;
use crate::domain::Command;
use crate::service::ServiceError;

/// A command with the client's number for it.
#[derive(Debug, Deserialize, ToSchema)]
pub struct CommandRequest {
    /// A number that the reply repeats.
    #[serde(default, rename = "ref")]
    pub reference: Option<i64>,
    /// The command. It rejects unknown fields.
    #[serde(flatten)]
    pub command: Command,
}

/// The current state of a game.
#[utoipa::path(get, path = "/api/games/{id}/state", params(("id" = String, Path)),
    responses((status = 200, description = "A message of type `state`", body = Object)))]
pub async fn state(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
) -> Result<Json<Value>, ServiceError> {
    let user = client.require_action(&app)?;
    Ok(Json(app.service.state(&id, user.id).await?))
}

/// Carry out a command.
#[utoipa::path(post, path = "/api/games/{id}/actions", params(("id" = String, Path)),
    request_body = CommandRequest,
    responses((status = 200, description = "A message of type `state`", body = Object)))]
pub async fn execute(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
    JsonBody(body): JsonBody<CommandRequest>,
) -> Result<Json<Value>, ServiceError> {
    let user = client.require_action(&app)?;
    app.service.execute(id.clone(), user.id, body.command, None).await?;
    Ok(Json(app.service.state(&id, user.id).await?))
}

/// The coach's advice.
#[utoipa::path(get, path = "/api/games/{id}/coach", params(("id" = String, Path)),
    responses((status = 200, description = "Advice, as in docs/api.md", body = Object)))]
pub async fn advice(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
) -> Result<Json<Value>, ServiceError> {
    let user = client.require_user()?;
    if !app.limits.allows_question(client.address) {
        return Err(ServiceError::RateLimited);
    }
    Ok(Json(app.service.advice(&id, user.id).await?))
}
