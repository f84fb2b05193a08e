//! Extractors whose rejections are problem documents.

use super::AppResult;
use crate::error::AppError;
use crate::limits::OpenStream;
use crate::state::AppState;
use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::{Form, Json};
use lozenge_game::ClientAddress;
use lozenge_game::text::{has_control_in_json, has_control_in_percent};
use serde::de::DeserializeOwned;
use std::convert::Infallible;
use tokio::sync::watch;

/// The JSON that was sent.
pub(super) struct JsonBody<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<AppState> for JsonBody<T> {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, AppError> {
        let request = without_control(request, state, has_control_in_json).await?;
        match Json::from_request(request, state).await {
            Ok(Json(value)) => Ok(Self(value)),
            Err(fault) => Err(refused(fault.status(), fault.body_text())),
        }
    }
}

/// A body in JSON, or in the encoding of forms.
pub(super) struct JsonOrForm<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<AppState> for JsonOrForm<T> {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, AppError> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if !kind.is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded")) {
            return JsonBody::from_request(request, state).await.map(|JsonBody(value)| Self(value));
        }
        let request = without_control(request, state, has_control_in_percent).await?;
        match Form::from_request(request, state).await {
            Ok(Form(value)) => Ok(Self(value)),
            Err(fault) => Err(refused(fault.status(), fault.body_text())),
        }
    }
}

/// A request whose body has no control characters; `found` searches for them.
async fn without_control(
    request: Request,
    state: &AppState,
    found: fn(&[u8]) -> bool,
) -> Result<Request, AppError> {
    let (parts, body) = request.into_parts();
    let read = Bytes::from_request(Request::from_parts(parts.clone(), body), state).await;
    let body = read.map_err(|fault| refused(fault.status(), fault.body_text()))?;
    if found(&body) {
        return Err(AppError::CONTROL);
    }
    Ok(Request::from_parts(parts, Body::from(body)))
}

/// The client of a request: its origin, and whether it still waits for the answer.
pub(super) struct Client {
    pub(super) address: ClientAddress,
    disconnected: Option<ClientDisconnect>,
}

impl FromRequestParts<AppState> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        let address = state.client_address(&parts.extensions, &parts.headers);
        Ok(Self { address, disconnected: parts.extensions.get::<ClientDisconnect>().cloned() })
    }
}

impl Client {
    /// Does costly work unless the client disconnects.
    pub(super) async fn while_waiting<T, E: Into<AppError>>(
        &self,
        work: impl Future<Output = Result<T, E>>,
    ) -> AppResult<T> {
        tokio::select! {
            done = work => done.map_err(Into::into),
            () = disconnected(self.disconnected.clone()) => Err(AppError::Overloaded),
        }
    }
}

async fn disconnected(waiting: Option<ClientDisconnect>) {
    match waiting {
        Some(ClientDisconnect(mut waiting)) => while waiting.changed().await.is_ok() {},
        None => std::future::pending().await,
    }
}

/// Ends when the client has closed its connection: requests that change something are carried out in a task of their own.
#[derive(Clone)]
pub(super) struct ClientDisconnect(pub(super) watch::Receiver<()>);

impl FromRequestParts<AppState> for OpenStream {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, AppError> {
        Ok(state.limits.open_stream(state.client_address(&parts.extensions, &parts.headers))?)
    }
}

/// The query of the URL.
pub(super) struct QueryParams<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequestParts<AppState> for QueryParams<T> {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, AppError> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(value)) => Ok(Self(value)),
            Err(fault) => Err(refused(fault.status(), fault.body_text())),
        }
    }
}

/// A rejection by one of axum's extractors.
fn refused(status: StatusCode, why: String) -> AppError {
    if status == StatusCode::PAYLOAD_TOO_LARGE { AppError::TooLarge } else { AppError::Invalid(why) }
}
