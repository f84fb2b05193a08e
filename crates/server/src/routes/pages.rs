//! The pages. They read well without script; what is rich is made so by the modules of `web/`.

use super::{games, variants};
use crate::account::Visitor;
use crate::app::AppState;
use crate::error::AppError;
use crate::hub::Variants;
use crate::shown;
use crate::time::now_ms;
use crate::views::{self, Frame};
use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/", get(home))
        .route("/rules", get(rules))
        .route("/rules/{id}", get(rules_of))
        .route("/game/{id}", get(game))
}

/// A fault as a page.
struct PageError(AppError);

impl<E: Into<AppError>> From<E> for PageError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let problem = self.0.problem();
        let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = views::fault(&problem).unwrap_or_else(|_| problem.detail.clone());
        (status, Html(body)).into_response()
    }
}

type Page = Result<Html<String>, PageError>;

impl From<askama::Error> for AppError {
    fn from(error: askama::Error) -> Self {
        Self::Internal(error.to_string())
    }
}

async fn home(State(state): State<AppState>, visitor: Visitor) -> Page {
    let games: Vec<_> =
        Variants::ids().filter_map(|id| state.variants.game(id)).map(|game| variants::summary(&game)).collect();
    let frame = Frame::new(&visitor, "src/home/main.tsx");
    Ok(Html(views::home(frame, &games)?))
}

async fn rules(State(state): State<AppState>, visitor: Visitor) -> Page {
    let games: Vec<_> =
        Variants::ids().filter_map(|id| state.variants.game(id)).map(|game| variants::summary(&game)).collect();
    Ok(Html(views::rules(Frame::new(&visitor, "src/rules/main.ts"), &games)?))
}

async fn rules_of(State(state): State<AppState>, visitor: Visitor, Path(id): Path<String>) -> Page {
    let variant = variants::find(&state, &id)?;
    let board = shown::board(&variant);
    let frame = Frame::new(&visitor, "src/rules/main.ts");
    Ok(Html(views::rules_of(frame, &variant, &board)?))
}

async fn game(State(state): State<AppState>, visitor: Visitor, Path(id): Path<String>) -> Page {
    let live = games::readable(&state, &visitor, &id).await?;
    let (game, variant) = {
        let inside = live.lock().await;
        let side = games::side(&visitor, &inside.table);
        let game = inside.table.shown(side, now_ms(), inside.attendance());
        (game, inside.table.position().variant().clone())
    };
    let board = shown::board(&variant);
    Ok(Html(views::game(Frame::new(&visitor, "src/game/main.tsx"), &game, &board)?))
}

/// There is nothing at this address: said as JSON to programs and as a page to people.
pub(super) async fn not_found(request: Request) -> Response {
    let accepts = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let error = AppError::NotFound("page");
    if request.uri().path().starts_with("/api/") || !accepts.contains("text/html") {
        return error.into_response();
    }
    PageError(error).into_response()
}

