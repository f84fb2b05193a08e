//! The whole site as one [`Router`], and what all its routes share. Built without a socket, so that tests can ask it
//! directly.

use crate::account::{BannedNetworks, Endings, Mailer, Passwords};
use crate::challenges::ChallengeEvents;
use crate::games::{LiveGames, Variants};
use crate::limits::Limits;
use crate::lobby::Lobby;
use crate::network::{ClientAddress, TrustedProxies};
use crate::pictures::Pictures;
use crate::push::{self, PushConfig, PushKey};
use crate::routes;
use crate::showcase::Showcase;
use crate::store::{DatabaseLock, Store, StoreError, UserRow};
use crate::time::{CLOCK, DAY_MS, now_ms};
use axum::Router;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, header};
use lozenge_worker::{Bounds, Pool};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;
use tower_http::trace::TraceLayer;
use tower_sessions::cookie::SameSite;
use tower_sessions::cookie::time::Duration as CookieDuration;
use tower_sessions::{ExpiredDeletion as _, Expiry, SessionManagerLayer};

/// How a site is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// Address of the database: `sqlite:PATH` or `postgres://…`.
    pub database: String,
    /// The site's own address as browsers see it, such as `https://chess.example`; without one it is taken from
    /// each request.
    pub public_url: Option<String>,
    /// Proxies whose `X-Forwarded-For` is believed. Without a setting the private networks are, if the site has been
    /// told its public address, which means that a proxy stands in front of it.
    pub trusted_proxies: Option<TrustedProxies>,
    /// What has to be shown to read `/metrics` at the site's own address; without it there is none there.
    pub metrics_token: Option<String>,
    /// What the engine may use.
    pub engine: Bounds,
    /// The mail server, if there is one.
    pub mail: Option<Mailer>,
    /// Messages to players' devices.
    pub push: PushConfig,
}

impl Config {
    /// The usual set-up with a database.
    #[must_use]
    pub fn new(database: String) -> Self {
        Self {
            database,
            public_url: None,
            trusted_proxies: None,
            metrics_token: None,
            engine: Bounds::default(),
            mail: None,
            push: PushConfig::default(),
        }
    }

    /// The proxies whose `X-Forwarded-For` is believed.
    #[must_use]
    pub fn trusted_proxies(&self) -> &TrustedProxies {
        static PRIVATE: LazyLock<TrustedProxies> = LazyLock::new(TrustedProxies::private_ranges);
        static NONE: LazyLock<TrustedProxies> = LazyLock::new(TrustedProxies::default);
        let usual = || if self.public_url.is_some() { &*PRIVATE } else { &*NONE };
        self.trusted_proxies.as_ref().unwrap_or_else(usual)
    }

    /// Whether browsers reach the site by TLS.
    fn is_secure(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.starts_with("https://"))
    }
}

/// What all routes share. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct AppState {
    pub(crate) config: Arc<Config>,
    pub(crate) store: Store,
    pub(crate) games: LiveGames,
    pub(crate) variants: Variants,
    pub(crate) lobby: Lobby,
    pub(crate) challenges: ChallengeEvents,
    pub(crate) push_key: PushKey,
    pub(crate) showcase: Showcase,
    pub(crate) limits: Limits,
    pub(crate) endings: Endings,
    pub(crate) banned: BannedNetworks,
    pub(crate) passwords: Passwords,
    pub(crate) pictures: Pictures,
    pub(crate) metrics: PrometheusHandle,
}

impl AppState {
    /// Where a request comes from.
    pub(crate) fn client_address(&self, extensions: &Extensions, headers: &HeaderMap) -> ClientAddress {
        ClientAddress::of_request(extensions, headers, self.config.trusted_proxies())
    }

    /// Whether somebody has signed in to this account from there before.
    pub(crate) async fn knows(
        &self,
        user: Option<&UserRow>,
        client: ClientAddress,
    ) -> Result<bool, StoreError> {
        match user {
            Some(user) => self.store.knows_network(&user.id, client.network_of_one()).await,
            None => Ok(false),
        }
    }
}

/// A site that has been opened.
#[derive(Debug)]
pub struct Site {
    state: AppState,
    /// Held as long as the site is open.
    lock: DatabaseLock,
}

/// Largest body of a request, in bytes.
const MOST_BODY: usize = 64 << 10;
/// How long the next part of what is sent may be on its way.
const BODY_PATIENCE: Duration = Duration::from_secs(30);

/// What pages may ask a browser for: none of this, whatever script runs in them.
const PERMISSIONS: &str = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()";

/// How often the server writes down that it runs.
const BEAT: Duration = Duration::from_secs(2);

/// Sessions end after so many days without a visit.
const SESSION_DAYS: i64 = 90;

/// Where somebody has signed in from is remembered for so many days.
const KNOWN_NETWORK_DAYS: i64 = 180;

impl Site {
    /// Opens the database and takes up the games in it.
    ///
    /// # Errors
    /// If another server works on the database, it cannot be opened, or what is in it cannot be read.
    pub async fn open(config: Config) -> Result<Self, StoreError> {
        let lock = DatabaseLock::of(&config.database).await?;
        let store = Store::open(&config.database).await?;
        store.finish_erasures().await?;
        let last_beat = store.last_beat().await?;
        let variants = Variants::default();
        let games = LiveGames::new(store.clone(), variants.clone(), Pool::new(config.engine));
        games
            .start(last_beat)
            .await
            .map_err(|error| StoreError::Content { expected: "games", found: error.to_string() })?;
        // Not before every clock goes on: a start that is cut off has not been there for the others.
        store.beat(now_ms()).await?;
        let state = AppState {
            config: Arc::new(config),
            lobby: Lobby::load(&store, &variants).await?,
            challenges: ChallengeEvents::default(),
            push_key: push_key(&store).await?,
            showcase: Showcase::default(),
            limits: Limits::default(),
            endings: Endings::default(),
            banned: BannedNetworks::default(),
            passwords: Passwords::default(),
            pictures: Pictures::default(),
            store,
            games,
            variants,
            metrics: recorder(),
        };
        state.banned.load(&state.store).await?;
        tokio::spawn(state.lobby.clone().follow(state.games.lifecycle()));
        tokio::spawn(push::run(state.clone()));
        tokio::spawn(keep_house(state.clone()));
        Ok(Self { state, lock })
    }

    /// All routes.
    pub fn router(&self) -> Router {
        let sessions = SessionManagerLayer::new(self.state.store.clone())
            .with_name("lozenge")
            .with_same_site(SameSite::Lax)
            .with_http_only(true)
            .with_secure(self.state.config.is_secure())
            .with_expiry(Expiry::OnInactivity(CookieDuration::days(SESSION_DAYS)));
        let layers = ServiceBuilder::new()
            .layer(TraceLayer::new_for_http())
            .layer(header(
                header::CONTENT_SECURITY_POLICY,
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
                 media-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
                 form-action 'self'; frame-ancestors 'none'",
            ))
            .layer(header(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
            .layer(header(header::REFERRER_POLICY, "same-origin"))
            .layer(header(header::X_FRAME_OPTIONS, "DENY"))
            .layer(header(HeaderName::from_static("cross-origin-opener-policy"), "same-origin"))
            .layer(header(HeaderName::from_static("cross-origin-resource-policy"), "same-origin"))
            .layer(header(HeaderName::from_static("origin-agent-cluster"), "?1"))
            .layer(header(HeaderName::from_static("x-permitted-cross-domain-policies"), "none"))
            .layer(header(HeaderName::from_static("permissions-policy"), PERMISSIONS))
            .option_layer(
                self.state
                    .config
                    .is_secure()
                    .then(|| header(header::STRICT_TRANSPORT_SECURITY, "max-age=31536000")),
            )
            .layer(CompressionLayer::new())
            .layer(axum::middleware::from_fn(routes::common))
            .layer(CatchPanicLayer::new())
            .layer(RequestBodyTimeoutLayer::new(BODY_PATIENCE))
            .layer(RequestBodyLimitLayer::new(MOST_BODY));
        routes::router()
            .layer(axum::middleware::from_fn_with_state(self.state.clone(), routes::show_faults))
            .layer(axum::middleware::from_fn(routes::to_the_end))
            .layer(axum::middleware::from_fn_with_state(self.state.clone(), routes::same_origin))
            .layer(axum::middleware::from_fn_with_state(self.state.clone(), routes::rate_limit))
            .layer(sessions)
            .layer(layers)
            .with_state(self.state.clone())
    }

    /// Metrics and health checks, for an address of their own that is not open to everybody.
    pub fn metrics_router(&self) -> Router {
        routes::metrics_router().with_state(self.state.clone())
    }

    /// Until another server has taken the database, after this one had lost its connection to it: what is in memory is
    /// then no longer the truth, and this site has to be closed. Never, where the database is a file.
    pub fn taken(&self) -> impl Future<Output = ()> + Send + use<> {
        self.lock.lost()
    }

    /// Writes everything down and closes the database.
    pub async fn close(self) {
        if let Err(error) = self.state.store.beat(now_ms()).await {
            tracing::error!(%error, "the last sign of life could not be written");
        }
        self.state.store.close().await;
    }
}

fn header(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}

/// The key by which push services know this site, made at its first start.
async fn push_key(store: &Store) -> Result<PushKey, StoreError> {
    let text = store.server_key("vapid", &PushKey::random().to_text()).await?;
    PushKey::from_text(&text).ok_or_else(|| StoreError::Content {
        expected: "a private key on P-256",
        found: "another text".into(),
    })
}

/// The numbers of this process: there is one recorder, however many sites are opened in it (tests open many).
fn recorder() -> PrometheusHandle {
    static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
    RECORDER
        .get_or_init(|| {
            let recorder = PrometheusBuilder::new().build_recorder();
            let handle = recorder.handle();
            if metrics::set_global_recorder(recorder).is_err() {
                tracing::warn!("another recorder of metrics is there already");
            }
            handle
        })
        .clone()
}

/// What has to be done from time to time.
async fn keep_house(state: AppState) {
    let mut beats = tokio::time::interval(BEAT);
    let mut count = 0u64;
    loop {
        beats.tick().await;
        if let Err(error) = state.store.beat(now_ms()).await {
            if matches!(error, StoreError::Closed) {
                return;
            }
            tracing::warn!(%error, "the sign of life could not be written");
        }
        if let Err(error) = crate::account::carry_out(&state).await {
            tracing::warn!(%error, "what the host has done could not be carried out");
        }
        state.games.follow_system_clock(&CLOCK);
        metrics::gauge!("lozenge_games_in_memory").set(state.games.len() as f64);
        state.games.drop_inactive(now_ms());
        if let Err(error) = state.lobby.follow_store(&state.store).await {
            tracing::warn!(%error, "deleted seeks could not be looked for");
        }
        if count.is_multiple_of(30)
            && let Err(error) = state.games.abort_abandoned(now_ms()).await
        {
            tracing::warn!(%error, "games that were left could not be aborted");
        }
        state.metrics.run_upkeep();
        state.limits.tidy();
        state.passwords.tidy();
        if count.is_multiple_of(900) {
            forget(&state.store).await;
        }
        count += 1;
    }
}

/// Deletes what nobody can come back to.
async fn forget(store: &Store) {
    if let Err(error) = store.delete_expired().await {
        tracing::warn!(%error, "old sessions could not be deleted");
    }
    if let Err(error) = Lobby::delete_old(store).await {
        tracing::warn!(%error, "old seeks could not be deleted");
    }
    if let Err(error) = store.drop_old_networks(now_ms()).await {
        tracing::warn!(%error, "old networks of users could not be deleted");
    }
    if let Err(error) = store.drop_old_known_networks(now_ms() - KNOWN_NETWORK_DAYS * DAY_MS).await {
        tracing::warn!(%error, "networks that nobody comes from any more could not be deleted");
    }
    if let Err(error) = store.drop_old_challenges(now_ms()).await {
        tracing::warn!(%error, "expired challenges could not be deleted");
    }
    // After their last session, not before.
    let before = now_ms() - (SESSION_DAYS + 1) * DAY_MS;
    if let Err(error) = store.drop_idle_guests(before).await {
        tracing::warn!(%error, "guests without games could not be deleted");
    }
}
