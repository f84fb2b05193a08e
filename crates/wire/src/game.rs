//! Games: their players, clocks and states.

use crate::player::{Color, Player, RatingChange};
use crate::result::GameResult;
use crate::seats::{Fill, NewSeat, Seat, SeatStates};
use arrayvec::ArrayString;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A move in long algebraic form, in place: most states list dozens of them.
pub type MoveText = ArrayString<10>;

/// The side that a player chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
    /// Whichever the server draws.
    #[default]
    Random,
}

/// The time control of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Clock {
    /// Each side has a time for the game and gains some with every move.
    Live {
        /// Time at the start, in seconds.
        initial_s: u32,
        /// Gain with every move, in seconds.
        increment_s: u32,
    },
    /// Each move has its own time.
    Correspondence {
        /// Days for one move.
        days: u32,
    },
}

/// The class of a clock, by which players are rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Speed {
    /// Under 3 minutes for 40 moves.
    Bullet,
    /// Under 8 minutes for 40 moves.
    Blitz,
    /// Under 25 minutes for 40 moves.
    Rapid,
    /// Longer than that.
    Classical,
    /// Days for a move.
    Correspondence,
    /// No clock.
    Unlimited,
}

/// The visibility of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everyone may read it.
    #[default]
    Public,
    /// Only its players may read it.
    Private,
}

/// The stage of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// An opponent is missing.
    Waiting,
    /// It is in progress.
    Started,
    /// It is over.
    Finished,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The King was mated.
    Checkmate,
    /// One player or one team of four is left.
    Decided,
    /// A piece reached its goal.
    Goal,
    /// The side to move had no move.
    Stalemate,
    /// Neither side could win.
    Dead,
    /// The position came up too often.
    Repetition,
    /// Too many moves without capture or pawn move.
    MoveCount,
    /// A player gave up.
    Resign,
    /// A player's time was over.
    Time,
    /// A player's time was over, but the other could not have won.
    TimeDraw,
    /// The players agreed.
    Agreement,
    /// A player left and the other claimed the win.
    Abandoned,
    /// A player or the server broke it off before it had really begun.
    Aborted,
}

/// The time left to each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Clocks {
    /// White's time left, in milliseconds.
    pub white_ms: i64,
    /// Black's time left, in milliseconds.
    pub black_ms: i64,
    /// The side whose clock runs.
    pub running: Option<Color>,
    /// When these numbers were true: the server's time, in Unix milliseconds.
    pub at: i64,
}

/// Open offers, by the side that made them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Offers {
    /// A draw.
    pub draw: Option<Color>,
    /// To take the last move back.
    pub takeback: Option<Color>,
    /// Another game.
    pub rematch: Option<Color>,
}

/// A draw that the side to move may claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// The position has come up often enough.
    Repetition,
    /// Enough moves without capture or pawn move.
    MoveCount,
}

/// The connected players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Present {
    /// White.
    pub white: bool,
    /// Black.
    pub black: bool,
}

/// The rating changes of both players after a rated game of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RatingChanges {
    /// White's.
    pub white: RatingChange,
    /// Black's.
    pub black: RatingChange,
}

/// A castling among the legal moves, so that it can be entered by either square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Castling {
    /// Its text among the legal moves.
    #[serde(rename = "move")]
    pub played: String,
    /// Number of the King's square.
    pub king: u16,
    /// Number of the rook's square.
    pub rook: u16,
}

/// The state of a game: everything that a board, a clock or a bot needs to know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GameState {
    /// Number of the event that led here; grows with every change of the game.
    pub seq: u64,
    /// Half moves played.
    pub ply: u32,
    /// The position.
    pub fen: String,
    /// The side to move.
    pub turn: Color,
    /// Numbers of the squares that the last move left and reached.
    pub last: Vec<u16>,
    /// Number of the square of the King in check.
    pub check: Option<u16>,
    /// The legal moves, sorted; none once the game is over.
    #[schema(value_type = Vec<String>)]
    pub moves: Vec<MoveText>,
    /// The castlings among them.
    pub castlings: Vec<Castling>,
    /// Its stage.
    pub status: Status,
    /// The result.
    pub result: GameResult,
    /// The reason of its end.
    pub reason: Option<Reason>,
    /// The clocks, if there are any.
    pub clocks: Option<Clocks>,
    /// Open offers.
    pub offers: Offers,
    /// A draw that the side to move may claim.
    pub claim: Option<Claim>,
    /// The connected players.
    pub present: Present,
    /// When a player may claim the win because the other has left, in Unix milliseconds.
    pub claim_victory_at: Option<i64>,
    /// The changes of the ratings, shortly after the end of a rated game of two; with four they are in the seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating_changes: Option<RatingChanges>,
    /// The seats of a game of four; absent in a game of two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seats: Option<Box<SeatStates>>,
}

/// A half move of a game that has just been played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayedMove {
    /// The move in long algebraic form.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// Time left to the side that moved, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_ms: Option<i64>,
    /// When it was played, in Unix milliseconds.
    pub at: i64,
}

/// A half move of a game, with the position after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HistoryEntry {
    /// The move in long algebraic form.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The position after it.
    pub fen: String,
    /// Numbers of the squares it left and reached.
    pub last: Vec<u16>,
    /// Number of the square of the King in check after it.
    pub check: Option<u16>,
    /// Time left to the side that moved, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_ms: Option<i64>,
    /// When it was played, in Unix milliseconds.
    pub at: i64,
}

/// A whole game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Game {
    /// Its id.
    pub id: String,
    /// Id of the rules.
    pub variant: String,
    /// Name of the rules.
    pub variant_name: String,
    /// Identity of the rules' text.
    pub digest: String,
    /// The position it began with.
    pub start_fen: String,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// The class of its clock.
    pub speed: Speed,
    /// Its clock; none for a game without one.
    pub clock: Option<Clock>,
    /// Player of the white pieces; none while the seat is open.
    pub white: Option<Player>,
    /// Player of the black pieces; none while the seat is open.
    pub black: Option<Player>,
    /// The seats of a game of four, in the order of the turns; absent in a game of two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<Seat>,
    /// When the engine takes the free seats, while the game waits for players; absent if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<Fill>,
    /// The client's side.
    pub you: Option<Color>,
    /// When it was made, in Unix milliseconds.
    pub created_at: i64,
    /// The half moves played.
    pub history: Vec<HistoryEntry>,
    /// Its state.
    pub state: GameState,
    /// Visibility of the game.
    pub visibility: Visibility,
    /// Id of the game of which this is the rematch.
    pub previous: Option<String>,
    /// Id of its rematch.
    pub next: Option<String>,
}

/// The changes of a game since an event that the client has received.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Since {
    /// Half moves that had been played then and still stand. Those after them were taken back.
    pub kept: u32,
    /// The half moves played after these.
    pub history: Vec<HistoryEntry>,
    /// Its state.
    pub state: GameState,
    /// Player of the white pieces; none while the seat is open.
    pub white: Option<Player>,
    /// Player of the black pieces; none while the seat is open.
    pub black: Option<Player>,
    /// The seats of a game of four, in the order of the turns; absent in a game of two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<Seat>,
    /// The client's side.
    pub you: Option<Color>,
    /// Id of its rematch.
    pub next: Option<String>,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GameSummary {
    /// Its id.
    pub id: String,
    /// Id of the rules.
    pub variant: String,
    /// Name of the rules.
    pub variant_name: String,
    /// Identity of the rules: those of a game that a user has made may have changed since.
    pub digest: String,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// The class of its clock.
    pub speed: Speed,
    /// Its clock.
    pub clock: Option<Clock>,
    /// Player of the white pieces.
    pub white: Option<Player>,
    /// Player of the black pieces.
    pub black: Option<Player>,
    /// The seats of a game of four, in the order of the turns; absent in a game of two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<Seat>,
    /// When it was made, in Unix milliseconds.
    pub created_at: i64,
    /// When it last changed, in Unix milliseconds: lists are ordered by it.
    pub updated_at: i64,
    /// Half moves played.
    pub ply: u32,
    /// The position.
    pub fen: String,
    /// Numbers of the squares that the last move left and reached.
    pub last: Vec<u16>,
    /// The side to move.
    pub turn: Color,
    /// Its stage.
    pub status: Status,
    /// The result.
    pub result: GameResult,
    /// The reason of its end.
    pub reason: Option<Reason>,
}

/// The opponent of a new game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Opponent {
    /// The engine of this server.
    Engine {
        /// Its level, 1 to 8.
        level: u8,
    },
    // The braces make serde refuse unknown fields here, too.
    /// The first player who opens the game's link.
    Link {},
}

/// A game to be made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// Id of the rules.
    pub variant: String,
    /// The opponent, in a game of two.
    #[serde(default)]
    pub opponent: Option<Opponent>,
    /// The side of its maker, in a game of two.
    #[serde(default)]
    pub side: Side,
    /// The seats of a game of four, in the order of the turns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<NewSeat>,
    /// When the engine takes free seats of a game of four; without it they stay free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<Fill>,
    /// The clock; none for a game without a clock.
    #[serde(default)]
    pub clock: Option<Clock>,
    /// Whether it counts for ratings.
    #[serde(default)]
    pub rated: bool,
    /// The position to begin with, instead of the game's own.
    #[serde(default)]
    pub fen: Option<String>,
    /// Number of the start among the game's own, from 0; without it, and without a position, one is drawn.
    #[serde(default)]
    pub start: Option<u32>,
    /// Visibility of the game.
    #[serde(default)]
    pub visibility: Visibility,
}

/// A hint: the move that the engine would play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Hint {
    /// Half moves played before it.
    pub ply: u32,
    /// The move in long algebraic form.
    #[serde(rename = "move")]
    pub played: String,
    /// Numbers of the squares it leaves and reaches.
    pub squares: Vec<u16>,
}
