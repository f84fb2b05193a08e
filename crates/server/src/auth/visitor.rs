//! The sender of a request, by the session of a browser or a token.

use crate::error::AppError;
use crate::state::AppState;
use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use lozenge_game::time::{DAY_MS, now_ms};
use lozenge_game::{ClientAddress, Network};
use lozenge_store::UserRow;
use lozenge_wire::{Player, Scope, Settings};
use serde::{Deserialize, Serialize};
use tower_sessions::{Session, SessionStore as _};

/// The key of the user in a session.
const KEY: &str = "user";

/// The user in a session.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SessionUser {
    user: String,
    epoch: i64,
    /// The day of the last visit, in days since 1970. Writing a new day extends the session.
    #[serde(default)]
    day: i64,
}

/// Today, in days since 1970.
fn today() -> i64 {
    now_ms() / DAY_MS
}

/// The sender of a request.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    session: Session,
    user: Option<UserRow>,
    /// The scopes of the request's token; `None` for a browser.
    scopes: Option<Vec<Scope>>,
    /// The digest of the token.
    token: Option<String>,
    client: ClientAddress,
}

impl FromRequestParts<AppState> for Visitor {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, AppError> {
        let client = state.client_address(&parts.extensions, &parts.headers);
        let session = Session::from_request_parts(parts, state)
            .await
            .map_err(|(_, fault)| AppError::Internal(fault.into()))?;
        if let Some(secret) = bearer(parts) {
            let (user, scopes) = state.store.token_user(secret).await?.ok_or(AppError::SignIn)?;
            let token = Some(lozenge_store::secret_digest(secret));
            return Ok(Self { session, user: Some(user), scopes: Some(scopes), token, client });
        }
        let user = match session.get::<SessionUser>(KEY).await? {
            None => None,
            Some(signed) => {
                let user = state.store.user(&signed.user).await?;
                // All older sessions were ended.
                let user = user.filter(|user| user.epoch == signed.epoch);
                // Written at most once a day, with a new cookie.
                if let Some(user) = &user
                    && signed.day != today()
                {
                    state.store.record_visit(&user.id, now_ms()).await?;
                    if let Some(address) = client.individual() {
                        state.store.record_address(&user.id, address, now_ms()).await?;
                    }
                    session.insert(KEY, SessionUser { day: today(), ..signed }).await?;
                }
                user
            }
        };
        Ok(Self { session, user, scopes: None, token: None, client })
    }
}

/// The token of a program. The scheme is case-insensitive.
fn bearer(parts: &Parts) -> Option<&str> {
    let (scheme, secret) = parts.headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim_start())
}

impl Visitor {
    /// Refuses a token without this scope. Browsers have all scopes but the bots'.
    pub(crate) fn may(&self, scope: Scope) -> Result<(), AppError> {
        match &self.scopes {
            Some(scopes)
                if scopes.contains(&scope) || (scope == Scope::Play && scopes.contains(&Scope::Bot)) =>
            {
                Ok(())
            }
            Some(_) => Err(AppError::Forbidden("expected a token with another scope")),
            None if scope == Scope::Bot => Err(AppError::Forbidden("expected a bot's token")),
            None => Ok(()),
        }
    }

    /// Refuses any token.
    pub(crate) fn without_token(&self) -> Result<(), AppError> {
        match self.scopes {
            Some(_) => Err(AppError::Forbidden("this endpoint does not accept tokens")),
            None => Ok(()),
        }
    }

    /// The user of a browser, not of a token.
    pub(crate) fn session_user(&self) -> Result<&UserRow, AppError> {
        self.without_token()?;
        self.user().ok_or(AppError::SignIn)
    }

    /// Whether the request's session or token has not been revoked since; true without one.
    pub(crate) async fn is_still_valid(&self, state: &AppState) -> Result<bool, AppError> {
        let Some(me) = &self.user else { return Ok(true) };
        if let Some(token) = &self.token {
            return Ok(state.store.token_owner(token).await?.as_ref() == Some(&me.id));
        }
        let Some(id) = self.session.id() else { return Ok(false) };
        let kept = state.store.load(&id).await.map_err(tower_sessions::session::Error::from)?;
        let user = state.store.user(&me.id).await?;
        Ok(kept.is_some() && user.is_some_and(|user| user.epoch == me.epoch))
    }

    /// The client's network; `None` if all clients share one address.
    pub(crate) fn network(&self) -> Option<Network> {
        self.client.network_of_one()
    }

    /// The user; `None` before the first action.
    pub(crate) fn user(&self) -> Option<&UserRow> {
        self.user.as_ref()
    }

    /// The user's id.
    pub(crate) fn id(&self) -> Option<&str> {
        self.user().map(|user| user.id.as_str())
    }

    /// The client's address.
    pub(crate) fn client(&self) -> ClientAddress {
        self.client
    }

    /// The user as a player.
    pub(crate) fn player(&self) -> Option<Player> {
        self.user().map(UserRow::player)
    }

    /// The user as a player; a new visitor becomes a guest.
    pub(crate) async fn ensure(&mut self, state: &AppState) -> Result<Player, AppError> {
        if let Some(player) = self.player() {
            return Ok(player);
        }
        state.limits.check_new_guest(self.client)?;
        let id = lozenge_game::ids::other();
        state.store.make_guest(&id, now_ms()).await?;
        self.record_address(state, &id).await?;
        let user = state.store.user(&id).await?.ok_or(AppError::NotFound("user"))?;
        let guest = user.player();
        self.sign_in(user).await?;
        Ok(guest)
    }

    /// Stores the address of a user.
    pub(crate) async fn record_address(&self, state: &AppState, user: &str) -> Result<(), AppError> {
        match self.client.individual() {
            Some(address) => Ok(state.store.record_address(user, address, now_ms()).await?),
            None => Ok(()),
        }
    }

    /// Signs a user in. The session's id changes, against session fixation.
    pub(crate) async fn sign_in(&mut self, user: UserRow) -> Result<(), AppError> {
        self.session.cycle_id().await?;
        self.session
            .insert(KEY, SessionUser { user: user.id.clone(), epoch: user.epoch, day: today() })
            .await?;
        self.user = Some(user);
        Ok(())
    }

    /// Ends the session.
    pub(crate) async fn sign_out(&mut self) -> Result<(), AppError> {
        self.user = None;
        Ok(self.session.flush().await?)
    }

    /// The user's settings.
    pub(crate) fn settings(&self) -> Settings {
        self.user().and_then(|user| serde_json::from_str(&user.settings).ok()).unwrap_or_default()
    }
}
