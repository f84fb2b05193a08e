//! Results of games, as PGN writes them.

use crate::player::{Color, MAX_PLAYERS};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use utoipa::ToSchema;

/// The result of a game, as PGN writes it: `1-0`, `0-1`, `1/2-1/2`, `*`, or the places of three or four players, Red's first, as
/// `1-4-2-3`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum GameResult {
    /// White wins; in a game of teams Red and Yellow.
    WhiteWins,
    /// Black wins; in a game of teams Blue and Green.
    BlackWins,
    /// A draw.
    Draw,
    /// The places of the players, from 1, in the order of the turns; 0 for the empty seat of a game of three. Players who drew share
    /// a place.
    Places([u8; MAX_PLAYERS]),
    /// The game is in progress, or was aborted.
    #[default]
    Unknown,
}

impl GameResult {
    /// A win of this side in a game of two.
    #[must_use]
    pub const fn win(color: Color) -> Self {
        if color.index() == 0 { Self::WhiteWins } else { Self::BlackWins }
    }

    /// How it is for the player of a seat, from 0 by the order of the turns: greater for a win, equal for a draw, less for a
    /// loss. Among four a first place is a win, and a shared one a draw. None without a result.
    #[must_use]
    pub fn of_seat(self, seat: usize) -> Option<Ordering> {
        let for_first = match self {
            Self::WhiteWins => Ordering::Greater,
            Self::BlackWins => Ordering::Less,
            Self::Draw => Ordering::Equal,
            Self::Unknown => return None,
            Self::Places(places) => {
                let is_alone = places.iter().filter(|place| **place == 1).count() == 1;
                return Some(match places.get(seat) {
                    Some(1) if is_alone => Ordering::Greater,
                    Some(1) => Ordering::Equal,
                    _ => Ordering::Less,
                });
            }
        };
        Some(if seat.is_multiple_of(2) { for_first } else { for_first.reverse() })
    }
}

impl std::fmt::Display for GameResult {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::WhiteWins => formatter.write_str("1-0"),
            Self::BlackWins => formatter.write_str("0-1"),
            Self::Draw => formatter.write_str("1/2-1/2"),
            Self::Places(places) => {
                let taken = places.iter().filter(|place| **place != 0);
                formatter.write_str(&taken.map(u8::to_string).collect::<Vec<_>>().join("-"))
            }
            Self::Unknown => formatter.write_str("*"),
        }
    }
}

/// A text that is not the result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoResult;

impl std::fmt::Display for NoResult {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .write_str("expected 1-0, 0-1, 1/2-1/2, * or the places of three or four players such as 1-4-2-3")
    }
}

impl std::error::Error for NoResult {}

impl std::str::FromStr for GameResult {
    type Err = NoResult;

    fn from_str(text: &str) -> Result<Self, NoResult> {
        Ok(match text {
            "1-0" => Self::WhiteWins,
            "0-1" => Self::BlackWins,
            "1/2-1/2" => Self::Draw,
            "*" => Self::Unknown,
            _ => {
                let mut places = [0; MAX_PLAYERS];
                let mut count = 0;
                for word in text.split('-') {
                    let &[byte @ b'1'..=b'4'] = word.as_bytes() else { return Err(NoResult) };
                    *places.get_mut(count).ok_or(NoResult)? = byte - b'0';
                    count += 1;
                }
                if count < 3 {
                    return Err(NoResult);
                }
                Self::Places(places)
            }
        })
    }
}

impl Serialize for GameResult {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for GameResult {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl utoipa::PartialSchema for GameResult {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .description(Some(
                "The result of a game, as PGN writes it: `1-0`, `0-1`, `1/2-1/2`, `*`, or the places of three or four players, Red's first.",
            ))
            .pattern(Some(r"^(1-0|0-1|1/2-1/2|\*|[1-4](-[1-4]){2,3})$"))
            .examples(["1-0", "1-4-2-3"])
            .build()
            .into()
    }
}

impl ToSchema for GameResult {}
