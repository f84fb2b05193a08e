//! Why a request is refused, and how that is said: RFC 9457's problem document, with one word for programs.

use crate::hub::{HubError, Refusal};
use crate::store::StoreError;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use lozenge_wire::Problem;

/// Why a request is refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AppError {
    /// There is no such thing, or not for whoever asks.
    #[error("there is no {0} here")]
    NotFound(&'static str),
    /// What was sent is not what was expected.
    #[error("{0}")]
    Invalid(String),
    /// Whoever asks has to sign in first.
    #[error("expected somebody who is signed in")]
    SignIn,
    /// Name and password do not belong together.
    #[error("name and password do not belong together")]
    Credentials,
    /// Whoever asks may not.
    #[error("{0}")]
    Forbidden(&'static str),
    /// Something is there already.
    #[error("{0}")]
    Conflict(&'static str),
    /// Too much in too little time.
    #[error("too many requests; try again in {0} s")]
    Slow(u64),
    /// A game says no.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Our fault.
    #[error("something went wrong on the server")]
    Internal(String),
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        Self::Internal(error.to_string())
    }
}

impl From<HubError> for AppError {
    fn from(error: HubError) -> Self {
        Self::Internal(error.to_string())
    }
}

impl From<tower_sessions::session::Error> for AppError {
    fn from(error: tower_sessions::session::Error) -> Self {
        Self::Internal(error.to_string())
    }
}

impl AppError {
    /// Status, word for programs, words for people.
    fn kind(&self) -> (u16, &'static str, &'static str) {
        match self {
            Self::NotFound(_) => (404, "not_found", "Not found"),
            Self::Invalid(_) => (422, "invalid", "Not what was expected"),
            Self::SignIn => (401, "sign_in", "Sign in first"),
            Self::Credentials => (401, "credentials", "Not signed in"),
            Self::Forbidden(_) => (403, "forbidden", "Not allowed"),
            Self::Conflict(_) => (409, "conflict", "Already there"),
            Self::Slow(_) => (429, "too_many_requests", "Too many requests"),
            Self::Refused(refusal) => (refusal.status(), refusal.code(), "Refused"),
            Self::Internal(_) => (500, "internal", "Our fault"),
        }
    }

    /// The fault as it is sent.
    pub(crate) fn problem(&self) -> Problem {
        let (status, code, title) = self.kind();
        Problem {
            kind: format!("/problems/{code}"),
            title: title.into(),
            status,
            detail: self.to_string(),
            code: code.into(),
        }
    }
}

impl IntoResponse for AppError {
    fn into_response(self) -> Response {
        if let Self::Internal(fault) = &self {
            tracing::error!(fault, "a request failed");
        }
        let problem = self.problem();
        let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(problem)).into_response();
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Self::Slow(seconds) = self {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
