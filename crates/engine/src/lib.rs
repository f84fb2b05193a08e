//! How well the games are played. Takes a [`Game`](lozenge_rules::position::Game) and
//! [`Limits`], gives a move; never prints or parses.

mod limits;
mod score;
mod search;

pub use limits::{Clock, Limits, Signals};
pub use score::{Bound, Score};
pub use search::{Engine, Info, Report};
