//! The record of a game, from which its PGN and its statistics are computed.

use crate::stats::Points;
use lozenge_engine::Score;
use lozenge_rules::position::{DrawReason, Outcome, WinReason};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A time in whole milliseconds, as records and PGN have it.
pub(crate) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Id of the game.
    pub game: String,
    /// Number of the pair, from 0.
    pub pair: u32,
    /// Whether the second engine had White.
    pub swapped: bool,
    /// The opening.
    pub fen: String,
    /// The result of the first engine.
    pub points: Points,
    /// How it ended.
    pub ending: Ending,
    /// More about that, in words; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// When it began, in seconds since 1970.
    pub begun: u64,
    /// The moves.
    pub moves: Vec<MoveRecord>,
}

impl GameRecord {
    /// Which of the two engines failed, if the game ended by a failure: the loser, or the one whose time ran out
    /// against an opponent that could not win.
    #[must_use]
    pub fn failed_engine(&self) -> Option<usize> {
        self.ending.is_fault().then_some(match self.points {
            Points::Loss => 0,
            Points::Win => 1,
            Points::Draw => usize::from(self.is_black_to_move() != self.swapped),
        })
    }

    /// Whether Black was to move when the game ended.
    fn is_black_to_move(&self) -> bool {
        let black_began = self.fen.split(' ').nth(1) == Some("b");
        black_began == self.moves.len().is_multiple_of(2)
    }
}

/// A move and its player's evaluation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveRecord {
    /// In long algebraic form.
    #[serde(rename = "m")]
    pub text: String,
    /// The score, from the player's side.
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    pub score: Option<WrittenScore>,
    /// Plies.
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes.
    #[serde(rename = "n", default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time, in milliseconds.
    #[serde(rename = "t")]
    pub millis: u64,
}

/// A score as it is written down: `"c": 31` or `"w": 3`, `"l": 2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum WrittenScore {
    /// Centipawns.
    #[serde(rename = "c")]
    Centipawns(i32),
    /// Wins in this number of moves.
    #[serde(rename = "w")]
    Wins(u32),
    /// Loses in this number of moves.
    #[serde(rename = "l")]
    Loses(u32),
}

impl From<Score> for WrittenScore {
    fn from(score: Score) -> Self {
        match score {
            Score::Centipawns(centipawns) => Self::Centipawns(centipawns),
            Score::Wins(moves) => Self::Wins(moves),
            Score::Loses(moves) => Self::Loses(moves),
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// By checkmate.
    Checkmate,
    /// By reaching a goal.
    Goal,
    /// By stalemate, which the game's rules score.
    Stalemate,
    /// Neither side could win any more.
    DeadPosition,
    /// The position occurred as often as is enough for a draw.
    Repetition,
    /// Too many moves without capture or pawn move.
    MoveCount,
    /// An endgame table covered the position.
    Table,
    /// Both engines saw a win.
    AgreedWin,
    /// Both engines saw a draw.
    AgreedDraw,
    /// It was long enough.
    Length,
    /// The loser made no legal move.
    IllegalMove,
    /// A player overstepped its time. It has lost, or drawn if the other could never win.
    TimeLoss,
    /// The loser did not answer for too long, where there was no clock.
    Hang,
    /// The loser's program ended or did not become ready.
    Crash,
}

impl Ending {
    /// Whether an engine failed.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        matches!(self, Self::IllegalMove | Self::TimeLoss | Self::Hang | Self::Crash)
    }

    /// As the tag `Termination` of PGN has it.
    #[must_use]
    pub const fn termination(self) -> &'static str {
        match self {
            Self::Table | Self::AgreedWin | Self::AgreedDraw | Self::Length => "adjudication",
            Self::IllegalMove => "rules infraction",
            Self::TimeLoss => "time forfeit",
            Self::Hang | Self::Crash => "abandoned",
            _ => "normal",
        }
    }

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Goal => "goal",
            Self::Stalemate => "stalemate",
            Self::DeadPosition => "dead position",
            Self::Repetition => "repetition",
            Self::MoveCount => "move count",
            Self::Table => "endgame table",
            Self::AgreedWin => "agreed win",
            Self::AgreedDraw => "agreed draw",
            Self::Length => "length",
            Self::IllegalMove => "illegal move",
            Self::TimeLoss => "time loss",
            Self::Hang => "hang",
            Self::Crash => "crash",
        }
    }
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win { reason: WinReason::Checkmate, .. } => Self::Checkmate,
            Outcome::Win { reason: WinReason::Goal, .. } => Self::Goal,
            Outcome::Win { reason: WinReason::Stalemate, .. } => Self::Stalemate,
            Outcome::Draw(reason) => reason.into(),
        }
    }
}

impl From<DrawReason> for Ending {
    fn from(reason: DrawReason) -> Self {
        match reason {
            DrawReason::Stalemate => Self::Stalemate,
            DrawReason::DeadPosition => Self::DeadPosition,
            DrawReason::Repetition => Self::Repetition,
            DrawReason::MoveCount => Self::MoveCount,
        }
    }
}
