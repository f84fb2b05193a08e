//! A board as it is drawn: cells, names, joined edges and roles, without rules.

use crate::player::Color;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The geometry of a game's board, the same for every position of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Board {
    /// Id of the game, such as `diamondring`.
    pub variant: String,
    /// Identity of the rules' text: hexadecimal SHA-256.
    pub digest: String,
    /// Full name of the game.
    pub name: String,
    /// How many play it, if not two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<u8>,
    /// The game's usual view.
    pub view: BoardView,
    /// Width of the box around the board, in squares, holes included.
    pub files: u8,
    /// Height of the box around the board, in squares, holes included.
    pub ranks: u8,
    /// The joined edges.
    pub wraps: Wraps,
    /// The squares without the holes; the index is the square's number everywhere else.
    pub squares: Vec<SquareInfo>,
    /// The drawings of the squares.
    pub views: Views,
    /// The kinds of pieces.
    pub roles: Vec<Role>,
    /// The pieces of the game's first start. A board without an edge is shown so that neither camp is cut.
    pub start: Vec<PlacedPiece>,
    /// The promotions.
    pub promotions: Vec<Promotion>,
}

/// A piece on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlacedPiece {
    /// Number of its square.
    pub square: u16,
    /// Its role, as [`Role::id`].
    pub role: String,
    /// Its color.
    pub color: Color,
}

/// The promotion of one color's pieces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Promotion {
    /// The pieces, as [`Role::id`].
    pub role: String,
    /// Their color.
    pub color: Color,
    /// The squares on which they are promoted.
    pub squares: Vec<u16>,
    /// The promotions, as the letters that end a move.
    pub letters: Vec<String>,
}

/// One of the two views of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BoardView {
    /// Turned by 45 degrees; on a board of hexagons, hexagons.
    Diamond,
    /// Upright.
    Square,
}

/// The joined edges of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Wraps {
    /// Beyond the last file comes the first.
    pub files: bool,
    /// Beyond the last rank comes the first.
    pub ranks: bool,
}

/// One square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SquareInfo {
    /// Its name, such as `a1` or `l12`.
    pub name: String,
    /// Its file, 0 for a.
    pub file: u8,
    /// Its rank, 0 for 1.
    pub rank: u8,
    /// Whether it is a dark square (a1 is).
    pub dark: bool,
}

/// Both views of a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Views {
    /// Turned by 45 degrees; on a board of hexagons, hexagons.
    pub diamond: View,
    /// Upright.
    pub square: View,
}

/// A drawing of the board as White sees it, in cell sides from the top left. For Black it is turned by 180
/// degrees: `width - x`, `height - y`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct View {
    /// Width of the drawing.
    pub width: f64,
    /// Height of the drawing.
    pub height: f64,
    /// The corners of every cell, around its center.
    pub corners: Vec<[f64; 2]>,
    /// The center of every square.
    pub centers: Vec<[f64; 2]>,
    /// The color of every square; empty where [`SquareInfo::dark`] tells it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shades: Vec<Shade>,
    /// The vector of one file to the right.
    pub file: [f64; 2],
    /// The vector of one rank up.
    pub rank: [f64; 2],
    /// Coordinates along the lower edges, as White sees them.
    pub labels: Vec<Label>,
    /// Coordinates along the lower edges, as Black sees them (already turned).
    pub labels_flipped: Vec<Label>,
}

/// The color of a cell. Hexagons have three, so that no two that touch are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shade {
    /// The lighter cells.
    Light,
    /// Between the two.
    Middle,
    /// The darker cells.
    Dark,
}

/// A coordinate beside the board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Label {
    /// A file's letter or a rank's number.
    pub text: String,
    /// Its center.
    pub at: [f64; 2],
}

/// A kind of piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Role {
    /// Its id, such as `archbishop`.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Its letters in FEN, as White's.
    pub letter: String,
    /// The name of its drawing in the set of pieces, without the color, or the digest of a picture at `/api/pictures/{digest}`; absent
    /// for a lettered disc.
    pub glyph: Option<String>,
    /// Whether it is the King.
    pub royal: bool,
    /// Its value for the engine, in centipawns; 0 for the King.
    pub value: u32,
}
