//! Shared parts of all pages: the page or its fault, the frame around it, the games in it. Not here: the pages (`pages` and its neighbors).

use super::{games, origin, variants};
use crate::auth::Visitor;
use crate::error::AppError;
use crate::state::AppState;
use crate::views::{self, PageFrame};
use axum::extract::{FromRequestParts as _, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use lozenge_explain::Language;
use lozenge_store::Listing;
use lozenge_wire::{GameSummary, Problem, VariantSummary};

/// A fault of a page, until it is known who reads it: [`show_faults`] makes the page.
pub(super) struct PageError(AppError);

impl<E: Into<AppError>> From<E> for PageError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let problem = self.0.problem();
        if let AppError::Internal(fault) = &self.0 {
            tracing::error!(fault, "a page failed");
        }
        let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = status.into_response();
        response.extensions_mut().insert(problem);
        response
    }
}

/// Makes the pages of faults.
pub(crate) async fn show_faults(State(state): State<AppState>, request: Request, next: Next) -> Response {
    if request.uri().path().starts_with("/api/") {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let mut page_parts = parts.clone();
    let mut response = next.run(Request::from_parts(parts, body)).await;
    let handler_problem = response.extensions_mut().remove::<Problem>();
    // Errors of the router itself carry no `Problem` yet. Failed health checks do not either, and stay as they are.
    let plain_problem =
        || crate::error::plain_error_problem(&response).filter(|problem| problem.status < 500);
    let Some(problem) = handler_problem.or_else(plain_problem) else { return response };
    // If that fails, too, the page is for no particular user.
    let visitor = Visitor::from_request_parts(&mut page_parts, &state).await.ok();
    let (player, settings) =
        visitor.map_or_else(Default::default, |visitor| (visitor.player(), visitor.settings()));
    let frame = PageFrame::new(player, settings, &page_parts.headers, "src/common/plain.ts");
    let page = views::fault(frame, &problem).unwrap_or(problem.detail);
    let (status, allow) = (response.status(), response.headers_mut().remove(header::ALLOW));
    let allow = allow.map(|allow| [(header::ALLOW, allow)]);
    (status, allow, Html(page)).into_response()
}

pub(super) type Page = Result<Html<String>, PageError>;
/// A page that is cached.
pub(super) type CachedPage = Result<Response, PageError>;

impl From<askama::Error> for AppError {
    fn from(error: askama::Error) -> Self {
        Self::Internal(error.to_string())
    }
}

/// The built-in games for any number of players; those of four last.
pub(super) fn all_summaries(state: &AppState) -> Vec<VariantSummary> {
    state.variants.all_games().iter().map(variants::summary_of).collect()
}

/// The frame for the sender of a request, with the module of `web/` that the page needs.
pub(super) fn frame(visitor: &Visitor, headers: &HeaderMap, module: &str) -> PageFrame {
    PageFrame::new(visitor.player(), visitor.settings(), headers, module)
}

/// The same for a page whose link may be shared.
pub(super) fn shared_frame(
    state: &AppState,
    visitor: &Visitor,
    headers: &HeaderMap,
    module: &str,
) -> Result<PageFrame, AppError> {
    Ok(frame(visitor, headers, module).at(origin::base_address(state, headers)?))
}

/// The reader's language.
pub(super) fn language(visitor: &Visitor, headers: &HeaderMap) -> Language {
    views::language(&visitor.settings(), headers)
}

pub(super) async fn listed(state: &AppState, listing: Listing) -> Result<Vec<GameSummary>, AppError> {
    let mut games = Vec::new();
    for row in state.store.games(&listing).await? {
        match games::line(state, &row).await {
            Ok(game) => games.push(game),
            Err(error) => tracing::error!(%error, game = row.id, "a game could not be listed"),
        }
    }
    Ok(games)
}

/// There is nothing at this address: JSON for programs, a page for people.
pub(super) async fn not_found(request: Request) -> Response {
    let accepts =
        request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let error = AppError::NotFound("page");
    if request.uri().path().starts_with("/api/") || !accepts.contains("text/html") {
        return error.into_response();
    }
    PageError(error).into_response()
}
