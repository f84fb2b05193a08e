//! The client's account and the proofs of who it is; ways back into an account, and the second factor. Not here: signing in and
//! new passwords, which are `accounts`'; mail, which is `mail`'s.

use super::AppResult;
use super::input::{Client, JsonBody};
use crate::account::{self, Purpose, second_factor};
use crate::auth::Visitor;
use crate::denial::Denial;
use crate::error::AppError;
use crate::state::AppState;
use axum::Json;
use axum::extract::State;
use lozenge_game::is_well_formed;
use lozenge_store::UserRow;
use lozenge_wire::{
    Account, BackupCodes, FullProof, Problem, Proof, Recover, RecoveryCode, Scope, SecondFactorCode,
    SecondFactorSetup, Security,
};

/// How an account is secured.
async fn security_of(state: &AppState, user: &UserRow) -> AppResult<Security> {
    Ok(Security {
        recovery: state.store.has_recovery(&user.id).await?,
        second_factor: user.totp.is_some(),
        backup_codes: u32::try_from(state.store.backup_codes_left(&user.id).await?).unwrap_or_default(),
        mail: state.config.mail.is_some(),
        email: user.email.clone(),
    })
}

/// The client, with ratings, and with settings unless a token may not read them.
pub(super) async fn describe(state: &AppState, visitor: &Visitor) -> AppResult<Account> {
    let ratings = match visitor.user() {
        Some(user) => state.store.ratings(&user.id).await?,
        None => Vec::new(),
    };
    let settings = visitor.may(Scope::Read).map(|()| visitor.settings()).unwrap_or_default();
    let security = match visitor.session_user() {
        Ok(user) if user.name.is_some() => Some(security_of(state, user).await?),
        _ => None,
    };
    Ok(Account { player: visitor.player(), settings, ratings, security, recovery_code: None })
}

/// A signed-in client that has repeated the password.
pub(super) async fn reauthenticate(
    state: &AppState,
    visitor: &Visitor,
    client: &Client,
    password: String,
) -> AppResult<UserRow> {
    let user = visitor.session_user()?;
    if user.password.is_none() {
        return Err(AppError::SignIn);
    }
    // Only signed-in users get here: strangers cannot use up these tries.
    state.limits.check_sign_in(&user.id, client.address, true)?;
    let verify = state.passwords.verify(client.address, Purpose::SignIn, password, user.password.clone());
    if !client.while_waiting(verify).await? {
        return Err(AppError::Credentials);
    }
    Ok(user.clone())
}

/// Checks the second factor of an account that has one, after its password: a code of the app that has not been used, or
/// a backup code, which is used up.
pub(super) async fn check_second_factor(
    state: &AppState,
    user: &UserRow,
    code: Option<&str>,
) -> AppResult<()> {
    let Some(secret) = &user.totp else { return Ok(()) };
    let code = code.filter(|code| !code.trim().is_empty()).ok_or(AppError::SecondFactor)?;
    state.limits.check_code(&user.id)?;
    let good = match second_factor::step(secret, code)? {
        Some(step) => state.store.use_totp_step(&user.id, step).await?,
        None => state.store.use_backup_code(&user.id, code).await?,
    };
    if good { Ok(()) } else { Err(AppError::SecondFactorWrong) }
}

/// Signs in an authenticated client, unless the account is closed.
pub(super) async fn let_in(state: &AppState, visitor: &mut Visitor, user: UserRow) -> AppResult<()> {
    if user.is_closed_or_banned() {
        return Err(AppError::Closed);
    }
    visitor.record_address(state, &user.id).await?;
    visitor.sign_in(user).await
}

/// Gives an account a new recovery code; the previous code becomes invalid.
#[utoipa::path(post, operation_id = "renew_recovery_code", path = "/api/account/recovery-code", tag = "account", request_body = Proof,
    responses((status = 200, body = RecoveryCode), (status = 401, body = Problem)))]
pub(super) async fn renew(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    JsonBody(Proof { password }): JsonBody<Proof>,
) -> AppResult<Json<RecoveryCode>> {
    let user = reauthenticate(&state, &visitor, &client, password).await?;
    let recovery_code = lozenge_game::ids::recovery();
    state.store.set_recovery(&user.id, &recovery_code).await?;
    Ok(Json(RecoveryCode { recovery_code }))
}

/// Sets a new password by the recovery code, which is used up: the answer has the next one. All other sessions end. An
/// account with a second factor needs a code of that, too.
#[utoipa::path(post, path = "/api/account/recover", tag = "account", request_body = Recover,
    responses((status = 200, body = Account), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 422, body = Problem)))]
pub(super) async fn recover(
    State(state): State<AppState>,
    mut visitor: Visitor,
    client: Client,
    JsonBody(Recover { name, recovery_code, password, code }): JsonBody<Recover>,
) -> AppResult<Json<Account>> {
    visitor.without_token()?;
    account::check_password(&password, &name)?;
    if !is_well_formed(&name) {
        return Err(AppError::Recovery);
    }
    let user = state.store.user_named(&name).await?;
    let known = state.is_known_network(user.as_ref(), client.address).await?;
    state.limits.check_sign_in(&name, client.address, known)?;
    let user = user.ok_or(AppError::Recovery)?;
    if !state.store.is_recovery(&user.id, &recovery_code).await? {
        return Err(AppError::Recovery);
    }
    check_second_factor(&state, &user, code.as_deref()).await?;
    if user.is_closed_or_banned() {
        return Err(AppError::Closed);
    }
    let hash = client.while_waiting(state.passwords.hash(client.address, Purpose::SignIn, password)).await?;
    let next = lozenge_game::ids::recovery();
    if !state.store.recover(&user.id, &recovery_code, &hash, &next).await? {
        return Err(AppError::Recovery);
    }
    let user = state.store.user(&user.id).await?.ok_or(AppError::Recovery)?;
    state.revocations.send(&user.id).await;
    let_in(&state, &mut visitor, user).await?;
    Ok(Json(Account { recovery_code: Some(next), ..describe(&state, &visitor).await? }))
}

/// Begins to set up a second factor: a secret for an app. Nothing changes until a code confirms it.
#[utoipa::path(post, operation_id = "begin_second_factor", path = "/api/account/second-factor", tag = "account", request_body = Proof,
    responses((status = 200, body = SecondFactorSetup), (status = 401, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn begin(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    JsonBody(Proof { password }): JsonBody<Proof>,
) -> AppResult<Json<SecondFactorSetup>> {
    let user = reauthenticate(&state, &visitor, &client, password).await?;
    if user.totp.is_some() {
        return Err(Denial::SecondFactorOn.into());
    }
    let secret = second_factor::new_secret();
    let uri = second_factor::uri(&secret, user.name.as_deref().unwrap_or_default())?;
    let code = qrcode::QrCode::new(&uri).map_err(|error| AppError::Internal(error.to_string()))?;
    let qr = code.render::<qrcode::render::svg::Color<'_>>().min_dimensions(220, 220).build();
    state.store.set_pending_totp(&user.id, &secret).await?;
    Ok(Json(SecondFactorSetup { secret, uri, qr }))
}

/// Switches the second factor on, by a code of the app. The answer has ten backup codes.
#[utoipa::path(post, operation_id = "confirm_second_factor", path = "/api/account/second-factor/confirm", tag = "account", request_body = SecondFactorCode,
    responses((status = 200, body = BackupCodes), (status = 401, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn confirm(
    State(state): State<AppState>,
    visitor: Visitor,
    JsonBody(SecondFactorCode { code }): JsonBody<SecondFactorCode>,
) -> AppResult<Json<BackupCodes>> {
    let user = visitor.session_user()?;
    if user.name.is_none() {
        return Err(AppError::SignIn);
    }
    let nothing = || AppError::from(Denial::SecondFactorExpired);
    let secret = state.store.pending_totp(&user.id).await?.ok_or_else(nothing)?;
    state.limits.check_code(&user.id)?;
    let step = second_factor::step(&secret, &code)?.ok_or(AppError::SecondFactorWrong)?;
    let backup_codes = second_factor::new_backup_codes();
    if !state.store.switch_totp_on(&user.id, &secret, step, &backup_codes).await? {
        return Err(nothing());
    }
    Ok(Json(BackupCodes { backup_codes }))
}

/// The signed-in account, confirmed by password and second factor.
async fn reauthenticate_fully(
    state: &AppState,
    visitor: &Visitor,
    client: &Client,
    proof: FullProof,
) -> AppResult<UserRow> {
    let user = reauthenticate(state, visitor, client, proof.password).await?;
    if user.totp.is_none() {
        return Err(Denial::SecondFactorOff.into());
    }
    check_second_factor(state, &user, Some(&proof.code)).await?;
    Ok(user)
}

/// Makes ten new backup codes; the previous codes become invalid.
#[utoipa::path(post, operation_id = "renew_backup_codes", path = "/api/account/second-factor/backup-codes", tag = "account", request_body = FullProof,
    responses((status = 200, body = BackupCodes), (status = 401, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn renew_backup_codes(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    JsonBody(proof): JsonBody<FullProof>,
) -> AppResult<Json<BackupCodes>> {
    let user = reauthenticate_fully(&state, &visitor, &client, proof).await?;
    let backup_codes = second_factor::new_backup_codes();
    state.store.set_backup_codes(&user.id, &backup_codes).await?;
    Ok(Json(BackupCodes { backup_codes }))
}

/// Switches the second factor off.
#[utoipa::path(post, operation_id = "switch_second_factor_off", path = "/api/account/second-factor/off", tag = "account", request_body = FullProof,
    responses((status = 200, body = Account), (status = 401, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn switch_off(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    JsonBody(proof): JsonBody<FullProof>,
) -> AppResult<Json<Account>> {
    let user = reauthenticate_fully(&state, &visitor, &client, proof).await?;
    state.store.switch_totp_off(&user.id).await?;
    let mut account = describe(&state, &visitor).await?;
    // The visitor is as they came, with the second factor.
    if let Some(security) = &mut account.security {
        security.second_factor = false;
    }
    Ok(Json(account))
}
