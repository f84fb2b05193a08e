//! `Plan`: everything about a game that its tables are built from, validated, in board squares. `compile` makes it and
//! `tables` reads it.

use super::document::At;
use super::fusions::Fusion;
use super::roles::{MoveGroup, Roles};
use super::rules::Draws;
use crate::geometry::{Frame, Shape, Square};
use crate::piece::{ByColor, Color, Role, RoleSet};
use crate::setup::Setup;
use crate::setup::fen::CastlingRight;

/// Everything about a game that the tables are built from, validated, in board squares.
pub(crate) struct Plan {
    pub(crate) shape: Shape,
    pub(crate) frames: ByColor<Frame>,
    pub(crate) roles: Roles,
    pub(crate) royal: Role,
    pub(crate) en_passant: RoleSet,
    /// By role.
    pub(crate) moves: Vec<Vec<Moves>>,
    pub(crate) fusions: Vec<Fusion>,
    /// By color and square the steps from the camp's center, when the game has a camp.
    pub(crate) distance: Option<ByColor<Vec<u16>>>,
    /// Steps that count as distance 0, unless a group of moves defines others.
    pub(crate) free: u16,
    pub(crate) promotions: Vec<Zone>,
    pub(crate) goals: Vec<Zone>,
    pub(crate) castlings: Vec<CastlingPlan>,
    pub(crate) right_letters: Vec<char>,
    pub(crate) fen_rights: Vec<CastlingRight>,
    pub(crate) starts: Vec<Setup>,
    /// The number of the usual start, if a rule makes the starts.
    pub(crate) shuffled: Option<usize>,
    pub(crate) draws: Draws,
    /// Kings included: piece indices, sorted.
    pub(crate) dead: Vec<Vec<u8>>,
}

/// Some moves of a piece and from which squares they apply, by color.
#[derive(Clone)]
pub(crate) struct Moves {
    pub(crate) at: At,
    pub(crate) group: MoveGroup,
    /// Where its condition lets it begin.
    pub(crate) from: Option<ByColor<Vec<Square>>>,
    /// Where the piece neither ends nor passes.
    pub(crate) wall: Option<ByColor<Vec<Square>>>,
    /// Steps that count as distance 0.
    pub(crate) free: u16,
}

/// Pieces, the squares where something happens to them, by color, and the roles they may become there.
pub(crate) struct Zone {
    pub(crate) roles: RoleSet,
    pub(crate) squares: ByColor<Vec<Square>>,
    pub(crate) to: RoleSet,
}

/// A castling, in squares.
pub(crate) struct CastlingPlan {
    pub(crate) color: Color,
    pub(crate) short: bool,
    pub(crate) king: (Square, Square),
    pub(crate) rook: (Square, Square),
    pub(crate) partner: Role,
    pub(crate) right: Option<u16>,
    pub(crate) empty: Vec<Square>,
    pub(crate) safe: Vec<Square>,
    pub(crate) out_of_check: bool,
}
