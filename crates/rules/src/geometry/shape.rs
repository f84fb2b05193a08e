//! The shape of a board: a box of at most 16 by 16 cells, holes, and wrap on either axis.

use super::square::Square;
use super::vector::Vector;
use arrayvec::ArrayString;

/// Widest and tallest box.
pub const MAX_SIDE: u8 = 16;

/// Which pairs of opposite edges are joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wrap {
    /// The last file is next to file a (a cylinder, or a torus with `ranks`).
    pub files: bool,
    /// The last rank is next to rank 1.
    pub ranks: bool,
}

/// A cell in the box, counted from zero: file a is 0, rank 1 is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Coord {
    /// 0 for file a.
    pub file: u8,
    /// 0 for rank 1.
    pub rank: u8,
}

/// A board: which cells of the box are squares, and which edges are joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    width: u8,
    height: u8,
    wrap: Wrap,
    square_of: Vec<Option<Square>>,
    coord_of: Vec<Coord>,
}

impl Shape {
    /// A board of `width` by `height` cells, 1..=[`MAX_SIDE`] each; `is_square` returns whether a
    /// cell is a square and not a hole.
    ///
    /// # Panics
    /// When a side is out of range (the file's reader has checked it).
    ///
    /// ```
    /// use lozenge_rules::geometry::{Coord, Shape, Square, Vector, Wrap};
    /// let diamond = Shape::new(3, 3, Wrap::default(), |at| at.file.abs_diff(1) + at.rank.abs_diff(1) <= 1);
    /// assert_eq!(diamond.len(), 5);
    /// ```
    pub fn new(width: u8, height: u8, wrap: Wrap, is_square: impl Fn(Coord) -> bool) -> Self {
        assert!((1..=MAX_SIDE).contains(&width) && (1..=MAX_SIDE).contains(&height));
        let mut coord_of = Vec::new();
        let square_of = (0..height)
            .flat_map(|rank| (0..width).map(move |file| Coord { file, rank }))
            .map(|coord| {
                is_square(coord).then(|| {
                    coord_of.push(coord);
                    Square::new((coord_of.len() - 1) as u8)
                })
            })
            .collect();
        Self { width, height, wrap, square_of, coord_of }
    }

    /// Files of the box, 1..=16.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// assert_eq!(library::game("diamond").unwrap().shape().width(), 9);
    /// ```
    #[must_use]
    pub const fn width(&self) -> u8 {
        self.width
    }

    /// Ranks of the box, 1..=16.
    #[must_use]
    pub const fn height(&self) -> u8 {
        self.height
    }

    /// Which edges are joined.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let wrap = library::game("cylinder").unwrap().shape().wrap();
    /// assert!(wrap.files && !wrap.ranks);
    /// ```
    #[must_use]
    pub const fn wrap(&self) -> Wrap {
        self.wrap
    }

    /// Number of squares (holes do not count), at most 256.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// assert_eq!(library::game("diamond").unwrap().shape().len(), 40);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.coord_of.len()
    }

    /// Whether every cell is a hole.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.coord_of.is_empty()
    }

    /// All squares in order: rank 1 first, file a first.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let game = library::game("diamond").unwrap();
    /// assert_eq!(game.shape().squares().count(), 40);
    /// ```
    pub fn squares(&self) -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator + use<> {
        (0..self.len() as u16).map(|number| Square::new(number as u8))
    }

    /// Where a square of this board is.
    ///
    /// # Panics
    /// When `square` is of a larger board.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let game = library::game("chess").unwrap();
    /// let e4 = game.shape().named("e4").unwrap();
    /// assert_eq!(game.shape().coord(e4).rank, 3);
    /// ```
    #[must_use]
    pub fn coord(&self, square: Square) -> Coord {
        self.coord_of[square.index()]
    }

    /// The square at a cell of the box; `None` for a hole or a cell outside.
    ///
    /// ```
    /// use lozenge_rules::geometry::{Coord, Shape, Square, Vector, Wrap};
    /// let board = Shape::new(8, 8, Wrap::default(), |_| true);
    /// assert!(board.at(Coord { file: 7, rank: 7 }).is_some());
    /// assert!(board.at(Coord { file: 8, rank: 0 }).is_none());
    /// ```
    #[must_use]
    pub fn at(&self, coord: Coord) -> Option<Square> {
        if coord.file >= self.width || coord.rank >= self.height {
            return None;
        }
        self.square_of[usize::from(coord.rank) * usize::from(self.width) + usize::from(coord.file)]
    }

    /// The square reached from `square` by `vector` across joined edges; `None` where there is no
    /// such square. Coming back to `square` itself counts as no square: that is not a move.
    ///
    /// ```
    /// use lozenge_rules::geometry::{Coord, Shape, Square, Vector, Wrap};
    /// let torus = Shape::new(12, 12, Wrap { files: true, ranks: true }, |_| true);
    /// let last = torus.named("l1").unwrap();
    /// assert_eq!(torus.step(last, Vector::new(1, 0)), torus.named("a1"));
    /// ```
    #[must_use]
    pub fn step(&self, square: Square, vector: Vector) -> Option<Square> {
        let Coord { file, rank } = self.coord(square);
        let file = along(file, vector.dx, self.width, self.wrap.files)?;
        let rank = along(rank, vector.dy, self.height, self.wrap.ranks)?;
        self.at(Coord { file, rank }).filter(|&reached| reached != square)
    }

    /// The squares from `start` by repeated `step`, in order, until the board ends, a hole stops it, or
    /// it comes round to `start` again. `start` is never part of the ray. On a ring of twelve files a
    /// sideways ray therefore has eleven squares.
    ///
    /// ```
    /// use lozenge_rules::geometry::{Coord, Shape, Square, Vector, Wrap};
    /// let torus = Shape::new(12, 12, Wrap { files: true, ranks: true }, |_| true);
    /// let a1 = torus.named("a1").unwrap();
    /// // All round the torus, and not onto the square it began with.
    /// assert_eq!(torus.ray(a1, Vector::new(1, 0)).len(), 11);
    /// ```
    #[must_use]
    pub fn ray(&self, start: Square, step: Vector) -> Vec<Square> {
        let mut squares = Vec::new();
        let mut here = start;
        while let Some(next) = self.step(here, step) {
            if next == start {
                break;
            }
            squares.push(next);
            here = next;
        }
        squares
    }

    /// The name of a square: file letter and rank number, `a1` to `p16`.
    ///
    /// ```
    /// use lozenge_rules::geometry::{Coord, Shape, Square, Vector, Wrap};
    /// let torus = Shape::new(12, 12, Wrap { files: true, ranks: true }, |_| true);
    /// assert_eq!(torus.name(torus.named("l12").unwrap()), "l12");
    /// ```
    #[must_use]
    pub fn name(&self, square: Square) -> String {
        self.coord(square).name().as_str().to_owned()
    }

    /// The square with this name, if the text is a name of a square of this board.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let game = library::game("diamond").unwrap();
    /// assert!(game.shape().named("e1").is_some());
    /// assert!(game.shape().named("a1").is_none(), "a hole");
    /// ```
    #[must_use]
    pub fn named(&self, name: &str) -> Option<Square> {
        let (coord, rest) = Coord::read(name)?;
        if rest.is_empty() { self.at(coord) } else { None }
    }
}

impl Coord {
    /// The name, such as `l12`: quicker than formatting, for the lists of moves that servers write.
    #[must_use]
    pub(crate) fn name(self) -> ArrayString<3> {
        let rank = self.rank + 1;
        let mut name = ArrayString::new();
        name.push(char::from(b'a' + self.file));
        if rank >= 10 {
            name.push(char::from(b'0' + rank / 10));
        }
        name.push(char::from(b'0' + rank % 10));
        name
    }

    /// Reads a name such as `l12` from the start of `text`, with the digits that belong to a rank
    /// (no leading zero, at most 16). Returns the rest of the text.
    ///
    /// ```
    /// use lozenge_rules::geometry::Coord;
    /// let (coord, rest) = Coord::read("l12a1").unwrap();
    /// assert_eq!((coord.file, coord.rank, rest), (11, 11, "a1"));
    /// ```
    #[must_use]
    pub fn read(text: &str) -> Option<(Self, &str)> {
        let mut chars = text.chars();
        let file = chars.next().filter(|letter| ('a'..='p').contains(letter))? as u8 - b'a';
        let digits = chars.as_str();
        let count = digits.bytes().take(2).take_while(u8::is_ascii_digit).count();
        (1..=count).rev().filter(|_| !digits.starts_with('0')).find_map(|end| {
            let rank: u8 = digits[..end].parse().ok()?;
            (1..=MAX_SIDE).contains(&rank).then(|| (Self { file, rank: rank - 1 }, &digits[end..]))
        })
    }
}

impl core::fmt::Display for Coord {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.name())
    }
}

fn along(from: u8, delta: i8, side: u8, joined: bool) -> Option<u8> {
    let (to, side) = (i16::from(from) + i16::from(delta), i16::from(side));
    let to = if joined { to.rem_euclid(side) } else { to };
    (0..side).contains(&to).then_some(to as u8)
}
