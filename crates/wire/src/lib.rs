//! The JSON that Lozenge speaks to the outside: boards, games, events, actions, accounts, faults. The only
//! types that are serialized to others. No logic, and no crate of ours beneath: what a number means
//! is said here, how it came about is not.
//!
//! Names are in snake case. Times are Unix milliseconds, durations say their unit in the name. A square is
//! its number in [`Board::squares`]; a move is its long algebraic (UCI) text.

mod account;
mod action;
mod board;
mod event;
mod game;
mod players;
mod problem;
pub mod review;
mod seek;

pub use account::{
    Account, BackupCodes, Credentials, ForgottenPassword, FullProof, MailLink, NewEmail, NewPassword,
    NewToken, Profile, Proof, RatingEntry, Recover, RecoveryCode, ResetPassword, Scope, SecondFactorCode,
    SecondFactorSetup, Security, Settings, Statistics, Tally, Token,
};
pub use action::{Action, Command, Line, Room};
pub use board::{Board, BoardView, Label, Promotion, Role, SquareInfo, View, Views, Wraps};
pub use event::{Event, LiveEvent, Reported};
pub use game::{
    Castling, Claim, Clock, Clocks, Color, Game, GameState, GameSummary, Hint, HistoryEntry, Man, NewGame,
    Offers, Opponent, Player, PlayerKind, Present, RatingChange, RatingChanges, Reason, Side, Since, Speed,
    Status, Visibility,
};
pub use players::{
    Accepted, Challenge, Challenges, Leader, Leaderboard, NewChallenge, NewPushSubscription, PushKeys,
    PushSettings, PushSubscription,
};
pub use problem::Problem;
pub use seek::{Diagram, LobbyEvent, NewSeek, Seek, Sought, VariantSummary};
