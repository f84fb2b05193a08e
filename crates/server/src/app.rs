//! The whole site as one [`Router`]. Built without a socket, so that tests can send it requests directly.

use crate::account::{BannedNetworks, Passwords, Revocations};
use crate::budgets::Budgets;
use crate::endgames::EndgameTables;
use crate::heavy::HeavyWork;
use crate::housekeeping::{self, SESSION_DAYS};
use crate::limits::Limits;
use crate::peers;
use crate::pictures::Pictures;
use crate::prebuilt::PageCache;
use crate::push::{PushKey, PushSender};
use crate::routes;
use crate::state::{AppParts, AppState, Config};
use crate::studies::Studies;
use crate::studio::{Drawings, Studio};
use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use futures_util::future::BoxFuture;
use lozenge_game::time::{CLOCK, now_ms};
use lozenge_live::challenges::ChallengeEvents;
use lozenge_live::closing::Closing;
use lozenge_live::cluster::Cluster;
use lozenge_live::games::{LiveGames, Variants};
use lozenge_live::jobs::Jobs;
use lozenge_live::laboratory::Laboratory;
use lozenge_live::lobby::Lobby;
use lozenge_live::puzzles;
use lozenge_live::reviews::Reviews;
use lozenge_live::showcase::Showcase;
use lozenge_store::{DatabaseLock, Store, StoreError};
use lozenge_tablebase::SharedTables;
use lozenge_worker::Pool;
use std::sync::Arc;
use std::time::Duration;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::trace::TraceLayer;
use tower_sessions::cookie::SameSite;
use tower_sessions::cookie::time::Duration as CookieDuration;
use tower_sessions::{Expiry, SessionManagerLayer};

/// A site that has been opened.
#[derive(Debug)]
pub struct Site {
    state: AppState,
    /// Held as long as the site is open.
    lock: DatabaseLock,
}

/// How long after the start books are counted: a site that runs for moments only has no use for them.
const BOOKS_AFTER: Duration = Duration::from_secs(60);

/// The longest time in which the sockets of a server that stops are closed.
const MAX_DRAIN: Duration = Duration::from_secs(5);

/// How often a server checks whether another of its name has renewed its lease.
const LEASE_CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// `Permissions-Policy`: pages may use none of these features of a browser.
const PERMISSIONS: &str = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()";

impl Site {
    /// Opens the database and takes up the games in it.
    ///
    /// # Errors
    /// If another server works on the database, it cannot be opened, or what is in it cannot be read.
    pub fn open(config: Config) -> BoxFuture<'static, Result<Self, StoreError>> {
        // Boxed, as `drain` and `close` are: otherwise each program that uses the site would compile all of it again.
        Box::pin(Self::open_now(config))
    }

    async fn open_now(config: Config) -> Result<Self, StoreError> {
        let metrics = crate::telemetry::recorder();
        let cluster = cluster(&config).await?;
        let lock = DatabaseLock::of(&config.database, cluster.is_some()).await?;
        let store = Store::open(&config.database).await?;
        match &cluster {
            Some(cluster) => {
                // Before anything is timed: all servers have the same clock.
                CLOCK.set_reference(store.database_now().await?);
                CLOCK.follow_system();
                check_name(&store, &cluster.settings().id).await?;
            }
            None if Store::is_shared(&config.database)? => store.disown_games().await?,
            None => {}
        }
        store.finish_erasures().await?;
        store.fill_skeletons().await?;
        let last_beat = store.last_beat().await?;
        let variants = Variants::with(config.variants.clone());
        let tables = SharedTables::new(config.tables.clone());
        let engines = Pool::with_tables(config.engine, tables.clone());
        let games = LiveGames::with_cluster(cluster.clone(), store.clone(), variants.clone(), engines);
        games
            .start(last_beat)
            .await
            .map_err(|error| StoreError::Content { expected: "games", found: error.to_string() })?;
        // Not before every clock goes on: a start that is cut off has not been there for the others.
        store.beat(now_ms()).await?;
        if let Some(cluster) = &cluster {
            tokio::spawn(games.clone().run_node(last_beat));
            games.wait_for_lease(cluster.settings().lease).await;
        }
        let drawings = Drawings::new(store.clone());
        let at_once = config.engine.threads.get();
        let name = cluster.as_ref().map_or("this-server", |cluster| &cluster.settings().id);
        let nats = config.nats.as_deref();
        let jobs = Jobs::start(store.clone(), games.clone(), variants.clone(), at_once, nats, name).await?;
        let heavy = HeavyWork::default();
        let state = AppState::from(AppParts {
            endgames: Arc::new(EndgameTables::new(tables)),
            config,
            lobby: Lobby::load(&store, &variants, cluster.clone()).await?,
            challenges: ChallengeEvents::new(cluster.clone()),
            push_key: push_key(&store).await?,
            showcase: Showcase::default(),
            budgets: Budgets::default(),
            limits: Limits::default(),
            revocations: Revocations::new(cluster.clone(), &store),
            banned: BannedNetworks::default(),
            passwords: Passwords::default(),
            pages: PageCache::default(),
            pictures: Pictures::default(),
            heavy: heavy.clone(),
            reviews: Reviews::new(store.clone(), &jobs),
            studies: Studies::new(store.clone(), variants.clone(), heavy.clone(), cluster.clone()),
            studio: Studio::new(store.clone(), variants.clone(), drawings.clone(), heavy.clone()),
            drawings,
            laboratory: Laboratory::new(store.clone(), variants.clone(), games.clone(), jobs.clone()),
            jobs,
            store,
            games,
            variants,
            closing: Closing::default(),
            metrics,
        });
        state.banned.load(&state.store).await?;
        if let Some(cluster) = cluster {
            tokio::spawn(peers::follow_servers(state.clone(), cluster));
            tokio::spawn(peers::follow_revocations(state.clone()));
        }
        tokio::spawn(state.lobby.clone().follow(state.games.lifecycle()));
        tokio::spawn(state.lobby.clone().follow_games(state.games.clone()));
        tokio::spawn(push_sender(&state).run());
        tokio::spawn(housekeeping::run(state.clone()));
        state.jobs.adopt(state.reviews.clone().run()).await;
        tokio::spawn(state.laboratory.clone().run());
        let resumed = state.clone();
        tokio::spawn(async move {
            if let Err(error) = routes::resume_reviews(&resumed).await {
                tracing::error!(%error, "reviews were not resumed");
            }
        });
        let seeded = state.clone();
        tokio::spawn(async move {
            seeded.games.wait_unless_first().await;
            seeded.studies.seed(&seeded.config.studies).await;
        });
        if let Some(delay) = state.config.install_tables {
            tokio::spawn(Arc::clone(&state.endgames).install(state.games.clone(), delay));
        }
        tokio::spawn(state.games.clone().feed_explorer(Arc::clone(&state.config.books), BOOKS_AFTER));
        let loading = state.clone();
        tokio::spawn(async move {
            loading.games.wait_unless_first().await;
            let (store, variants) = (loading.store.clone(), loading.variants.clone());
            puzzles::load(store, variants, &loading.config.puzzles).await;
        });
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
            .layer(header(header::CONTENT_SECURITY_POLICY, routes::CONTENT_SECURITY_POLICY))
            .layer(header(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
            .layer(header(header::REFERRER_POLICY, "same-origin"))
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
            .layer(CatchPanicLayer::new());
        routes::router()
            .layer(axum::middleware::from_fn_with_state(self.state.clone(), routes::show_faults))
            .layer(axum::middleware::from_fn(routes::run_to_completion))
            .layer(axum::middleware::from_fn_with_state(self.state.clone(), routes::same_origin))
            .layer(axum::middleware::from_fn_with_state(self.state.clone(), routes::rate_limit))
            .layer(sessions)
            .layer(layers)
            .with_state(self.state.clone())
    }

    /// Metrics and health checks, for an address of their own that is not open to the public.
    pub fn metrics_router(&self) -> Router {
        routes::metrics_router().with_state(self.state.clone())
    }

    /// Until another server has taken the database, after this one had lost its connection to it: the state in memory
    /// is then out of date, and this site has to be closed. Never, where the database is a file.
    pub fn taken(&self) -> impl Future<Output = ()> + Send + use<> {
        self.lock.lost()
    }

    /// Gets ready to stop: `/readyz` fails from now on, other servers take the games over, and sockets and streams are closed
    /// one after the other, so that their clients connect again elsewhere. Requests are still answered meanwhile.
    pub fn drain(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.drain_now())
    }

    async fn drain_now(&self) {
        let spread = match self.state.games.lease() {
            // Alone, all come back to this server when it has started again.
            None => Duration::ZERO,
            Some(lease) => (2 * lease).min(MAX_DRAIN),
        };
        self.state.closing.begin(spread);
        self.state.games.retire().await;
        tokio::time::sleep(spread).await;
    }

    /// Writes a last heartbeat, stops the jobs and closes the database.
    pub fn close(self) -> BoxFuture<'static, ()> {
        Box::pin(self.close_now())
    }

    async fn close_now(self) {
        if let Err(error) = self.state.store.beat(now_ms()).await {
            tracing::error!(%error, "the last sign of life could not be written");
        }
        self.state.endgames.close();
        self.state.laboratory.close();
        self.state.jobs.close().await;
        self.state.store.close().await;
    }
}

/// This server among others, if it is to be one of several.
async fn cluster(config: &Config) -> Result<Option<Cluster>, StoreError> {
    #[cfg(feature = "nats")]
    if let (Some(nats), Some(node)) = (&config.nats, &config.node)
        && Store::is_shared(&config.database)?
    {
        let connected = Cluster::connect(nats, node.clone()).await;
        return connected.map(Some).map_err(|error| StoreError::Nats(error.to_string()));
    }
    let _ = &config.node;
    Ok(None)
}

/// Refuses the name of a server that is at work. Waits until the lease of a killed one ends.
async fn check_name(store: &Store, id: &str) -> Result<(), StoreError> {
    let mut seen = None;
    while let Some((until, left_ms)) = store.lease_of(id).await? {
        if seen.replace(until).is_some_and(|seen| seen < until) {
            return Err(StoreError::NameTaken(id.to_owned()));
        }
        tokio::time::sleep(LEASE_CHECK_INTERVAL.min(Duration::from_millis(left_ms.unsigned_abs() + 1))).await;
    }
    Ok(())
}

fn header(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}

fn push_sender(state: &AppState) -> PushSender {
    PushSender {
        store: state.store.clone(),
        games: state.games.clone(),
        challenges: state.challenges.clone(),
        limits: state.limits.clone(),
        key: state.push_key.clone(),
        contact: state.config.public_url.clone(),
        config: state.config.push.clone(),
    }
}

/// The key by which push services know this site, made at its first start.
async fn push_key(store: &Store) -> Result<PushKey, StoreError> {
    let text = store.server_key("vapid", &PushKey::random().to_text()).await?;
    PushKey::from_text(&text).ok_or_else(|| StoreError::Content {
        expected: "a private key on P-256",
        found: "another text".into(),
    })
}
