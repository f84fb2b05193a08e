//! The reference walker: a second implementation of the rules of every game of Lozenge, written from the project's rules text
//! alone. It is slow and plain, and the fast move generator is compared with it.
//!
//! It must never be optimized cleverly. It uses no crate of the project and none from outside; it keeps no
//! attack tables, no bitboards, no incremental state. A move is legal when, after it has been made on a copy
//! of the board, no piece of the other side could take the king. Where a line of this crate can be either quick
//! or obvious, it is obvious. A disagreement between this crate and the fast generator is settled by reading
//! the rules text, never by asking which of the two is newer.
//!
//! Not here: validation of positions beyond what the walker cannot represent, draws by count or
//! repetition, notation other than FEN and long algebraic moves.
//!
//! ```
//! use lozenge_reference::{Variant, Walker};
//!
//! let game = Variant::by_id("diagonal").ok_or("no such game")?;
//! let start = Walker::from_fen(&game, &game.start_fens()[0])?;
//! assert_eq!(start.legal_moves().len(), 11);
//! assert_eq!(start.perft(3), 1_781);
//! assert_eq!(start.status(), "ongoing");
//! # Ok::<(), String>(())
//! ```

mod board;
mod castling;
mod fen;
pub mod four;
mod games;
mod movement;
mod pawn;
mod perft;
mod variant;
mod walker;

pub use variant::Variant;
pub use walker::Walker;
