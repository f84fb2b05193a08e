//! The number of a position in the table of its class: where the pieces stand, up to the symmetries of the board, and who
//! is to move.
//!
//! A place is a square, or a starting square whose piece has moved there, which is another thing where pieces have an
//! initial move. Some numbers belong to no position: two pieces on one square, positions that are not legal, and those
//! of which a symmetric one has a smaller number.

use crate::material::{MAX_PIECES, Material, with_promotions};
use arrayvec::ArrayVec;
use core::ops::Range;
use lozenge_rules::geometry::Square;
use lozenge_rules::piece::{Color, Piece};
use lozenge_rules::position::PlacedPiece;
use lozenge_rules::variant::{Rules, Variant};

/// By piece of a class, in the order of its list: the number of its place.
pub(crate) type Placement = [u16; MAX_PIECES];

/// The places of one piece.
#[derive(Debug)]
struct Places {
    list: Vec<(Square, bool)>,
    /// By square, and whether the piece has moved there: the number in the list.
    numbers: Vec<[Option<u16>; 2]>,
    /// By symmetry and place: where it goes.
    maps: Vec<Vec<u16>>,
}

/// How the positions of one class are numbered.
#[derive(Debug)]
pub(crate) struct Index {
    pieces: Vec<Piece>,
    /// The places of each piece.
    places: Vec<Places>,
    /// Alike pieces: the first number and the number behind the last.
    groups: Vec<(usize, usize)>,
    /// By square of White's King: its number among those that differ, and the symmetries that lead there.
    kings: Vec<(u16, Vec<u16>)>,
    /// The squares of White's King that differ.
    king_places: Vec<u16>,
    len: usize,
}

/// More positions than a machine word can number, or more than tables are made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooLarge;

/// No table has more numbers.
const MAX_LEN: usize = match 1_usize.checked_shl(36) {
    Some(len) => len,
    None => usize::MAX,
};

impl Index {
    pub(crate) fn new<const N: usize>(
        variant: &Variant,
        rules: &Rules<N>,
        material: &Material,
    ) -> Result<Self, TooLarge> {
        let Some(royal) = variant.roles().royal() else { return Err(TooLarge) };
        let pieces = material.list(royal);
        let mut roles = material.roles();
        roles.insert(royal);
        let maps = variant.automorphisms(with_promotions(variant, roles));
        let places: Vec<Places> =
            pieces.iter().map(|&piece| Places::new(variant, rules, piece, &maps)).collect();
        let mut groups = Vec::new();
        let mut start = 2;
        for end in 3..=pieces.len() {
            if end == pieces.len() || pieces[end] != pieces[start] {
                groups.push((start, end));
                start = end;
            }
        }
        groups.retain(|(start, end)| end - start > 1);
        let mut kings = Vec::new();
        let mut king_places = Vec::new();
        for place in 0..places[0].list.len() {
            let images = places[0].maps.iter().map(|map| map[place]);
            let least = images.clone().min().unwrap_or(place as u16);
            if usize::from(least) == place {
                king_places.push(least);
            }
            let number = king_places.iter().position(|&king| king == least).unwrap_or(0);
            let there = (0..).zip(images).filter(|(_, image)| *image == least).map(|(map, _)| map);
            kings.push((number as u16, there.collect()));
        }
        let others = places[1..].iter().map(|places| places.list.len());
        let len = others
            .chain([2])
            .try_fold(king_places.len(), usize::checked_mul)
            .filter(|len| *len <= MAX_LEN)
            .ok_or(TooLarge)?;
        Ok(Self { pieces, places, groups, kings, king_places, len })
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The pieces, in the order of placements.
    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Where a piece of the list stands.
    pub(crate) fn place(&self, number: usize, placement: &Placement) -> (Square, bool) {
        self.places[number].list[usize::from(placement[number])]
    }

    /// The places of a piece of the list on a square: one, or two where it may have moved there.
    pub(crate) fn places_on(&self, number: usize, square: Square) -> impl Iterator<Item = u16> {
        self.places[number].numbers[square.index()].into_iter().flatten()
    }

    /// The place of a piece of the list that has just moved to a square.
    #[inline]
    pub(crate) fn arrival(&self, number: usize, square: Square) -> Option<u16> {
        let [unmoved, moved] = self.places[number].numbers[square.index()];
        moved.or(unmoved)
    }

    /// Where these pieces stand; `None` if they are not those of the class or stand where they cannot.
    pub(crate) fn placement(&self, pieces: impl Iterator<Item = PlacedPiece>) -> Option<Placement> {
        let mut placement = [0; MAX_PIECES];
        let mut placed = 0u32;
        for PlacedPiece { piece, square, moved } in pieces {
            let number = (0..self.pieces.len())
                .find(|&number| self.pieces[number] == piece && placed >> number & 1 == 0)?;
            placement[number] = self.places[number].numbers[square.index()][usize::from(moved)]?;
            placed |= 1 << number;
        }
        (placed.count_ones() as usize == self.pieces.len()).then_some(placement)
    }

    /// The number of a position: the least among those symmetric to it.
    #[inline]
    pub(crate) fn number(&self, placement: &Placement, turn: Color) -> usize {
        let (king, maps) = &self.kings[usize::from(placement[0])];
        let mut least = usize::MAX;
        for &map in maps {
            let mut mapped = [0; MAX_PIECES];
            for (number, places) in self.places.iter().enumerate() {
                mapped[number] = places.maps[usize::from(map)][usize::from(placement[number])];
            }
            for &(start, end) in &self.groups {
                mapped[start..end].sort_unstable();
            }
            let mut number = usize::from(*king);
            for (places, &place) in self.places[1..].iter().zip(&mapped[1..]) {
                number = number * places.list.len() + usize::from(place);
            }
            least = least.min(number);
        }
        turn.index() * (self.len / 2) + least
    }

    /// Whether a position with this number has no symmetric one with a smaller number.
    #[inline]
    pub(crate) fn is_least(&self, number: usize, placement: &Placement, turn: Color) -> bool {
        let (_, maps) = &self.kings[usize::from(placement[0])];
        (maps.len() == 1 && self.groups.is_empty()) || self.number(placement, turn) == number
    }

    /// Calls `work` with each number of a range, and what [`Index::at`] has for it.
    pub(crate) fn walk(&self, numbers: Range<usize>, mut work: impl FnMut(usize, &Placement, Color)) {
        let Some((mut placement, mut turn)) = numbers.clone().next().map(|first| self.at(first)) else {
            return;
        };
        // White's King is the last to move on.
        let mut king = self.king_places.iter().position(|place| *place == placement[0]).unwrap_or(0);
        for number in numbers {
            work(number, &placement, turn);
            let next = (1..self.places.len()).rev().find(|&which| {
                placement[which] += 1;
                let is_over = usize::from(placement[which]) == self.places[which].list.len();
                placement[which] *= u16::from(!is_over);
                !is_over
            });
            if next.is_none() {
                king = (king + 1) % self.king_places.len();
                placement[0] = self.king_places[king];
                turn = if king == 0 { turn.opponent() } else { turn };
            }
        }
    }

    /// Where the pieces stand in the position with this number, and who is to move. The number of no position has a placement,
    /// too; see [`Index::number`].
    pub(crate) fn at(&self, number: usize) -> (Placement, Color) {
        let half = self.len / 2;
        let turn = Color::BOTH[usize::from(number >= half)];
        let mut rest = number % half;
        let mut placement = [0; MAX_PIECES];
        for (number, places) in self.places.iter().enumerate().skip(1).rev() {
            placement[number] = (rest % places.list.len()) as u16;
            rest /= places.list.len();
        }
        placement[0] = self.king_places[rest];
        (placement, turn)
    }

    /// The pieces of a placement.
    pub(crate) fn placed(&self, placement: &Placement) -> ArrayVec<PlacedPiece, MAX_PIECES> {
        let placed = |(number, &piece): (usize, &Piece)| {
            let (square, moved) = self.place(number, placement);
            PlacedPiece { piece, square, moved }
        };
        self.pieces.iter().enumerate().map(placed).collect()
    }
}

impl Places {
    fn new<const N: usize>(variant: &Variant, rules: &Rules<N>, piece: Piece, maps: &[Vec<Square>]) -> Self {
        let mut list = Vec::new();
        let mut numbers = Vec::new();
        for square in variant.shape().squares() {
            let mut there = [None; 2];
            if rules.may_stand(piece, square) {
                for moved in [false, true] {
                    if !moved || rules.initial_squares(piece).contains(square) {
                        there[usize::from(moved)] = Some(list.len() as u16);
                        list.push((square, moved));
                    }
                }
            }
            numbers.push(there);
        }
        // Symmetries keep starting squares and promotion squares, so that every image is a place.
        let image = |map: &[Square], (square, moved): (Square, bool)| {
            numbers[map[square.index()].index()][usize::from(moved)].unwrap_or(0)
        };
        let maps = maps.iter().map(|map| list.iter().map(|&place| image(map, place)).collect()).collect();
        Self { list, numbers, maps }
    }
}
