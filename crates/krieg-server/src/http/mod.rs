//! Requests, responses and sockets. `docs/api.md` describes them for clients.
//!
//! A handler extracts the request, calls the service, and turns the result into a response.

mod arena;
mod body;
mod client;
mod error;
mod games;
mod health;
mod passwords;
mod play;
mod rate_limits;
mod review;
mod security;
mod socket;
mod static_files;
mod users;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::config::ServerConfig;
use crate::metrics::Metrics;
use crate::service::GameService;

pub use health::metrics_router;
pub use rate_limits::{Rate, RateLimits};

/// What every handler can use.
#[derive(Debug, Clone)]
pub struct App {
    /// The service.
    pub service: GameService,
    /// The rate limits.
    pub limits: Arc<RateLimits>,
    /// The metrics.
    pub metrics: Arc<Metrics>,
    /// The configuration.
    pub config: Arc<ServerConfig>,
    /// Becomes `true` when the server shuts down.
    pub shutdown: tokio::sync::watch::Receiver<bool>,
}

/// Maximum size of a request body in bytes, except for uploaded games.
const MAX_BODY: usize = 64 * 1024;

#[derive(OpenApi)]
#[openapi(info(
    title = "Krieg",
    description = "Kriegspiel for programs and people. docs/api.md describes all requests in \
                   detail, and the messages of the WebSocket.",
    license(name = "MIT OR Apache-2.0")
))]
struct Api;

/// All requests of the API, and the OpenAPI document that describes them.
fn api() -> (Router<App>, utoipa::openapi::OpenApi) {
    OpenApiRouter::with_openapi(Api::openapi())
        .routes(routes!(users::me))
        .routes(routes!(users::guest))
        .routes(routes!(users::register))
        .routes(routes!(users::login))
        .routes(routes!(users::logout))
        .routes(routes!(games::options))
        .routes(routes!(games::list, games::create))
        .routes(routes!(games::find, games::cancel))
        .routes(routes!(games::join))
        .routes(routes!(play::state))
        .routes(routes!(play::execute))
        .routes(routes!(play::advice))
        .routes(routes!(socket::open))
        .routes(routes!(review::pgn))
        .routes(routes!(review::review))
        .routes(routes!(review::analysis, review::request_analysis))
        .merge(OpenApiRouter::new().routes(routes!(review::upload)).layer(review::upload_limit()))
        .routes(routes!(users::ratings))
        .routes(routes!(arena::tables))
        .split_for_parts()
}

/// All routes of the server.
pub fn router(app: App) -> Router {
    let (api, document) = api();
    let document = document.to_json().expect("the document is JSON");
    api.route("/api/openapi.json", static_files::json_document(document))
        .merge(health::routes())
        .merge(static_files::routes())
        .fallback(static_files::not_found)
        .method_not_allowed_fallback(static_files::method_not_allowed)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn(security::guard))
        .layer(middleware::from_fn_with_state(app.clone(), health::log_request))
        .with_state(app)
}
