//! The pieces of a game by name, the farthest-reaching first.

use crate::text::Name;
use lozenge_rules::position::{Color, Piece, Role, RoleSet};
use lozenge_rules::variant::Variant;

/// White's piece of a role.
pub(super) fn white(role: Role) -> Piece {
    Piece::new(Color::White, role)
}

/// The name of a role.
pub(super) fn name(variant: &Variant, role: Role) -> Name {
    Name(variant.roles().info(role).name.clone())
}

/// Names of roles, the farthest-reaching first.
pub(super) fn names(variant: &Variant, roles: RoleSet) -> Vec<Name> {
    let mut list: Vec<_> = roles.iter().collect();
    list.sort_by_cached_key(|&role| core::cmp::Reverse(mobility(variant, role)));
    list.into_iter().map(|role| name(variant, role)).collect()
}

/// How far a piece reaches on the empty board, from all squares together.
pub(super) fn mobility(variant: &Variant, role: Role) -> usize {
    let squares = variant.shape().squares();
    squares.map(|square| variant.reach(white(role), square)).map(|r| r.quiet.len() + r.capture.len()).sum()
}
