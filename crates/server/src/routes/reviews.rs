//! Reviews of games: requested, read, cancelled; and games from elsewhere to be reviewed.

use super::input::{Client, JsonBody};
use super::{AppResult, games, trees};
use crate::auth::Visitor;
use crate::budgets::Operation;
use crate::denial::Denial;
use crate::error::AppError;
use crate::state::AppState;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use lozenge_game::ClientAddress;
use lozenge_game::time::now_ms;
use lozenge_live::reviews::{MAX_OF_ONE, MAX_PLIES, NODES, ReviewError, ReviewJob};
use lozenge_rules::position::{Game, Played};
use lozenge_store::{ImportRow, ReviewRow};
use lozenge_wire::analysis::{ImportedGame, PgnRequest};
use lozenge_wire::review::{GameReview, Review, ReviewProgress};
use lozenge_wire::{GameResult, Player, Problem, Scope, Status};

/// Games that one user may import.
const MAX_IMPORTS: i64 = 1_000;

/// Stores a game that was played elsewhere, to be analyzed and reviewed. Anyone who has its id may read it.
#[utoipa::path(post, operation_id = "import_game", path = "/api/games/import", tag = "analysis", request_body = PgnRequest,
    responses((status = 201, body = ImportedGame), (status = 409, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn import(
    State(state): State<AppState>,
    mut visitor: Visitor,
    client: Client,
    JsonBody(sent): JsonBody<PgnRequest>,
) -> AppResult<(StatusCode, Json<ImportedGame>)> {
    visitor.may(Scope::Play)?;
    let parsing = trees::parse(&state, client.address, visitor.id(), &sent);
    let parsed = client.while_waiting(parsing).await?;
    let me = visitor.ensure(&state).await?;
    let row = ImportRow {
        id: lozenge_game::ids::game(),
        owner: me.id,
        variant: parsed.variant.id().into(),
        digest: state.variants.save_any(&state.store, &parsed.variant).await?,
        pgn: sent.pgn,
        created_at: now_ms(),
    };
    if !state.store.keep_import(&row, MAX_IMPORTS).await? {
        return Err(Denial::TooManyImports.into());
    }
    let plies = parsed.tree.main_line().len() as u32;
    let imported =
        ImportedGame { id: row.id, variant: row.variant, digest: row.digest, plies, faults: parsed.faults };
    Ok((StatusCode::CREATED, Json(imported)))
}

/// A game that can be reviewed.
struct Reviewable {
    digest: String,
    game: Game,
    heading: Heading,
}

/// The players under today's names, and the result, which a review does not store.
struct Heading {
    white: String,
    black: String,
    result: GameResult,
}

/// An imported game with its parsed PGN.
pub(super) async fn imported(
    state: &AppState,
    client: ClientAddress,
    id: &str,
) -> AppResult<Option<(ImportRow, trees::ParsedGame)>> {
    let Some(row) = state.store.import(id).await? else { return Ok(None) };
    let sent = PgnRequest { pgn: row.pgn.clone(), variant: Some(row.digest.clone()) };
    let parsed = trees::parse(state, client, None, &sent).await?;
    Ok(Some((row, parsed)))
}

/// A game that is over, if the visitor may read it; without one, any.
async fn reviewable(state: &AppState, visitor: Option<&Visitor>, id: &str) -> AppResult<Reviewable> {
    let client = visitor.map_or(ClientAddress::OWN, Visitor::client);
    if let Some((row, parsed)) = imported(state, client, id).await? {
        let tag = |name: &str| parsed.game.tags.get(name).unwrap_or("?").to_owned();
        let line = parsed.tree.main_line();
        let mut game = Played::from_position(parsed.tree.node(0).position.clone());
        line.iter().filter_map(|&at| parsed.tree.node(at).played).all(|played| game.play_unchecked(played));
        let game = games::for_two(&game)?.clone();
        let result = lozenge_game::convert::result_of_tag(parsed.game.result);
        let heading = Heading { white: tag("White"), black: tag("Black"), result };
        return Ok(Reviewable { digest: row.digest, game, heading });
    }
    let live = match visitor {
        Some(visitor) => games::readable(state, visitor, id).await?,
        None => state.games.game(id).await?.ok_or(AppError::NotFound("game of this id"))?,
    };
    let inner = live.lock().await;
    let machine = &inner.machine;
    if machine.status() != Status::Finished {
        return Err(Denial::GameInProgress.into());
    }
    let name = |seat: &Option<Player>| seat.as_ref().map_or_else(|| "?".into(), |player| player.name.clone());
    let [white, black] = machine.pair();
    Ok(Reviewable {
        digest: machine.config.digest.clone(),
        game: games::of_two(machine)?.clone(),
        heading: Heading {
            white: name(&white),
            black: name(&black),
            result: machine.ended.map_or_else(GameResult::default, |(result, _)| result),
        },
    })
}

/// Requests the review of a finished game. The engine searches every position when no game and no analysis needs it. An
/// existing review is not made again.
#[utoipa::path(post, operation_id = "review_game", path = "/api/games/{id}/review", tag = "analysis", params(("id" = String, Path)),
    responses((status = 200, body = Review), (status = 202, body = ReviewProgress), (status = 404, body = Problem),
        (status = 409, body = Problem)))]
pub(super) async fn begin(
    State(state): State<AppState>,
    mut visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<Response> {
    visitor.may(Scope::Play)?;
    let Reviewable { digest, game, heading } = reviewable(&state, Some(&visitor), &id).await?;
    if state.reviews.progress(&id).is_none() {
        if state.store.review(&id).await?.is_some_and(|row| row.data.is_some()) {
            return answer(&state, &id, heading).await;
        }
        let plies = game.moves().len();
        if plies == 0 || plies > MAX_PLIES {
            let fault = format!("expected a game of 1 to {MAX_PLIES} half moves, found {plies}");
            return Err(AppError::Invalid(fault));
        }
        let me = visitor.ensure(&state).await?;
        let plies = plies as u32;
        state.budgets.charge_times(Operation::ReviewedPly, plies, Some(&me.id), visitor.client())?;
        let row = ReviewRow {
            game: id.clone(),
            digest,
            engine: env!("CARGO_PKG_VERSION").into(),
            nodes: NODES as i64,
            data: None,
            asked_by: me.id,
            at: now_ms(),
        };
        let client = visitor.client();
        state.reviews.begin(ReviewJob { row, client, game }).await.map_err(to_app_error)?;
    }
    answer(&state, &id, heading).await
}

fn to_app_error(error: ReviewError) -> AppError {
    match error {
        ReviewError::TooManyOfOne => AppError::TooManyReviews(MAX_OF_ONE),
        ReviewError::TooMany => AppError::Overloaded,
        ReviewError::Store(error) => error.into(),
    }
}

/// Begins the reviews again that were in the making when the server stopped.
pub(crate) async fn resume(state: &AppState) -> Result<(), AppError> {
    for row in state.store.open_reviews().await? {
        let id = row.game.clone();
        match reviewable(state, None, &id).await {
            Ok(Reviewable { game, .. }) => {
                let client = ClientAddress::OWN;
                if let Err(error) = state.reviews.begin(ReviewJob { row, client, game }).await {
                    tracing::warn!(%error, game = id, "a review was not resumed");
                }
            }
            Err(AppError::NotFound(_)) => state.store.cancel_review(&id).await?,
            Err(error) => tracing::warn!(%error, game = id, "a review was not resumed"),
        }
    }
    Ok(())
}

/// Whether there is a review of a game, or one in the making.
pub(super) async fn is_known(state: &AppState, id: &str) -> AppResult<bool> {
    let exists = state.store.review(id).await?.is_some_and(|row| row.data.is_some());
    Ok(exists || state.reviews.progress(id).is_some())
}

/// The review, or how far it is.
async fn answer(state: &AppState, id: &str, heading: Heading) -> AppResult<Response> {
    if let Some(progress) = state.reviews.progress(id) {
        return Ok((StatusCode::ACCEPTED, Json(progress)).into_response());
    }
    let row = state.store.review(id).await?;
    let review = row.and_then(|row| row.data).ok_or(AppError::NotFound("review of this game"))?;
    let Heading { white, black, result } = heading;
    let review = GameReview { white, black, result, ..review };
    Ok(Json(Review { games: vec![review] }).into_response())
}

/// The review of a game; while it is in the making, how far it is.
#[utoipa::path(get, operation_id = "show_review", path = "/api/games/{id}/review", tag = "analysis", params(("id" = String, Path)),
    responses((status = 200, body = Review), (status = 202, body = ReviewProgress), (status = 404, body = Problem)))]
pub(super) async fn show(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<Response> {
    // Anyone who knows the id may read an imported game, and its names are not needed yet: pages ask every second.
    if let Some(progress) = state.reviews.progress(&id)
        && state.store.import(&id).await?.is_some()
    {
        return Ok((StatusCode::ACCEPTED, Json(progress)).into_response());
    }
    let Reviewable { heading, .. } = reviewable(&state, Some(&visitor), &id).await?;
    answer(&state, &id, heading).await
}

/// Calls a review off that one has asked for.
#[utoipa::path(delete, operation_id = "cancel_review", path = "/api/games/{id}/review", tag = "analysis", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = Problem)))]
pub(super) async fn cancel(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<StatusCode> {
    visitor.may(Scope::Play)?;
    let user = visitor.user().ok_or(AppError::SignIn)?;
    if state.reviews.cancel(&id, &user.id).await? {
        return Ok(StatusCode::NO_CONTENT);
    }
    Err(AppError::NotFound("review in the making that you have asked for"))
}
