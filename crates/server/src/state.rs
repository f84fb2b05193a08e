//! How a site is configured, and what all its routes share.

use crate::account::{BannedNetworks, Mailer, Passwords, Revocations};
use crate::budgets::Budgets;
use crate::endgames::EndgameTables;
use crate::forwarded::client_address;
use crate::heavy::HeavyWork;
use crate::limits::Limits;
use crate::pictures::Pictures;
use crate::prebuilt::PageCache;
use crate::push::{PushConfig, PushKey};
use crate::studies::Studies;
use crate::studio::{Drawings, Studio};
use axum::http::{Extensions, HeaderMap};
use lozenge_game::{ClientAddress, TrustedProxies};
use lozenge_live::challenges::ChallengeEvents;
use lozenge_live::closing::Closing;
use lozenge_live::cluster::NodeSettings;
use lozenge_live::games::{LiveGames, Variants};
use lozenge_live::jobs::Jobs;
use lozenge_live::laboratory::Laboratory;
use lozenge_live::lobby::Lobby;
use lozenge_live::reviews::Reviews;
use lozenge_live::showcase::Showcase;
use lozenge_rules::library::AnyGame;
use lozenge_store::{Store, StoreError, UserRow};
use lozenge_worker::Bounds;
use metrics_exporter_prometheus::PrometheusHandle;
use std::borrow::Cow;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How a site is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// Address of the database: `sqlite:PATH` or `postgres://…`.
    pub database: String,
    /// The site's own address as browsers see it, such as `https://chess.example`; without one it is taken from
    /// each request.
    pub public_url: Option<String>,
    /// Proxies whose `X-Forwarded-For` is trusted; none by default, because a client without a proxy could spoof any
    /// address.
    pub trusted_proxies: TrustedProxies,
    /// The token for `/metrics` at the site's own address; without it the site has no `/metrics`.
    pub metrics_token: Option<String>,
    /// Resources of the engine.
    pub engine: Bounds,
    /// The mail server, if there is one.
    pub mail: Option<Mailer>,
    /// Messages to players' devices.
    pub push: PushConfig,
    /// The host's own games, which stand beside the built-in ones.
    pub variants: Vec<AnyGame>,
    /// When public games of users are listed.
    pub listing: ListingThreshold,
    /// Books of engine games for the opening explorer: files made by `lozenge lab book`.
    pub books: Arc<[Cow<'static, [u8]>]>,
    /// Studies of the site itself, by id, as PGN.
    pub studies: Arc<[(String, Cow<'static, [u8]>)]>,
    /// Puzzles that come with the program: files made by `lozenge lab puzzles`.
    pub puzzles: Arc<[Cow<'static, [u8]>]>,
    /// Balance reports of built-in games: names of files made by `lozenge lab report` (`chess.json`), and their
    /// gzipped content.
    pub reports: Arc<[(String, Cow<'static, [u8]>)]>,
    /// The folder of endgame tables, if there is one.
    pub tables: Option<PathBuf>,
    /// How long after the start the site begins to make the endgame tables that every installation has, where they are
    /// missing; `None`: never.
    pub install_tables: Option<Duration>,
    /// Whether games that users have made can be rated.
    pub rated_variants: bool,
    /// NATS, through which workers on other machines take jobs. Used with the feature `nats` alone.
    pub nats: Option<String>,
    /// This server among others, which share a database of PostgreSQL and NATS; none where it is alone.
    pub node: Option<NodeSettings>,
}

/// When a public game that a user has made is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListingThreshold {
    /// Age of its owner's account, in days.
    pub days: u32,
    /// Number of its finished games.
    pub games: u32,
}

impl Default for ListingThreshold {
    fn default() -> Self {
        Self { days: 3, games: 5 }
    }
}

impl Config {
    /// The usual set-up with a database.
    #[must_use]
    pub fn new(database: String) -> Self {
        Self {
            database,
            public_url: None,
            trusted_proxies: TrustedProxies::default(),
            metrics_token: None,
            engine: Bounds::default(),
            mail: None,
            push: PushConfig::default(),
            variants: Vec::new(),
            listing: ListingThreshold::default(),
            rated_variants: false,
            nats: None,
            node: None,
            books: Arc::default(),
            studies: Arc::default(),
            puzzles: Arc::default(),
            reports: Arc::default(),
            tables: None,
            install_tables: None,
        }
    }

    /// Whether browsers reach the site by TLS.
    pub(crate) fn is_secure(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.starts_with("https://"))
    }
}

/// State of all routes, shared by its clones: as small as a pointer, since axum clones it several times for each request, and
/// every socket and stream has one.
#[derive(Clone, Debug)]
pub(crate) struct AppState(Arc<AppParts>);

/// The parts of the state.
#[derive(Debug)]
pub(crate) struct AppParts {
    pub(crate) config: Config,
    pub(crate) store: Store,
    pub(crate) games: LiveGames,
    pub(crate) variants: Variants,
    pub(crate) lobby: Lobby,
    pub(crate) challenges: ChallengeEvents,
    pub(crate) push_key: PushKey,
    pub(crate) showcase: Showcase,
    pub(crate) budgets: Budgets,
    pub(crate) limits: Limits,
    pub(crate) revocations: Revocations,
    pub(crate) banned: BannedNetworks,
    pub(crate) passwords: Passwords,
    pub(crate) pages: PageCache,
    pub(crate) pictures: Pictures,
    pub(crate) heavy: HeavyWork,
    pub(crate) jobs: Jobs,
    pub(crate) reviews: Reviews,
    pub(crate) studies: Studies,
    pub(crate) studio: Studio,
    pub(crate) drawings: Drawings,
    pub(crate) laboratory: Laboratory,
    pub(crate) endgames: Arc<EndgameTables>,
    pub(crate) closing: Closing,
    pub(crate) metrics: PrometheusHandle,
}

impl Deref for AppState {
    type Target = AppParts;

    fn deref(&self) -> &AppParts {
        &self.0
    }
}

impl From<AppParts> for AppState {
    fn from(parts: AppParts) -> Self {
        Self(Arc::new(parts))
    }
}

impl AppState {
    /// The origin of a request.
    pub(crate) fn client_address(&self, extensions: &Extensions, headers: &HeaderMap) -> ClientAddress {
        client_address(extensions, headers, &self.config.trusted_proxies)
    }

    /// Whether a sign-in to this account has come from there before.
    pub(crate) async fn is_known_network(
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
