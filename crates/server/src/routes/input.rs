//! What requests bring along, with faults said as problems like all others.

use crate::app::AppState;
use crate::error::AppError;
use crate::text::{has_control_in_json, has_control_in_percent};
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, StatusCode, header};
use axum::{Form, Json};
use serde::de::DeserializeOwned;
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};

/// The JSON that was sent.
pub(super) struct Sent<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<AppState> for Sent<T> {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, AppError> {
        let request = without_control(request, state, has_control_in_json).await?;
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
        let request = without_control(request, state, has_control_in_percent).await?;
        match Form::from_request(request, state).await {
            Ok(Form(value)) => Ok(Self(value)),
            Err(fault) => Err(refused(fault.status(), fault.body_text())),
        }
    }
}

/// A request whose body says no control characters; `found` looks for them.
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

/// The address that a request comes from, if it is known and stands for one.
pub(super) struct Address(pub(super) Option<IpAddr>);

impl FromRequestParts<AppState> for Address {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        Ok(Self(address(state, &parts.extensions, &parts.headers)))
    }
}

/// The address that a request comes from. Where a proxy stands in front (then the site has been told its public address)
/// it is what that proxy, on this machine or in its network, says last in `X-Forwarded-For`: what stands before was said
/// by whoever asks. None without a socket, and where a proxy, or this machine, stands for everybody.
pub(super) fn address(state: &AppState, extensions: &Extensions, headers: &HeaderMap) -> Option<IpAddr> {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>()?.0.ip().to_canonical();
    if state.config.public_url.is_none() || !is_near(peer) {
        return Some(peer).filter(|peer| !peer.is_loopback());
    }
    let told = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
    let last = told.rsplit(',').next()?.trim();
    let with_port = || last.parse::<SocketAddr>().map(|address| address.ip());
    last.parse::<IpAddr>().or_else(|_| with_port()).ok().map(|address| address.to_canonical())
}

/// Whether an address is this machine's, or of a network that is not the open one.
fn is_near(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback() || address.is_private() || address.is_link_local(),
        IpAddr::V6(address) => {
            address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
        }
    }
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
