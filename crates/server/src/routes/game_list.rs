//! Lists of games by filters, as JSON a page at a time, or all of them as one PGN file.

use super::input::{Client, QueryParams};
use super::{AppResult, games, variants};
use crate::auth::Visitor;
use crate::budgets::Operation;
use crate::error::AppError;
use crate::heavy::HeavyKind;
use crate::state::AppState;
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use lozenge_game::ClientAddress;
use lozenge_game::GameMachine;
use lozenge_live::games::GameError;
use lozenge_store::{Listing, PlayerResult};
use lozenge_wire::{Color, GameSummary, Problem, Status};
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::IntoParams;

/// The games to list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Filter {
    /// `waiting`, `started` or `finished`.
    pub(super) status: Option<Status>,
    /// Only games of this variant.
    pub(super) variant: Option<String>,
    /// Only games of this player, by name; `me` for one's own.
    pub(super) player: Option<String>,
    /// With `player`: only games against this player, by name; `lozenge` for the engine.
    pub(super) opponent: Option<String>,
    /// With `player`: only games in which they had this color.
    pub(super) color: Option<Color>,
    /// With `player`: only games that they `won`, `drawn` or `lost`.
    #[param(inline)]
    pub(super) result: Option<PlayerResult>,
    /// Only rated games, or only casual ones.
    pub(super) rated: Option<bool>,
    /// Only games that last changed at this moment or later, in Unix milliseconds.
    pub(super) since: Option<i64>,
    /// Only games that last changed before this moment, in Unix milliseconds: for the next page, the `updated_at` of the
    /// last game of this one.
    pub(super) before: Option<i64>,
    /// With `before`, for the next page: the `id` of the last game of this one. Games that changed in the same moment come
    /// by their ids, and none is left out.
    pub(super) before_id: Option<String>,
    /// Most games, 1 to 100.
    pub(super) limit: Option<i64>,
}

impl Filter {
    /// The query for the store; private games only of the client.
    pub(super) async fn listing(self, state: &AppState, visitor: &Visitor) -> AppResult<Listing> {
        let me = visitor.user().map(|user| user.id.clone());
        let player = match self.player.as_deref() {
            None => None,
            Some("me") => Some(me.clone().ok_or(AppError::SignIn)?),
            Some(name) => Some(state.store.user_named(name).await?.ok_or(AppError::NotFound("player"))?.id),
        };
        if player.is_none() && (self.opponent.is_some() || self.color.is_some() || self.result.is_some()) {
            return Err(AppError::Invalid(
                "expected `player` beside `opponent`, `color` and `result`".into(),
            ));
        }
        let opponent = match self.opponent.as_deref() {
            None => None,
            Some(name) if name.eq_ignore_ascii_case(ENGINE) => Some("engine".to_owned()),
            Some(name) => Some(state.store.user_named(name).await?.ok_or(AppError::NotFound("player"))?.id),
        };
        Ok(Listing {
            private: player.is_some() && player == me,
            player,
            status: self.status.map(lozenge_game::status_word),
            variant: self.variant,
            opponent,
            color: self.color,
            result: self.result,
            rated: self.rated,
            since: self.since,
            before: match (self.before, self.before_id) {
                (None, Some(_)) => {
                    return Err(AppError::Invalid("expected `before` beside `before_id`".into()));
                }
                (before, id) => before.map(|before| (before, id.unwrap_or_default())),
            },
            alive_since: None,
            limit: match self.limit.unwrap_or(20) {
                limit @ 1..=100 => limit,
                found => {
                    return Err(AppError::Invalid(format!("expected a limit of 1 to 100, found {found}")));
                }
            },
        })
    }
}

/// The name of the engine as an opponent.
const ENGINE: &str = "lozenge";

/// Games, newest change first.
#[utoipa::path(get, operation_id = "list_games", path = "/api/games", tag = "games", params(Filter),
    responses((status = 200, body = Vec<GameSummary>), (status = 404, body = Problem),
        (status = 422, body = Problem)))]
pub(super) async fn list(
    State(state): State<AppState>,
    visitor: Visitor,
    QueryParams(filter): QueryParams<Filter>,
) -> AppResult<Json<Vec<GameSummary>>> {
    let listing = filter.listing(&state, &visitor).await?;
    let rows = state.store.games(&listing).await?;
    // Games by rules that are not here any more can still be listed, to the end.
    if let (true, None, Some(variant)) = (rows.is_empty(), &listing.before, &listing.variant) {
        variants::find_any(&state, visitor.id(), variant).await?;
    }
    let mut games = Vec::with_capacity(rows.len());
    for row in rows {
        match games::line(&state, &row).await {
            Ok(game) => games.push(game),
            Err(error) => tracing::error!(%error, game = row.id, "a game could not be listed"),
        }
    }
    Ok(Json(games))
}

/// Games that wait for a slow reader.
const MAX_PENDING: usize = 4;

/// Games that are looked up at once.
const PAGE: i64 = 50;

/// A player's games as one PGN file, newest change first: all that the same parameters list, or as many as `limit` says.
/// The file is sent while it is written.
#[utoipa::path(get, operation_id = "export_games", path = "/api/games/export", tag = "games", params(Filter),
    responses((status = 200, body = String, content_type = "application/x-chess-pgn"), (status = 404, body = Problem),
        (status = 422, body = Problem), (status = 429, body = Problem)))]
pub(super) async fn export(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    headers: HeaderMap,
    QueryParams(mut filter): QueryParams<Filter>,
) -> AppResult<impl IntoResponse> {
    if filter.player.is_none() {
        return Err(AppError::Invalid("expected `player`".into()));
    }
    let most = match filter.limit.take() {
        None => i64::MAX,
        Some(limit @ 1..) => limit,
        Some(found) => {
            return Err(AppError::Invalid(format!("expected a limit of 1 or more, found {found}")));
        }
    };
    let file = format!("attachment; filename=\"lozenge-{}.pgn\"", file_name(&filter, &visitor));
    let listing = filter.listing(&state, &visitor).await?;
    state.budgets.charge(Operation::Export, visitor.id(), client.address)?;
    let (sender, receiver) = mpsc::channel(MAX_PENDING);
    let site = games::page_address(&state, &headers, "")?;
    tokio::spawn(async move {
        if let Err(error) = send_games(&state, client.address, listing, most, &site, &sender).await {
            tracing::error!(%error, "an export of games was cut off");
            // The reader learns that the file is incomplete.
            let _ = sender.send(Err(error)).await;
        }
    });
    let headers =
        [(header::CONTENT_TYPE, "application/x-chess-pgn".to_owned()), (header::CONTENT_DISPOSITION, file)];
    Ok((headers, Body::from_stream(ReceiverStream::new(receiver))))
}

/// The player's name as a part of a file's name.
fn file_name(filter: &Filter, visitor: &Visitor) -> String {
    let own = || visitor.user().and_then(|user| user.name.clone());
    let name = filter.player.clone().filter(|name| name != "me").or_else(own);
    let name = name.unwrap_or_default();
    let safe: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')).collect();
    if safe.is_empty() { "games".into() } else { safe }
}

/// Sends the games of a listing one after the other, until all are sent or the client disconnects.
async fn send_games(
    state: &AppState,
    client: ClientAddress,
    mut listing: Listing,
    most: i64,
    site: &str,
    sender: &mpsc::Sender<Result<Bytes, AppError>>,
) -> Result<(), AppError> {
    let mut left = most;
    while left > 0 {
        listing.limit = PAGE.min(left);
        let rows = state.store.games(&listing).await?;
        let Some(last) = rows.last() else { return Ok(()) };
        listing.before = Some((last.updated_at, last.id.clone()));
        left -= rows.len() as i64;
        for row in &rows {
            let address = format!("{site}{}", row.id);
            let Some(text) = written(state, client, &row.id, move |game| game.pgn(&address)).await? else {
                continue;
            };
            if sender.send(Ok(Bytes::from(text + "\n"))).await.is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// A game of an export as text; `None` for one that cannot be read, which is left out.
pub(super) async fn written(
    state: &AppState,
    client: ClientAddress,
    id: &str,
    write: impl FnOnce(&GameMachine) -> Option<String> + Send + 'static,
) -> AppResult<Option<String>> {
    let turn = state.heavy.patient_turn(client, HeavyKind::Export).await;
    let replayed = match state.games.record(id).await {
        Ok(None) => return Ok(None),
        Ok(Some(record)) => turn.run(move || record.replay().map(|game| write(&game))).await?,
        Err(error) => Err(error),
    };
    match replayed {
        Ok(text) => Ok(text),
        Err(error @ GameError::Store(_)) => Err(error.into()),
        Err(error) => {
            tracing::error!(%error, "a game could not be exported");
            Ok(None)
        }
    }
}
