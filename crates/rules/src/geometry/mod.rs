//! The board as a surface: squares, sets of squares, the shape (box, holes, wraps), vectors,
//! symmetry, frames and where each cell is drawn. Nothing here knows a piece or a rule.

mod by_square;
pub mod frame;
pub mod layout;
pub mod set;
pub mod shape;
pub mod square;
pub mod symmetry;
pub mod vector;

pub(crate) use by_square::BySquare;
pub use frame::Frame;
pub use set::SquareSet;
pub use shape::{Coord, Shape, Wrap};
pub use square::Square;
pub use symmetry::Symmetry;
pub use vector::Vector;
