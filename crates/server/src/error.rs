//! Why a request is refused, and the answer to it: RFC 9457's problem document, with one word for programs.

use crate::account::{PasswordError, SecondFactorError};
use crate::denial::Denial;
use crate::endgames::EndgameError;
use crate::fair_queue::QueueFull;
use crate::heavy::HeavyError;
use crate::keyed_limiter::TooFast;
use crate::pictures::PictureError;
use crate::places::NoPlace;
use crate::studies::{ChapterError, StudyError};
use crate::studio::StudioError;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use lozenge_game::{ActionError, NameFault};
use lozenge_live::games::GameError;
use lozenge_live::lobby::{AddSeekError, SeekLimit};
use lozenge_store::StoreError;
use lozenge_wire::Problem;
use std::borrow::Cow;

/// How faults are sent (RFC 9457).
pub(crate) const PROBLEM: &str = "application/problem+json";

/// When to try again while too much is waiting.
const RETRY_AFTER_S: u64 = 3;

/// Why a request is refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AppError {
    /// It does not exist, or is not visible to the client.
    #[error("there is no {0} here")]
    NotFound(&'static str),
    /// The input has the wrong form.
    #[error("{0}")]
    Invalid(String),
    /// The input has the right form, but an impossible value.
    #[error("{0}")]
    Unfit(&'static str),
    /// The client has to sign in first.
    #[error("expected a signed-in account")]
    SignIn,
    /// The token is missing or wrong.
    #[error("expected the token")]
    Token,
    /// Name and password do not match.
    #[error("name and password do not belong together")]
    Credentials,
    /// The name stands for the site, its engine or a guest.
    #[error("expected another name, found one that the site reserves")]
    ReservedName,
    /// The network that the request comes from is banned.
    #[error("this network is banned")]
    Banned,
    /// The account is closed or banned.
    #[error("this account is closed")]
    Closed,
    /// The password is right, and the account has a second factor.
    #[error("expected a code of the second factor")]
    SecondFactor,
    /// The password is right, the code is not.
    #[error("expected a code of the second factor that is valid and has not been used")]
    SecondFactorWrong,
    /// A recovery code or a link is invalid or has expired.
    #[error("this code or link is invalid or has expired")]
    Recovery,
    /// The client has no permission.
    #[error("{0}")]
    Forbidden(&'static str),
    /// The answer would help in a game that the client is playing.
    #[error("expected a position of no game that you are playing")]
    OwnGame,
    /// A well-formed request that is denied to this person.
    #[error(transparent)]
    Denied(#[from] Denial),
    /// There are too many seeks already.
    #[error(transparent)]
    SeekLimit(#[from] SeekLimit),
    /// The user has too many reviews in the making.
    #[error("expected at most {0} reviews in the making of one user")]
    TooManyReviews(usize),
    /// The seek is for others.
    #[error("expected a rating in the range that the seek is for")]
    RatingOutOfRange,
    /// The body of the request is larger than is read.
    #[error("expected at most 65,536 bytes, or 1,200,000 for the PGN of a study")]
    TooLarge,
    /// This address is for sockets.
    #[error("expected a request for a socket (`Upgrade: websocket`)")]
    SocketOnly,
    /// The client exceeds a rate limit.
    #[error("too many requests; try again in {0} s")]
    Slow(u64),
    /// Too much is waiting for the same costly work.
    #[error("the server is busy; try again in {RETRY_AFTER_S} s")]
    Overloaded,
    /// A game refused the action.
    #[error(transparent)]
    Refused(#[from] ActionError),
    /// The database did not answer. The reason is logged, and not sent to clients.
    #[error("the database did not answer; try again")]
    Unavailable,
    /// An internal error.
    #[error("something went wrong on the server")]
    Internal(String),
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Database(_) | StoreError::Closed => {
                tracing::error!(%error, "the database did not answer");
                Self::Unavailable
            }
            _ => Self::Internal(error.to_string()),
        }
    }
}

impl From<QueueFull> for AppError {
    fn from(QueueFull: QueueFull) -> Self {
        Self::Overloaded
    }
}

impl From<NoPlace> for AppError {
    fn from(NoPlace: NoPlace) -> Self {
        Self::Overloaded
    }
}

impl From<HeavyError> for AppError {
    fn from(error: HeavyError) -> Self {
        match error {
            HeavyError::Full(full) => full.into(),
            HeavyError::Thread(_) | HeavyError::Panicked => Self::Internal(error.to_string()),
        }
    }
}

impl From<TooFast> for AppError {
    fn from(TooFast { seconds }: TooFast) -> Self {
        Self::Slow(seconds)
    }
}

impl From<PasswordError> for AppError {
    fn from(error: PasswordError) -> Self {
        match error {
            PasswordError::Full(full) => full.into(),
            PasswordError::Broken(_) => Self::Internal(error.to_string()),
        }
    }
}

impl From<SecondFactorError> for AppError {
    fn from(error: SecondFactorError) -> Self {
        Self::Internal(error.to_string())
    }
}

impl From<PictureError> for AppError {
    fn from(error: PictureError) -> Self {
        match error {
            PictureError::Full(full) => full.into(),
            PictureError::Drawing(_) => Self::Internal(error.to_string()),
        }
    }
}

impl From<StudioError> for AppError {
    fn from(error: StudioError) -> Self {
        match error {
            StudioError::Heavy(error) => error.into(),
            StudioError::Store(error) => error.into(),
            StudioError::Svg(fault) => Self::Invalid(fault),
        }
    }
}

impl From<StudyError> for AppError {
    fn from(error: StudyError) -> Self {
        match error {
            StudyError::Missing => Self::NotFound("study"),
            StudyError::Chapter(ChapterError::Missing) => Self::NotFound("chapter of this study"),
            StudyError::Chapter(ChapterError::Store(error)) | StudyError::Store(error) => error.into(),
            StudyError::Chapter(ChapterError::Damaged(found)) => {
                StoreError::Content { expected: "the moves of a chapter", found }.into()
            }
            StudyError::Heavy(error) => error.into(),
            StudyError::Overtaken => Self::Overloaded,
            StudyError::Numbers(fault) | StudyError::Edit(fault) => Self::Invalid(fault),
            StudyError::NoRoom => Denial::TooManyStudies.into(),
            StudyError::File(fault) => Self::Internal(fault),
        }
    }
}

impl From<EndgameError> for AppError {
    fn from(error: EndgameError) -> Self {
        match error {
            EndgameError::Heavy(error) => error.into(),
            EndgameError::File(_) | EndgameError::Generate(_) => Self::Internal(error.to_string()),
        }
    }
}

impl From<AddSeekError> for AppError {
    fn from(error: AddSeekError) -> Self {
        match error {
            AddSeekError::SeekLimit(full) => full.into(),
            AddSeekError::Store(error) => error.into(),
        }
    }
}

impl From<GameError> for AppError {
    fn from(error: GameError) -> Self {
        match error {
            GameError::Store(error) => error.into(),
            GameError::Refused(refusal) => refusal.into(),
            GameError::OriginGone => Self::NotFound("open seek or challenge"),
            GameError::Damaged { .. } => Self::Internal(error.to_string()),
        }
    }
}

impl From<NameFault> for AppError {
    fn from(fault: NameFault) -> Self {
        match fault {
            NameFault::Form => Self::Invalid(fault.to_string()),
            NameFault::Reserved => Self::ReservedName,
        }
    }
}

impl From<tower_sessions::session::Error> for AppError {
    fn from(error: tower_sessions::session::Error) -> Self {
        use tower_sessions::{session, session_store};
        match error {
            session::Error::Store(session_store::Error::Backend(_)) => {
                tracing::error!(%error, "the database did not answer");
                Self::Unavailable
            }
            _ => Self::Internal(error.to_string()),
        }
    }
}

/// Seconds after which a database that did not answer may answer again.
const DATABASE_RETRY_S: u64 = 5;

impl AppError {
    /// A text has a character that is forbidden in all text.
    pub(crate) const CONTROL: Self = Self::Unfit("expected text without control characters");

    /// Status, word for programs, words for people.
    fn kind(&self) -> (u16, Cow<'static, str>, &'static str) {
        let (status, code, title) = match self {
            Self::Denied(denial) => return (denial.status(), denial.code().into(), denial.title()),
            Self::NotFound(_) => (404, "not_found", "Not found"),
            Self::Invalid(_) | Self::Unfit(_) => (422, "invalid", "Invalid request"),
            Self::SignIn => (401, "sign_in", "Sign in first"),
            Self::Token => (401, "token", "Token required"),
            Self::Credentials => (401, "credentials", "Not signed in"),
            Self::ReservedName => (422, "reserved_name", "Reserved name"),
            Self::Banned => (403, "banned", "Banned"),
            Self::Closed => (403, "closed", "Account closed"),
            Self::SecondFactor => (401, "second_factor", "Second factor needed"),
            Self::SecondFactorWrong => (401, "second_factor_wrong", "Not signed in"),
            Self::Recovery => (401, "recovery", "Not valid"),
            Self::Forbidden(_) => (403, "forbidden", "Not allowed"),
            Self::OwnGame => (403, "own_game", "Not allowed"),
            Self::SeekLimit(SeekLimit::Lobby) => (409, "lobby_full", "Too many already"),
            Self::SeekLimit(_) => (409, "too_many_seeks", "Too many already"),
            Self::TooManyReviews(_) => (409, "too_many_reviews", "Too many already"),
            Self::RatingOutOfRange => (403, "rating_out_of_range", "Not allowed"),
            Self::TooLarge => (413, "too_large", "Too large"),
            Self::SocketOnly => (426, "socket_only", "For sockets alone"),
            Self::Slow(_) => (429, "too_many_requests", "Too many requests"),
            Self::Overloaded => (503, "server_busy", "Busy"),
            Self::Refused(refusal) => (refusal.status(), refusal.code(), "Refused"),
            Self::Unavailable => (503, "unavailable", "Try again"),
            Self::Internal(_) => (500, "internal", "Our fault"),
        };
        (status, code.into(), title)
    }

    /// The fault as it is sent.
    pub(crate) fn problem(&self) -> Problem {
        let (status, code, title) = self.kind();
        Problem {
            kind: format!("/problems/{code}"),
            title: title.into(),
            status,
            detail: self.to_string(),
            code: code.into_owned(),
        }
    }
}

impl IntoResponse for AppError {
    fn into_response(self) -> Response {
        if let Self::Internal(fault) = &self {
            tracing::error!(fault, "a request failed");
        }
        let problem = self.problem();
        let status = problem.status;
        let mut response = problem_response(problem);
        let headers = response.headers_mut();
        match self {
            Self::Slow(seconds)
            | Self::Refused(
                ActionError::ChatTooFast { seconds } | ActionError::TooManyEngineGames { seconds },
            ) => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
            }
            Self::Refused(ActionError::GiftTooSoon) => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(1));
            }
            Self::Unavailable | Self::Refused(ActionError::Unavailable | ActionError::NotOwner) => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(DATABASE_RETRY_S));
            }
            Self::Overloaded => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER_S));
            }
            // For programs; browsers do not prompt for a token.
            _ if status == 401 => {
                headers
                    .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"Lozenge\""));
            }
            Self::SocketOnly => {
                headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
            }
            _ => {}
        }
        response
    }
}

/// A problem document as a response.
fn problem_response(problem: Problem) -> Response {
    let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, Json(problem)).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM));
    response
}

/// The problem of an error response that only has a status or a line of text, as libraries send it. `None` for other
/// responses.
pub(crate) fn plain_error_problem(response: &Response) -> Option<Problem> {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).map(|kind| kind.as_bytes());
    let plain = kind.is_none_or(|kind| kind.starts_with(b"text/plain"));
    if !plain || !(status.is_client_error() || status.is_server_error()) {
        return None;
    }
    let (code, title, detail) = match status {
        StatusCode::BAD_REQUEST => ("bad_request", "Not understood", "expected an address in UTF-8"),
        StatusCode::NOT_FOUND => ("not_found", "Not found", "there is no page here"),
        StatusCode::METHOD_NOT_ALLOWED => {
            ("method_not_allowed", "Not by this method", "expected one of the methods that `Allow` lists")
        }
        StatusCode::PAYLOAD_TOO_LARGE => return Some(AppError::TooLarge.problem()),
        status if status.is_server_error() => return Some(AppError::Internal(String::new()).problem()),
        _ => ("refused", "Refused", "the request was refused"),
    };
    let kind = format!("/problems/{code}");
    let (title, detail) = (title.into(), detail.into());
    Some(Problem { kind, title, status: status.as_u16(), detail, code: code.into() })
}

/// Replaces an error response by a problem document. Headers such as `Allow` stay.
pub(crate) fn with_problem(response: Response, problem: Problem) -> Response {
    let (parts, _) = response.into_parts();
    let mut replacement = problem_response(problem);
    *replacement.status_mut() = parts.status;
    for (name, value) in &parts.headers {
        if !matches!(*name, header::CONTENT_TYPE | header::CONTENT_LENGTH) {
            replacement.headers_mut().append(name, value.clone());
        }
    }
    replacement
}
