//! For operators: the health check, metrics, and the request log.

use std::time::Instant;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::App;
use crate::service::ServiceError;

pub fn routes() -> Router<App> {
    Router::new().route("/healthz", get(health))
}

/// The routes of the address for metrics. Players must not reach it, because the number of answered
/// tries reveals refused tries.
pub fn metrics_router(app: App) -> Router {
    Router::new().route("/metrics", get(metrics)).with_state(app)
}

/// Answers from the last heartbeat. A write for each request would let clients measure when others
/// write.
async fn health(State(app): State<App>) -> Result<&'static str, ServiceError> {
    if app.service.is_healthy() { Ok("ok\n") } else { Err(ServiceError::Internal) }
}

async fn metrics(State(app): State<App>) -> Response {
    let content_type = "text/plain; version=0.0.4";
    let text = app.metrics.text(app.service.gauges());
    ([(header::CONTENT_TYPE, content_type)], text).into_response()
}

/// Counts and logs a request.
pub async fn log_request(State(app): State<App>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    // The pattern instead of the path, because the path contains the id of a game.
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_string());
    let response = next.run(request).await;
    let status = response.status();
    app.metrics.count_request(status.as_u16());
    let (ms, path) = (started.elapsed().as_secs_f64() * 1e3, path.unwrap_or_default());
    if status.is_server_error() {
        tracing::error!(%method, path, status = status.as_u16(), ms, "request");
    } else {
        tracing::debug!(%method, path, status = status.as_u16(), ms, "request");
    }
    response
}
