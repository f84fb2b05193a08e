//! The e-mail address of an account, by choice and only where the host has set up a mail server: confirmed by a link,
//! and a way to a new password.

use super::AppResult;
use super::input::{Client, JsonBody};
use super::security::{check_second_factor, let_in};
use super::security::{describe, reauthenticate};
use crate::account::{self, CONFIRM, Mailer, RESET};
use crate::auth::Visitor;
use crate::denial::Denial;
use crate::error::AppError;
use crate::state::AppState;
use crate::views::Texts;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use lozenge_game::time::now_ms;
use lozenge_store::Purpose;
use lozenge_wire::{Account, ForgottenPassword, MailLink, NewEmail, Problem, ResetPassword, Settings};

fn mailer(state: &AppState) -> AppResult<&Mailer> {
    state.config.mail.as_ref().ok_or(AppError::NotFound("mail server"))
}

fn parse(email: &str) -> AppResult<lettre::Address> {
    let malformed = || AppError::from(Denial::EmailAddress);
    if email.len() > 200 {
        return Err(malformed());
    }
    let address: lettre::Address = email.trim().parse().map_err(|_| malformed())?;
    // Mail to an address literal (`ann@[192.0.2.7]`) or to a machine without a domain would reach into the host's network.
    let top_level = address.domain().rsplit_once('.').map(|(_, top_level)| top_level);
    if !top_level.is_some_and(|name| name.starts_with(char::is_alphabetic)) {
        return Err(malformed());
    }
    Ok(address)
}

/// The language of the user's settings or browser.
fn texts(settings: &str, headers: &HeaderMap) -> Texts {
    let settings: Settings = serde_json::from_str(settings).unwrap_or_default();
    let accepts = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    Texts::choose(settings.language.as_deref(), accepts.unwrap_or_default())
}

/// Sends a link to an e-mail address, which becomes the account's when the link is followed within an hour; or removes
/// the address, if none is given.
#[utoipa::path(post, operation_id = "change_email", path = "/api/account/email", tag = "account", request_body = NewEmail,
    responses((status = 200, body = Account), (status = 401, body = Problem), (status = 404, body = Problem),
        (status = 422, body = Problem), (status = 429, body = Problem)))]
pub(super) async fn change(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    headers: HeaderMap,
    JsonBody(NewEmail { password, email }): JsonBody<NewEmail>,
) -> AppResult<Json<Account>> {
    let user = reauthenticate(&state, &visitor, &client, password).await?;
    let mut account = describe(&state, &visitor).await?;
    let Some(email) = email else {
        state.store.remove_email(&user.id).await?;
        // The visitor is as they came, with the address.
        if let Some(security) = &mut account.security {
            security.email = None;
        }
        return Ok(Json(account));
    };
    let (mailer, to) = (mailer(&state)?, parse(&email)?);
    state.limits.check_mail(to.as_ref(), client.address)?;
    let secret = lozenge_game::ids::secret();
    if state.store.keep_link(&user.id, Purpose::Confirm, to.as_ref(), &secret, now_ms()).await? {
        let name = user.name.as_deref().unwrap_or_default();
        mailer.send(to, name, CONFIRM, &secret, &texts(&user.settings, &headers));
    }
    Ok(Json(account))
}

/// Confirms an e-mail address by the token of its link.
#[utoipa::path(post, operation_id = "confirm_email", path = "/api/account/email/confirm", tag = "account", request_body = MailLink,
    responses((status = 204), (status = 401, body = Problem)))]
pub(super) async fn confirm(
    State(state): State<AppState>,
    visitor: Visitor,
    JsonBody(MailLink { token }): JsonBody<MailLink>,
) -> AppResult<StatusCode> {
    visitor.without_token()?;
    let confirmed = state.store.confirm_email(&token, now_ms()).await?;
    if confirmed { Ok(StatusCode::NO_CONTENT) } else { Err(AppError::Recovery) }
}

/// Sends a link for a new password to the confirmed e-mail address of an account; it is good for 30 minutes. The answer
/// is the same whether an account has the address.
#[utoipa::path(post, operation_id = "forgotten_password", path = "/api/account/email/forgotten", tag = "account", request_body = ForgottenPassword,
    responses((status = 204), (status = 404, body = Problem), (status = 422, body = Problem), (status = 429, body = Problem)))]
pub(super) async fn forgotten(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    headers: HeaderMap,
    JsonBody(ForgottenPassword { email }): JsonBody<ForgottenPassword>,
) -> AppResult<StatusCode> {
    visitor.without_token()?;
    mailer(&state)?;
    let to = parse(&email)?;
    state.limits.check_mail(to.as_ref(), client.address)?;
    // On a task of its own: how long it takes reveals nothing about accounts either.
    tokio::spawn(async move {
        if let Err(error) = send_reset(&state, to, &headers).await {
            tracing::error!(%error, "a link for a new password could not be made");
        }
    });
    Ok(StatusCode::NO_CONTENT)
}

async fn send_reset(state: &AppState, to: lettre::Address, headers: &HeaderMap) -> AppResult<()> {
    let Some(user) = state.store.user_with_email(to.as_ref()).await? else { return Ok(()) };
    let Some(email) = user.email.as_deref().filter(|_| !user.is_closed_or_banned()) else { return Ok(()) };
    let secret = lozenge_game::ids::secret();
    if state.store.keep_link(&user.id, Purpose::Reset, email, &secret, now_ms()).await? {
        let name = user.name.as_deref().unwrap_or_default();
        mailer(state)?.send(parse(email)?, name, RESET, &secret, &texts(&user.settings, headers));
    }
    Ok(())
}

/// Sets a new password by the token of a link. All other sessions end. An account with a second factor needs a code of
/// that, too.
#[utoipa::path(post, operation_id = "reset_password", path = "/api/account/email/reset", tag = "account", request_body = ResetPassword,
    responses((status = 200, body = Account), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 422, body = Problem)))]
pub(super) async fn reset(
    State(state): State<AppState>,
    mut visitor: Visitor,
    client: Client,
    JsonBody(ResetPassword { token, password, code }): JsonBody<ResetPassword>,
) -> AppResult<Json<Account>> {
    visitor.without_token()?;
    let link = state.store.link(Purpose::Reset, &token, now_ms()).await?;
    let (owner, _) = link.ok_or(AppError::Recovery)?;
    let user = state.store.user(&owner).await?.ok_or(AppError::Recovery)?;
    account::check_password(&password, user.name.as_deref().unwrap_or_default())?;
    check_second_factor(&state, &user, code.as_deref()).await?;
    if user.is_closed_or_banned() {
        return Err(AppError::Closed);
    }
    let hash = state.passwords.hash(client.address, account::Purpose::SignIn, password);
    let hash = client.while_waiting(hash).await?;
    if !state.store.reset_password(&token, &hash).await? {
        return Err(AppError::Recovery);
    }
    let user = state.store.user(&owner).await?.ok_or(AppError::Recovery)?;
    state.revocations.send(&user.id).await;
    let_in(&state, &mut visitor, user).await?;
    Ok(Json(describe(&state, &visitor).await?))
}
