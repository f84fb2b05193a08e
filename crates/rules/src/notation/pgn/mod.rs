//! The syntax of PGN: a tree of moves as text, a streaming reader and a writer.
//!
//! Here: tags, movetext, comments and the commands in them, annotation glyphs, variations, results, and the
//! treatment of broken games. Not here: positions. A move stays the text that it was (`Pxg4`, `O-O:d1`,
//! `e4e6r`, `--`), because only a position can validate it; `[Variant]` and `[FEN]` are text too.
//!
//! The reader holds one line and one game at a time, so that a file of any size is read in bounded memory. It
//! needs no move numbers. What it can mend (a missing result, a stray quotation mark) it mends, with a
//! [`Warning`]. For any other fault it reports what it expected and what it found, and goes on with the next
//! tag or word. A [`BadGame`] lists all faults of a game, and has what could be read of it.
//!
//! ```
//! use lozenge_rules::notation::pgn::{MoveNumber, Reader, ResultTag, write_game};
//!
//! let text = "[Event \"Club\"]\n[Variant \"Diamondback Chess\"]\n\n\
//!     1. b3 {[%clk 0:10:00] calm} g6 (1... Nf6) 2. O-O:d1 1-0\n";
//! for game in Reader::new(text.as_bytes()) {
//!     let game = game.expect("this text is well formed");
//!     assert_eq!(game.tags.variant(), Some("Diamondback Chess"));
//!     assert_eq!(game.result, ResultTag::WhiteWins);
//!     assert_eq!(game.line.nodes[2].san, "O-O:d1");
//!
//!     let mut written = String::new();
//!     write_game(&mut written, &game, MoveNumber::of_tags(&game.tags)).expect("what was read can be written");
//!     assert!(written.ends_with("1. b3 {[%clk 0:10:00] calm} 1... g6 (1... Nf6) 2. O-O:d1 1-0\n\n"));
//! }
//! ```

mod command;
mod comment;
mod draft;
mod error;
mod lexer;
mod lines;
mod reader;
mod syntax;
mod tag_lexer;
mod tags;
mod tree;
mod writer;

pub use command::{Arrow, Eval, Mark, Paint, PgnCommand};
pub use comment::Comment;
pub use error::{BadGame, Expected, Fault, Faults, Found, PgnError, PgnLocation, Warning, WarningKind};
pub use reader::Reader;
pub use syntax::is_move_text;
pub use tags::{ROSTER, TagError, Tags};
pub use tree::{ParseResultError, PgnGame, PgnLine, PgnNode, ResultTag, Variation};
pub use writer::{MoveNumber, WriteError, write_game};

/// The longest line read, in bytes: 1 MiB. Whole games on one line fit; a file without line ends is refused.
pub const MAX_LINE: usize = 1 << 20;

/// The longest game read, in bytes of text from its first character: 16 MiB.
pub const MAX_GAME: u64 = 16 << 20;

/// The most moves, comments and variations, counted together, of one game.
pub const MAX_ELEMENTS: usize = 1 << 19;

/// How deeply variations may lie in one another. The main line has depth 0.
pub const MAX_NESTING: usize = 64;

/// The most tags of one game, duplicates counted.
pub const MAX_TAGS: usize = 256;

/// The longest tag, in bytes of name and value together: 4 KiB.
pub const MAX_TAG: usize = 4 << 10;

/// The longest move, in bytes.
pub const MAX_MOVE: usize = 64;

/// Most warnings stored for one game; later ones are dropped.
pub const MAX_WARNINGS: usize = 100;

/// The most faults listed of one game; later ones are counted.
pub const MAX_FAULTS: usize = 100;

/// The most printing characters that the writer puts on a line, where words allow it: 80 columns with the
/// line end.
pub const LINE_WIDTH: usize = 79;
