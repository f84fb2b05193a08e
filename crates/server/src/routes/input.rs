//! What requests bring along, with faults said as problems like all others.

use crate::app::AppState;
use crate::error::AppError;
use axum::extract::{ConnectInfo, FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::http::{Extensions, StatusCode, header};
use axum::{Form, Json};
use serde::de::DeserializeOwned;
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};

/// The JSON that was sent.
pub(super) struct Sent<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<AppState> for Sent<T> {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, AppError> {
        match Json::from_request(request, state).await {
            Ok(Json(value)) => Ok(Self(value)),
            Err(fault) => Err(refused(fault.status(), fault.body_text())),
        }
    }
}

/// What was sent as JSON, or as a form is filled in.
pub(super) struct SentOrFilledIn<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<AppState> for SentOrFilledIn<T> {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, AppError> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if !kind.is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded")) {
            return Sent::from_request(request, state).await.map(|Sent(value)| Self(value));
        }
        match Form::from_request(request, state).await {
            Ok(Form(value)) => Ok(Self(value)),
            Err(fault) => Err(refused(fault.status(), fault.body_text())),
        }
    }
}

/// The address that a request comes from; unknown without a socket.
pub(super) struct From(pub(super) Option<IpAddr>);

impl<S: Sync> FromRequestParts<S> for From {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(address(&parts.extensions)))
    }
}

/// The address that a request comes from.
pub(super) fn address(extensions: &Extensions) -> Option<IpAddr> {
    extensions.get::<ConnectInfo<SocketAddr>>().map(|address| address.0.ip())
}

/// What stands behind the `?` of the address.
pub(super) struct Asked<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequestParts<AppState> for Asked<T> {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, AppError> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(value)) => Ok(Self(value)),
            Err(fault) => Err(refused(fault.status(), fault.body_text())),
        }
    }
}

/// What one of axum's extractors said no to.
fn refused(status: StatusCode, why: String) -> AppError {
    if status == StatusCode::PAYLOAD_TOO_LARGE { AppError::TooLarge } else { AppError::Invalid(why) }
}
