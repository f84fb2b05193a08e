//! How positions, moves and games are written: FEN, long algebraic, SAN, PGN; reading and writing.

pub mod drawing;
pub mod fen;
pub mod one_line;
pub mod pgn;
pub mod record;
pub mod san;
pub mod uci;
