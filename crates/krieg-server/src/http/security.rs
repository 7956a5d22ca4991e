//! What keeps other sites out: where a request may come from, and what a page may load.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::service::ServiceError;

/// What is said with every answer.
const HEADERS: [(HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Turns away what a page of another site sent, and tells browsers to be careful.
pub async fn guard(request: Request, next: Next) -> Response {
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let is_api = request.uri().path().starts_with("/api/");
    let is_socket = request.headers().contains_key(header::SEC_WEBSOCKET_KEY);
    let mut response = if (changes || is_socket) && is_foreign(request.headers()) {
        ServiceError::ForeignOrigin.into_response()
    } else {
        next.run(request).await
    };
    if is_api {
        // What one player is told is not to be handed to another.
        let no_store = HeaderValue::from_static("no-store");
        response.headers_mut().entry(header::CACHE_CONTROL).or_insert(no_store);
    }
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Whether a browser says that a page of another site sent it. Programs say nothing.
fn is_foreign(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let Some(origin) = headers.get(header::ORIGIN) else { return false };
    let own = text(header::HOST);
    let from = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    from.is_none_or(|(_, host)| Some(host) != own)
}
