//! The site: pages, API, live games, accounts, in one process with one database. It never searches by itself: it hands
//! jobs to the engine's workers. [`Site`] is all of it as a router; [`connections`] serves a router on a socket that its caller has opened.

mod account;
mod app;
mod assets;
mod auth;
mod budgets;
pub mod connections;
mod denial;
mod drills;
mod endgames;
mod error;
mod fair_queue;
mod forwarded;
mod heavy;
mod housekeeping;
mod keyed_limiter;
mod limits;
mod peers;
mod pictures;
mod places;
mod prebuilt;
mod push;
mod routes;
mod state;
mod studies;
mod studio;
mod telemetry;
mod views;

pub use account::{MailError, Mailer};
pub use app::Site;
pub use assets::{books, puzzles, reports, studies};

pub use lozenge_worker::Bounds;
pub use push::{PushConfig, PushTransport};
pub use routes::openapi;
pub use state::{Config, ListingThreshold};
