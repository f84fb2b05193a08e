//! Turns of games for any number of players as text: moves, and in games of four `R` and `T` where a player resigns or is out of
//! time; their numbers, and the comments on what they led to.

use super::pgn::MoveNumber;
use super::san::{self, SanError};
use super::uci::{self, UciError};
use crate::position::{AnyMultiPosition, GamePosition, Move, MultiTurn, Played};

/// The text of a resignation.
pub const RESIGNATION: &str = "R";
/// The text of a time-out.
pub const TIME_OUT: &str = "T";

/// The exit that a text means in a position of four.
fn exit(position: &GamePosition, text: &str) -> Option<MultiTurn> {
    position.four()?;
    match text {
        RESIGNATION => Some(MultiTurn::Resignation),
        TIME_OUT => Some(MultiTurn::TimeOut),
        _ => None,
    }
}

/// The exit that a text means, or the move that `read` finds in it. After the end of a game of four nothing can be played: the error is
/// that of `over`.
fn parse<E>(
    position: &GamePosition,
    text: &str,
    read: impl FnOnce() -> Result<Move, E>,
    over: fn(String) -> E,
) -> Result<MultiTurn, E> {
    let is_over = position.four().is_some_and(|position| position.status().is_over());
    match exit(position, text).map_or_else(|| read().map(MultiTurn::Move), Ok) {
        Ok(MultiTurn::Resignation | MultiTurn::TimeOut) | Err(_) if is_over => Err(over(text.into())),
        turn => turn,
    }
}

/// A turn in long algebraic form.
///
/// ```
/// use lozenge_rules::{library, notation::turn, position::{GamePosition, MultiTurn}};
/// let start = GamePosition::start(&library::any_game("diamondring-four").unwrap());
/// let first = MultiTurn::Move(start.legal_moves()[0]);
/// assert_eq!(turn::parse_uci(&start, &turn::uci(&start, first)), Ok(first));
/// assert_eq!(turn::parse_uci(&start, "R"), Ok(MultiTurn::Resignation));
/// ```
#[must_use]
pub fn uci(position: &GamePosition, turn: MultiTurn) -> String {
    match (position, turn) {
        (GamePosition::Two(position), MultiTurn::Move(played)) => uci::write(position.variant(), played),
        (GamePosition::Four(position), MultiTurn::Move(played)) => {
            uci::write_multi(position.variant(), played)
        }
        (_, MultiTurn::Resignation) => RESIGNATION.into(),
        (_, MultiTurn::TimeOut) => TIME_OUT.into(),
    }
}

impl Played {
    /// A move of the game in long algebraic form.
    #[must_use]
    pub fn write(&self, written: Move) -> String {
        match self {
            Self::Two(game) => uci::write(game.variant(), written),
            Self::Four(game) => uci::write_multi(game.position().variant(), written),
        }
    }
}

/// Reads a turn in long algebraic form.
///
/// # Errors
/// When the text is not a turn, or not a legal one.
pub fn parse_uci(position: &GamePosition, text: &str) -> Result<MultiTurn, UciError> {
    let read = || match position {
        GamePosition::Two(position) => uci::parse(position, text),
        GamePosition::Four(position) => uci::parse_multi(position, text),
    };
    parse(position, text, read, UciError::Over)
}

/// A turn in SAN, with `+` where the player who moves next is in check.
///
/// ```
/// use lozenge_rules::{library, notation::turn, position::{GamePosition, MultiTurn}};
/// let start = GamePosition::start(&library::any_game("diamondring-four").unwrap());
/// let pawn = turn::parse_san(&start, "b1").unwrap();
/// assert_eq!(turn::uci(&start, pawn), "c1b1");
/// assert_eq!(turn::san(&start, MultiTurn::TimeOut), "T");
/// ```
#[must_use]
pub fn san(position: &GamePosition, turn: MultiTurn) -> String {
    match (position, turn) {
        (GamePosition::Two(position), MultiTurn::Move(played)) => san::write(position, played),
        (GamePosition::Four(here), MultiTurn::Move(played)) => {
            let check = position.play_unchecked(turn).checked_king().is_some();
            san::write_multi(here, played, &here.legal_moves(), check)
        }
        (_, MultiTurn::Resignation) => RESIGNATION.into(),
        (_, MultiTurn::TimeOut) => TIME_OUT.into(),
    }
}

/// Reads a turn in SAN or in long algebraic form.
///
/// # Errors
/// When the text is not a turn, fits no legal one, or fits several.
pub fn parse_san(position: &GamePosition, text: &str) -> Result<MultiTurn, SanError> {
    let read = || match position {
        GamePosition::Two(position) => san::parse(position, text),
        GamePosition::Four(position) => san::parse_multi(position, text),
    };
    parse(position, text, read, SanError::Over)
}

/// The number of a turn of four, which depends on who has passed and gone out: `before` is the position before the last turn.
/// `None` with two players, where turns can be counted.
#[must_use]
pub fn number(before: Option<&GamePosition>, position: &GamePosition) -> Option<MoveNumber> {
    let here = position.four()?;
    let number = here.fullmove_number();
    let begins_round = match before.and_then(GamePosition::four) {
        Some(before) => before.fullmove_number() < number,
        None => here.living().iter().next() == Some(here.turn()),
    };
    Some(MoveNumber { number, black: !begins_round })
}

/// Comments on what a turn of four led to besides itself: the players who were mated, and those whose turn passed.
///
/// ```
/// use lozenge_rules::{library, notation::turn, position::{GamePosition, MultiTurn}};
/// let start = GamePosition::start(&library::any_game("diamondring-four").unwrap());
/// let after = start.play_unchecked(MultiTurn::Resignation);
/// assert!(turn::comments(&start, MultiTurn::Resignation, &after).is_empty());
/// ```
#[must_use]
pub fn comments(before: &GamePosition, turn: MultiTurn, after: &GamePosition) -> Vec<String> {
    match (before, after) {
        (GamePosition::Four(before), GamePosition::Four(after)) => multi_comments(before, turn, after),
        _ => Vec::new(),
    }
}

fn multi_comments(before: &AnyMultiPosition, turn: MultiTurn, after: &AnyMultiPosition) -> Vec<String> {
    let left_by_turn = |seat| seat == before.turn() && !matches!(turn, MultiTurn::Move(_));
    let gone = before.living().iter().filter(|&seat| !after.living().contains(seat) && !left_by_turn(seat));
    let mut comments: Vec<String> = gone.map(|seat| format!("{seat} is checkmated")).collect();
    let mut seat = before.turn().next();
    while seat != after.turn() && seat != before.turn() && !after.status().is_over() {
        if after.living().contains(seat) {
            comments.push(format!("{seat} passes"));
        }
        seat = seat.next();
    }
    comments
}
