//! For whoever runs the server: whether it is well, and what it does.

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

/// What is counted has a door of its own: the number of tries answered is not for players, who could count each other's refusals.
pub fn metrics_router(app: App) -> Router {
    Router::new().route("/metrics", get(metrics)).with_state(app)
}

/// Well, if something could be written just now. It is not written for whoever asks: he could feel by it when others write.
async fn health(State(app): State<App>) -> Result<&'static str, ServiceError> {
    if app.service.is_well() { Ok("ok\n") } else { Err(ServiceError::Trouble) }
}

async fn metrics(State(app): State<App>) -> Response {
    let (tables, waiting) = app.service.load();
    let kind = "text/plain; version=0.0.4";
    ([(header::CONTENT_TYPE, kind)], app.metrics.text(tables, waiting)).into_response()
}

/// Counts a request, and notes it.
pub async fn count(State(app): State<App>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = request.method().clone();
    // The pattern, not the address: that would tell which games there are.
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_string());
    let response = next.run(request).await;
    let status = response.status();
    app.metrics.request(status.as_u16());
    let (ms, path) = (begun.elapsed().as_secs_f64() * 1e3, path.unwrap_or_default());
    if status.is_server_error() {
        tracing::error!(%method, path, status = status.as_u16(), ms, "request");
    } else {
        tracing::debug!(%method, path, status = status.as_u16(), ms, "request");
    }
    response
}
