//! The pieces of a game by letter: the data that notation needs before the moves are compiled.

use super::area::Area;
use super::betza::Atom;
use super::def::Gain;
use crate::piece::{Letters, Piece, Role};
use std::sync::Arc;

/// One kind of piece, for people.
#[derive(Clone, Debug)]
pub struct RoleInfo {
    /// Capital letter in FEN and SAN.
    pub letter: char,
    /// Name, for example "Marshall".
    pub name: String,
    /// The name for programs: in small letters, with `-` for spaces.
    pub id: Arc<str>,
    /// Name of its picture, for example "marshall".
    pub picture: String,
    /// Whether it is the King: attacked it is in check, and there is one on each side.
    pub royal: bool,
    /// Whether it is a pawn: its moves restart the count, and SAN leaves its letter out.
    pub pawn: bool,
    /// The area that it may neither enter nor cross.
    pub wall: Option<Area>,
    /// Its moves, group by group.
    pub moves: Vec<MoveGroup>,
}

/// Moves of a piece under one condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveGroup {
    /// The moves in Betza notation, as the file writes them.
    pub betza: String,
    /// The same, read.
    pub atoms: Vec<Atom>,
    /// When they apply.
    pub condition: Condition,
}

/// When moves of a piece apply.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Condition {
    /// The squares from which; `None` for all.
    pub on: Option<Area>,
    /// The direction in which there must be no square.
    pub edge: Option<Edge>,
    /// How they must change the distance from the own camp.
    pub gain: Option<Gain>,
    /// Whether that distance is counted from the camp's center, otherwise than elsewhere in the game.
    pub center: bool,
}

impl Condition {
    /// Whether the moves always apply.
    #[must_use]
    pub fn is_always(&self) -> bool {
        self.on.is_none() && self.edge.is_none() && self.gain.is_none()
    }
}

/// A direction in the player's frame in which a square is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edge {
    /// `f`
    Ahead,
    /// `b`
    Behind,
    /// `l`
    Left,
    /// `r`
    Right,
    /// `fl`
    AheadLeft,
    /// `fr`
    AheadRight,
    /// `bl`
    BehindLeft,
    /// `br`
    BehindRight,
}

/// The roles of a game, in the order of their letters.
#[derive(Clone, Debug, Default)]
pub struct Roles {
    pub(crate) roles: Vec<RoleInfo>,
    letters: Letters,
}

impl Roles {
    pub(crate) fn new(roles: Vec<RoleInfo>) -> Self {
        let letters = roles.iter().map(|role| role.letter).collect();
        Self { roles, letters }
    }

    /// All roles with their numbers.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let game = library::game("diamond").unwrap();
    /// let names: Vec<&str> = game.roles().iter().map(|(_, info)| info.name.as_str()).collect();
    /// assert!(names.contains(&"Archbishop") && names.contains(&"Vizier"));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (Role, &RoleInfo)> {
        self.roles.iter().enumerate().map(|(number, info)| (Role::new(number as u8), info))
    }

    /// The description of a role.
    ///
    /// # Panics
    /// When the role is of another game.
    #[must_use]
    pub fn info(&self, role: Role) -> &RoleInfo {
        &self.roles[role.index()]
    }

    /// How many roles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.roles.len()
    }

    /// Whether the game has no roles.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.roles.is_empty()
    }

    /// The letters of all roles.
    #[must_use]
    pub fn letters(&self) -> &Letters {
        &self.letters
    }

    /// The role with this capital letter.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let game = library::game("chess").unwrap();
    /// let knight = game.roles().role('N').unwrap();
    /// assert_eq!(game.roles().info(knight).name, "Knight");
    /// ```
    #[must_use]
    pub fn role(&self, letter: char) -> Option<Role> {
        self.letters.role(letter)
    }

    /// The piece with this letter in FEN: capitals are White.
    #[must_use]
    pub fn piece(&self, letter: char) -> Option<Piece> {
        self.letters.piece(letter)
    }

    /// The letter of a piece in FEN.
    ///
    /// # Panics
    /// When the piece is of another game.
    ///
    /// ```
    /// use lozenge_rules::{library, piece::Color, position::Piece};
    /// let game = library::game("chess").unwrap();
    /// let knight = game.roles().role('N').unwrap();
    /// assert_eq!(game.roles().letter(Piece::new(Color::White, knight)), 'N');
    /// assert_eq!(game.roles().letter(Piece::new(Color::Black, knight)), 'n');
    /// ```
    #[must_use]
    pub fn letter(&self, piece: Piece) -> char {
        self.letters.letter(piece)
    }

    /// The royal role.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let game = library::game("chess").unwrap();
    /// let king = game.roles().royal().unwrap();
    /// assert_eq!(game.roles().info(king).name, "King");
    /// ```
    #[must_use]
    pub fn royal(&self) -> Option<Role> {
        self.iter().find(|(_, info)| info.royal).map(|(role, _)| role)
    }
}
