//! The board as a surface: squares, sets of squares, the shape (box, holes, wraps), directions,
//! rays, symmetry and where each cell is drawn. Nothing here knows a piece or a rule.

pub mod direction;
pub mod layout;
pub mod rays;
pub mod set;
pub mod shape;
pub mod square;
pub mod symmetry;

pub use direction::{Frame, Vector};
pub use set::SquareSet;
pub use shape::{Coord, Shape, Wrap};
pub use square::Square;
pub use symmetry::Symmetry;
