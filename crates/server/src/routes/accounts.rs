//! Accounts: register, sign in and out, settings.

use super::AppResult;
use super::input::{Client, JsonBody, QueryParams};
use super::security::{check_second_factor, describe, let_in, reauthenticate};
use crate::account::{self, Purpose};
use crate::auth::Visitor;
use crate::denial::Denial;
use crate::error::AppError;
use crate::state::AppState;
use axum::Json;
use axum::extract::{Path, State};
use lozenge_game::time::now_ms;
use lozenge_game::{check_name, is_well_formed};
use lozenge_wire::{Account, Credentials, NewPassword, Problem, Profile, Proof, Settings, Speed};
use serde::Deserialize;
use utoipa::IntoParams;

/// The client's own account.
#[utoipa::path(get, operation_id = "account", path = "/api/account", tag = "account", responses((status = 200, body = Account)))]
pub(super) async fn me(State(state): State<AppState>, visitor: Visitor) -> AppResult<Json<Account>> {
    Ok(Json(describe(&state, &visitor).await?))
}

/// Gives a guest a name and a password; the guest's games stay. The answer has the recovery code of the new account.
#[utoipa::path(post, path = "/api/account/register", tag = "account", request_body = Credentials,
    responses((status = 200, body = Account), (status = 409, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn register(
    State(state): State<AppState>,
    mut visitor: Visitor,
    client: Client,
    JsonBody(Credentials { name, password, .. }): JsonBody<Credentials>,
) -> AppResult<Json<Account>> {
    visitor.without_token()?;
    check_name(&name)?;
    account::check_password(&password, &name)?;
    if visitor.user().is_some_and(|user| user.name.is_some()) {
        return Err(Denial::SignedIn.into());
    }
    // Hashing is costly: not before it is likely to be of use.
    if state.store.has_user_like(&name).await? {
        return Err(Denial::NameTaken.into());
    }
    state.limits.check_registration(client.address)?;
    let hash =
        client.while_waiting(state.passwords.hash(client.address, Purpose::Register, password)).await?;
    let guest = visitor.ensure(&state).await?;
    if !state.store.name_user(&guest.id, &name, &hash).await? {
        return Err(Denial::NameTaken.into());
    }
    state.store.remember_network(&guest.id, client.address.network_of_one(), now_ms()).await?;
    let user = state.store.user(&guest.id).await?.ok_or(AppError::NotFound("user"))?;
    let player = user.player();
    state.lobby.rename(&player);
    if let Err(error) = state.games.rename(&player).await {
        // The name is taken all the same.
        tracing::error!(%error, "a game still shows an account as a guest");
    }
    let recovery = lozenge_game::ids::recovery();
    state.store.set_recovery(&user.id, &recovery).await?;
    visitor.sign_in(user).await?;
    Ok(Json(Account { recovery_code: Some(recovery), ..describe(&state, &visitor).await? }))
}

/// Signs in. An account with a second factor answers 401 with the code `second_factor` to a right password without a code,
/// and `second_factor_wrong` to a wrong code.
#[utoipa::path(post, path = "/api/account/sign-in", tag = "account", request_body = Credentials,
    responses((status = 200, body = Account), (status = 401, body = Problem), (status = 403, body = Problem)))]
pub(super) async fn sign_in(
    State(state): State<AppState>,
    mut visitor: Visitor,
    client: Client,
    JsonBody(Credentials { name, password, code }): JsonBody<Credentials>,
) -> AppResult<Json<Account>> {
    visitor.without_token()?;
    // Tries are counted by name, and names that no account has could be long.
    if !is_well_formed(&name) {
        return Err(AppError::Credentials);
    }
    let user = state.store.user_named(&name).await?;
    let known = state.is_known_network(user.as_ref(), client.address).await?;
    state.limits.check_sign_in(&name, client.address, known)?;
    let kept = user.as_ref().and_then(|user| user.password.clone());
    let verify = state.passwords.verify(client.address, Purpose::SignIn, password, kept);
    let (true, Some(user)) = (client.while_waiting(verify).await?, user) else {
        return Err(AppError::Credentials);
    };
    check_second_factor(&state, &user, code.as_deref()).await?;
    state.store.remember_network(&user.id, client.address.network_of_one(), now_ms()).await?;
    let_in(&state, &mut visitor, user).await?;
    Ok(Json(describe(&state, &visitor).await?))
}

/// Signs out.
#[utoipa::path(post, path = "/api/account/sign-out", tag = "account", responses((status = 200, body = Account)))]
pub(super) async fn sign_out(
    State(state): State<AppState>,
    mut visitor: Visitor,
) -> AppResult<Json<Account>> {
    visitor.without_token()?;
    let me = visitor.user().map(|user| user.id.clone());
    visitor.sign_out().await?;
    if let Some(me) = me {
        state.revocations.send(&me).await;
    }
    Ok(Json(describe(&state, &visitor).await?))
}

/// Stores the client's settings.
#[utoipa::path(put, operation_id = "put_settings", path = "/api/account/settings", tag = "account", request_body = Settings,
    responses((status = 200, body = Account), (status = 422, body = Problem)))]
pub(super) async fn settings(
    State(state): State<AppState>,
    mut visitor: Visitor,
    JsonBody(settings): JsonBody<Settings>,
) -> AppResult<Json<Account>> {
    visitor.without_token()?;
    if let Some(fault) = settings.fault() {
        return Err(AppError::Invalid(fault));
    }
    let me = visitor.ensure(&state).await?;
    let text = serde_json::to_string(&settings).map_err(|error| AppError::Invalid(error.to_string()))?;
    state.store.set_settings(&me.id, &text).await?;
    Ok(Json(Account { player: Some(me), settings, ..describe(&state, &visitor).await? }))
}

/// Changes the password. All other sessions end; tokens of programs stay until they are revoked.
#[utoipa::path(post, operation_id = "change_password", path = "/api/account/password", tag = "account", request_body = NewPassword,
    responses((status = 200, body = Account), (status = 401, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn password(
    State(state): State<AppState>,
    mut visitor: Visitor,
    client: Client,
    JsonBody(NewPassword { old, new }): JsonBody<NewPassword>,
) -> AppResult<Json<Account>> {
    let user = reauthenticate(&state, &visitor, &client, old).await?;
    account::check_password(&new, user.name.as_deref().unwrap_or_default())?;
    let hash = client.while_waiting(state.passwords.hash(client.address, Purpose::SignIn, new)).await?;
    state.store.set_password(&user.id, &hash).await?;
    state.store.forget_networks(&user.id).await?;
    state.store.remember_network(&user.id, client.address.network_of_one(), now_ms()).await?;
    let user = state.store.user(&user.id).await?.ok_or(AppError::NotFound("user"))?;
    state.revocations.send(&user.id).await;
    visitor.sign_in(user).await?;
    Ok(Json(describe(&state, &visitor).await?))
}

/// Ends all sessions, this one too. Tokens of programs stay until they are revoked.
#[utoipa::path(post, path = "/api/account/sign-out-everywhere", tag = "account",
    responses((status = 200, body = Account), (status = 401, body = Problem)))]
pub(super) async fn sign_out_everywhere(
    State(state): State<AppState>,
    mut visitor: Visitor,
) -> AppResult<Json<Account>> {
    let id = visitor.session_user()?.id.clone();
    state.store.end_sessions(&id).await?;
    state.revocations.send(&id).await;
    visitor.sign_out().await?;
    Ok(Json(describe(&state, &visitor).await?))
}

/// Deletes the account: name, password, settings, ratings, tokens, sessions. Its games and lines of chat stay, without name
/// and id, imported games go; games in progress are resigned, and aborted where not both have moved. The name is never free
/// again.
#[utoipa::path(post, operation_id = "delete_account", path = "/api/account/delete", tag = "account", request_body = Proof,
    responses((status = 200, body = Account), (status = 401, body = Problem)))]
pub(super) async fn delete(
    State(state): State<AppState>,
    mut visitor: Visitor,
    client: Client,
    JsonBody(Proof { password }): JsonBody<Proof>,
) -> AppResult<Json<Account>> {
    let user = reauthenticate(&state, &visitor, &client, password).await?;
    state.lobby.clear(&user.id, false);
    // Games that go on are lost first, while there are ratings to lose.
    state.games.remove_player(&user.id).await?;
    let chatted_games = state.store.delete_user(&user.id, now_ms()).await?;
    // Seeks and games that began meanwhile. Later requests find no user of this id, and are rolled back.
    state.lobby.clear(&user.id, false);
    state.games.remove_player(&user.id).await?;
    state.games.reload_chats(&chatted_games).await?;
    state.revocations.send(&user.id).await;
    visitor.sign_out().await?;
    Ok(Json(describe(&state, &visitor).await?))
}

/// The public profile of a player.
pub(super) async fn profile_of(state: &AppState, name: &str) -> AppResult<Profile> {
    let user = state.store.user_named(name).await?.ok_or(AppError::NotFound("player"))?;
    let ratings = state.store.ratings(&user.id).await?;
    let (all, statistics) = account::statistics(&state.store.played(&user.id).await?, &ratings)?;
    let puzzles = super::puzzles::ratings_of(state, &user.id).await?;
    let lessons = super::lessons::courses_of(state, &user.id).await?;
    Ok(Profile {
        player: user.player(),
        created_at: user.created_at,
        ratings,
        all,
        statistics,
        puzzles,
        lessons,
    })
}

/// A player.
#[utoipa::path(get, operation_id = "player", path = "/api/players/{name}", tag = "account", params(("name" = String, Path)),
    responses((status = 200, body = Profile), (status = 404, body = Problem)))]
pub(super) async fn profile(
    State(state): State<AppState>,
    Path(name): Path<String>,
) -> AppResult<Json<Profile>> {
    Ok(Json(profile_of(&state, &name).await?))
}

/// The rating to show.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct RatingsQuery {
    /// Id of the rules.
    variant: String,
    /// The class of clock.
    speed: Speed,
}

/// The history of a player's rating: pairs of a time in Unix milliseconds and the rating.
#[utoipa::path(get, operation_id = "player_ratings", path = "/api/players/{name}/ratings", tag = "account", params(("name" = String, Path), RatingsQuery),
    responses((status = 200, body = Vec<Vec<f64>>), (status = 404, body = Problem)))]
pub(super) async fn ratings(
    State(state): State<AppState>,
    Path(name): Path<String>,
    QueryParams(RatingsQuery { variant, speed }): QueryParams<RatingsQuery>,
) -> AppResult<Json<Vec<(i64, f64)>>> {
    let user = state.store.user_named(&name).await?.ok_or(AppError::NotFound("player"))?;
    Ok(Json(state.store.rating_history(&user.id, &variant, speed).await?))
}
