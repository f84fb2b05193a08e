//! `lozenge serve`: the site on a socket.

use super::connections::{self, Capacity, Room};
use super::database::Database;
use crate::CliError;
use crate::output;
use clap::Args;
use lozenge_server::{Config, MailError, Mailer, ModerationError, Site, StoreError, TrustedProxies};
use std::io::{self, IsTerminal as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;
use url::Url;

/// `serve`.
#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Address and port to listen on; port 0 takes any that is free.
    #[arg(long, default_value = "127.0.0.1:8080", env = "LOZENGE_LISTEN")]
    listen: SocketAddr,
    #[command(flatten)]
    database: Database,
    /// The site's address as browsers see it, such as `https://chess.example`; none if empty.
    #[arg(long, env = "LOZENGE_PUBLIC_URL", value_parser = public_url)]
    public_url: Option<PublicUrl>,
    /// The mail server, for accounts with an e-mail address: `smtps://USER:PASSWORD@HOST`, or
    /// `smtp://…?tls=required` for STARTTLS; none if empty. Needs --public-url and --mail-from.
    #[arg(long, env = "LOZENGE_SMTP", hide_env_values = true)]
    smtp: Option<String>,
    /// The sender of mail, such as `Lozenge <chess@chess.example>`.
    #[arg(long, env = "LOZENGE_MAIL_FROM")]
    mail_from: Option<String>,
    /// Networks of proxies in front of the site, such as `10.0.0.0/8,192.0.2.7`: their `X-Forwarded-For` says which
    /// client asks. `private_ranges` stands for this machine and all private networks, and is the default with
    /// a public URL; without one no proxy is trusted.
    #[arg(long, env = "LOZENGE_TRUSTED_PROXIES", value_name = "NETWORKS")]
    trusted_proxies: Option<TrustedProxies>,
    /// Address and port for `/metrics`, `/healthz` and `/readyz` alone, such as `127.0.0.1:9090`.
    #[arg(long, env = "LOZENGE_METRICS_LISTEN", value_name = "ADDRESS")]
    metrics_listen: Option<SocketAddr>,
    /// Serves `/metrics` at the site's own address to those who send this token (`Authorization: Bearer …`). Without it
    /// there is no `/metrics` there.
    #[arg(long, env = "LOZENGE_METRICS_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    metrics_token: Option<String>,
}

/// What a browser names as the origin of the site's pages, if the site has been told its address.
#[derive(Clone, Debug)]
struct PublicUrl(Option<String>);

/// An address as a browser names it: in small letters, without the port that goes without saying.
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

/// Why the site cannot be started, or its database not be read.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Nobody can listen there.
    #[error("listening on {address}: {error}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        error: io::Error,
    },
    /// The data folder cannot be made.
    #[error("the data folder {}: {error}", folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Mail is set up in part.
    #[error("expected --smtp together with --public-url and --mail-from")]
    IncompleteMail,
    /// Mail is set up wrongly.
    #[error(transparent)]
    Mail(#[from] MailError),
    /// A host's command changes nothing.
    #[error(transparent)]
    Moderation(#[from] ModerationError),
    /// There is nothing to read.
    #[error("expected a database at {}, found nothing", .0.display())]
    NoDatabase(PathBuf),
    /// The system does not let a server run.
    #[error("starting the server: {0}")]
    Runtime(#[from] io::Error),
}

/// How long requests that are being answered may still take when the server stops.
const GRACE: Duration = Duration::from_secs(5);

/// Starts the site and serves it until the process is asked to stop.
pub(crate) fn run(args: ServeArgs) -> Result<(), CliError> {
    log_to_stderr();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(ServeError::from)?;
    runtime.block_on(serve(args))
}

async fn serve(args: ServeArgs) -> Result<(), CliError> {
    let database = args.database.to_be_made()?;
    let address = args.listen;
    let listener = TcpListener::bind(address).await.map_err(|error| ServeError::Listen { address, error })?;
    let address = listener.local_addr().map_err(ServeError::from)?;
    let metrics = match args.metrics_listen {
        Some(address) => {
            let bound = TcpListener::bind(address).await;
            Some(bound.map_err(|error| ServeError::Listen { address, error })?)
        }
        None => None,
    };
    let public_url = args.public_url.and_then(|PublicUrl(url)| url);
    let mail = mailer(args.smtp.as_deref(), args.mail_from.as_deref(), public_url.as_deref())?;
    let config = Config {
        public_url,
        mail,
        trusted_proxies: args.trusted_proxies,
        metrics_token: args.metrics_token.filter(|token| !token.is_empty()),
        ..Config::new(database)
    };
    let proxies = config.trusted_proxies().clone();
    let files = connections::raise_file_limit();
    let capacity = Capacity::of_files(files);
    tracing::info!(files, connections = capacity.total, proxies = %proxies, "limits by client");
    if proxies.is_empty() {
        tracing::info!("no proxy is trusted: behind one, set --trusted-proxies or LOZENGE_TRUSTED_PROXIES");
    }
    let room = Room::new(capacity, proxies);
    let site = Site::open(config).await.map_err(ServeError::from)?;
    output::line(format!("Lozenge is at http://{address}"))?;
    let (mut taken, router) = (false, site.router());
    let lost = site.taken();
    let stop = async {
        tokio::select! { () = asked_to_stop() => {}, () = lost => taken = true }
    };
    if let Some(metrics) = metrics {
        let address = metrics.local_addr().map_err(ServeError::from)?;
        output::line(format!("Metrics are at http://{address}/metrics"))?;
        // Of its own: whoever fills the site's connections does not hide that from its host.
        let room = Room::new(Capacity { total: 32, reserve: 0, per_network: 32 }, room.proxies().clone());
        let router = site.metrics_router();
        tokio::spawn(connections::serve(metrics, router, room, std::future::pending(), GRACE));
    }
    connections::serve(listener, router, room, stop, GRACE).await;
    site.close().await;
    if taken { Err(ServeError::Store(StoreError::Taken).into()) } else { Ok(()) }
}

/// The mail server, if one is named. Links need the site's own address: what a request names could be anybody's.
fn mailer(smtp: Option<&str>, from: Option<&str>, site: Option<&str>) -> Result<Option<Mailer>, ServeError> {
    let Some(smtp) = smtp.filter(|smtp| !smtp.is_empty()) else { return Ok(None) };
    let (Some(from), Some(site)) = (from, site) else { return Err(ServeError::IncompleteMail) };
    Ok(Some(Mailer::new(smtp, from, site)?))
}

/// Until the process is interrupted or asked to end.
async fn asked_to_stop() {
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

/// Lines for people on a terminal, JSON for programs otherwise; `RUST_LOG` says how much.
fn log_to_stderr() {
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn,tower_http=warn"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    // A log that is there already stays.
    let _ = if io::stderr().is_terminal() { log.try_init() } else { log.json().try_init() };
}

#[cfg(test)]
mod tests {
    use super::*;

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
