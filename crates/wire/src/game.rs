//! Games: who plays, by which clock, and how they stand.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Color {
    /// The side that moves first.
    White,
    /// The other side.
    Black,
}

impl core::ops::Not for Color {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl Color {
    /// 0 for White, 1 for Black.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The side that somebody wants.
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

/// How long the players may think.
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

/// What kind of player it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlayerKind {
    /// Somebody without an account.
    Guest,
    /// Somebody with an account.
    User,
    /// A program with an account.
    Bot,
    /// The engine of this server.
    Engine,
}

/// A player of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Player {
    /// What kind of player.
    pub kind: PlayerKind,
    /// Id on this server; `engine` for the engine.
    pub id: String,
    /// Name to show.
    pub name: String,
    /// Rating when the game began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<i32>,
    /// Whether the rating is still uncertain.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub provisional: bool,
    /// The engine's level, 1 to 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
}

/// Who may see a game in lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everybody.
    #[default]
    Public,
    /// Only its players, and nobody else may read it.
    Private,
}

/// Where a game is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A place is still open.
    Waiting,
    /// It is being played.
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
    /// A man reached its goal.
    Goal,
    /// The side to move had no move.
    Stalemate,
    /// Nobody could win any more.
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

/// How long each side still has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Clocks {
    /// White's time left, in milliseconds.
    pub white_ms: i64,
    /// Black's time left, in milliseconds.
    pub black_ms: i64,
    /// Whose clock runs.
    pub running: Option<Color>,
    /// When these numbers were true: the server's time, in Unix milliseconds.
    pub at: i64,
}

/// What has been offered and not yet answered, by whom.
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

/// Who is connected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Present {
    /// White.
    pub white: bool,
    /// Black.
    pub black: bool,
}

/// What a game made of a player's rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RatingChange {
    /// The rating before the game was rated.
    pub before: i32,
    /// The rating after it.
    pub after: i32,
}

/// What a rated game made of both ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RatingChanges {
    /// White's.
    pub white: RatingChange,
    /// Black's.
    pub black: RatingChange,
}

/// A man on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Man {
    /// Number of its square.
    pub square: u16,
    /// Id of its role.
    pub role: String,
    /// Whose it is.
    pub color: Color,
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

/// How a game stands: everything that a board, a clock or a bot has to know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GameState {
    /// Number of the event that led here; grows with every change of the game.
    pub seq: u64,
    /// Half moves played.
    pub ply: u32,
    /// The position.
    pub fen: String,
    /// Who is to move.
    pub turn: Color,
    /// The men on the board.
    pub men: Vec<Man>,
    /// Numbers of the squares that the last move left and reached.
    pub last: Vec<u16>,
    /// Number of the square of the King in check.
    pub check: Option<u16>,
    /// The legal moves, sorted; none once the game is over.
    pub moves: Vec<String>,
    /// The castlings among them.
    pub castlings: Vec<Castling>,
    /// Where the game is in its life.
    pub status: Status,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// Why it ended.
    pub reason: Option<Reason>,
    /// The clocks, if the game is played by any.
    pub clocks: Option<Clocks>,
    /// What has been offered.
    pub offers: Offers,
    /// A draw that the side to move may claim.
    pub claim: Option<Claim>,
    /// Who is connected.
    pub present: Present,
    /// When a player may claim the win because the other has left, in Unix milliseconds.
    pub claim_victory_at: Option<i64>,
    /// What the game made of the ratings: a moment after the end of a rated game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating_changes: Option<RatingChanges>,
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
    /// The men after it.
    pub men: Vec<Man>,
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
    /// Men of that position.
    pub start_men: Vec<Man>,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// The class of its clock.
    pub speed: Speed,
    /// Its clock; none for a game without one.
    pub clock: Option<Clock>,
    /// Who plays White; none while the place is open.
    pub white: Option<Player>,
    /// Who plays Black; none while the place is open.
    pub black: Option<Player>,
    /// The side of whoever asks.
    pub you: Option<Color>,
    /// When it was made, in Unix milliseconds.
    pub created_at: i64,
    /// The half moves played.
    pub history: Vec<HistoryEntry>,
    /// How it stands.
    pub state: GameState,
    /// Who may see it.
    pub visibility: Visibility,
    /// Id of the game of which this is the rematch.
    pub previous: Option<String>,
    /// Id of its rematch.
    pub next: Option<String>,
}

/// A game since an event that whoever asks has heard of: with what they knew then, it is the whole game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Since {
    /// Half moves that had been played then and still stand. Those after them were taken back.
    pub kept: u32,
    /// The half moves played after these.
    pub history: Vec<HistoryEntry>,
    /// How it stands.
    pub state: GameState,
    /// Who plays White; none while the place is open.
    pub white: Option<Player>,
    /// Who plays Black; none while the place is open.
    pub black: Option<Player>,
    /// The side of whoever asks.
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
    /// Whether it counts for ratings.
    pub rated: bool,
    /// The class of its clock.
    pub speed: Speed,
    /// Its clock.
    pub clock: Option<Clock>,
    /// Who plays White.
    pub white: Option<Player>,
    /// Who plays Black.
    pub black: Option<Player>,
    /// When it was made, in Unix milliseconds.
    pub created_at: i64,
    /// When it last changed, in Unix milliseconds: lists are ordered by it.
    pub updated_at: i64,
    /// Half moves played.
    pub ply: u32,
    /// The position.
    pub fen: String,
    /// The men on the board.
    pub men: Vec<Man>,
    /// Numbers of the squares that the last move left and reached.
    pub last: Vec<u16>,
    /// Who is to move.
    pub turn: Color,
    /// Where the game is in its life.
    pub status: Status,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// Why it ended.
    pub reason: Option<Reason>,
}

/// Whom a new game is against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Opponent {
    /// The engine of this server.
    Engine {
        /// Its level, 1 to 8.
        level: u8,
    },
    // With braces, so that unknown fields are refused here, too.
    /// Whoever opens the game's link first.
    Link {},
}

/// A game to be made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// Id of the rules.
    pub variant: String,
    /// Whom against.
    pub opponent: Opponent,
    /// Which side the maker plays.
    #[serde(default)]
    pub side: Side,
    /// The clock; none for a game without one.
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
    /// Who may see it.
    #[serde(default)]
    pub visibility: Visibility,
}

/// What the engine would play.
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
