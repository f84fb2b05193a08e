//! How positions and moves are written: FEN, long algebraic, SAN, PGN; reading and writing.

pub mod drawing;
pub mod fen;
pub mod uci;
