//! Colors and players, of games of two and of four. Not here: players among each other (`players`), their accounts (`account`).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A player's color: White and Black in a game of two, the others in a game of three or four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Color {
    /// Moves first in a game of two.
    White,
    /// Moves second in a game of two.
    Black,
    /// Moves first in a game of four.
    Red,
    /// Moves second in a game of four.
    Blue,
    /// Moves third in a game of four.
    Yellow,
    /// Moves last in a game of four.
    Green,
}

/// Most players of a game.
pub const MAX_PLAYERS: usize = 4;

impl Color {
    /// The colors of a game of two, in the order of the turns.
    pub const TWO: [Self; 2] = [Self::White, Self::Black];
    /// The colors of a game of four, in the order of the turns.
    pub const FOUR: [Self; 4] = [Self::Red, Self::Blue, Self::Yellow, Self::Green];

    /// The colors of a game of this many players, in the order of the turns: of two White and Black, of three no Green.
    ///
    /// ```
    /// use lozenge_wire::Color;
    /// assert_eq!(Color::of_players(3), [Color::Red, Color::Blue, Color::Yellow]);
    /// ```
    #[must_use]
    pub const fn of_players(count: usize) -> &'static [Self] {
        match count {
            0..=2 => &Self::TWO,
            3 => &[Self::Red, Self::Blue, Self::Yellow],
            _ => &Self::FOUR,
        }
    }

    /// The place in the order of the turns, from 0: an index into tables by player.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::White | Self::Red => 0,
            Self::Black | Self::Blue => 1,
            Self::Yellow => 2,
            Self::Green => 3,
        }
    }

    /// The color across the board: in a game of two the opponent, in a game of four the partner if there are teams.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
            Self::Red => Self::Yellow,
            Self::Blue => Self::Green,
            Self::Yellow => Self::Red,
            Self::Green => Self::Blue,
        }
    }
}

/// A kind of player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlayerKind {
    /// A person without an account.
    Guest,
    /// A person with an account.
    User,
    /// A program with an account.
    Bot,
    /// The engine of this server.
    Engine,
}

/// A player of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Player {
    /// The kind of player.
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

/// The change of a player's rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RatingChange {
    /// The rating before the game was rated.
    pub before: i32,
    /// The rating after it.
    pub after: i32,
}
