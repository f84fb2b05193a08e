//! The JSON of the API: boards, games, events, actions, accounts, problems. The pages' types are generated from
//! these, which have no logic and use no other crate of ours. Not here: the data of single pages, a user's stored rows,
//! push messages.
//!
//! Names are in snake case, except in [`PlayerEvent`]. Times are Unix milliseconds, durations have their unit in the
//! name. A square is its number in [`Board::squares`]; a move is its long algebraic (UCI) text.

mod account;
mod action;
pub mod analysis;
mod board;
mod bot;
mod by_player;
mod event;
mod explorer;
mod game;
mod lab;
mod lessons;
mod player;
mod players;
mod problem;
mod puzzle;
mod result;
pub mod review;
mod rules;
mod seats;
mod seek;
pub mod study;
mod table;
mod variant;

pub use account::{
    Account, BackupCodes, Credentials, ForgottenPassword, FullProof, MailLink, NewEmail, NewPassword,
    NewToken, Profile, Proof, RatingEntry, Recover, RecoveryCode, ResetPassword, Scope, SecondFactorCode,
    SecondFactorSetup, Security, Settings, Statistics, Tally, Token,
};
pub use action::{Action, ChatText, Command, Room};
pub use board::{
    Board, BoardView, Label, PlacedPiece, Promotion, Role, Shade, SquareInfo, View, Views, Wraps,
};
pub use bot::{GameId, PlayerEvent};
pub use by_player::ByPlayer;
pub use event::{Event, LiveEvent, Reported};
pub use explorer::{Explored, ExploredMove, ExplorerSource};
pub use game::{
    Castling, Claim, Clock, Clocks, Game, GameState, GameSummary, Hint, HistoryEntry, MoveText, NewGame,
    Offers, Opponent, PlayedMove, Present, RatingChanges, Reason, Side, Since, Speed, Status, Visibility,
};
pub use lab::{Measurement, MeasurementState, NewMeasurement};
pub use lessons::{
    Course, CourseProgress, LessonAttempt, LessonGoal, LessonLevel, LessonProgress, LessonResult,
    LessonStage, LessonState,
};
pub use player::{Color, MAX_PLAYERS, Player, PlayerKind, RatingChange};
pub use players::{
    Accepted, Challenge, Challenges, Leader, Leaderboard, NewChallenge, NewPushSubscription, PushKeys,
    PushSettings, PushSubscription,
};
pub use problem::Problem;
pub use puzzle::{
    MAX_PUZZLE_MOVES, Puzzle, PuzzleAttempt, PuzzleHint, PuzzleHintRequest, PuzzleRating, PuzzleResult,
    PuzzleRound, PuzzleStart, PuzzleStorm, PuzzleStreak, PuzzleTheme, PuzzleVote, StormPuzzle,
};
pub use result::{GameResult, NoResult};
pub use rules::{GameRules, PieceRules, RulesChapter};
pub use seats::{Exit, Fill, NewSeat, Seat, SeatState, SeatStates};
pub use seek::{Diagram, LobbyEvent, NewSeek, OpenGame, Seek, SeekReply};
pub use table::{DrillClass, DrillPosition, Drills, TableCategory, TableCoverage, TableMove, TablePosition};
pub use variant::{
    DraftChange, FaultyFile, GameName, NewComment, NewDraft, NewPiecePicture, NewVariant, OwnPiecePicture,
    PiecePicture, Publication, PublishedVariant, VariantCheck, VariantComment, VariantDetail, VariantDraft,
    VariantFault, VariantReport, VariantSource, VariantStatus, VariantSummary, VariantVersion,
    VariantVisibility,
};
