//! A game for any number of players. Not here: reading its file (`library`).

use super::error::number;
use super::{MultiVariant, Roles, Variant};
use crate::geometry::Shape;
use crate::seat::Seat;
use std::sync::Arc;

/// A game for any number of players.
#[derive(Clone, Debug)]
pub enum AnyGame {
    /// For two players.
    Two(Arc<Variant>),
    /// For three or four players.
    Four(Arc<MultiVariant>),
}

/// A game of more players where one of two is expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a game of two players, found one of {}", number(i64::from(*.0)))]
pub struct NotForTwo(pub u8);

impl AnyGame {
    /// How many play it.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let players = |id| library::any_game(id).unwrap().players();
    /// assert_eq!(["chess", "threearmies", "diamondring-four"].map(players), [2, 3, 4]);
    /// ```
    #[must_use]
    pub fn players(&self) -> u8 {
        match self {
            Self::Two(_) => 2,
            Self::Four(game) => game.seats().len() as u8,
        }
    }

    /// The game, if it is one of two players.
    ///
    /// # Errors
    /// With the number of players of another game.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let error = library::any_game("threearmies").unwrap().for_two().unwrap_err();
    /// assert_eq!(error.to_string(), "expected a game of two players, found one of three");
    /// ```
    pub fn for_two(&self) -> Result<&Arc<Variant>, NotForTwo> {
        self.two().ok_or_else(|| NotForTwo(self.players()))
    }

    /// Its short name.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// assert_eq!(library::any_game("diamondring-four").unwrap().id(), "diamondring-four");
    /// ```
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Two(game) => game.id(),
            Self::Four(game) => game.id(),
        }
    }

    /// Its full name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Two(game) => game.name(),
            Self::Four(game) => game.name(),
        }
    }

    /// The board.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        match self {
            Self::Two(game) => game.shape(),
            Self::Four(game) => game.shape(),
        }
    }

    /// The game of two that describes the board and the first player's pieces: itself, or for more players that of the first two
    /// ([`MultiVariant::pair`]).
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let games = ["diamond", "diamondring-four"].map(|id| library::any_game(id).unwrap());
    /// assert_eq!(games.each_ref().map(|game| game.first_pair().shape().len()), [40, 144]);
    /// ```
    #[must_use]
    pub fn first_pair(&self) -> &Variant {
        match self {
            Self::Two(game) => game,
            Self::Four(game) => game.pair(Seat::Red).0,
        }
    }

    /// The kinds of pieces.
    #[must_use]
    pub fn roles(&self) -> &Roles {
        match self {
            Self::Two(game) => game.roles(),
            Self::Four(game) => game.roles(),
        }
    }

    /// Its starting positions as FEN.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// assert_eq!(library::any_game("diamondring-four").unwrap().starts().len(), 1);
    /// ```
    #[must_use]
    pub fn starts(&self) -> Vec<String> {
        match self {
            Self::Two(game) => game.starts().iter().map(|start| start.fen.clone()).collect(),
            Self::Four(game) => vec![game.start().to_owned()],
        }
    }

    /// The text of its file, followed by the texts of the files it extends.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        match self {
            Self::Two(game) => game.texts(),
            Self::Four(game) => game.texts(),
        }
    }

    /// The memory that its tables take, in bytes: the games of two of which one of more players is made are counted each.
    #[must_use]
    pub fn table_bytes(&self) -> usize {
        match self {
            Self::Two(game) => game.table_bytes(),
            Self::Four(game) => game.pairs.iter().map(Variant::table_bytes).sum(),
        }
    }

    /// The game, if it is one of two players.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// assert!(library::any_game("diamond").unwrap().two().is_some());
    /// assert!(library::any_game("diamondring-teams").unwrap().two().is_none());
    /// ```
    #[must_use]
    pub const fn two(&self) -> Option<&Arc<Variant>> {
        match self {
            Self::Two(game) => Some(game),
            Self::Four(_) => None,
        }
    }

    /// The game, if it is one of three or four players.
    #[must_use]
    pub const fn four(&self) -> Option<&Arc<MultiVariant>> {
        match self {
            Self::Two(_) => None,
            Self::Four(game) => Some(game),
        }
    }

    /// Whether this is its id, its name or an alias, as [`Variant::is_called`].
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        match self {
            Self::Two(game) => game.is_called(name),
            Self::Four(game) => game.pairs[0].is_called(name),
        }
    }
}

impl From<&Arc<Variant>> for AnyGame {
    fn from(game: &Arc<Variant>) -> Self {
        Self::Two(Arc::clone(game))
    }
}

impl From<&Arc<MultiVariant>> for AnyGame {
    fn from(game: &Arc<MultiVariant>) -> Self {
        Self::Four(Arc::clone(game))
    }
}
