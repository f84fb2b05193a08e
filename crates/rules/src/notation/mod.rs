//! How positions, moves and games are written: FEN, long algebraic, SAN, PGN, books; reading and writing.

pub mod book;
pub mod drawing;
pub mod pgn;
pub mod record;
pub mod san;
pub mod turn;
pub mod uci;

pub use crate::one_line;
pub use crate::setup::fen;
