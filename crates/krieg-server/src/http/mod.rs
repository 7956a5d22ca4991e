//! The server's requests: who asks, what for, and how it is answered. `docs/api.md` tells it in words.

mod arena;
mod caller;
mod files;
mod games;
mod limits;
mod people;
mod review;
mod safety;
mod table;
mod watch;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::Settings;
use crate::hall::Hall;
use crate::metrics::Metrics;

pub use limits::{Limits, Pace};
pub use watch::counted;

/// What every request can reach.
#[derive(Debug, Clone)]
pub struct App {
    /// The hall with all games.
    pub hall: Hall,
    /// How fast is too fast.
    pub limits: Arc<Limits>,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// What the server was started with.
    pub settings: Arc<Settings>,
    /// Told to every socket when the server stops.
    pub stops: tokio::sync::watch::Receiver<bool>,
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
        .routes(routes!(people::me))
        .routes(routes!(people::guest))
        .routes(routes!(people::register))
        .routes(routes!(people::login))
        .routes(routes!(people::logout))
        .routes(routes!(games::options))
        .routes(routes!(games::list, games::begin))
        .routes(routes!(games::find, games::take_back))
        .routes(routes!(games::join))
        .routes(routes!(table::look))
        .routes(routes!(table::act))
        .routes(routes!(table::advice))
        .routes(routes!(table::socket))
        .routes(routes!(review::pgn))
        .routes(routes!(review::steps))
        .routes(routes!(review::analysis, review::analyse))
        .merge(OpenApiRouter::new().routes(routes!(review::upload)).layer(review::longest_game()))
        .routes(routes!(people::ratings))
        .routes(routes!(arena::tables))
        .split_for_parts()
}

/// Everything that is served.
pub fn router(app: App) -> Router {
    let (api, document) = api();
    let document = document.to_json().expect("the document is JSON");
    api.route("/api/openapi.json", files::document(document))
        .merge(watch::routes())
        .merge(files::routes())
        .fallback(files::nothing_here)
        .method_not_allowed_fallback(files::not_so)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::from_fn(safety::guard))
        .layer(middleware::from_fn_with_state(app.clone(), watch::count))
        .with_state(app)
}
