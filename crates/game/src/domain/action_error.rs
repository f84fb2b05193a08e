//! Why a game refuses an action. A refused action changes nothing.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Why an action is refused: the expected and the actual state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum ActionError {
    /// A spectator tried to act.
    #[error("expected a player of this game, found a spectator")]
    NotAPlayer,
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The game is still being played.
    #[error("the game is not over yet")]
    NotOver,
    /// A seat is still free.
    #[error("the game has not started: a place is still open")]
    NotStarted,
    /// Another player is to move.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The move was meant for another position.
    #[error("expected a move for ply {expected}, found one for ply {found}")]
    Ply {
        /// Half moves played in the game.
        expected: u32,
        /// Half moves played in the position that the move was meant for.
        found: u32,
    },
    /// The move is not legal: the message of the notation's parser.
    #[error("{0}")]
    Move(String),
    /// Both sides have moved.
    #[error("expected a game with at most one move played, to abort it; resign instead")]
    TooLateToAbort,
    /// There is no offer to decline.
    #[error("nothing has been offered")]
    NothingOffered,
    /// The same offer is waiting for an answer.
    #[error("it has been offered already")]
    AlreadyOffered,
    /// The opponent has declined the offer in this position.
    #[error("it was declined in this position")]
    Declined,
    /// A draw was offered before both sides had moved.
    #[error("a draw can be offered once both sides have moved")]
    TooEarly,
    /// The player has not moved yet.
    #[error("there is no move of yours to take back")]
    NothingToTakeBack,
    /// No draw can be claimed in this position.
    #[error("there is nothing to claim")]
    NothingToClaim,
    /// A rated game does not allow the action.
    #[error("expected a casual game, found a rated one")]
    RatedGame,
    /// The game has no live clock.
    #[error("this game has no clock to add time to")]
    NoClock,
    /// The player has given the opponent time too often.
    #[error("expected at most 20 gifts of time in a game")]
    TooManyGifts,
    /// The player has just given the opponent time.
    #[error("expected at most one gift of time in a second")]
    GiftTooSoon,
    /// The player of a game of four is out.
    #[error("expected a player who is still in the game, found one who is out")]
    Out,
    /// A game of four does not allow the action.
    #[error("expected an action of a game of more than two players, found one of a game of two")]
    NotWithFour,
    /// A person would have to agree.
    #[error("expected a game whose other players are engines, found one with other people")]
    AgainstPeople,
    /// Another player has the seat.
    #[error("the place is taken")]
    SeatTaken,
    /// The opponent never joined, or has deleted the account.
    #[error("the other player is not there any more")]
    Gone,
    /// Only the engine accepts the action.
    #[error("expected a game against the engine, found one against a person")]
    AgainstPerson,
    /// The client has too many open games against the engine.
    #[error("too many games against the engine are open; finish one, or try again in {seconds} s")]
    TooManyEngineGames {
        /// Seconds after which to try again.
        seconds: u64,
    },
    /// The server has no room for the action: which limit it has reached.
    #[error("{0}")]
    Busy(String),
    /// The line of chat is refused: why.
    #[error("{0}")]
    Chat(Cow<'static, str>),
    /// A moderator has muted the account.
    #[error("this account may not chat at present")]
    Muted,
    /// The player writes too fast.
    #[error("too many lines of chat; try again in {seconds} s")]
    ChatTooFast {
        /// Seconds after which to try again.
        seconds: u64,
    },
    /// The database did not answer. The reason is logged, and not sent to players.
    #[error("the database did not answer, and nothing was saved; try again")]
    Unavailable,
    /// Another server owns the game, or none does. The request is sent there, so players read this only if that failed.
    #[error("the game is moving to another server, and nothing was saved; try again")]
    NotOwner,
}

impl ActionError {
    /// One word for programs, that stays the same.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotAPlayer => "not_a_player",
            Self::Over => "game_over",
            Self::NotOver => "game_not_over",
            Self::NotStarted => "not_started",
            Self::NotYourTurn => "not_your_turn",
            Self::Ply { .. } => "wrong_ply",
            Self::Move(_) => "illegal_move",
            Self::TooLateToAbort => "too_late_to_abort",
            Self::NothingOffered => "nothing_offered",
            Self::AlreadyOffered => "already_offered",
            Self::Declined => "declined",
            Self::TooEarly => "too_early",
            Self::NothingToTakeBack => "nothing_to_take_back",
            Self::NothingToClaim => "nothing_to_claim",
            Self::RatedGame => "rated_game",
            Self::NoClock => "no_clock",
            Self::TooManyGifts => "too_many_gifts",
            Self::Out => "out",
            Self::NotWithFour => "not_with_four",
            Self::AgainstPeople => "against_people",
            Self::SeatTaken => "place_taken",
            Self::Gone => "gone",
            Self::AgainstPerson => "against_person",
            Self::TooManyEngineGames { .. } => "too_many_engine_games",
            Self::Busy(_) => "busy",
            Self::Chat(_) => "chat_refused",
            Self::Muted => "muted",
            Self::GiftTooSoon => "gift_too_soon",
            Self::ChatTooFast { .. } => "too_many_requests",
            Self::Unavailable | Self::NotOwner => "unavailable",
        }
    }

    /// The HTTP status.
    pub fn status(&self) -> u16 {
        match self {
            Self::NotAPlayer | Self::AgainstPerson | Self::Muted => 403,
            Self::Move(_) | Self::Chat(_) => 422,
            Self::ChatTooFast { .. } | Self::GiftTooSoon | Self::TooManyEngineGames { .. } => 429,
            Self::Unavailable | Self::NotOwner | Self::Busy(_) => 503,
            _ => 409,
        }
    }
}
