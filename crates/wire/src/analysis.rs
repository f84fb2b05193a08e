//! Analysis: a position with its legal moves, and the engine's evaluation of it during the search. Scores and
//! probabilities are White's.

use crate::review::ReviewScore;
use crate::{Castling, Color, GameResult, Reason};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Most half moves that lead to a position that is asked about.
pub const MAX_PLIES: usize = 1_000;

/// A position by the moves that lead to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionRequest {
    /// Id of the rules, or the digest of their text.
    pub variant: String,
    /// The position that the moves begin from; the game's own start if left out.
    #[serde(default)]
    pub fen: Option<String>,
    /// The moves, in long algebraic form or in SAN; at most 1,000.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Number of moves, from the first, that need no [`Step`] because the client already has it.
    #[serde(default)]
    pub known: u32,
}

/// A move on the way to a position, with what it leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Step {
    /// The move in long algebraic form.
    pub uci: String,
    /// The move in SAN.
    pub san: String,
    /// The position after it.
    pub fen: String,
    /// Numbers of the squares it left and reached.
    pub last: Vec<u16>,
    /// Number of the square of the King in check after it.
    pub check: Option<u16>,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LegalMove {
    /// In long algebraic form.
    pub uci: String,
    /// In SAN.
    pub san: String,
}

/// The state of the game as far as the position alone determines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PositionStatus {
    /// The side to move has moves and is not in check.
    Ongoing,
    /// The side to move is in check.
    Check,
    /// The side to move is mated.
    Checkmate,
    /// The side that moved has reached its goal.
    Goal,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Neither side can win any more.
    Dead,
    /// In a game of four one player or one team is left.
    Decided,
}

/// A position as it is analyzed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Position {
    /// Id of the rules.
    pub variant: String,
    /// The position that the moves began from.
    pub start_fen: String,
    /// The position.
    pub fen: String,
    /// The side to move.
    pub turn: Color,
    /// Numbers of the squares that the last move left and reached.
    pub last: Vec<u16>,
    /// Number of the square of the King in check.
    pub check: Option<u16>,
    /// The legal moves, sorted by their long algebraic form; none once the game is over.
    pub legal: Vec<LegalMove>,
    /// The castlings among them.
    pub castlings: Vec<Castling>,
    /// The state of the game as far as the position alone determines it.
    pub status: PositionStatus,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`; repetitions and move counts are known from the moves.
    pub result: GameResult,
    /// Why the game is over.
    pub reason: Option<Reason>,
    /// The moves after those that are known.
    pub steps: Vec<Step>,
}

/// A request for an analysis: the position and the limits of the search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    /// Id of the rules, or the digest of their text.
    pub variant: String,
    /// The position that the moves begin from; the game's own start if left out.
    #[serde(default)]
    pub fen: Option<String>,
    /// The moves, in long algebraic form or in SAN; at most 1,000.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Number of best lines to find, from 1 to 5.
    #[serde(default = "one")]
    pub lines: u8,
    /// Longest search, in milliseconds: at most 30,000.
    #[serde(default)]
    pub time_ms: Option<u32>,
    /// Most nodes.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// Deepest iteration, in plies.
    #[serde(default)]
    pub depth: Option<u32>,
    /// Find the threat instead: the best lines of the side not to move if it were its turn. Not possible in check.
    #[serde(default)]
    pub threat: bool,
}

const fn one() -> u8 {
    1
}

/// A line of a running analysis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AnalysisEvent {
    /// The search waits for a thread of the engine.
    Queued {},
    /// Where the search stands.
    Info(AnalysisInfo),
    /// It is over: the last line.
    Done(AnalysisInfo),
    /// It could not be done, or not to its end.
    Failed {
        /// Why.
        detail: String,
    },
}

/// Where a search stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AnalysisInfo {
    /// Iteration, in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Nodes so far.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// Time so far, in milliseconds.
    pub time_ms: u64,
    /// Occupancy of the transposition table, in thousandths.
    pub hashfull: u32,
    /// The move that is being searched, in SAN, when an iteration takes long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<String>,
    /// The best lines, the best first.
    pub lines: Vec<AnalysisLine>,
}

/// One of the best lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AnalysisLine {
    /// Iteration in which it was found, in plies.
    pub depth: u32,
    /// Its score, as White sees it, and in games of four the player to move. 100 centipawns win half of the games of two, whatever
    /// game it is.
    pub score: ReviewScore,
    /// White's wins, draws and losses to be expected, in thousandths; absent in games of four.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wdl: Option<[u32; 3]>,
    /// Its moves in long algebraic form.
    pub pv: Vec<String>,
    /// Its moves in SAN.
    pub san: Vec<String>,
}

/// The color of an arrow or a circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Brush {
    /// Green.
    Green,
    /// Red.
    Red,
    /// Blue.
    Blue,
    /// Yellow.
    Yellow,
}

/// An arrow; a circle if both squares are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DrawnShape {
    /// Number of the square where it begins.
    pub from: u16,
    /// Number of the square where it ends.
    pub to: u16,
    /// Its color.
    pub brush: Brush,
}

/// The annotations of a move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Notes {
    /// Comments before the move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// Comments after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// Numeric annotation glyphs of PGN.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    /// Arrows and circles, at most 32.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<DrawnShape>,
    /// Time left after the move to the side that made it, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
}

/// A move of a tree, with what it leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TreeNode {
    /// Index of the move before it; none for the first move of the game and its variations.
    pub parent: Option<u32>,
    /// The move and the position after it.
    #[serde(flatten)]
    pub step: Step,
    /// Annotations of the move.
    #[serde(default)]
    pub notes: Notes,
}

/// A game with variations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Tree {
    /// Id of the rules.
    pub variant: String,
    /// Identity of the rules' text.
    pub digest: String,
    /// The position it begins with.
    pub fen: String,
    /// Number of the square of the King in check there.
    pub check: Option<u16>,
    /// The tags of PGN, in order.
    #[serde(default)]
    pub tags: Vec<Tag>,
    /// Annotations of the starting position.
    #[serde(default)]
    pub notes: Notes,
    /// The moves, each after the one before it; of several with the same one before, the first goes on with the line.
    /// At most 3,000.
    pub nodes: Vec<TreeNode>,
}

/// A tag of PGN.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Tag {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// PGN to be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PgnRequest {
    /// The text, of one game: at most 60,000 bytes.
    pub pgn: String,
    /// Id or digest of the rules where the text has no tag `Variant`.
    #[serde(default)]
    pub variant: Option<String>,
}

/// A part of a PGN that could not be read as intended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PgnFault {
    /// Its line, from 1.
    pub line: u64,
    /// Its column, in characters from 1.
    pub column: u64,
    /// Description of the fault.
    pub message: String,
}

/// A game read from PGN.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReadPgn {
    /// Its moves with variations and notes.
    pub tree: Tree,
    /// Parts of the PGN that could not be read as intended; the rest was read.
    pub faults: Vec<PgnFault>,
}

/// A tree to be written as PGN.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WritePgn {
    /// Id of the rules, or the digest of their text.
    pub variant: String,
    /// The position the tree begins with.
    #[serde(default)]
    pub fen: Option<String>,
    /// Tags to set.
    #[serde(default)]
    pub tags: Vec<Tag>,
    /// Annotations of the starting position.
    #[serde(default)]
    pub notes: Notes,
    /// The moves, as in [`Tree`].
    pub nodes: Vec<WriteNode>,
}

/// A move of a tree to be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteNode {
    /// Index of the move before it.
    pub parent: Option<u32>,
    /// The move in long algebraic form.
    pub uci: String,
    /// Annotations of the move.
    #[serde(default)]
    pub notes: Notes,
}

/// The initial data of an analysis page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AnalysisStart {
    /// Name of the rules.
    pub variant_name: String,
    /// The moves.
    pub tree: Tree,
    /// Moves that lead to the position that is shown first, in long algebraic form.
    pub at: Vec<String>,
    /// The game that is analyzed, if it is one.
    pub game: Option<AnalyzedGame>,
    /// Whether the reader is playing a game. Their engine is that of the server, which knows the positions of that game.
    pub playing: bool,
}

/// A game that is analyzed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AnalyzedGame {
    /// Its id.
    pub id: String,
    /// Names of the players, in the order of the turns.
    pub players: Vec<String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`; in a game of four the places.
    pub result: GameResult,
    /// Whether it is over, and so can be reviewed.
    pub finished: bool,
    /// Whether it was played here, and so has a page of its own.
    pub played_here: bool,
    /// Whether there is a review of it, or one in the making.
    pub reviewed: bool,
    /// The reader's side.
    pub you: Option<Color>,
}

/// A game from elsewhere that has been kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportedGame {
    /// Its id, as in `/analysis/{id}` and `/api/games/{id}/review`.
    pub id: String,
    /// Id of the rules.
    pub variant: String,
    /// Identity of the rules' text.
    pub digest: String,
    /// Half moves of its main line.
    pub plies: u32,
    /// Parts of the PGN that could not be read as intended; the rest was read.
    pub faults: Vec<PgnFault>,
}

/// The faults of a text as a position of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PositionFaults {
    /// All faults; none for a position from which a game can go on.
    pub faults: Vec<PositionFault>,
}

/// One fault of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PositionFault {
    /// The kind of fault.
    pub code: PositionFaultCode,
    /// The expected and the actual input.
    pub message: String,
    /// Numbers of the squares that it is about.
    pub squares: Vec<u16>,
}

/// Kinds of faults of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PositionFaultCode {
    /// The text is not FEN.
    Fen,
    /// The board has other squares.
    Board,
    /// White has not exactly one King.
    WhiteKings,
    /// Black has not exactly one King.
    BlackKings,
    /// The side that has just moved is in check.
    OpponentInCheck,
    /// A piece stands where it would have been promoted.
    Unpromoted,
    /// A piece stands on its goal, and the game has gone on.
    StaleGoal,
    /// King and rook do not stand as a castling right needs them.
    Right,
    /// Nothing can have crossed the en passant square.
    EnPassant,
    /// A square of moved pieces is not one of theirs.
    Moved,
    /// In a game of four: a living player has not exactly one King, or a King is dead.
    Kings,
    /// A piece belongs to a player who is out.
    PieceOfOut,
    /// The living players and those who are out do not fit the game, or the player to move is out.
    Living,
    /// The game is over.
    Over,
}

/// The initial data of an editor page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EditorStart {
    /// Id of the rules.
    pub variant: String,
    /// Name of the rules.
    pub variant_name: String,
    /// The game's own first start.
    pub start_fen: String,
    /// The text to begin with, as it was sent.
    pub fen: Option<String>,
    /// The letters of all castling rights, in the order of FEN; with more than two players each after the letter of its owner.
    pub rights: String,
}
