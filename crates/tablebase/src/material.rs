//! Material: which pieces each side has. It names a class of positions, `KRvK`, and a table.

use lozenge_rules::geometry::Square;
use lozenge_rules::position::{AnyPosition, ByColor, Cell, Color, Piece, Role, RoleSet};
use lozenge_rules::variant::Variant;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The most pieces of a class, both Kings included.
pub const MAX_PIECES: usize = 6;

/// The pieces of both sides but for the Kings, each side's in the order of the roles.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Material(ByColor<Vec<Role>>);

/// The pieces of a class as one number, Kings included, the same for every order of the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct MaterialKey(u64);

impl MaterialKey {
    /// The key of these pieces, which get sorted; `None` if there are more than [`MAX_PIECES`].
    pub(crate) fn of(pieces: &mut [Piece]) -> Option<Self> {
        if pieces.len() > MAX_PIECES {
            return None;
        }
        pieces.sort_unstable();
        Some(Self(pieces.iter().fold(0, |key, piece| key << 8 | (piece.index() as u64 + 1))))
    }
}

impl Material {
    /// The material of these pieces.
    #[must_use]
    pub fn new(mut white: Vec<Role>, mut black: Vec<Role>) -> Self {
        white.sort_unstable();
        black.sort_unstable();
        Self(ByColor::new(white, black))
    }

    /// The material of a position.
    #[must_use]
    pub fn of_position(position: &AnyPosition) -> Self {
        let royal = position.variant().roles().royal();
        let squares = position.variant().shape().squares();
        let pieces: Vec<Piece> = squares.filter_map(|square| position.piece_at(square)).collect();
        let side = |color: Color| {
            let own = pieces.iter().filter(|piece| piece.color() == color);
            own.map(|piece| piece.role()).filter(|role| Some(*role) != royal).collect()
        };
        Self::new(side(Color::White), side(Color::Black))
    }

    /// The position in which these pieces stand on `squares`: White's King, Black's King, White's others, Black's others. `None` if
    /// that is no position, or the squares are not as many as the pieces.
    #[must_use]
    pub fn place(&self, variant: &Arc<Variant>, turn: Color, squares: &[Square]) -> Option<AnyPosition> {
        let pieces = self.list(variant.roles().royal()?);
        if pieces.len() != squares.len() {
            return None;
        }
        let mut setup = AnyPosition::start(variant).setup();
        for cell in &mut setup.cells {
            if matches!(cell, Cell::Piece(_)) {
                *cell = Cell::Empty;
            }
        }
        (setup.turn, setup.rights) = (turn, 0);
        (setup.en_passant, setup.en_passant_pawn) = (None, None);
        setup.moved.clear();
        (setup.halfmove_clock, setup.fullmove_number) = (0, 1);
        for (piece, square) in pieces.into_iter().zip(squares) {
            setup.set(variant.shape().coord(*square), Cell::Piece(piece));
        }
        AnyPosition::from_setup(variant, &setup).ok()
    }

    /// Reads a name such as `KRvK`; Kings may be left out.
    #[must_use]
    pub fn parse(variant: &Variant, name: &str) -> Option<Self> {
        let (white, black) = name.split_once('v')?;
        let roles = |side: &str| -> Option<Vec<Role>> {
            let all: Option<Vec<Role>> = side.chars().map(|letter| variant.roles().role(letter)).collect();
            Some(all?.into_iter().filter(|role| Some(*role) != variant.roles().royal()).collect())
        };
        Some(Self::new(roles(white)?, roles(black)?))
    }

    /// Its name: `KRvK`.
    #[must_use]
    pub fn name(&self, variant: &Variant) -> String {
        let side = |color: Color| -> String {
            let roles = variant.roles().royal().into_iter().chain(self.of(color).iter().copied());
            roles.map(|role| variant.roles().info(role).letter).collect()
        };
        format!("{}v{}", side(Color::White), side(Color::Black))
    }

    /// The pieces of one side but for its King.
    #[must_use]
    pub fn of(&self, color: Color) -> &[Role] {
        &self.0[color]
    }

    /// How many pieces, both Kings included.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.0.iter().map(Vec::len).sum::<usize>() + 2
    }

    /// The same with colors exchanged.
    #[must_use]
    pub fn exchanged(&self) -> Self {
        let [white, black] = self.0.clone().into_array();
        Self(ByColor::new(black, white))
    }

    /// Whether White is the side with more pieces, or with the first ones of the game's list.
    #[must_use]
    pub fn is_white_first(&self) -> bool {
        let [white, black] = self.0.each_ref().into_array();
        (white.len(), black) >= (black.len(), white)
    }

    /// All pieces: Kings, White's others, Black's others.
    pub(crate) fn list(&self, royal: Role) -> Vec<Piece> {
        let kings = Color::BOTH.map(|color| Piece::new(color, royal));
        let others = Color::BOTH
            .into_iter()
            .flat_map(|color| self.of(color).iter().map(move |&role| Piece::new(color, role)));
        kings.into_iter().chain(others).collect()
    }

    /// The roles of all pieces but the Kings.
    pub(crate) fn roles(&self) -> RoleSet {
        self.0.iter().flatten().copied().collect()
    }

    /// The classes that captures and promotions lead to.
    pub(crate) fn children(&self, variant: &Variant) -> BTreeSet<Self> {
        let mut children = BTreeSet::new();
        for color in Color::BOTH {
            let promoted = (0..self.of(color).len()).flat_map(|number| {
                let role = self.of(color)[number];
                choices(variant, role).iter().map(move |choice| self.replaced(color, number, Some(choice)))
            });
            let moved: Vec<Self> = core::iter::once(self.clone()).chain(promoted).collect();
            for material in moved {
                for number in 0..material.of(color.opponent()).len() {
                    children.insert(material.replaced(color.opponent(), number, None));
                }
                children.insert(material);
            }
        }
        children.remove(self);
        children
    }

    fn replaced(&self, color: Color, number: usize, role: Option<Role>) -> Self {
        let mut sides = self.0.clone();
        let side = &mut sides[color];
        match role {
            Some(role) => side[number] = role,
            None => drop(side.remove(number)),
        }
        let [white, black] = sides.into_array();
        Self::new(white, black)
    }
}

/// The roles to which a piece may be promoted.
fn choices(variant: &Variant, role: Role) -> RoleSet {
    let promotions = variant.promotions().iter().filter(|(promoted, _, _)| promoted.contains(role));
    promotions.flat_map(|(_, _, choices)| choices.iter()).filter(|choice| *choice != role).collect()
}

/// The roles, and all to which they may be promoted.
pub(crate) fn with_promotions(variant: &Variant, mut roles: RoleSet) -> RoleSet {
    loop {
        let before = roles.len();
        let more: Vec<Role> = roles.iter().flat_map(|role| choices(variant, role).iter()).collect();
        more.into_iter().for_each(|role| roles.insert(role));
        if roles.len() == before {
            return roles;
        }
    }
}

/// All classes of at most `pieces` pieces, smaller ones first, White being the side with more. Where the two sides
/// do not move alike the others are among them, too.
#[must_use]
pub(crate) fn classes(variant: &Variant, pieces: usize, with_exchanged: bool) -> Vec<Material> {
    let royal = variant.roles().royal();
    let roles: Vec<Role> =
        variant.roles().iter().map(|(role, _)| role).filter(|role| Some(*role) != royal).collect();
    let mut found: BTreeSet<Material> = BTreeSet::from([Material::new(Vec::new(), Vec::new())]);
    let mut newest = found.clone();
    for _ in 2..pieces {
        let mut next = BTreeSet::new();
        for material in &newest {
            for color in Color::BOTH {
                for &role in &roles {
                    let mut sides = material.0.clone();
                    sides[color].push(role);
                    let [white, black] = sides.into_array();
                    next.insert(Material::new(white, black));
                }
            }
        }
        found.extend(next.iter().cloned());
        newest = next;
    }
    let mut all: Vec<Material> =
        found.into_iter().filter(|material| with_exchanged || material.is_white_first()).collect();
    all.sort_by_key(Material::pieces);
    all
}
