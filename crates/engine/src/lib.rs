//! The engine: takes a [`Game`](lozenge_rules::position::Game) and [`Limits`], returns a move; never prints or
//! parses.
//!
//! The way of a search: [`Engine`] keeps the memory, `search` decides what to look at, `ordering`
//! in which order, `eval` evaluates quiet positions, `time` ends the search. Nothing
//! here knows any particular game: the values of pieces and squares follow from the board
//! ([`Values`]).

pub mod bench;
mod engine;
mod eval;
mod limits;
mod memory;
mod multi;
mod ordering;
mod report;
mod score;
mod search;
pub mod skill;
mod time;
mod transposition;
mod tunables;
pub mod wdl;

pub use engine::{Engine, SlicedSearch};
pub use eval::{
    Coefficients, Explanation, FULL_PHASE, FULL_SCALE, GRAIN, Taper, Term, TermValue, TunedError, Values,
    WeightGroup, fingerprint, read_weights,
};
pub use limits::{Clock, Limits, Signals};
pub use multi::multi_material;
pub use report::{CurrentMove, Info, SearchReport};
pub use score::{Bound, Score};
pub use search::Portion;
pub use skill::Handicap;
pub use transposition::HashRefused;
pub use tunables::{Tunable, Tunables};
