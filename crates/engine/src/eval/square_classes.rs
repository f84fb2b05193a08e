//! Classes of equivalent squares: symmetries of the board that leave the game unchanged exchange squares of a
//! class. They share weights, so each position tunes all of them.

use super::advance::MoveMaps;
use lozenge_rules::geometry::{Square, Symmetry};
use lozenge_rules::position::{ByColor, Piece};
use lozenge_rules::variant::Variant;

/// Input of the comparison: moves and arrival gains by piece index.
pub(super) struct Geometry<'g> {
    pub(super) variant: &'g Variant,
    pub(super) pieces: &'g [Piece],
    pub(super) move_maps: &'g [MoveMaps],
    pub(super) arrival_gains: &'g [Vec<i32>],
}

/// By color and square, the number of its class, and how many classes there are. Where Black's pieces
/// move as White's do, turned or mirrored, both colors have the same classes.
pub(super) fn classes(game: &Geometry<'_>) -> (ByColor<Vec<u16>>, usize) {
    let squares = game.variant.shape().len();
    let kept: Vec<Vec<Square>> = Symmetry::NAMED
        .iter()
        .filter_map(|&(_, symmetry)| map(game.variant, symmetry))
        .filter(|map| game.survives(map, false))
        .collect();
    // The smallest square that the symmetries lead to stands for its class.
    let mut leader: Vec<usize> = (0..squares).collect();
    loop {
        let before = leader.clone();
        for map in &kept {
            for square in 0..squares {
                let image = map[square].index();
                let least = leader[square].min(leader[image]);
                (leader[square], leader[image]) = (least, least);
            }
        }
        if leader == before {
            break;
        }
    }
    let leaders: Vec<usize> = (0..squares).filter(|&square| leader[square] == square).collect();
    let number = |square: usize| leaders.binary_search(&leader[square]).unwrap_or(0) as u16;
    let white: Vec<u16> = (0..squares).map(number).collect();
    let exchange = map(game.variant, game.variant.symmetry()).filter(|map| game.survives(map, true));
    match exchange {
        Some(map) => {
            let black = map.iter().map(|image| white[image.index()]).collect();
            (ByColor::new(white, black), leaders.len())
        }
        None => {
            let black = white.iter().map(|class| class + leaders.len() as u16).collect();
            (ByColor::new(white, black), 2 * leaders.len())
        }
    }
}

/// The image of every square under a symmetry, if it maps the board to itself.
fn map(variant: &Variant, symmetry: Symmetry) -> Option<Vec<Square>> {
    let shape = variant.shape();
    if !symmetry.fits(shape) {
        return None;
    }
    shape.squares().map(|square| symmetry.square(shape, square)).collect()
}

impl Geometry<'_> {
    /// Whether every piece moves and gains on the image of a square as it (or, with `exchange`, the same
    /// piece of the other color) does on the square.
    fn survives(&self, map: &[Square], exchange: bool) -> bool {
        self.pieces.iter().all(|&piece| {
            let color = if exchange { piece.color().opponent() } else { piece.color() };
            let (own, image) = (piece.index(), Piece::new(color, piece.role()).index());
            (0..map.len()).all(|from| {
                let to = map[from].index();
                self.arrival_gains[own][from] == self.arrival_gains[image][to]
                    && same(map, &self.move_maps[own].quiet[from], &self.move_maps[image].quiet[to])
                    && same(map, &self.move_maps[own].captures[from], &self.move_maps[image].captures[to])
            })
        })
    }
}

/// Whether the images of `from` are `to`, in any order.
fn same(map: &[Square], from: &[Square], to: &[Square]) -> bool {
    from.len() == to.len() && from.iter().all(|square| to.contains(&map[square.index()]))
}
