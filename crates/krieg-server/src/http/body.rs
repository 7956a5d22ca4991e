//! Extractors whose errors have the form of the API.

use axum::Json;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::service::ServiceError;

/// A request body of JSON.
pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = ServiceError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ServiceError> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(body)) => Ok(JsonBody(body)),
            Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                Err(ServiceError::TooLarge)
            }
            Err(rejection) => Err(bad_request(rejection.body_text())),
        }
    }
}

/// The query of an address.
pub struct UrlQuery<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for UrlQuery<T> {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ServiceError> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(query)) => Ok(UrlQuery(query)),
            Err(rejection) => Err(bad_request(rejection.body_text())),
        }
    }
}

/// An error with the shortened reason of a parser.
pub fn bad_request(reason: String) -> ServiceError {
    ServiceError::BadRequest(krieg_core::short_reason(reason))
}
