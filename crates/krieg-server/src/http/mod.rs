//! The server's requests: who asks, what for, and how it is answered. `docs/api.md` tells it in words.

mod arena;
mod client;
mod games;
mod health;
mod play;
mod rate_limits;
mod review;
mod security;
mod static_files;
mod users;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::ServerConfig;
use crate::metrics::Metrics;
use crate::service::GameService;

pub use health::metrics_router;
pub use rate_limits::{Rate, RateLimits};

/// What every request can reach.
#[derive(Debug, Clone)]
pub struct App {
    /// The hall with all games.
    pub service: GameService,
    /// How fast is too fast.
    pub limits: Arc<RateLimits>,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// What the server was started with.
    pub config: Arc<ServerConfig>,
    /// Told to every socket when the server stops.
    pub shutdown: tokio::sync::watch::Receiver<bool>,
}

/// No request has more in it than this, but games that are brought.
const LARGEST_BODY: usize = 64 * 1024;

#[derive(OpenApi)]
#[openapi(info(
    title = "Krieg",
    description = "Kriegspiel for programs and people. docs/api.md tells it in words, the messages of the WebSocket too.",
    license(name = "MIT OR Apache-2.0")
))]
struct Api;

/// All requests, and the document that describes them.
fn api() -> (Router<App>, utoipa::openapi::OpenApi) {
    OpenApiRouter::with_openapi(Api::openapi())
        .routes(routes!(users::me))
        .routes(routes!(users::guest))
        .routes(routes!(users::register))
        .routes(routes!(users::login))
        .routes(routes!(users::logout))
        .routes(routes!(games::options))
        .routes(routes!(games::list, games::begin))
        .routes(routes!(games::find, games::cancel))
        .routes(routes!(games::join))
        .routes(routes!(play::look))
        .routes(routes!(play::act))
        .routes(routes!(play::advice))
        .routes(routes!(play::socket))
        .routes(routes!(review::pgn))
        .routes(routes!(review::steps))
        .routes(routes!(review::analysis, review::analyse))
        .merge(OpenApiRouter::new().routes(routes!(review::upload)).layer(review::longest_game()))
        .routes(routes!(users::ratings))
        .routes(routes!(arena::tables))
        .split_for_parts()
}

/// Everything that is served.
pub fn router(app: App) -> Router {
    let (api, document) = api();
    let document = document.to_json().expect("the document is JSON");
    api.route("/api/openapi.json", static_files::document(document))
        .merge(health::routes())
        .merge(static_files::routes())
        .fallback(static_files::nothing_here)
        .method_not_allowed_fallback(static_files::not_so)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::from_fn(security::guard))
        .layer(middleware::from_fn_with_state(app.clone(), health::count))
        .with_state(app)
}
