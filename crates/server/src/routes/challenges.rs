//! Challenges: one player asks another for a game. Both need an account. The addresses are lichess's.

use super::input::{Client, JsonBody};
use super::{AppResult, game_terms, variants};
use crate::auth::Visitor;
use crate::denial::Denial;
use crate::error::AppError;
use crate::state::AppState;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use lozenge_game::time::{DAY_MS, now_ms};
use lozenge_game::{GameConfig, check_clock, speed};
use lozenge_live::challenges::Change;
use lozenge_live::games::draw_start;
use lozenge_store::{ChallengeRow, GameOrigin, UserRow};
use lozenge_wire::{Accepted, Challenge, Challenges, Clock, NewChallenge, Problem, Scope, Side, Visibility};
use rand::RngExt as _;

/// How long a challenge to a game with a live clock, or without one, is open, in milliseconds.
const LIVE_MS: i64 = 10 * 60_000;
/// How long a challenge to a correspondence game is open, in milliseconds.
const CORRESPONDENCE_MS: i64 = 14 * DAY_MS;

/// An account that may play.
fn player(visitor: &Visitor) -> AppResult<&UserRow> {
    visitor.may(Scope::Play)?;
    let user = visitor.user().ok_or(AppError::SignIn)?;
    if user.name.is_none() {
        return Err(Denial::NeedsAccount.into());
    }
    Ok(user)
}

/// The open challenges that one has received and sent.
#[utoipa::path(get, operation_id = "list_challenges", path = "/api/challenge", tag = "players",
    responses((status = 200, body = Challenges), (status = 401, body = Problem)))]
pub(super) async fn list(State(state): State<AppState>, visitor: Visitor) -> AppResult<Json<Challenges>> {
    visitor.may(Scope::Play)?;
    let me = visitor.user().ok_or(AppError::SignIn)?;
    Ok(Json(open(&state, &me.id).await?))
}

/// The open challenges of a user.
pub(super) async fn open(state: &AppState, user: &str) -> AppResult<Challenges> {
    let mut found = Challenges::default();
    for row in state.store.challenges_of(user, now_ms()).await? {
        let Some(challenge) = describe(state, &row).await? else { continue };
        let list = if row.challenger == user { &mut found.sent } else { &mut found.received };
        list.push(challenge);
    }
    Ok(found)
}

/// A stored challenge with its players as they are now; none if a player or the game is not here any more.
async fn describe(state: &AppState, row: &ChallengeRow) -> AppResult<Option<Challenge>> {
    let terms = &row.terms;
    let (Some(variant), Some(challenger), Some(challenged)) = (
        variants::find(state, Some(&row.challenger), &terms.variant).await.ok(),
        state.store.user(&row.challenger).await?,
        state.store.user(&row.challenged).await?,
    ) else {
        return Ok(None);
    };
    let speed = speed(terms.clock);
    let rated = |user: &UserRow| game_terms::with_rating(state, user.player(), variant.id(), speed);
    Ok(Some(Challenge {
        id: row.id.clone(),
        challenger: rated(&challenger).await?,
        challenged: rated(&challenged).await?,
        variant: terms.variant.clone(),
        variant_name: variant.name().into(),
        clock: terms.clock,
        speed,
        side: terms.side,
        rated: terms.rated,
        created_at: row.created_at,
        expires_at: row.expires_at,
    }))
}

/// Challenges a player. A challenge to a correspondence game is open for 14 days, another for 10 minutes; of two players one
/// challenges the other once at a time, and a player has at most 10 open challenges.
#[utoipa::path(post, operation_id = "send_challenge", path = "/api/challenge/{user}", tag = "players",
    params(("user" = String, Path, description = "Name of the player to challenge")), request_body = NewChallenge,
    responses((status = 201, body = Challenge), (status = 404, body = Problem), (status = 409, body = Problem),
        (status = 422, body = Problem)))]
pub(super) async fn send(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    Path(name): Path<String>,
    JsonBody(terms): JsonBody<NewChallenge>,
) -> AppResult<impl IntoResponse> {
    let me = player(&visitor)?;
    let variant = variants::find(&state, Some(&me.id), &terms.variant).await?;
    variants::check_rated(&state, variant.id(), terms.rated)?;
    if let Some(clock) = terms.clock {
        check_clock(clock).map_err(AppError::Invalid)?;
    }
    if terms.rated && terms.clock.is_none() {
        return Err(Denial::RatedTerms.into());
    }
    let other = state.store.user_named(&name).await?.filter(|user| !user.is_closed_or_banned());
    let other = other.ok_or(AppError::NotFound("player"))?;
    if other.id == me.id {
        return Err(Denial::OwnChallenge.into());
    }
    state.limits.check_challenge(&me.id, client.address)?;
    let now = now_ms();
    let lasts =
        if matches!(terms.clock, Some(Clock::Correspondence { .. })) { CORRESPONDENCE_MS } else { LIVE_MS };
    let row = ChallengeRow {
        id: lozenge_game::ids::other(),
        challenger: me.id.clone(),
        challenged: other.id,
        terms,
        created_at: now,
        expires_at: now + lasts,
    };
    if !state.store.keep_challenge(&row).await? {
        return Err(Denial::TooManyChallenges.into());
    }
    let challenge = describe(&state, &row).await?.ok_or(AppError::NotFound("player"))?;
    state.challenges.send(&challenge, Change::Sent);
    Ok((StatusCode::CREATED, Json(challenge)))
}

/// An open challenge by id that `is_mine` allows the client to answer.
async fn find(state: &AppState, id: &str, is_mine: impl Fn(&ChallengeRow) -> bool) -> AppResult<Challenge> {
    let row = state.store.challenge(id, now_ms()).await?.filter(is_mine);
    let row = row.ok_or(AppError::NotFound("open challenge"))?;
    describe(state, &row).await?.ok_or(AppError::NotFound("open challenge"))
}

/// Deletes an open challenge. Of several simultaneous answers only one succeeds.
async fn take(state: &AppState, id: &str) -> AppResult<()> {
    if state.store.drop_challenge(id).await? { Ok(()) } else { Err(AppError::NotFound("open challenge")) }
}

/// Accepts a challenge: the game begins.
#[utoipa::path(post, operation_id = "accept_challenge", path = "/api/challenge/{id}/accept", tag = "players",
    params(("id" = String, Path)), responses((status = 200, body = Accepted), (status = 404, body = Problem)))]
pub(super) async fn accept(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<Json<Accepted>> {
    let me = player(&visitor)?.id.clone();
    let challenge = find(&state, &id, |row| row.challenged == me).await?;
    let game = begin(&state, &challenge).await?;
    state.challenges.send(&challenge, Change::Accepted { game: game.clone() });
    Ok(Json(Accepted { game }))
}

/// Makes the game of a challenge, which is deleted with that.
async fn begin(state: &AppState, challenge: &Challenge) -> AppResult<String> {
    let variant = variants::find(state, Some(&challenge.challenger.id), &challenge.variant).await?;
    let challenger_white = match challenge.side {
        Side::White => true,
        Side::Black => false,
        Side::Random => rand::rng().random(),
    };
    let (challenger, challenged) = (Some(challenge.challenger.clone()), Some(challenge.challenged.clone()));
    let seats = if challenger_white { [challenger, challenged] } else { [challenged, challenger] };
    let config = GameConfig {
        id: lozenge_game::ids::game(),
        digest: state.variants.digest(&variant),
        clock: challenge.clock,
        speed: challenge.speed,
        rated: challenge.rated,
        visibility: Visibility::Public,
        maker: challenge.challenger.id.clone(),
        previous: None,
        fill: None,
        open_seats: Vec::new(),
        created_at: now_ms(),
    };
    let game = config.id.clone();
    let origins = vec![GameOrigin::Challenge(challenge.id.clone())];
    state.games.create_from(origins, config, draw_start(&variant), seats).await?;
    Ok(game)
}

/// Declines a challenge that one has received.
#[utoipa::path(post, operation_id = "decline_challenge", path = "/api/challenge/{id}/decline", tag = "players",
    params(("id" = String, Path)), responses((status = 204), (status = 404, body = Problem)))]
pub(super) async fn decline(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<StatusCode> {
    let me = player(&visitor)?.id.clone();
    let challenge = find(&state, &id, |row| row.challenged == me).await?;
    take(&state, &id).await?;
    state.challenges.send(&challenge, Change::Declined);
    Ok(StatusCode::NO_CONTENT)
}

/// Cancels a challenge that one has sent.
#[utoipa::path(post, operation_id = "cancel_challenge", path = "/api/challenge/{id}/cancel", tag = "players",
    params(("id" = String, Path)), responses((status = 204), (status = 404, body = Problem)))]
pub(super) async fn cancel(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<StatusCode> {
    let me = player(&visitor)?.id.clone();
    let challenge = find(&state, &id, |row| row.challenger == me).await?;
    take(&state, &id).await?;
    state.challenges.send(&challenge, Change::Canceled);
    Ok(StatusCode::NO_CONTENT)
}
