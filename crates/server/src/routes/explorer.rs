//! The opening explorer: the moves played from a position.

use super::input::QueryParams;
use super::{AppResult, games, variants};
use crate::auth::Visitor;
use crate::error::AppError;
use crate::state::AppState;
use axum::Json;
use axum::extract::{Path, State};
use lozenge_game::{BOOK_MONTH, Counts, ExplorerFilter, explorer_key, month};
use lozenge_rules::notation::turn;
use lozenge_rules::position::GamePosition;
use lozenge_wire::{Explored, ExploredMove, ExplorerSource, Problem, Speed};
use serde::Deserialize;
use std::cmp::Reverse;
use utoipa::IntoParams;

/// Most moves of an answer.
const MAX_MOVES: usize = 12;

/// The position, and the games to count. By default, the book of engine games counts, too.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct ExplorerQuery {
    /// The position; without it the game's first start.
    fen: Option<String>,
    /// Only games of the site, or only those of the book.
    games: Option<ExplorerSource>,
    /// Only rated games, or only casual ones.
    rated: Option<bool>,
    /// Only games of this class of clock.
    speed: Option<Speed>,
    /// Only games whose players' average rating is at least this, rounded down to a multiple of 200.
    rating_min: Option<i32>,
    /// Only games whose players' average rating is at most this, rounded up to just below a multiple of 200.
    rating_max: Option<i32>,
    /// Only games that ended in the month of this moment (Unix milliseconds, UTC) or later.
    since: Option<i64>,
}

/// The moves that have been played from a position in the public games of the site and in the book of engine games.
/// Refused to players of a live game of the same rules against a person until it is over.
#[utoipa::path(get, operation_id = "explore", path = "/api/explorer/{variant}", tag = "explorer",
    params(("variant" = String, Path), ExplorerQuery),
    responses((status = 200, body = Explored), (status = 403, body = Problem), (status = 404, body = Problem),
        (status = 422, body = Problem)))]
pub(super) async fn show(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(variant): Path<String>,
    QueryParams(query): QueryParams<ExplorerQuery>,
) -> AppResult<Json<Explored>> {
    let reader = visitor.user().map(|user| user.id.as_str());
    let game = variants::find_any(&state, reader, &variant).await?;
    let position = match &query.fen {
        None => GamePosition::start(&game),
        Some(fen) => {
            GamePosition::from_fen(&game, fen).map_err(|error| AppError::Invalid(error.to_string()))?
        }
    };
    variants::refuse_live(&state, &visitor, game.id()).await?;
    let filter = ExplorerFilter {
        rated: query.rated,
        speed: query.speed,
        ratings: [query.rating_min, query.rating_max],
    };
    let key = explorer_key(&state.variants.any_digest(&game), position.key());
    let since = query.since.map_or(BOOK_MONTH, month);
    let months = match query.games {
        None => since..=i64::MAX,
        Some(ExplorerSource::Site) => since.max(BOOK_MONTH + 1)..=i64::MAX,
        Some(ExplorerSource::Book) => since..=BOOK_MONTH,
    };
    let sum = state.store.explored(key, months, &filter).await?;
    let mut total = Counts::default();
    let mut found = Vec::new();
    for (text, counts) in &sum.moves {
        // Two positions may share a key.
        let Ok(played) = turn::parse_uci(&position, text) else { continue };
        total.add(counts);
        found.push((&**text, played, *counts));
    }
    found.sort_by_key(|&(text, _, counts)| (Reverse(counts.games()), text));
    let moves = found.into_iter().take(MAX_MOVES).map(|(text, played, counts)| ExploredMove {
        uci: text.into(),
        san: turn::san(&position, played),
        white: counts.white,
        draws: counts.draws,
        black: counts.black,
        average_rating: counts.average_rating(),
    });
    let moves = moves.collect();
    let mut recent_games = Vec::with_capacity(sum.recent.len());
    for row in state.store.explored_games(&sum.recent).await? {
        recent_games.push(games::line(&state, &row).await?);
    }
    let Counts { white, draws, black, .. } = total;
    Ok(Json(Explored { white, draws, black, moves, recent_games }))
}
