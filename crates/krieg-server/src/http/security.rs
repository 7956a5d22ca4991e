//! Protection against other sites: the origin of requests, and what pages may load.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::service::ServiceError;

/// Headers of every response.
const HEADERS: [(HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Rejects requests from pages of other sites, and adds the headers to responses.
pub async fn guard(request: Request, next: Next) -> Response {
    let is_write = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let is_api = request.uri().path().starts_with("/api/");
    let is_socket = request.headers().contains_key(header::SEC_WEBSOCKET_KEY);
    let mut response = if (is_write || is_socket) && has_foreign_origin(request.headers()) {
        ServiceError::ForeignOrigin.into_response()
    } else {
        next.run(request).await
    };
    if is_api {
        // A cache must not give one player's response to another.
        let no_store = HeaderValue::from_static("no-store");
        response.headers_mut().entry(header::CACHE_CONTROL).or_insert(no_store);
    }
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Whether a browser says that a page of another site sent the request. Programs send no origin.
fn has_foreign_origin(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return false };
    let origin_host = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    let own_host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    origin_host.is_none_or(|(_, host)| Some(host) != own_host)
}
