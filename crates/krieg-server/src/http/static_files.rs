//! The files of the web pages, embedded at build time.

use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use rust_embed::RustEmbed;

use super::App;
use crate::service::ServiceError;

#[derive(RustEmbed)]
#[folder = "web/"]
struct WebFiles;

/// Files for developers, which are not served. The library can exclude files while it embeds them,
/// but then compiles a library for regular expressions, twice.
const NOT_SERVED: [&str; 2] = ["README.md", "jsconfig.json"];

/// The addresses of pages. All of them are one document, which shows the page of its address.
const PAGES: [&str; 7] =
    ["/", "/new", "/game/{id}", "/review/{id}", "/rules", "/rules/{name}", "/ratings"];

pub fn routes() -> Router<App> {
    let pages = PAGES.iter().fold(Router::new(), |router, page| router.route(page, get(index)));
    pages
        .route(
            "/web/{*path}",
            get(|Path(path): Path<String>, headers| async move { file(&path, &headers) }),
        )
        .route("/favicon.ico", get(|headers| async move { file("icon.svg", &headers) }))
}

async fn index(headers: HeaderMap) -> Response {
    file("index.html", &headers)
}

/// A route that serves a JSON document.
pub fn json_document(json: String) -> MethodRouter<App> {
    let json: Arc<str> = json.into();
    get(move || {
        let json = json.to_string();
        async move { ([(header::CONTENT_TYPE, "application/json")], json) }
    })
}

/// A file, or the status "not modified" if the browser has its current version.
fn file(path: &str, headers: &HeaderMap) -> Response {
    let file = WebFiles::get(path).filter(|_| !NOT_SERVED.contains(&path));
    let Some(file) = file else {
        return ServiceError::NotFound("There is no such page.").into_response();
    };
    let hash = file.metadata.sha256_hash();
    let tag: String = hash[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{tag}\"");
    let cached = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let caching = [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, "no-cache".to_string())];
    if cached == Some(tag.as_str()) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    let content_type = HeaderValue::from_static(content_type(path));
    (caching, [(header::CONTENT_TYPE, content_type)], file.data).into_response()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}

/// The response to a known address with a wrong method.
pub async fn method_not_allowed() -> Response {
    let error = ServiceError::BadRequest("This address does not support the method.".into());
    (StatusCode::METHOD_NOT_ALLOWED, error.into_response()).into_response()
}

/// The response to any other address.
pub async fn not_found(uri: Uri) -> Response {
    if uri.path().starts_with("/api/") || uri.path().starts_with("/web/") {
        return ServiceError::NotFound("There is no such address.").into_response();
    }
    // The page says itself that it does not exist.
    (StatusCode::NOT_FOUND, file("index.html", &HeaderMap::new())).into_response()
}
