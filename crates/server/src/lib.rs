//! The site: pages, API, live games, accounts, in one process with one database. It never searches by itself: it hands
//! jobs to the engine's workers. [`Site`] is all of it as a router; the code that listens on a socket is in `cli`.

mod account;
mod app;
mod assets;
mod auth;
mod budgets;
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
pub use routes::{is_health_check, openapi};
pub use state::{Config, ListingThreshold};
