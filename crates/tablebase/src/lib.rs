//! Endgame tables: the value of every position with few pieces (won, drawn or lost, and in how many half moves) with best play.
//! For any game that `rules` knows, except those with fusions. Made by the rules alone; no chess here.
//!
//! Each module uses only those before it: `value`, `material`, `index`, `file`, `solve`, `tables`, `generate`, `verify`, `shared`.

mod file;
mod generate;
mod index;
mod material;
mod shared;
mod solve;
mod tables;
mod value;
mod verify;

pub use file::{FileError, FileFault};
pub use generate::{GenerateError, GenerateProgress, INSTALLED, Resources};
pub use material::{MAX_PIECES, Material};
pub use shared::SharedTables;
pub use tables::{EXTENSION, TableInfo, Tables};
pub use value::{MAX_DISTANCE, Value};
pub use verify::{Census, VerifyError};
