//! The symmetries of a game by its tables: the ways to lay the board onto itself, by turning, mirroring and shifting along
//! joined edges, that keep every move. Not used in play; endgame tables are smaller for it.

use super::Variant;
use super::rules::{Castling, Rules};
use super::tables::{AnyRules, by_width};
use crate::geometry::{Coord, Square, SquareSet};
use crate::piece::{Color, Piece, Role, RoleSet};

impl Variant {
    /// The maps of the board onto itself, by square, that keep all moves, promotions and goals of these pieces. The first changes
    /// nothing. Castling rights are left aside. Pieces that move along bent or limited paths are held to have no
    /// symmetry.
    ///
    /// ```
    /// use lozenge_rules::{library, piece::RoleSet};
    /// let chess = library::game("chess").unwrap();
    /// let [king, pawn] = ['K', 'P'].map(|letter| chess.roles().role(letter).into_iter().collect::<RoleSet>());
    /// assert_eq!((chess.automorphisms(king).len(), chess.automorphisms(pawn).len()), (8, 2));
    /// ```
    #[must_use]
    pub fn automorphisms(&self, roles: RoleSet) -> Vec<Vec<Square>> {
        let mut maps = self.box_maps();
        maps.retain(|map| by_width!(&*self.tables, |rules| keeps(rules, map, roles, |color| color)));
        maps
    }

    /// A map of the board onto itself that makes the moves of each side those of the other, for these pieces.
    #[must_use]
    pub fn color_exchange(&self, roles: RoleSet) -> Option<Vec<Square>> {
        let squares = self.shape.squares();
        let map: Option<Vec<Square>> =
            squares.map(|square| self.symmetry.square(&self.shape, square)).collect();
        map.filter(|map| by_width!(&*self.tables, |rules| keeps(rules, map, roles, |color| color.opponent())))
    }

    /// The maps that fit the box, its holes and its joined edges.
    fn box_maps(&self) -> Vec<Vec<Square>> {
        let shape = &self.shape;
        let (width, height, wrap) = (shape.width(), shape.height(), shape.wrap());
        let is_square = width == height && wrap.files == wrap.ranks;
        let shifts = |side: u8, joined: bool| if joined { 0..side } else { 0..1 };
        let mut maps = Vec::new();
        for turned in 0..if is_square { 8 } else { 4 } {
            for file_shift in shifts(width, wrap.files) {
                for rank_shift in shifts(height, wrap.ranks) {
                    let image = |square: Square| {
                        let Coord { mut file, mut rank } = shape.coord(square);
                        if turned & 4 != 0 {
                            (file, rank) = (rank, file);
                        }
                        if turned & 1 != 0 {
                            file = width - 1 - file;
                        }
                        if turned & 2 != 0 {
                            rank = height - 1 - rank;
                        }
                        shape.at(Coord {
                            file: (file + file_shift) % width,
                            rank: (rank + rank_shift) % height,
                        })
                    };
                    maps.extend(shape.squares().map(image).collect::<Option<Vec<Square>>>());
                }
            }
        }
        maps
    }
}

/// Whether the map makes every move of these pieces a move of the same piece of the color that `recolor` gives.
fn keeps<const N: usize>(
    rules: &Rules<N>,
    map: &[Square],
    roles: RoleSet,
    recolor: impl Fn(Color) -> Color,
) -> bool {
    // Sets may have bits beyond the last square.
    let board = SquareSet::first_squares(rules.squares);
    let image = |set: SquareSet<N>| -> SquareSet<N> {
        (set & board).into_iter().map(|square| map[square.index()]).collect()
    };
    let is_image = |from: SquareSet<N>, to: SquareSet<N>| image(from) == to & board;
    let recolored = |piece: Piece| Piece::new(recolor(piece.color()), piece.role());
    let keeps_piece = |role: Role, color: Color| {
        let piece = Piece::new(color, role);
        let (from, to) = (rules.info(piece), rules.info(recolored(piece)));
        let is_identity = map.iter().enumerate().all(|(index, square)| index == square.index());
        if !from.trail_squares.is_empty() || !to.trail_squares.is_empty() {
            return is_identity && piece == recolored(piece);
        }
        (from.orthogonal, from.diagonal, from.pawn, from.en_passant)
            == (to.orthogonal, to.diagonal, to.pawn, to.en_passant)
            && [(from.promotes, to.promotes), (from.declines, to.declines)]
                .into_iter()
                .chain([(from.goal, to.goal), (from.initial, to.initial)])
                .all(|(from, to)| is_image(from, to))
            && map.iter().enumerate().all(|(index, &target)| {
                let square = Square::new(index as u8);
                let strides = |piece: Piece, square: Square| rules.info(piece).strides[square];
                let mut ours: Vec<_> = strides(piece, square)
                    .iter()
                    .map(|stride| (map[stride.crossed.index()], map[stride.to.index()]))
                    .collect();
                let mut theirs: Vec<_> = strides(recolored(piece), target)
                    .iter()
                    .map(|stride| (stride.crossed, stride.to))
                    .collect();
                ours.sort_unstable();
                theirs.sort_unstable();
                is_image(from.leaps[square].quiet, to.leaps[target].quiet)
                    && is_image(from.leaps[square].capture, to.leaps[target].capture)
                    && from.choices[square] == to.choices[target]
                    && ours == theirs
            })
    };
    let keeps_castlings = || {
        let castlings = || {
            rules
                .castlings
                .iter()
                .filter(|castling| castling.right.is_none() && roles.contains(castling.rook.role()))
        };
        castlings().all(|castling| {
            castlings().any(|other| {
                let at = |square: Square| map[square.index()];
                let squares = |castling: &Castling<N>| {
                    [castling.king_from, castling.king_to, castling.rook_from, castling.rook_to]
                };
                other.color == recolor(castling.color)
                    && other.rook == recolored(castling.rook)
                    && other.out_of_check == castling.out_of_check
                    && squares(other) == squares(castling).map(at)
                    && is_image(castling.empty, other.empty)
                    && is_image(castling.safe, other.safe)
            })
        })
    };
    roles.iter().all(|role| Color::BOTH.into_iter().all(|color| keeps_piece(role, color)))
        && keeps_castlings()
}
