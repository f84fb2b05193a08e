//! `lozenge serve`: the site on a socket.

use super::database::{Database, DatabaseError};
use crate::error::{CliError, CommandError};
use crate::{games, output};
use clap::Args;
use lozenge_game::TrustedProxies;
#[cfg(feature = "nats")]
use lozenge_live::cluster::NodeSettings;
use lozenge_server::connections::{self, Capacity, ConnectionLimiter};
use lozenge_server::{Config, ListingThreshold, MailError, Mailer, Site};
use lozenge_store::StoreError;
use std::io::{self, IsTerminal as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use url::Url;

/// `serve`.
#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Address and port to listen on; port 0 chooses a free one.
    #[arg(long, default_value = "127.0.0.1:8080", env = "LOZENGE_LISTEN")]
    listen: SocketAddr,
    #[command(flatten)]
    database: Database,
    /// The public URL of the site, such as `https://chess.example`; none if empty.
    #[arg(long, env = "LOZENGE_PUBLIC_URL", value_parser = public_url)]
    public_url: Option<PublicUrl>,
    /// The mail server, for accounts with an e-mail address: `smtps://USER:PASSWORD@HOST`, or
    /// `smtp://…?tls=required` for STARTTLS; none if empty. Needs --public-url and --mail-from.
    #[arg(long, env = "LOZENGE_SMTP", hide_env_values = true)]
    smtp: Option<String>,
    /// The sender of mail, such as `Lozenge <chess@chess.example>`.
    #[arg(long, env = "LOZENGE_MAIL_FROM")]
    mail_from: Option<String>,
    /// Networks of proxies in front of the site, such as `10.0.0.0/8,192.0.2.7`: their `X-Forwarded-For` names the
    /// client. `private_ranges` stands for this machine and all private networks. By default no proxy is trusted.
    #[arg(long, env = "LOZENGE_TRUSTED_PROXIES", value_name = "NETWORKS")]
    trusted_proxies: Option<TrustedProxies>,
    /// A folder of variant files, which stand beside the built-in games.
    #[arg(long, env = "LOZENGE_VARIANTS", value_name = "FOLDER")]
    variants: Option<PathBuf>,
    /// The folder of endgame tables. By default `tables` in the data folder.
    #[arg(long, env = "LOZENGE_TABLES", value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Do not make the endgame tables of `lozenge tables install` in the background.
    #[arg(long, env = "LOZENGE_NO_TABLE_GENERATION")]
    no_table_generation: bool,
    /// Public games of users are listed when their owner has had an account for this number of days …
    #[arg(long, env = "LOZENGE_LISTED_AFTER_DAYS", default_value_t = 3, value_name = "DAYS")]
    listed_after_days: u32,
    /// … and this number of games by their rules have been finished.
    #[arg(long, env = "LOZENGE_LISTED_AFTER_GAMES", default_value_t = 5, value_name = "GAMES")]
    listed_after_games: u32,
    /// Let games that users have made be rated. Each has ratings of its own.
    #[arg(long, env = "LOZENGE_RATED_VARIANTS")]
    rated_variants: bool,
    /// Address and port for `/metrics`, `/healthz` and `/readyz` alone, such as `127.0.0.1:9090`.
    #[arg(long, env = "LOZENGE_METRICS_LISTEN", value_name = "ADDRESS")]
    metrics_listen: Option<SocketAddr>,
    /// NATS with JetStream, such as `nats://127.0.0.1:4222`: workers on other machines (`lozenge worker`) review games, and
    /// with a PostgreSQL database any number of servers with this option are one site.
    #[cfg(feature = "nats")]
    #[arg(long, env = "LOZENGE_NATS", value_name = "URL", hide_env_values = true)]
    nats: Option<String>,
    /// The name of this server among several: letters, digits, `-` and `_`. By default the machine's.
    #[cfg(feature = "nats")]
    #[arg(long, env = "LOZENGE_NODE_ID", value_name = "NAME", value_parser = node_id)]
    node_id: Option<String>,
    /// The address at which this server can be reached, for people and proxies: it stands in the table `nodes`. By default
    /// that of --listen.
    #[cfg(feature = "nats")]
    #[arg(long, env = "LOZENGE_NODE_ADDRESS", value_name = "ADDRESS")]
    node_address: Option<String>,
    /// How long a server among several may be silent before others take its games over, such as `3s` or `1500ms`.
    #[cfg(feature = "nats")]
    #[arg(long, env = "LOZENGE_LEASE", value_name = "TIME", default_value = "3s", value_parser = lease)]
    lease: Duration,
    /// Token for `/metrics` at the site's own address (`Authorization: Bearer …`). Without it
    /// the site has no `/metrics`.
    #[arg(long, env = "LOZENGE_METRICS_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    metrics_token: Option<String>,
}

/// The origin of the site's pages as browsers send it; `None` if the option is empty.
#[derive(Clone, Debug)]
struct PublicUrl(Option<String>);

/// An origin as browsers send it: in small letters, without the default port.
fn public_url(text: &str) -> Result<PublicUrl, String> {
    if text.is_empty() {
        return Ok(PublicUrl(None));
    }
    let expected =
        |found: String| format!("expected an address such as https://chess.example, found {found}");
    let url = Url::parse(text).map_err(|error| expected(format!("none ({error})")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(expected(format!("one that begins with `{}:`", url.scheme())));
    }
    if url.path() != "/" || url.query().is_some() || url.fragment().is_some() || !url.username().is_empty() {
        return Err(expected("more than scheme, host and port".into()));
    }
    Ok(PublicUrl(Some(url.origin().ascii_serialization())))
}

/// The name of a server as it stands in logs and tables.
#[cfg(feature = "nats")]
fn node_id(text: &str) -> Result<String, String> {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    if (1..=64).contains(&text.len()) && text.chars().all(fits) {
        return Ok(text.to_owned());
    }
    Err(format!("expected 1 to 64 letters, digits, `-` and `_`, found `{text}`"))
}

/// The time of a lease: from half a second, in which a busy machine still answers, to a minute.
#[cfg(feature = "nats")]
fn lease(text: &str) -> Result<Duration, String> {
    let millis = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(millis), _) => millis.parse::<u64>().ok(),
        (None, Some(seconds)) => seconds.parse::<u64>().ok().and_then(|seconds| seconds.checked_mul(1_000)),
        (None, None) => None,
    };
    millis
        .filter(|millis| (500..=60_000).contains(millis))
        .map(Duration::from_millis)
        .ok_or_else(|| format!("expected a time from 500ms to 60s, found `{text}`"))
}

/// The machine's name, as far as it can name a server.
#[cfg(feature = "nats")]
fn machine_name() -> String {
    let name = hostname::get().unwrap_or_default();
    let name: String =
        name.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    if name.is_empty() { "server".into() } else { name.chars().take(64).collect() }
}

/// Why the site cannot be started.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServeError {
    /// The address cannot be used.
    #[error("listening on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        error: io::Error,
    },
    /// The database cannot be used.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The settings of mail are incomplete.
    #[error("expected --smtp together with --public-url and --mail-from")]
    IncompleteMail,
    /// A setting of mail is wrong.
    #[error(transparent)]
    Mail(#[from] MailError),
    /// The system refuses threads or sockets.
    #[error("starting the server: {0}")]
    Runtime(#[from] io::Error),
}

impl CommandError for ServeError {}

/// How long an address that is in use is tried, and the pause between tries.
const BIND_TIMEOUT: Duration = Duration::from_secs(3);
const BIND_DELAY: Duration = Duration::from_millis(100);

/// How long running requests may take when the server stops.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// How long after the start endgame tables are made: a site that runs for moments only has no use for them.
const TABLES_AFTER: Duration = Duration::from_secs(120);

/// Starts the site and serves it until the process receives SIGINT or SIGTERM.
pub(crate) fn run(args: ServeArgs) -> Result<(), CliError> {
    log_to_stderr();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(ServeError::from)?;
    runtime.block_on(serve(args))
}

async fn serve(args: ServeArgs) -> Result<(), CliError> {
    let database = args.database.new_or_existing()?;
    let address = args.listen;
    let listener = listen(address).await?;
    let address = listener.local_addr().map_err(ServeError::from)?;
    let metrics = match args.metrics_listen {
        Some(address) => Some(listen(address).await?),
        None => None,
    };
    let public_url = args.public_url.and_then(|PublicUrl(url)| url);
    let mail = mailer(args.smtp.as_deref(), args.mail_from.as_deref(), public_url.as_deref())?;
    let variants = args.variants.as_deref().map(games::load_folder).transpose()?.unwrap_or_default();
    let tables = args.tables.unwrap_or_else(|| args.database.folder().join(super::tables::FOLDER));
    let config = Config {
        variants,
        tables: Some(tables),
        install_tables: (!args.no_table_generation).then_some(TABLES_AFTER),
        listing: ListingThreshold { days: args.listed_after_days, games: args.listed_after_games },
        rated_variants: args.rated_variants,
        public_url,
        mail,
        trusted_proxies: args.trusted_proxies.unwrap_or_default(),
        metrics_token: args.metrics_token.filter(|token| !token.is_empty()),
        books: lozenge_server::books(),
        studies: lozenge_server::studies(),
        reports: lozenge_server::reports(),
        puzzles: lozenge_server::puzzles(),
        #[cfg(feature = "nats")]
        nats: args.nats.filter(|nats| !nats.is_empty()),
        #[cfg(feature = "nats")]
        node: Some(NodeSettings {
            id: args.node_id.unwrap_or_else(machine_name),
            address: args.node_address.unwrap_or_else(|| format!("http://{address}")),
            lease: args.lease,
        }),
        ..Config::new(database)
    };
    let proxies = config.trusted_proxies.clone();
    let files = connections::raise_file_limit();
    let capacity = Capacity::of_files(files);
    tracing::info!(files, connections = capacity.total, proxies = %proxies, "limits by client");
    if proxies.is_empty() && config.public_url.is_some() {
        tracing::warn!(
            "no proxy is trusted, and all clients behind one share its limits: set --trusted-proxies"
        );
    }
    let limiter = ConnectionLimiter::new(capacity, proxies);
    let site = Site::open(config).await.map_err(DatabaseError::from)?;
    output::line(format!("Lozenge is at http://{address}"))?;
    let (mut lock_lost, router) = (false, site.router());
    let lost = site.taken();
    let stop = async {
        tokio::select! {
            () = stop_signal() => site.drain().await,
            () = lost => lock_lost = true,
        }
    };
    if let Some(metrics) = metrics {
        let address = metrics.local_addr().map_err(ServeError::from)?;
        output::line(format!("Metrics are at http://{address}/metrics"))?;
        // Metrics have connections of their own, so that they stay available when clients use up the site's.
        let limiter = ConnectionLimiter::new(
            Capacity { total: 32, reserve: 0, per_network: 32 },
            limiter.proxies().clone(),
        );
        let router = site.metrics_router();
        tokio::spawn(connections::serve(metrics, router, limiter, std::future::pending(), SHUTDOWN_TIMEOUT));
    }
    connections::serve(listener, router, limiter, stop, SHUTDOWN_TIMEOUT).await;
    site.close().await;
    if lock_lost { Err(DatabaseError::from(StoreError::Taken).into()) } else { Ok(()) }
}

/// Listens at an address, which a server that ends now may still use for a moment.
async fn listen(address: SocketAddr) -> Result<TcpListener, ServeError> {
    let begun = Instant::now();
    loop {
        match TcpListener::bind(address).await {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && begun.elapsed() < BIND_TIMEOUT => {
                tokio::time::sleep(BIND_DELAY).await;
            }
            bound => return bound.map_err(|error| ServeError::Listen { address, error }),
        }
    }
}

/// The mail server, if there is one. Links need the public URL, because clients could spoof the `Host` header.
fn mailer(smtp: Option<&str>, from: Option<&str>, site: Option<&str>) -> Result<Option<Mailer>, ServeError> {
    let Some(smtp) = smtp.filter(|smtp| !smtp.is_empty()) else { return Ok(None) };
    let (Some(from), Some(site)) = (from, site) else { return Err(ServeError::IncompleteMail) };
    Ok(Some(Mailer::new(smtp, from, site)?))
}

/// Waits for SIGINT or SIGTERM.
pub(super) async fn stop_signal() {
    let interrupted = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let ended = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let ended = std::future::pending::<()>();
    tokio::select! { () = interrupted => {}, () = ended => {} }
}

/// Logs lines of text to a terminal, otherwise JSON; `RUST_LOG` sets the level.
pub(super) fn log_to_stderr() {
    let filter = std::env::var("RUST_LOG").ok().filter(|text| !text.is_empty());
    let filter = filter.and_then(|text| text.parse::<Targets>().ok()).unwrap_or_else(|| {
        let quiet = ["sqlx", "tower_http"].map(|target| (target, LevelFilter::WARN));
        // It logs every attempt to connect; we log why it fails.
        Targets::new()
            .with_default(LevelFilter::INFO)
            .with_targets(quiet)
            .with_target("async_nats", LevelFilter::OFF)
    });
    let log = tracing_subscriber::registry().with(filter);
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr);
    // Keep a subscriber that is installed already.
    let _ = if io::stderr().is_terminal() {
        log.with(lines).try_init()
    } else {
        log.with(lines.json()).try_init()
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "nats")]
    #[test]
    fn a_lease_is_a_time_with_a_unit() {
        assert_eq!(lease("3s"), Ok(Duration::from_secs(3)));
        assert_eq!(lease("1500ms"), Ok(Duration::from_millis(1500)));
        for text in ["3", "0s", "61s", "499ms", "s", "ms", "-1s", "99999999999999999999s"] {
            assert!(lease(text).is_err(), "{text}");
        }
        assert!(node_id("a-1_b").is_ok());
        for text in ["", "a b", "a.b", "ä"] {
            assert!(node_id(text).is_err(), "{text}");
        }
        assert!(node_id(&machine_name()).is_ok());
    }

    #[test]
    fn the_public_address_is_what_browsers_send_as_origin() {
        let origin = |text| public_url(text).map(|PublicUrl(url)| url);
        let known = Ok(Some("https://chess.example".to_owned()));
        for text in ["https://chess.example", "https://Chess.Example/", "https://chess.example:443"] {
            assert_eq!(origin(text), known, "{text}");
        }
        assert_eq!(origin("http://[::1]:8080"), Ok(Some("http://[::1]:8080".into())));
        assert_eq!(origin(""), Ok(None));
        for text in ["foo", "chess.example", "ftp://chess.example", "https://chess.example/chess"] {
            assert!(origin(text).is_err(), "{text}");
        }
    }
}
