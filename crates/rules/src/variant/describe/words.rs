//! What follows from the game and is said in several places: pieces in order, how the board lies to the players.

use super::text::{BlackSide, Forward, Line, Name, file_letter};
use crate::geometry::{Coord, Frame, Symmetry, Vector};
use crate::position::{Color, Piece, Role, RoleSet};
use crate::variant::Variant;

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

/// How Black's side follows from White's, with an example that is on the board.
pub(super) fn black_side(variant: &Variant) -> BlackSide {
    let (shape, symmetry) = (variant.shape(), variant.symmetry());
    let (width, height) = (shape.width(), shape.height());
    let corner = |file: u8, rank: u8| Coord { file, rank }.to_string();
    let example = shape.squares().find_map(|square| {
        let image = symmetry.square(shape, square).filter(|&image| image != square)?;
        Some([shape.name(square), shape.name(image)])
    });
    match symmetry {
        Symmetry::Turn => BlackSide::Turned(example),
        Symmetry::MirrorRanks => BlackSide::MirroredRanks(height),
        Symmetry::MirrorFiles => BlackSide::MirroredFiles(file_letter(width - 1)),
        Symmetry::MirrorRising => {
            BlackSide::MirroredDiagonal { diagonal: [corner(0, 0), corner(width - 1, height - 1)], example }
        }
        Symmetry::MirrorFalling => {
            BlackSide::MirroredDiagonal { diagonal: [corner(0, height - 1), corner(width - 1, 0)], example }
        }
    }
}

/// Whether forward goes along a diagonal of the board.
pub(super) fn is_diagonal(frame: Frame) -> bool {
    frame.forward.dx != 0 && frame.forward.dy != 0
}

/// Which way is forward, and in a diagonal frame what the other words mean.
pub(super) fn forward(variant: &Variant) -> Forward {
    let frame = variant.frames()[0];
    let (width, height) = (variant.shape().width(), variant.shape().height());
    let line = |step: Vector| Line::of(step, (width, height));
    if !is_diagonal(frame) {
        return Forward::Straight(line(frame.forward));
    }
    let corner = |Vector { dx, dy }: Vector| {
        let (file, rank) = (if dx < 0 { 0 } else { width - 1 }, if dy < 0 { 0 } else { height - 1 });
        Coord { file, rank }.to_string()
    };
    let Vector { dx, dy } = frame.forward;
    let halves = [Vector::new(dx, 0), Vector::new(0, dy)];
    let [left, right] = if frame.seen(halves[0]).0 < 0 { halves } else { [halves[1], halves[0]] };
    Forward::Corner {
        from: corner(frame.forward.times(-1)),
        to: corner(frame.forward),
        left: line(left),
        right: line(right),
        sides: [corner(frame.right.times(-1)), corner(frame.right)],
    }
}
