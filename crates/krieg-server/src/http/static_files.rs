//! The page and its parts, as they were when the program was built.

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
#[exclude = "README.md"]
#[exclude = "jsconfig.json"]
struct Web;

/// The addresses of pages: one document for all of them, which looks at the address.
const PAGES: [&str; 7] =
    ["/", "/new", "/game/{id}", "/review/{id}", "/rules", "/rules/{name}", "/ratings"];

pub fn routes() -> Router<App> {
    let pages =
        PAGES.iter().fold(Router::new(), |router, page| router.route(page, get(document_page)));
    pages
        .route(
            "/web/{*path}",
            get(|Path(path): Path<String>, headers| async move { file(&path, &headers) }),
        )
        .route("/favicon.ico", get(|headers| async move { file("icon.svg", &headers) }))
}

async fn document_page(headers: HeaderMap) -> Response {
    file("index.html", &headers)
}

/// The description of the API.
pub fn document(json: String) -> MethodRouter<App> {
    let json: std::sync::Arc<str> = json.into();
    get(move || {
        let json = json.to_string();
        async move { ([(header::CONTENT_TYPE, "application/json")], json) }
    })
}

/// A file of the page. A browser that has it already is told so.
fn file(path: &str, headers: &HeaderMap) -> Response {
    let Some(file) = Web::get(path) else {
        return ServiceError::Unknown("There is no such page.").into_response();
    };
    let hash = file.metadata.sha256_hash();
    let tag: String = hash[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{tag}\"");
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let caching = [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, "no-cache".to_string())];
    if known == Some(tag.as_str()) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    let kind = HeaderValue::from_static(content_type(path));
    (caching, [(header::CONTENT_TYPE, kind)], file.data).into_response()
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

/// A known address, asked for in a way it is not to be asked for.
pub async fn not_so() -> Response {
    let why = ServiceError::BadRequest("This address is not to be asked so.".into());
    (StatusCode::METHOD_NOT_ALLOWED, why.into_response()).into_response()
}

/// Any other address.
pub async fn nothing_here(uri: Uri) -> Response {
    if uri.path().starts_with("/api/") || uri.path().starts_with("/web/") {
        return ServiceError::Unknown("There is no such request.").into_response();
    }
    // The page itself says so in its own words.
    (StatusCode::NOT_FOUND, file("index.html", &HeaderMap::new())).into_response()
}
