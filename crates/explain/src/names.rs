//! How pieces and squares are named: pieces the farthest-reaching first; squares together, as whole files and ranks, as
//! runs, one by one; areas of the game's file.

use crate::motion::{Area, Spot};
use crate::text::{Name, file_letter};
use lozenge_rules::geometry::{Coord, Shape, Square, Vector};
use lozenge_rules::position::{Color, Piece, Role, RoleSet};
use lozenge_rules::variant::{AreaItem, Variant};

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

/// Squares to be named: whole files and ranks, straight runs of many by their ends, the rest one by one.
pub(super) fn spots(shape: &Shape, squares: &[Square]) -> Vec<Spot> {
    let mut left: Vec<Square> = squares.to_vec();
    left.sort_unstable();
    left.dedup();
    let mut items = Vec::new();
    let on = |keep: &dyn Fn(Coord) -> bool| -> Vec<Square> {
        shape.squares().filter(|&square| keep(shape.coord(square))).collect()
    };
    let files = (0..shape.width())
        .map(|file| (Spot::File(file_letter(file).to_string()), on(&|at: Coord| at.file == file)));
    let ranks = (0..shape.height())
        .map(|rank| (Spot::Rank((rank + 1).to_string()), on(&|at: Coord| at.rank == rank)));
    let lines: Vec<(Spot, Vec<Square>)> = files.chain(ranks).collect();
    let all = left.clone();
    for (name, line) in lines {
        if line.len() > 3 && line.iter().all(|square| all.contains(square)) {
            left.retain(|square| !line.contains(square));
            items.push(name);
        }
    }
    while left.len() > 6 {
        let Some(run) = longest_run(shape, &left).filter(|run| run.len() > 3) else { break };
        left.retain(|square| !run.contains(square));
        items.push(Spot::Run(shape.name(run[0]), shape.name(run[run.len() - 1])));
    }
    left.sort_by_key(|&square| (shape.coord(square).file, shape.coord(square).rank));
    items.extend(left.iter().map(|&square| Spot::Square(shape.name(square))));
    items
}

fn longest_run(shape: &Shape, squares: &[Square]) -> Option<Vec<Square>> {
    let run = |start: Square, step: Vector| {
        let mut run = vec![start];
        while let Some(next) = shape.step(run[run.len() - 1], step) {
            if !squares.contains(&next) || run.contains(&next) {
                break;
            }
            run.push(next);
        }
        run
    };
    let steps = [Vector::new(1, 0), Vector::new(0, 1), Vector::new(1, 1), Vector::new(1, -1)];
    let runs = squares.iter().flat_map(|&start| steps.into_iter().map(move |step| run(start, step)));
    // The first of the longest, so that the wording never changes by chance.
    runs.fold(None, |best: Option<Vec<Square>>, run| match best {
        Some(best) if best.len() >= run.len() => Some(best),
        _ => Some(run),
    })
}

/// An area of the file; single squares and short runs are set as squares.
pub(super) fn area(variant: &Variant, area: &lozenge_rules::variant::Area) -> Area {
    let shape = variant.shape();
    let mut plain = Vec::new();
    let mut named = Vec::new();
    for item in &area.items {
        match item {
            AreaItem::Square(square) => plain.push(*square),
            AreaItem::Run(run) if run.len() <= 4 => plain.extend(run),
            AreaItem::Run(run) => named.push(Spot::Run(shape.name(run[0]), shape.name(run[run.len() - 1]))),
            AreaItem::File(file) => named.push(Spot::File(file.clone())),
            AreaItem::Rank(rank) => named.push(Spot::Rank(rank.clone())),
            AreaItem::Region { name, enemy } => {
                named.push(Spot::Region { name: name.clone(), enemy: *enemy });
            }
        }
    }
    Area { named, squares: spots(shape, &plain) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;
    use crate::text::Text;
    use lozenge_rules::library;

    #[test]
    fn lists_of_squares_are_abbreviated() {
        for (id, names, expected) in [
            ("diagonal", "a8 g8 h1 h7", "a8, g8, h1 and h7"),
            ("doublediamond", "c9 d9 e9 f9 g9 h9 i9 i3 i4 i5 i6 i7 i8", "file i and rank 9"),
            ("chess", "a8 b8 c8 d8 e8 f8 g8 h8", "rank 8"),
            ("diamondback", "a4 b3 c2 d1", "a4, b3, c2 and d1"),
            ("diamondback", "e8 f8 g8 h7 h6 h5", "e8, f8, g8, h5, h6 and h7"),
        ] {
            let game = library::game(id).unwrap();
            let list: Vec<Square> = names.split(' ').map(|name| game.shape().named(name).unwrap()).collect();
            let area = Area { named: Vec::new(), squares: spots(game.shape(), &list) };
            let text = Language::English.text(id, &Text::Closed(area));
            assert!(text.contains(&format!(" cross {expected};")), "{text}");
        }
    }
}
